import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { POLICY_TYPES } from '#policies/decisions/policy-kind.ts';
import { askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const SETTINGS = `__typename ... on BlockedDatesSettings { dates } ... on HolidaySettings { dates recurringDates workdayOverrides region }
  ... on DailyWindowSettings { start end } ... on WeeklyWindowSettings { days start end } ... on PhoneBlacklistSettings { numbers count }
  ... on PhonePrefixSettings { prefixes } ... on ContactFrequencySettings { withinDays maxAttempts } ... on RateSettings { callIntervalMs }
  ... on RetrySettings { maxRetries retryIntervalSeconds } ... on ConcurrencySettings { maxConcurrency }`;

const ROWS = [
  ['blocked_dates', 'block', { dates: ['2026-10-01'] }, { __typename: 'BlockedDatesSettings', dates: ['2026-10-01'] }],
  [
    'holiday_blocklist',
    'block',
    { recurringDates: ['10-01'], region: 'CN' },
    { __typename: 'HolidaySettings', dates: [], recurringDates: ['10-01'], workdayOverrides: [], region: 'CN' },
  ],
  ['daily_window', 'allow_window', { start: '09:00', end: '18:00' }, { __typename: 'DailyWindowSettings', start: '09:00', end: '18:00' }],
  [
    'weekly_window',
    'allow_window',
    { days: [1, 2], start: '09:00', end: '18:00' },
    { __typename: 'WeeklyWindowSettings', days: [1, 2], start: '09:00', end: '18:00' },
  ],
  ['phone_blacklist', 'block', { numbers: ['13900000001'] }, { __typename: 'PhoneBlacklistSettings', numbers: ['13900000001'], count: 1 }],
  ['phone_prefix_blocklist', 'block', { prefixes: ['170'] }, { __typename: 'PhonePrefixSettings', prefixes: ['170'] }],
  [
    'contact_frequency_limit',
    'limit',
    { days: 7, maxAttempts: 3 },
    { __typename: 'ContactFrequencySettings', withinDays: 7, maxAttempts: 3 },
  ],
  ['rate_limit', 'limit', { callIntervalMs: 100 }, { __typename: 'RateSettings', callIntervalMs: 100 }],
  ['retry_rule', 'limit', { maxRetries: 2 }, { __typename: 'RetrySettings', maxRetries: 2, retryIntervalSeconds: null }],
  ['concurrency_limit', 'limit', { maxConcurrency: 3 }, { __typename: 'ConcurrencySettings', maxConcurrency: 3 }],
] as const;

test('every type of a policy has a case', () => {
  expect(ROWS.map(([type]) => type)).toEqual(POLICY_TYPES);
});

test.each(ROWS)('the settings of %s are typed; null when they do not fit', async (type, action, config, settings) => {
  const made = await api.post('/api/policies', { name: type, scope: 'global', type, action, config });
  const id = made.data.policy?.id ?? made.data.id;
  const read = async () =>
    (await askFor(api.server, api.admin, `query($id: ID!) { policy(id: $id) { settings { ${SETTINGS} } } }`, { id })).policy;
  expect(await read()).toEqual({ settings });
  await api.server.running.context.database.run(sql`update policy set config = '{}' where id = ${id}`);
  if (type !== 'retry_rule') expect(await read()).toEqual({ settings: null });
});

const CREATE = `mutation($input: CreatePolicyInput!) { createPolicy(input: $input) {
  ... on Policy { databaseId type action settings { ${SETTINGS} } } ... on Refusal { code field } } }`;
const UPDATE = `mutation($id: ID!, $input: UpdatePolicyInput!) { updatePolicy(id: $id, input: $input) {
  ... on Policy { type action settings { ${SETTINGS} } } ... on Refusal { code field } } }`;
const create = async (input: object) =>
  (await askFor(api.server, api.admin, CREATE, { input: { name: 'a', scope: 'GLOBAL', ...input } })).createPolicy;

test.each(ROWS)('a policy of %s is created from its settings', async (type, action, config, settings) => {
  const member = type.replaceAll(/_\w/g, ([, letter = '']) => letter.toUpperCase());
  const { days: withinDays, ...rest } = config as { days?: unknown };
  const given = type === 'contact_frequency_limit' ? { withinDays, ...rest } : config;
  const made = await create({ settings: { [member]: given } });
  expect(made).toEqual({ databaseId: expect.any(String), type: type.toUpperCase(), action: action.toUpperCase(), settings });
});

test('settings change together with the type; exactly one kind is given, and not beside config', async () => {
  const { databaseId: id } = await create({ settings: { rateLimit: { callIntervalMs: 5 } } });
  const change = async (input: object) => (await askFor(api.server, api.admin, UPDATE, { id, input })).updatePolicy;
  const settings = { __typename: 'DailyWindowSettings', start: '09:00', end: '18:00' };
  expect(await change({ settings: { dailyWindow: { start: '09:00', end: '18:00' } } })).toEqual({
    type: 'DAILY_WINDOW',
    action: 'ALLOW_WINDOW',
    settings,
  });
  expect(await change({ settings: { dailyWindow: { start: '9', end: '18:00' } } })).toMatchObject({ field: 'config.start' });
  expect(await change({ settings: { rateLimit: { callIntervalMs: 5 } }, config: {} })).toMatchObject({ field: 'config' });
  expect(await create({})).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'type' });
  const both = { rateLimit: { callIntervalMs: 5 }, concurrencyLimit: { maxConcurrency: 1 } };
  await expect(change({ settings: both })).rejects.toThrow('INVALID_ARGUMENT');
});
