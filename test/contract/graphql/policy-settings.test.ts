import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { POLICY_TYPES } from '#policies/decisions/policy-table.ts';
import { POLICY_CASES } from '#test/support/policy-cases.ts';
import { askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const SETTINGS = `__typename ${Object.values(POLICY_CASES)
  .map(({ settings: { __typename, ...members } }) => `... on ${__typename} { ${Object.keys(members).join(' ')} }`)
  .join(' ')}`;

const ROWS = POLICY_TYPES.map(type => ({ type, ...POLICY_CASES[type] }));

test.each(ROWS)('the settings of $type are typed; null when they do not fit', async ({ type, action, stored: config, settings }) => {
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

test.each(ROWS)('a policy of $type is created from its settings', async ({ type, action, stored: config, settings }) => {
  const member = type.replaceAll(/_\w/g, ([, letter = '']) => letter.toUpperCase());
  const { days: withinDays, ...rest } = config;
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
