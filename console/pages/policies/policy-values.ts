import type { CreatePolicyMutationVariables, PolicyRowFragment, PolicyToEditQuery } from './policies.generated.ts';
import type { PolicyType } from './policy-types.ts';

type Input = CreatePolicyMutationVariables['input'];
type SettingsInput = NonNullable<Input['settings']>;

/** Values of the form: the fields of every type at once, so that a change of the type loses nothing; lists have one entry per line. */
export interface PolicyValues {
  name: string;
  scope: PolicyRowFragment['scope'];
  campaignId: string;
  type: PolicyType;
  priority: number | '';
  isEnabled: boolean;
  dates: string;
  recurringDates: string;
  workdayOverrides: string;
  region: string;
  start: string;
  end: string;
  days: number[];
  numbers: string;
  prefixes: string;
  withinDays: number | '';
  maxAttempts: number | '';
  callIntervalMs: number | '';
  maxRetries: number | '';
  retryIntervalSeconds: number | '';
  maxConcurrency: number | '';
}

export const EMPTY: PolicyValues = {
  name: '',
  scope: 'GLOBAL',
  campaignId: '',
  type: 'DAILY_WINDOW',
  priority: 0,
  isEnabled: true,
  dates: '',
  recurringDates: '',
  workdayOverrides: '',
  region: '',
  start: '09:00',
  end: '20:00',
  days: [1, 2, 3, 4, 5],
  numbers: '',
  prefixes: '',
  withinDays: 7,
  maxAttempts: 3,
  callIntervalMs: 1000,
  maxRetries: 1,
  retryIntervalSeconds: '',
  maxConcurrency: 10,
};

type Stored = NonNullable<PolicyToEditQuery['policy']>;

/** Values of a stored policy; fields without a setting get the value of an empty form. */
export function valuesOf({ name, scope, campaign, type, priority, isEnabled, settings }: Stored): PolicyValues {
  const said = Object.entries(settings ?? {}).map(([field, value]) => [
    field,
    isList(value) && field !== 'days' ? value.join('\n') : (value ?? ''),
  ]);
  const own = { name, scope, campaignId: campaign?.databaseId ?? '', type, priority, isEnabled };
  return { ...EMPTY, ...Object.fromEntries(said), ...own };
}

function isList(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value);
}

export function inputOf(values: PolicyValues): Input {
  const { name, scope, campaignId, priority, isEnabled } = values;
  return {
    name: name.trim(),
    scope,
    campaignId: scope === 'CAMPAIGN' ? campaignId || null : null,
    priority: priority === '' ? null : priority,
    isEnabled,
    settings: SETTINGS[values.type](values),
  };
}

/** An empty number is sent as -1, which the server rejects at its field. */
const numberOf = (value: number | '') => (value === '' ? -1 : value);
const optionalNumber = (value: number | '') => (value === '' ? null : value);

const SETTINGS: Readonly<Record<PolicyType, (values: PolicyValues) => SettingsInput>> = {
  BLOCKED_DATES: ({ dates }) => ({ blockedDates: { dates: entriesOf(dates) } }),
  HOLIDAY_BLOCKLIST: ({ dates, recurringDates, workdayOverrides, region }) => ({
    holidayBlocklist: {
      dates: entriesOf(dates),
      recurringDates: entriesOf(recurringDates),
      workdayOverrides: entriesOf(workdayOverrides),
      region: region.trim() || null,
    },
  }),
  DAILY_WINDOW: ({ start, end }) => ({ dailyWindow: { start, end } }),
  WEEKLY_WINDOW: ({ days, start, end }) => ({ weeklyWindow: { days: days.toSorted((a, b) => a - b), start, end } }),
  PHONE_BLACKLIST: ({ numbers }) => ({ phoneBlacklist: { numbers: entriesOf(numbers) } }),
  PHONE_PREFIX_BLOCKLIST: ({ prefixes }) => ({ phonePrefixBlocklist: { prefixes: entriesOf(prefixes) } }),
  CONTACT_FREQUENCY_LIMIT: ({ withinDays, maxAttempts }) => ({
    contactFrequencyLimit: { withinDays: numberOf(withinDays), maxAttempts: numberOf(maxAttempts) },
  }),
  RATE_LIMIT: ({ callIntervalMs }) => ({ rateLimit: { callIntervalMs: numberOf(callIntervalMs) } }),
  RETRY_RULE: ({ maxRetries, retryIntervalSeconds }) => ({
    retryRule: { maxRetries: optionalNumber(maxRetries), retryIntervalSeconds: optionalNumber(retryIntervalSeconds) },
  }),
  CONCURRENCY_LIMIT: ({ maxConcurrency }) => ({ concurrencyLimit: { maxConcurrency: numberOf(maxConcurrency) } }),
};

/** Entries separated by line breaks or commas, trimmed. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[\n,，;；、]/)
    .map(entry => entry.trim())
    .filter(Boolean);
}

interface Refusal {
  field?: string | null;
  faults?: readonly { field: string; problem: string }[];
}

/** Maps the paths of the server to fields of the form: `config.dates[2]` to `dates`; `config.days` of a frequency limit to `withinDays`. */
export function atFormFields<Result extends object>(result: Result, type: PolicyType): Result {
  if (!('code' in result)) return result;
  const { field, faults = [] } = result as Refusal;
  const formField = (path: string) => {
    const own = path.replace(/^(input\.)?(config\.|settings\.\w+\.)?/, '');
    return type === 'CONTACT_FREQUENCY_LIMIT' && own.startsWith('days') ? 'withinDays' : own;
  };
  return { ...result, field: field && formField(field), faults: faults.map(fault => ({ ...fault, field: formField(fault.field) })) };
}
