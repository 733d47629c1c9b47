import type { PolicyRowFragment, PolicyToEditQuery } from './policies.generated.ts';

export type PolicyType = PolicyRowFragment['type'];

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
  purpose: string;
  hours: number | '';
  maxPercent: number | '';
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
  purpose: 'marketing',
  hours: 72,
  maxPercent: 3,
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

/** Entries separated by line breaks or commas, trimmed. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[\n,，;；、]/)
    .map(entry => entry.trim())
    .filter(Boolean);
}
