import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { formatCount, formatTypedDay } from '../../text/format.ts';
import { localIn } from '../../text/local-time.ts';
import { kindOf, type ResultField, textOf } from './result-values.ts';

/** Says a value in words; an instant is shown in the business time zone, in which appointments are kept. */
export function useResultWords(): (field: Pick<ResultField, 'type'>, value: unknown) => string {
  const { t } = useTranslation();
  const { timeZone } = useMe();
  return useCallback(
    (field, value) => {
      if (value === null || value === undefined) return '';
      const kind = kindOf(field);
      if (typeof value === 'boolean') return t(value ? 'noun.yes' : 'noun.no');
      if (typeof value === 'number') return formatCount(value);
      if (kind === 'date') return formatTypedDay(textOf(value));
      const at = kind === 'datetime' ? Date.parse(textOf(value)) : Number.NaN;
      return Number.isNaN(at) || timeZone === null ? textOf(value) : formatTypedDay(localIn(timeZone, at));
    },
    [t, timeZone],
  );
}
