import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { foldAttemptTallies } from '#attempts/attempt-store.ts';
import { hideAttempts } from '#attempts/remove-attempts.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
let campaignId: number;
const ids: Record<string, number> = {};
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('admin');
  const db = server.running.context.database;
  campaignId = await insertCampaign(db);
  const other = await insertCampaign(db);
  const attempt = async (fields: Partial<Parameters<typeof insertAttempt>[1]>) => {
    const owner = fields.campaignId ?? campaignId;
    return insertAttempt(db, { campaignId: owner, contactId: await insertContact(db, { campaignId: owner }), ...fields });
  };
  ids['busy'] = await attempt({ status: 'failed', callStatus: 'busy' });
  ids['done'] = await attempt({ callStatus: 'completed', emotionStatus: 'done', payload: { a: [1] }, recordingUrl: 'a.wav', cellId: 'c1' });
  ids['open'] = await attempt({ status: 'accepted', callStatus: 'ringing' });
  ids['elsewhere'] = await attempt({ campaignId: other, status: 'failed', callStatus: 'busy', emotionStatus: 'pending' });
  ids['unreported'] = await attempt({ callStatus: 'completed', hasResult: false });
  ids['unreported elsewhere'] = await attempt({ campaignId: other, callStatus: 'completed', hasResult: false });
  ids['deleted'] = await attempt({ callStatus: 'completed', hasResult: false });
  await db.run(sql`update attempt set deleted_at = now() where id = ${ids['deleted']}`);
});
afterAll(() => server.close());

const list = async (query: string) => (await server.api('GET', `/api/call-attempts${query}`, undefined, token)).data;
const named = (data: { rows: { id: number }[]; total: number }) => ({
  names: data.rows.map(row => Object.keys(ids).find(name => ids[name] === row.id)),
  total: data.total,
});

describe('GET /api/call-attempts', () => {
  test('lists newest first, without deleted ones [OCS 4.8, D2.4]', async () => {
    expect(named(await list(''))).toEqual({
      names: ['unreported elsewhere', 'unreported', 'elsewhere', 'open', 'done', 'busy'],
      total: 6,
    });
  });

  test.each([
    ['?status=failed', ['elsewhere', 'busy']],
    ['?status=accepted', ['open']],
    ['?callStatus=busy', ['elsewhere', 'busy']],
    ['?callStatus=ringing', ['open']],
    ['?answered=1', ['unreported elsewhere', 'unreported', 'done']],
    ['?answered=0&open=0', ['elsewhere', 'busy']],
    ['?open=1', ['open']],
    ['?open=0&resultMissing=0', ['elsewhere', 'done', 'busy']],
    ['?emotionStatus=done', ['done']],
    ['?emotionStatus=none', ['unreported elsewhere', 'unreported', 'open', 'busy']],
    ['?emotionStatus=pending&callStatus=busy', ['elsewhere']],
    ['?status=completed&callStatus=busy', []],
    ['?resultMissing=1', ['unreported elsewhere', 'unreported']],
    ['?resultMissing=0', ['elsewhere', 'open', 'done', 'busy']],
    ['?resultMissing=', ['unreported elsewhere', 'unreported', 'elsewhere', 'open', 'done', 'busy']],
    ['?resultMissing=1&callStatus=completed&status=completed', ['unreported elsewhere', 'unreported']],
    ['?resultMissing=1&status=failed', []],
    ['?resultMissing=0&status=completed', ['done']],
    ['?resultMissing=0&callStatus=completed', ['done']],
  ])('filters by %s, and the total too [OCS 4.8]', async (query, names) => {
    expect(named(await list(query))).toEqual({ names, total: names.length });
  });

  test('filters by campaign together with the others [OCS 4.8]', async () => {
    expect(named(await list(`?campaignId=${campaignId}`))).toEqual({ names: ['unreported', 'open', 'done', 'busy'], total: 4 });
    expect(named(await list(`?campaignId=${campaignId}&resultMissing=1`))).toEqual({ names: ['unreported'], total: 1 });
    expect(named(await list(`?campaignId=${campaignId}&resultMissing=0`))).toEqual({ names: ['open', 'done', 'busy'], total: 3 });
    expect(named(await list(`?campaignId=${campaignId}&status=failed&callStatus=busy`))).toEqual({ names: ['busy'], total: 1 });
  });

  test('pages; a page after the last is empty and keeps the total [D2.4]', async () => {
    expect(named(await list('?page=2&pageSize=3'))).toEqual({ names: ['open', 'done', 'busy'], total: 6 });
    expect(named(await list('?page=9&pageSize=3'))).toEqual({ names: [], total: 6 });
    expect(named(await list('?resultMissing=1&page=2&pageSize=1'))).toEqual({ names: ['unreported'], total: 2 });
  });

  test.each(['?status=lost', '?callStatus=fine', '?emotionStatus=sad', '?resultMissing=yes', '?campaignId=x', '?page=0', '?pageSize=1.5'])(
    'refuses %s, naming the parameter [D2.1]',
    async query => {
      const answer = await server.api('GET', `/api/call-attempts${query}`, undefined, token);
      expect(answer.status).toBe(400);
      expect(answer.msg).toContain(query.slice(1, query.indexOf('=')));
    },
  );
});

describe('GET /api/call-attempts/:attemptId', () => {
  test('returns the whole attempt [D7.9, OCS 4.16]', async () => {
    const { data } = await server.api('GET', `/api/call-attempts/${ids['done']}`, undefined, token);
    expect(data.attempt).toMatchObject({
      id: ids['done'],
      campaignId,
      callStatus: 'completed',
      recordingUrl: 'a.wav',
      cellId: 'c1',
      payload: { a: [1] },
      resultMissing: false,
    });
    expect(data.attempt.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('reports a missing result until it comes, even late [D7.8]', async () => {
    const path = `/api/call-attempts/${ids['unreported']}`;
    const read = async () => (await server.api('GET', path, undefined, token)).data.attempt;
    const { resultMissing, requestId } = await read();
    expect(resultMissing).toBe(true);
    const report = { requestId, callStatus: 'completed', intent: '有意向' };
    expect((await server.internal('POST', '/api/call-results', report)).data).toMatchObject({ duplicate: false });
    expect(await read()).toMatchObject({ resultMissing: false, status: 'completed', intent: '有意向' });
    expect(named(await list('?resultMissing=1'))).toEqual({ names: ['unreported elsewhere'], total: 1 });
    expect((await list('?resultMissing=0')).total).toBe(5);
  });

  test.each(['deleted', 'unknown'])('a %s attempt gives 404 [OCS 4.8, 7]', async which => {
    const answer = await server.api('GET', `/api/call-attempts/${ids[which] ?? 999_999}`, undefined, token);
    expect([answer.status, answer.msg]).toEqual([404, '通话记录不存在']);
  });
});

describe('totals of call records', () => {
  test('stay correct through every change and after a fold', async () => {
    const db = server.running.context.database;
    const contactId = await insertContact(db, { campaignId });
    const before = await list('?status=completed');
    const id = await insertAttempt(db, { campaignId, contactId, status: 'claimed' });
    expect((await list('?status=completed')).total).toBe(before.total);
    await db.run(sql`update attempt set status = 'completed', call_status = 'completed' where id = ${id}`);
    expect((await list('?status=completed')).total).toBe(before.total + 1);
    await db.run(sql`update attempt set call_status = 'voicemail' where id = ${id}`);
    expect((await list('?callStatus=voicemail')).total).toBe(1);
    await db.transaction(foldAttemptTallies);
    expect((await list('?status=completed')).total).toBe(before.total + 1);
    await db.transaction(tx => hideAttempts(tx, [id]));
    await db.transaction(foldAttemptTallies);
    expect((await list('?status=completed')).total).toBe(before.total);
    expect((await list('?callStatus=voicemail')).total).toBe(0);
    const crowded = await db.first(sql<{ rows: number }>`
      select count(*) as rows from attempt_tally group by campaign_id, status, call_status, emotion_status order by 1 desc limit 1`);
    expect(crowded?.rows).toBe(1);
  });

  test('equal a count of the rows', async () => {
    const counted = await server.running.context.database.first(
      sql<{ n: number }>`select count(*) as n from attempt where deleted_at is null`,
    );
    expect((await list('')).total).toBe(counted?.n);
  });
});
