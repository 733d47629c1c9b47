import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const READ = 'query($id: ID!) { campaign(id: $id) { actions { name allowed reason message } } }';

/** Reasons of disabled actions, by name. */
async function barred(id: number, token = api.admin): Promise<Record<string, string>> {
  const { campaign } = await askFor(api.server, token, READ, { id });
  const actions: { name: string; allowed: boolean; reason: string | null; message: string | null }[] = campaign.actions;
  expect(actions.filter(({ allowed, reason, message }) => allowed !== (reason === null && message === null))).toEqual([]);
  return Object.fromEntries(actions.flatMap(({ name, reason }) => (reason === null ? [] : [[name, reason]])));
}

test('a campaign returns which actions are allowed, and why the others are not, by the rules of the commands', async () => {
  const { id } = await api.campaign();
  expect(await barred(id)).toEqual({ START: 'NOTHING_TO_CALL', PAUSE: 'STATUS_FORBIDS' });
  await api.contacts(id, '13900000001');
  expect(await barred(id)).toEqual({ PAUSE: 'STATUS_FORBIDS', DELETE: 'CAMPAIGN_IN_USE' });
  await api.patch(`/api/campaigns/${id}`, { status: 'running' });
  expect(await barred(id)).toMatchObject({ ARCHIVE: 'STATUS_FORBIDS', IMPORT_CONTACTS: 'CAMPAIGN_RUNNING', DELETE: 'CAMPAIGN_RUNNING' });
  await api.patch(`/api/campaigns/${id}`, { status: 'paused' });
  await api.patch(`/api/campaigns/${id}`, { status: 'archived' });
  const archived = Object.fromEntries(
    ['START', 'PAUSE', 'ARCHIVE', 'EDIT', 'DISPATCH', 'ADD_CONTACTS'].map(name => [name, 'CAMPAIGN_ARCHIVED']),
  );
  expect(await barred(id)).toEqual({ ...archived, DELETE: 'CAMPAIGN_IN_USE' });
});

test('a user without a permission gets that reason', async () => {
  const { id } = await api.campaign();
  const { START, DELETE, ADD_CONTACTS } = await barred(id, await api.server.loginAs('agent'));
  expect([START, DELETE, ADD_CONTACTS]).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  const { campaign } = await askFor(api.server, api.admin, 'query($id: ID!) { campaign(id: $id) { actions { name needs } } }', { id });
  expect(campaign.actions).toContainEqual({ name: 'IMPORT_CONTACTS', needs: 'import:write' });
});
