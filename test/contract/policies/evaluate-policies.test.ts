import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const NUMBER = '13912345678';
/** Saturday in Shanghai, 12:00. */
const SATURDAY_NOON = '2026-11-21T12:00:00+08:00';

let server: TestServer;
let token: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('admin');
});
afterAll(() => server.close());

beforeEach(async () => {
  const db = server.running.context.database;
  await db.run(sql`delete from policy`);
  await db.run(sql`delete from do_not_call`);
  campaignId = await insertCampaign(db);
});

const evaluate = (body: object) =>
  server.api('POST', '/api/policies/evaluate', { campaignId, phoneNumber: NUMBER, at: SATURDAY_NOON, ...body }, token);
const addPolicy = async (policy: object) => {
  const answer = await server.api('POST', '/api/policies', { name: '策略', scope: 'global', ...policy }, token);
  if (answer.status !== 200) throw new Error(answer.msg);
  return answer.data.policy;
};

describe('POST /api/policies/evaluate', () => {
  test("allows with the campaign's own limits when nothing forbids [OCS 2.9, D8.5]", async () => {
    const { status, data } = await evaluate({});
    expect(status).toBe(200);
    expect(data).toEqual({
      allowed: true,
      reason: null,
      matchedPolicies: [],
      effectiveLimits: { maxConcurrency: 10, maxRetries: 3, retryIntervalSeconds: 600, callIntervalMs: 200 },
    });
  });

  test('gives the stricter of campaign and policies [OCS 4.9, D8.3]', async () => {
    await addPolicy({ type: 'concurrency_limit', action: 'limit', config: { maxConcurrency: 4 } });
    await addPolicy({ type: 'retry_rule', action: 'limit', config: { maxRetries: 9, retryIntervalSeconds: 900 } });
    await addPolicy({ type: 'rate_limit', action: 'limit', config: { callIntervalMs: 1_000 } });
    const { data } = await evaluate({});
    expect(data.effectiveLimits).toEqual({ maxConcurrency: 4, maxRetries: 3, retryIntervalSeconds: 900, callIntervalMs: 1_000 });
    expect(data.matchedPolicies).toHaveLength(3);
  });

  test('reads windows in the business time zone; global and campaign must both pass [D8.1, D8.3]', async () => {
    await addPolicy({ type: 'daily_window', action: 'allow_window', config: { start: '09:00', end: '20:00' } });
    expect((await evaluate({})).data.allowed).toBe(true);
    const own = await addPolicy({
      name: '工作日',
      scope: 'campaign',
      campaignId,
      type: 'weekly_window',
      action: 'allow_window',
      config: { days: [1, 2, 3, 4, 5], start: '09:00', end: '20:00' },
    });
    const { data } = await evaluate({});
    expect(data).toMatchObject({ allowed: false, reason: expect.stringContaining('工作日') });
    expect(data.matchedPolicies.map((row: { id: number }) => row.id)).toContain(own.id);
    expect((await evaluate({ at: '2026-11-23 12:00' })).data.allowed).toBe(true);
  });

  test('names the policy that blocks the number [OCS 4.9]', async () => {
    const blocking = await addPolicy({ name: '黑名单', type: 'phone_blacklist', action: 'block', config: { numbers: [`+86 ${NUMBER}`] } });
    const { data } = await evaluate({});
    expect(data).toMatchObject({ allowed: false, reason: expect.stringContaining('黑名单'), matchedPolicies: [blocking] });
    expect((await evaluate({ phoneNumber: '13800000000' })).data.allowed).toBe(true);
  });

  test('counts dials of the last N × 24 h, across campaigns for a global policy [D8.4]', async () => {
    const db = server.running.context.database;
    const elsewhere = await insertCampaign(db);
    const contactId = await insertContact(db, { campaignId: elsewhere, phoneNumber: NUMBER });
    await insertAttempt(db, { campaignId: elsewhere, contactId, phoneNumber: NUMBER, agoMs: 3_600_000 });
    const policy = { type: 'contact_frequency_limit', action: 'limit', config: { days: 1, maxAttempts: 1 } };
    const own = await addPolicy({ ...policy, scope: 'campaign', campaignId });
    const now = { at: new Date().toISOString() };
    expect((await evaluate(now)).data.allowed).toBe(true);
    await addPolicy({ ...policy, name: '全局频次' });
    expect((await evaluate(now)).data).toMatchObject({ allowed: false, reason: expect.stringContaining('全局频次') });
    expect((await evaluate({ at: new Date(Date.now() + 2 * 86_400_000).toISOString() })).data.allowed).toBe(true);
    expect(own.isEnabled).toBe(1);
  });

  test('ignores dials after a time in the past [D8.4, D8.5]', async () => {
    const db = server.running.context.database;
    const contactId = await insertContact(db, { campaignId, phoneNumber: NUMBER });
    await insertAttempt(db, { campaignId, contactId, phoneNumber: NUMBER, agoMs: 3_600_000 });
    await addPolicy({ type: 'contact_frequency_limit', action: 'limit', config: { days: 1, maxAttempts: 1 } });
    const agoMs = (ms: number) => ({ at: new Date(Date.now() - ms).toISOString() });
    expect((await evaluate(agoMs(2 * 3_600_000))).data.allowed).toBe(true);
    expect((await evaluate(agoMs(1_800_000))).data.allowed).toBe(false);
  });

  test('refuses a number on the do-not-call list, which is not a policy [OCS 4.10, D8.5]', async () => {
    await server.api('POST', '/api/dnc', { phoneNumber: `0086${NUMBER}`, expiresAt: '2026-12-01T00:00:00Z' }, token);
    expect((await evaluate({})).data).toMatchObject({ allowed: false, reason: '号码在勿扰名单中', matchedPolicies: [] });
    expect((await evaluate({ at: '2026-12-02T00:00:00Z' })).data.allowed).toBe(true);
  });

  test("refuses outside the campaign's own hours and for a number that cannot be dialled [D4.5, D5.3, D8.5]", async () => {
    campaignId = await insertCampaign(server.running.context.database, { workdayStart: '13:00', workdayEnd: '14:00' });
    expect((await evaluate({})).data).toMatchObject({ allowed: false, reason: '不在可呼时段内' });
    expect((await evaluate({ phoneNumber: 'not-a-number' })).data).toMatchObject({ allowed: false, reason: '号码无效' });
  });

  test('a disabled policy does not count [OCS 2.9]', async () => {
    await addPolicy({ type: 'blocked_dates', action: 'block', config: { dates: ['2026-11-21'] }, isEnabled: 0 });
    expect((await evaluate({})).data).toMatchObject({ allowed: true, matchedPolicies: [] });
  });

  test('uses the current time when none is given [D8.5]', async () => {
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format();
    await addPolicy({ type: 'blocked_dates', action: 'block', config: { dates: [today] } });
    expect((await evaluate({ at: undefined })).data.allowed).toBe(false);
  });

  test.each([
    ['no campaign', { campaignId: undefined }, 400, 'campaignId 不能为空'],
    ['no number', { phoneNumber: '' }, 400, 'phoneNumber 不能为空'],
    ['a bad time', { at: '昨天' }, 400, 'at'],
    ['an unknown campaign', { campaignId: 999_999 }, 404, '活动不存在'],
  ])('answers %s in Chinese [D2.1]', async (_, body, status, text) => {
    const answer = await evaluate(body);
    expect([answer.status, answer.msg]).toEqual([status, expect.stringContaining(text)]);
  });
});
