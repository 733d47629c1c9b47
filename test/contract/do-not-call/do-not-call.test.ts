import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask } from '../graphql/graphql-client.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
});
afterAll(() => server.close());

const add = (body: object) => server.api('POST', '/api/dnc', body, token);
const list = (query: string) => server.api('GET', `/api/dnc${query}`, undefined, token);

describe('POST /api/dnc', () => {
  test('adds a number without expiry when expiresAt is null or empty [OCS 2.10, D8.7]', async () => {
    const answer = await add({ phoneNumber: '139-0000 0001', reason: '客户要求', expiresAt: '' });
    expect(answer.status).toBe(200);
    expect(answer.data.entry).toEqual({
      id: expect.any(Number),
      phoneNumber: '139-0000 0001',
      reason: '客户要求',
      source: 'manual',
      scope: 'number',
      expiresAt: null,
      createdBy: expect.any(Number),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('has the scope that it is given, which an update without one leaves [D8.7]', async () => {
    expect((await add({ phoneNumber: '13900000019', scope: 'person' })).data.entry).toMatchObject({ scope: 'person' });
    expect((await add({ phoneNumber: '13900000019', reason: 'x' })).data.entry).toMatchObject({ scope: 'person', reason: 'x' });
    expect((await add({ phoneNumber: '13900000019', scope: 'number' })).data.entry).toMatchObject({ scope: 'number' });
    expect(await add({ phoneNumber: '13900000019', scope: 'everybody' })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('scope'),
    });
  });

  test('updates the entry of a listed number, compared without separators and +86/0086 [D8.7]', async () => {
    const first = (await add({ phoneNumber: '13900000002', reason: '第一次' })).data.entry;
    const second = (await add({ phoneNumber: '+86 139 0000 0002', expiresAt: '2027-01-01 00:00' })).data.entry;
    const third = (await add({ phoneNumber: '0086-13900000002', reason: '第三次' })).data.entry;
    expect(second).toMatchObject({ id: first.id, reason: '第一次', expiresAt: '2026-12-31T16:00:00.000Z' });
    expect(third).toMatchObject({ id: first.id, reason: '第三次', expiresAt: null });
  });

  test.each([
    ['no number', {}, 'phoneNumber 不能为空'],
    ['a blank number', { phoneNumber: '  ' }, 'phoneNumber 不能为空'],
    ['text that is no number', { phoneNumber: 'abc' }, 'phoneNumber 不是可以拨打的号码'],
    ['the number of a row', { phoneNumber: '1' }, 'phoneNumber 不是可能的号码或号段，至少 3 位数字'],
    ['prose', { phoneNumber: '客户要求 3 个月内不要打' }, 'phoneNumber 不是可以拨打的号码'],
    ['a bad expiry', { phoneNumber: '13900000003', expiresAt: '2026-02-30T00:00:00Z' }, 'expiresAt'],
    ['a number that is no text', { phoneNumber: 13_900_000_003 }, 'phoneNumber 必须是字符串'],
  ])('refuses %s, naming the field [D2.1]', async (_, body, text) => {
    const answer = await add(body);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(text)]);
  });

  test.each(['110', '95588', '0571', '1380013', '010-65551234', '+1 212 456 7890'])(
    'accepts %j: a service, a prefix, a number of any plan [D8.7]',
    async number => expect((await add({ phoneNumber: number })).status).toBe(200),
  );

  test.each(['１３９００００００１１', '139.0000.0011', '13900000011转101', 'tel:+86-139-0000-0011', '17951 13900000011'])(
    'accepts %j, a spelling that compares equal to every other [D8.7]',
    async number => {
      const first = (await add({ phoneNumber: '13900000011' })).data.entry;
      expect((await add({ phoneNumber: number })).data.entry).toMatchObject({ id: first.id });
    },
  );

  test('writing requires compliance:write; any session may list [OCS 4.10]', async () => {
    const agent = await server.loginAs('agent');
    expect((await server.api('POST', '/api/dnc', { phoneNumber: '13900000004' }, agent)).status).toBe(403);
    expect((await server.api('GET', '/api/dnc', undefined, agent)).status).toBe(200);
    expect((await server.api('GET', '/api/dnc')).status).toBe(401);
  });

  test('writes an audit row [D3.7]', async () => {
    const { entry } = (await add({ phoneNumber: '13900000005' })).data;
    const rows = await server.running.context.database.rows(sql`
      select action from audit_log where target_type = 'do_not_call' and target_id = ${String(entry.id)}`);
    expect(rows).toEqual([{ action: 'do_not_call.added' }]);
  });
});

describe('GET /api/dnc', () => {
  test('matches q anywhere in number and reason, newest first; wildcards are plain text [OCS 4.10, D2.4]', async () => {
    const marker = 'R%_m';
    for (const number of ['13911110001', '13911110002', '13911110003'])
      await add({ phoneNumber: number, reason: `x ${marker}${number.at(-1)} y` });
    const byReason = await list(`?q=${encodeURIComponent('r%_M')}&pageSize=2`);
    expect(byReason.data).toMatchObject({ page: 1, pageSize: 2, total: 3 });
    expect(byReason.data.rows.map((row: { phoneNumber: string }) => row.phoneNumber)).toEqual(['13911110003', '13911110002']);
    expect((await list('?q=1111000&page=2&pageSize=2')).data.rows).toHaveLength(1);
    expect((await list('?q=%25%25')).data.total).toBe(0);
  });

  test('shows expired entries [D8.7]', async () => {
    const { entry } = (await add({ phoneNumber: '13922220001', expiresAt: '2020-01-01T00:00:00Z' })).data;
    expect((await list('?q=13922220001')).data.rows).toEqual([entry]);
  });

  test('clamps pageSize to 200 and refuses one below 1 [D2.4]', async () => {
    expect((await list('?pageSize=1000')).data.pageSize).toBe(200);
    expect((await list('?pageSize=0')).status).toBe(400);
  });
});

describe('DELETE /api/dnc/:id', () => {
  test('removes the entry and frees the contacts that it held [D8.6]', async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    const held = await insertContact(db, { campaignId, phoneNumber: '+8613933330001', holdReason: 'dnc' });
    const other = await insertContact(db, { campaignId, phoneNumber: '13933330002', holdReason: 'dnc' });
    const { entry } = (await add({ phoneNumber: '13933330001', expiresAt: '2036-01-01T00:00:00Z' })).data;
    await db.run(sql`update contact set hold_reason = 'dnc' where id = ${held}`);
    expect((await server.api('DELETE', `/api/dnc/${entry.id}`, undefined, token)).data.entry).toEqual(entry);
    const rows = await db.rows(sql`select id, hold_reason from contact where id in (${held}, ${other}) order by id`);
    expect(rows).toEqual([
      { id: held, holdReason: null },
      { id: other, holdReason: 'dnc' },
    ]);
    expect((await server.api('DELETE', `/api/dnc/${entry.id}`, undefined, token)).status).toBe(404);
  });

  test('an update frees them too, because the entry may now expire earlier [D8.7]', async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    const held = await insertContact(db, { campaignId, phoneNumber: '13933330003', holdReason: 'dnc' });
    await add({ phoneNumber: '13933330003', expiresAt: '2020-01-01T00:00:00Z' });
    expect(await db.first(sql`select hold_reason from contact where id = ${held}`)).toEqual({ holdReason: null });
  });
});

test('agents read the list as the contract says, and masked where it says nothing; a number is found as a whole only [OCS 4.10, D8.12]', async () => {
  const agent = await server.loginAs('agent');
  await add({ phoneNumber: '139 1234 5678', reason: '投诉专线' });
  const { rows } = (await server.api('GET', '/api/dnc?q=1234%2056', undefined, agent)).data;
  expect(rows).toMatchObject([{ phoneNumber: '139 1234 5678' }]);
  const LIST = 'query($search: String) { doNotCallEntries(first: 5, search: $search) { nodes { id phoneNumber reason } } }';
  const found = async (search: string, as = agent) => (await ask(server, as, LIST, { search })).data.doNotCallEntries.nodes;
  expect(await found('1234 56')).toEqual([]);
  expect(await found('1234 56', token)).toMatchObject([{ phoneNumber: '139 1234 5678' }]);
  for (const search of ['投诉专线', '+86 13912345678'])
    expect(await found(search)).toMatchObject([{ phoneNumber: '***5678', reason: '投诉专线' }]);
  const [{ id }] = await found('投诉专线');
  const NODE = 'query($id: ID!) { node(id: $id) { ... on DoNotCallEntry { phoneNumber } } }';
  expect((await ask(server, agent, NODE, { id })).data.node).toEqual({ phoneNumber: '***5678' });
  expect((await ask(server, token, NODE, { id })).data.node).toEqual({ phoneNumber: '139 1234 5678' });
});
