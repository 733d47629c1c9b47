import { useTranslation } from 'react-i18next';
import { formatDateTime, formatMs } from '../../text/format.ts';
import { isInMs } from '../../text/milliseconds.ts';
import { useWeekdays } from '../policies/use-weekdays.ts';
import { ChangedList, differenceOf, type Members, membersOf } from './audit-difference.ts';

/** Section of the texts with the field names of each kind of object. */
const FIELDS: Readonly<Record<string, string>> = {
  line: 'lines.field',
  agent: 'agents.field',
  agent_group: 'groups.field',
  user: 'users.field',
  campaign: 'campaignForm',
  policy: 'policyForm',
};

/** Section of the texts with the values of a field, by field name or by kind of object and field name. */
const VALUES: Readonly<Record<string, string>> = {
  hangupCause: 'hangupCause',
  role: 'roles',
  allocationMode: 'allocationMode',
  callerIdHeaderMode: 'callerIdHeaderMode',
  numberFormat: 'numberFormat',
  monitoringMode: 'monitoringMode',
  'policy.type': 'policyType',
  'policy.scope': 'policyScope',
  'campaign.status': 'campaignStatus',
  'agent.status': 'agentStatus',
};

/** Fields that hold UTC ms. */
const INSTANT = /At$/;

export interface AuditedDetail {
  before: Members;
  after: Members;
  /** Fields that changed. */
  names: readonly string[];
  /** Other details of the action. */
  rest: Members;
}

export function detailOf(detail: unknown): AuditedDetail {
  const { before: old, after: now, ...rest } = membersOf(detail);
  const { before, after } = differenceOf(membersOf(old), membersOf(now));
  return { before, after, names: [...new Set([...Object.keys(before), ...Object.keys(after)])], rest };
}

/** Labels for the fields of an audited object and for their values. */
export function useAuditValues(targetType: string) {
  const { t, i18n } = useTranslation();
  const weekdays = useWeekdays();
  const listed = (entries: readonly string[]) => entries.join(t('noun.between'));
  const listWords = useListWords();
  return {
    /** The label of the field in the form; without one, the name itself. */
    nameOf: (path: string, value?: unknown): string => {
      const name = fieldOf(path, value);
      const key = [`${FIELDS[targetType]}.${name}`, `auditField.${name}`].find(each => i18n.exists(each) && typeof t(each) === 'string');
      return key ? t(key) : name;
    },
    /** Null for an object or a list of objects, which needs more than a line. */
    wordOf: (path: string, value: unknown): string | null => {
      const name = path.split('.').at(-1) ?? path;
      if (value instanceof ChangedList) return listWords(value);
      if (name === 'days' && isNumbers(value)) return weekdays(value);
      if (value === null || value === undefined || value === '') return t('noun.nothing');
      if (typeof value === 'boolean') return t(value ? 'noun.yes' : 'noun.no');
      if (typeof value === 'number' && isInMs(name)) return formatMs(value);
      if (typeof value === 'number' && INSTANT.test(name)) return formatDateTime(value);
      if (Array.isArray(value) && value.every(each => typeof each === 'string')) return listed(value) || t('noun.nothing');
      if (typeof value === 'object') return null;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const section = VALUES[`${targetType}.${name}`] ?? VALUES[name];
      const key = `${section}.${text.toUpperCase()}`;
      return section !== undefined && i18n.exists(key) ? t(key) : text;
    },
  };
}

/** Name of the field in its form: a policy keeps a number of days under the name that its form uses for weekdays. */
function fieldOf(path: string, value: unknown): string {
  const name = path.split('.').at(-1) ?? path;
  return path === 'config.days' && typeof value === 'number' ? 'withinDays' : name;
}

/** Most entries that are named; the others are only counted. */
const MOST_ENTRIES = 5;

/** How long a list is, and what came and went. */
function useListWords(): (list: ChangedList) => string {
  const { t } = useTranslation();
  const named = (key: 'audit.added' | 'audit.removed', entries: readonly string[]) => {
    const shown = entries.slice(0, MOST_ENTRIES).join(t('noun.between'));
    return entries.length === 0 ? [] : [t(key, { entries: shown, rest: entries.length > MOST_ENTRIES ? '…' : '' })];
  };
  return ({ count, added, removed }) =>
    [t('audit.entries', { count }), ...named('audit.added', added), ...named('audit.removed', removed)].join(t('audit.apart'));
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'number');
}

interface Turn {
  field: string;
  before: unknown;
  after: unknown;
}

/** A change of a field in one line: old and new value, or only that it changed when the values need more than a line. */
export function useTurned(targetType: string): (turn: Turn) => string {
  const { t } = useTranslation();
  const { nameOf, wordOf } = useAuditValues(targetType);
  return ({ field, ...turn }) => {
    const [name, before, after] = [nameOf(field, turn.after), wordOf(field, turn.before), wordOf(field, turn.after)];
    return before === null || after === null ? name : t('audit.turned', { name, before, after });
  };
}
