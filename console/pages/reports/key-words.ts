import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { formatTypedDay } from '../../text/format.ts';
import { localIn } from '../../text/local-time.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { weekdayName } from '../../text/zone.ts';
import type { Dimension } from './question.ts';

export type KeyWords = (dimension: Dimension, value: string, label?: string | null) => string;

/** Names what the calls of a group have in common: the name of a row, the day of a week, the outcome in the reader's language. */
export function useKeyWords(): KeyWords {
  const { t, i18n } = useTranslation();
  const { timeZone } = useMe();
  return useMemo(() => keyWords({ t: i18n.t, zone: timeZone ?? 'UTC' }), [t, i18n, timeZone]);
}

interface Reader {
  t: (key: string, values?: Record<string, string>) => string;
  /** The business time zone, which hours are of. */
  zone: string;
}

function keyWords({ t, zone }: Reader): KeyWords {
  const words: Partial<Record<Dimension, (value: string) => string>> = {
    HOUR: value => formatTypedDay(localIn(zone, Date.parse(value))),
    HOUR_OF_DAY: value => `${value}:00`,
    WEEKDAY: value => weekdayName(Number(value), 'short'),
    DAY: formatTypedDay,
    WEEK: value => t('reports.weekOf', { day: formatTypedDay(value) }),
    OUTCOME: value => t(FATES_BESIDE.includes(value) ? `reports.fate.${value}` : `outcomeName.${value.toUpperCase()}`),
    HANDLED_BY: value => t(`reports.handler.${value}`),
    NUMBER: formatPhone,
    ATTEMPT_NUMBER: value => t('reports.nth', { number: value }),
  };
  return (dimension, value, label) => {
    if (value === '') return t('reports.nobody');
    return label ?? words[dimension]?.(value) ?? (NAMED.includes(dimension) ? `#${value}` : value);
  };
}

/** Fates that are no outcomes. */
const FATES_BESIDE = ['in_progress', 'withdrawn'];
/** Groupings whose values are ids: without a name the id stands for it. */
const NAMED: readonly Dimension[] = ['CAMPAIGN', 'LINE', 'AGENT', 'AGENT_GROUP', 'SCRIPT'];
