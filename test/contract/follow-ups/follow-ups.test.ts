import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { json } from '#platform/postgres/values.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask, askFor } from '../graphql/graphql-client.ts';

let server: TestServer;
let supervisor: string;
let agent: string;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  [supervisor, agent, admin] = [await server.loginAs('supervisor'), await server.loginAs('agent'), await server.loginAs('admin')];
});
afterAll(() => server.close());

const db = () => server.running.context.database;
const api = (method: string, path: string, body?: unknown, token = supervisor) => server.api(method, path, body, token);
const keep = async (body: object, token = supervisor) => (await api('POST', '/api/follow-up-lists', body, token)).data.list;
const countOf = async (id: number, token = supervisor) => (await api('GET', `/api/follow-up-lists/${id}`, undefined, token)).data.count;

interface Called {
  contactId: number;
  attemptId: number;
}

/** A contact with a call that found out `fields`. */
async function called(campaignId: number, phoneNumber: string, fields: object, contact: object = {}): Promise<Called> {
  const contactId = await insertContact(db(), { campaignId, phoneNumber });
  const { externalId = null, metadata = {} } = contact as { externalId?: string; metadata?: object };
  await db().run(sql`update contact set external_id = coalesce(${externalId}, ''), metadata = ${json(metadata)} where id = ${contactId}`);
  const attemptId = await insertAttempt(db(), { campaignId, contactId, phoneNumber });
  await db().run(sql`update attempt set result_fields = ${json(fields)} where id = ${attemptId}`);
  return { contactId, attemptId };
}

const WISHES = { key: 'wants_visit', op: 'equals', value: true };

describe('a follow-up list [D7.18]', () => {
  test('contains the calls or contacts that match its filter now', async () => {
    const campaignId = await insertCampaign(db());
    await called(campaignId, '13900000001', { wants_visit: true });
    const calls = await keep({ name: '要上门', calls: { campaignId, resultField: [WISHES] } });
    const contacts = await keep({ name: '要上门的人', contacts: { campaignId, resultField: [WISHES] } });
    expect([await countOf(calls.id), await countOf(contacts.id)]).toEqual([1, 1]);
    const again = await called(campaignId, '13900000002', { wants_visit: true });
    await insertAttempt(db(), { campaignId, contactId: again.contactId });
    expect([await countOf(calls.id), await countOf(contacts.id)]).toEqual([2, 2]);
  });

  test('may begin some days ago, and then moves with the calendar', async () => {
    const campaignId = await insertCampaign(db());
    const { attemptId } = await called(campaignId, '13900000003', {});
    await db().run(sql`update attempt set created_at = now() - interval '3 days' where id = ${attemptId}`);
    const since = async (sinceDays: number) => countOf((await keep({ name: `近 ${sinceDays} 天`, calls: { campaignId, sinceDays } })).id);
    expect([await since(1), await since(4)]).toEqual([0, 1]);
  });

  test('is its own, or everybody’s', async () => {
    const filter = { contacts: { status: 'failed' } };
    const own = await keep({ name: '自己的', ...filter }, agent);
    const shared = await keep({ name: '共享的', isShared: 1, ...filter });
    const names = async (token: string) =>
      (await api('GET', '/api/follow-up-lists', undefined, token)).data.rows.map(({ id }: { id: number }) => id);
    expect(await names(agent)).toEqual(expect.arrayContaining([own.id, shared.id]));
    expect(await names(supervisor)).not.toContain(own.id);
    expect((await api('GET', `/api/follow-up-lists/${own.id}`)).status).toBe(404);
    expect((await api('PATCH', `/api/follow-up-lists/${shared.id}`, { name: 'x' }, agent)).status).toBe(403);
    expect((await api('DELETE', `/api/follow-up-lists/${shared.id}`, undefined, agent)).status).toBe(403);
    expect((await api('POST', '/api/follow-up-lists', { name: 'x', isShared: 1, ...filter }, agent)).status).toBe(403);
    expect((await api('PATCH', `/api/follow-up-lists/${shared.id}`, { name: '改名' }, admin)).data.list).toMatchObject({
      name: '改名',
      ...filter,
    });
  });

  test.each([
    [{ name: 'a' }, 'calls'],
    [{ name: 'a', calls: { campaignId: 1 }, contacts: {} }, 'calls'],
    [{ name: 'a', calls: { classification: 'A' } }, 'classification'],
    [{ name: 'a', calls: { sinceDays: 1, from: '2026-01-01T00:00:00Z' } }, 'sinceDays'],
    [{ name: 'a', contacts: { notDialedReason: 'dnc' } }, 'notDialedReason'],
    [{ name: ' ', contacts: {} }, 'name'],
  ])('%j is refused, naming the member', async (body, member) => {
    const { status, msg } = await api('POST', '/api/follow-up-lists', body);
    expect([status, msg]).toEqual([400, expect.stringContaining(member)]);
  });

  test('goes with the person whose number it looks for, and others stay', async () => {
    const campaignId = await insertCampaign(db());
    await called(campaignId, '13900000031', {});
    const gone = await keep({ name: '一个人', calls: { phoneNumber: '139 0000 0031' }, address: '/calls?number=13900000031', isShared: 1 });
    const stays = await keep({ name: '另一个人', calls: { phoneNumber: '13900000032' }, isShared: 1 });
    expect((await api('DELETE', '/api/contacts/by-number/13900000031', undefined, admin)).status).toBe(200);
    expect([
      (await api('GET', `/api/follow-up-lists/${gone.id}`)).status,
      (await api('GET', `/api/follow-up-lists/${stays.id}`)).status,
    ]).toEqual([404, 200]);
  });

  test('is kept and changed in GraphQL by the filters of its lists, and leads to its file', async () => {
    const campaignId = await insertCampaign(db());
    await called(campaignId, '13900000004', { wants_visit: true });
    const { made } = await askFor(
      server,
      supervisor,
      `mutation($input: CreateFollowUpListInput!) { made: createFollowUpList(input: $input) {
         ... on FollowUpList { databaseId of count mayChange exportUrl isShared createdBy { username } } } }`,
      {
        input: {
          name: '下周上门',
          address: 'span=week',
          calls: {
            filter: {
              campaignId: String(campaignId),
              answered: null,
              withdrawn: false,
              callStatus: null,
              resultField: [{ key: 'wants_visit', op: 'EQUALS', value: true }],
            },
            sinceDays: 6,
          },
        },
      },
    );
    expect(made).toMatchObject({ of: 'CALLS', count: 1, mayChange: true, isShared: false, createdBy: { username: expect.any(String) } });
    const file = await fetch(`${server.url}/${made.exportUrl}`, { headers: { Authorization: `Bearer ${supervisor}` } });
    expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(2);
    const change = `mutation($id: ID!, $input: UpdateFollowUpListInput!) { made: updateFollowUpList(id: $id, input: $input) {
      ... on FollowUpList { name of count isShared address } ... on Refusal { message } } }`;
    const changed = await askFor(server, supervisor, change, {
      id: made.databaseId,
      input: { isShared: true, contacts: { campaignId: String(campaignId), search: '不存在', filter: { isHeld: false } } },
    });
    expect(changed.made).toEqual({ name: '下周上门', of: 'CONTACTS', count: 0, isShared: true, address: 'span=week' });
    await askFor(server, supervisor, `mutation($id: ID!) { deleteFollowUpList(id: $id) { __typename } }`, { id: made.databaseId });
    const { data } = await ask(server, supervisor, `query($id: ID!) { followUpList(id: $id) { name } }`, { id: made.databaseId });
    expect(data).toEqual({ followUpList: null });
  });
});

describe('a campaign fed from a list [D7.18]', () => {
  const feed = (id: number, body: object, token = supervisor) => api('POST', `/api/follow-up-lists/${id}/feed`, body, token);
  const contactsOf = (campaignId: number) =>
    db().rows(
      sql`select phone_number, external_id, metadata from contact where campaign_id = ${campaignId} and deleted_at is null order by phone_number`,
    );

  test('has its people once, with external ids, variables and what their calls found out', async () => {
    const [from, into] = [await insertCampaign(db()), await insertCampaign(db())];
    const first = await called(from, '13900000011', { wants_visit: true, amount: 5 }, { externalId: 'crm-1', metadata: { 产品: '宽带' } });
    await called(from, '13900000012', { wants_visit: true });
    await called(from, '13900000013', { wants_visit: false });
    const again = await insertAttempt(db(), { campaignId: from, contactId: first.contactId, phoneNumber: '13900000011' });
    await db().run(sql`update attempt set result_fields = '{"wants_visit": true, "amount": 7}' where id = ${again}`);
    const list = await keep({ name: '要上门', calls: { campaignId: from, resultField: [WISHES] } });
    expect((await feed(list.id, { campaignId: into })).data).toMatchObject({ totalRows: 2, createdRows: 2, duplicateRows: 0 });
    expect(await contactsOf(into)).toEqual([
      { phoneNumber: '13900000011', externalId: 'crm-1', metadata: { 产品: '宽带', wants_visit: true, amount: 7 } },
      { phoneNumber: '13900000012', externalId: '', metadata: { wants_visit: true } },
    ]);
    const document = `mutation($id: ID!, $campaignId: ID!) { fed: feedCampaign(id: $id, campaignId: $campaignId) {
      ... on ContactImport { createdRows updatedRows duplicateRows } ... on Refusal { message } } }`;
    const { fed } = await askFor(server, supervisor, document, { id: String(list.id), campaignId: String(into) });
    expect(fed).toEqual({ createdRows: 0, updatedRows: 1, duplicateRows: 1 });
    expect(await contactsOf(into)).toHaveLength(2);
  });

  test('takes no results where they are not wanted, and none of its own contacts', async () => {
    const [from, into] = [await insertCampaign(db()), await insertCampaign(db())];
    await called(from, '13900000021', { wants_visit: true });
    await called(into, '13900000022', { wants_visit: true }, { externalId: 'own' });
    const list = await keep({ name: '全部', contacts: { resultField: [WISHES], q: '139000000' } });
    await feed(list.id, { campaignId: into, withResults: 0 });
    const rows = await contactsOf(into);
    expect(rows).toContainEqual({ phoneNumber: '13900000021', externalId: '', metadata: {} });
    expect(rows).toContainEqual({ phoneNumber: '13900000022', externalId: 'own', metadata: {} });
  });

  test('must exist and not be archived, and needs the permission', async () => {
    const list = await keep({ name: '失败', contacts: { status: 'failed' }, isShared: 1 });
    expect((await feed(list.id, { campaignId: 999_999 })).status).toBe(404);
    expect((await feed(list.id, { campaignId: await insertCampaign(db(), { status: 'archived' }) })).status).toBe(409);
    expect((await feed(list.id, { campaignId: await insertCampaign(db()) }, agent)).status).toBe(403);
  });

  test('takes at most 10,000 people at once', async () => {
    const from = await insertCampaign(db());
    await db().run(sql`
      insert into contact (campaign_id, phone_number, dial_key, status)
      select ${from}, 'n' || n, 'n' || n, 'pending' from generate_series(1, 10001) as n`);
    const list = await keep({ name: '很多', contacts: { campaignId: from } });
    const { status, msg } = await feed(list.id, { campaignId: await insertCampaign(db()) });
    expect([status, msg]).toEqual([400, expect.stringContaining('10000')]);
  });
});
