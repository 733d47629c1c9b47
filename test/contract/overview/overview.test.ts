import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
  const db = server.running.context.database;
  campaignId = await insertCampaign(db, { status: 'running' });
  for (const status of ['paused', 'paused', 'archived'] as const) await insertCampaign(db, { status });
  await db.run(sql`insert into campaign (name, business_code, deleted_at) values ('删除的', 'demo', now())`);
});
afterAll(() => server.close());

const get = (path: string) => server.api('GET', path, undefined, token);
const db = () => server.running.context.database;

async function attempt(fields: Parameters<typeof insertAttempt>[1] | object, more = sql`status = status`): Promise<number> {
  const contactId = await insertContact(db(), { campaignId, status: 'submitted' });
  const id = await insertAttempt(db(), { campaignId, contactId, ...fields });
  await db().run(sql`update attempt set ${more} where id = ${id}`);
  return id;
}

describe('GET /api/overview', () => {
  test('an idle server returns zeros, with every status named [D14.2]', async () => {
    const { status, data } = await get('/api/overview');
    expect([status, data]).toEqual([
      200,
      {
        campaigns: { total: 4, running: 1, paused: 2, byStatus: { draft: 0, running: 1, paused: 2, completed: 0, archived: 1 } },
        contacts: { total: 0, byStatus: { pending: 0, submitted: 0, completed: 0, failed: 0, paused: 0 } },
        attempts: { today: 0, answered: 0, completed: 0, failed: 0 },
        ratios: { answerRate: 0, completionRate: 0 },
        activeCalls: 0,
        agents: { idle: 0, busy: 0, offline: 0 },
        recentEvents: expect.any(Array),
        recentAttempts: [],
      },
    ]);
  });

  test('counts today by result; withdrawn claims are not attempts [D14.2]', async () => {
    await attempt({ status: 'completed' }, sql`duration_seconds = 31`);
    await attempt({ status: 'failed', callStatus: 'busy' });
    await attempt({ status: 'outcome_unknown' });
    await attempt({ status: 'cancelled' });
    await attempt({ status: 'answered' }, sql`answered_at = now()`);
    // Answered, but served by no runtime.
    await attempt({ status: 'failed' }, sql`answered_at = now()`);
    await attempt({ status: 'outcome_unknown' }, sql`answered_at = now()`);
    const newest = await attempt({ status: 'claimed' });
    await attempt({ status: 'completed' }, sql`deleted_at = now()`);
    const { data } = await get('/api/overview');
    // Answered, failed, and one that is still unanswered.
    expect(data.attempts).toEqual({ today: 7, answered: 4, completed: 1, failed: 2 });
    expect(data.ratios).toEqual({ answerRate: 4 / 7, completionRate: 1 / 7 });
    expect(data.activeCalls).toBe(2);
    expect(data.contacts).toMatchObject({ total: 9, byStatus: { submitted: 9 } });
    expect(data.recentAttempts[0].id).toBe(newest);
    expect(data.recentAttempts).toHaveLength(8);
  });

  test('counts enabled agents by their status [D14.2, D12.1]', async () => {
    for (const [name, isEnabled] of [
      ['甲', true],
      ['乙', true],
      ['丙', false],
    ] as const) {
      await db().run(sql`insert into agent (name, is_enabled) values (${name}, ${isEnabled})`);
    }
    expect((await get('/api/overview')).data.agents).toEqual({ idle: 0, busy: 0, offline: 2 });
  });

  test('requires a session [OCS 4.1]', async () => {
    expect((await server.api('GET', '/api/overview')).status).toBe(401);
    expect((await server.api('GET', '/api/overview/trend')).status).toBe(401);
  });
});

describe('GET /api/overview/trend', () => {
  test('returns 14 days, the oldest first, today last, days without calls included [OCS 4.1, 8; D14.2]', async () => {
    const { rows } = (await get('/api/overview/trend')).data;
    expect(rows).toHaveLength(14);
    const days: string[] = rows.map(({ date }: { date: string }) => date);
    expect(days).toEqual(days.toSorted());
    const today = await db().first(sql<{ day: string }>`select business_day()::text as day`);
    expect(rows.at(-1).date).toBe(today?.day);
    expect(rows[0]).toEqual({ date: expect.any(String), attempts: 0, answered: 0, completed: 0, failed: 0, averageDurationSeconds: 0 });
  });

  test('an attempt counts in the business day of its claim; the average is over answered calls [D14.2, D1.2]', async () => {
    const day = sql`business_day() - 3`;
    await attempt({ status: 'completed' }, sql`day = ${day}, duration_seconds = 10`);
    await attempt({ status: 'completed' }, sql`day = ${day}, duration_seconds = 25`);
    await attempt({ status: 'failed' }, sql`day = ${day}, duration_seconds = 0`);
    await attempt({ status: 'failed' }, sql`day = ${day}, answered_at = now(), duration_seconds = 1`);
    const { rows } = (await get('/api/overview/trend?days=4')).data;
    expect(rows[0]).toMatchObject({ attempts: 4, answered: 3, completed: 2, failed: 1, averageDurationSeconds: 12 });
  });

  test.each(['1', '90'])('%s days give as many rows [OCS 8]', async days => {
    expect((await get(`/api/overview/trend?days=${days}`)).data.rows).toHaveLength(Number(days));
  });

  test('a blank number of days means the default [D2.2]', async () => {
    expect((await get('/api/overview/trend?days=')).data).toEqual((await get('/api/overview/trend')).data);
  });

  test.each(['0', '91', '-1', '1.5', 'x'])('refuses %j days, naming the field [OCS 8, D2.1]', async days => {
    const answer = await get(`/api/overview/trend?days=${days}`);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining('days')]);
  });
});
