import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertAttempt } from '#test/support/rows.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const QUERY = `query($number: String!) {
  person(number: $number) { phoneNumber contacts { databaseId campaign { databaseId } } doNotCall { databaseId reason } }
}`;
const personOf = async (number: string) => (await askFor(api.server, api.admin, QUERY, { number })).person;

test('a person is found by any spelling of the number, in every campaign, newest first [D8.7]', async () => {
  const campaigns = [(await api.campaign()).id, (await api.campaign()).id];
  const [first = 0] = await api.contacts(campaigns[0] ?? 0, '13600000001', '13600000002');
  const [second = 0] = await api.contacts(campaigns[1] ?? 0, '+86 136-0000-0001');
  const { data } = await api.post('/api/dnc', { phoneNumber: '008613600000001', reason: '客户要求' });
  const found = {
    phoneNumber: '13600000001',
    contacts: [
      { databaseId: String(second), campaign: { databaseId: String(campaigns[1]) } },
      { databaseId: String(first), campaign: { databaseId: String(campaigns[0]) } },
    ],
    doNotCall: { databaseId: String(data.entry.id), reason: '客户要求' },
  };
  expect(await personOf('136 0000 0001')).toEqual(found);
  expect(await personOf('+8613600000001')).toEqual(found);
});

test('an unknown number has no data; a blank one is refused by name', async () => {
  expect(await personOf('13799999999')).toEqual({ phoneNumber: '13799999999', contacts: [], doNotCall: null });
  const { errors } = await ask(api.server, api.admin, QUERY, { number: ' ' });
  expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'number' });
});

test('a number that an import would reject has the reason [D6.3]', async () => {
  const faultOf = async (number: string) =>
    (await askFor(api.server, api.admin, 'query($number: String!) { person(number: $number) { numberFault } }', { number })).person
      .numberFault;
  expect(await Promise.all(['13800138001', '+86 138 0013 8001', '01055500001', '1380013801'].map(faultOf))).toEqual([
    null,
    null,
    null,
    '不是地区 CN 的有效号码',
  ]);
});

test("a deleted contact is not among a person's contacts", async () => {
  const { id } = await api.campaign();
  const [contactId = 0] = await api.contacts(id, '13600000009');
  await api.post(`/api/campaigns/${id}/contacts/delete`, { contactIds: [contactId] });
  expect((await personOf('13600000009')).contacts).toEqual([]);
});

test('every dial to a number of the person is listed, whichever campaign made it, newest first', async () => {
  const db = api.server.running.context.database;
  const [one, other] = [(await api.campaign()).id, (await api.campaign()).id];
  const { data } = await api.post(`/api/campaigns/${one}/contacts`, {
    contacts: [{ phoneNumber: '13600000021', numbers: [{ phoneNumber: '13600000021' }, { phoneNumber: '13600000022' }] }],
  });
  expect(data).toMatchObject({ createdRows: 1 });
  const [contactId = 0] = await api.contacts(other, '13600000021');
  const first = await insertAttempt(db, { campaignId: other, contactId, phoneNumber: '13600000021' });
  const second = await insertAttempt(db, { campaignId: one, contactId, phoneNumber: '+86 13600000022' });
  await insertAttempt(db, { campaignId: one, contactId, phoneNumber: '13600000023' });
  await db.run(sql`insert into recording_check (attempt_id, state) values (${second}, 'silent')`);
  const query = `query($number: String!, $after: String) {
    person(number: $number) { attempts(first: 1, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } nodes { databaseId campaignId phoneNumber recordingState agents { name } } } } }`;
  const page = async (after: string | null) =>
    (await askFor(api.server, api.admin, query, { number: '13600000021', after })).person.attempts;
  const newest = await page(null);
  expect(newest).toMatchObject({
    totalCount: 2,
    nodes: [{ databaseId: String(second), campaignId: String(one), recordingState: 'SILENT', agents: [] }],
    pageInfo: { hasNextPage: true },
  });
  expect((await page(newest.pageInfo.endCursor)).nodes).toMatchObject([{ databaseId: String(first), recordingState: 'NONE' }]);
});
