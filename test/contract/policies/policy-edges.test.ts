import { POLICY_KINDS, type PolicyType } from '#policies/decisions/policy-table.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

/** Every policy type at its limits, through the API. Business time zone Asia/Shanghai; each case has a campaign of its own. */
let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('admin');
});
afterAll(() => server.close());

const NUMBER = '13912345678';
const DAY_MS = 86_400_000;

type PolicySpec = [type: PolicyType, config: object];

/** A campaign with these policies. */
async function campaignWith(...policies: PolicySpec[]): Promise<number> {
  const campaignId = await insertCampaign(server.running.context.database);
  for (const [type, config] of policies) {
    const { action } = POLICY_KINDS[type];
    const answer = await server.api('POST', '/api/policies', { name: type, scope: 'campaign', campaignId, type, action, config }, token);
    expect([answer.status, answer.msg]).toEqual([200, 'ok']);
  }
  return campaignId;
}

const evaluate = async (campaignId: number, at: string, phoneNumber = NUMBER) =>
  (await server.api('POST', '/api/policies/evaluate', { campaignId, phoneNumber, at }, token)).data;
const shanghai = (local: string) => `${local}+08:00`;

const HOLIDAYS: PolicySpec = [
  'holiday_blocklist',
  { dates: ['2026-10-03'], recurringDates: ['10-01', '02-29'], workdayOverrides: ['2026-10-01', '2026-10-03'], region: 'CN' },
];
const NIGHT: PolicySpec = ['daily_window', { start: '22:00', end: '06:00' }];
const SUNDAY_NIGHT: PolicySpec = ['weekly_window', { days: [0], start: '20:00', end: '02:00' }];
const OFFICE: PolicySpec[] = [
  ['daily_window', { start: '09:00', end: '12:00' }],
  ['daily_window', { start: '14:00', end: '18:00' }],
];

describe('dates and windows at midnight and at their ends [OCS 4.9, D8.1]', () => {
  test.each<[title: string, policies: PolicySpec[], at: string, allowed: boolean]>([
    ['a blocked date begins at midnight', [['blocked_dates', { dates: ['2026-11-22'] }]], '2026-11-21T23:59:59.999', true],
    ['of the business zone', [['blocked_dates', { dates: ['2026-11-22'] }]], '2026-11-22T00:00:00', false],
    ['lasts to its last millisecond', [['blocked_dates', { dates: ['2026-11-22'] }]], '2026-11-22T23:59:59.999', false],
    ['and ends at midnight', [['blocked_dates', { dates: ['2026-11-22'] }]], '2026-11-23T00:00:00', true],
    ['a month-day holiday comes back every year', [HOLIDAYS], '2027-10-01T10:00:00', false],
    ['a make-up workday beats the month-day', [HOLIDAYS], '2026-10-01T10:00:00', true],
    ['a make-up workday beats the date', [HOLIDAYS], '2026-10-03T10:00:00', true],
    ['29 February blocks in a leap year', [HOLIDAYS], '2028-02-29T00:00:00', false],
    ['and nothing in other years', [HOLIDAYS], '2027-03-01T00:00:00', true],
    ['a daily window opens at its start', [['daily_window', { start: '09:00', end: '18:00' }]], '2026-11-21T09:00:00', true],
    ['not a millisecond earlier', [['daily_window', { start: '09:00', end: '18:00' }]], '2026-11-21T08:59:59.999', false],
    ['is open to the last millisecond', [['daily_window', { start: '09:00', end: '18:00' }]], '2026-11-21T17:59:59.999', true],
    ['and closed at its end', [['daily_window', { start: '09:00', end: '18:00' }]], '2026-11-21T18:00:00', false],
    ['a window over midnight is open before it', [NIGHT], '2026-11-21T23:59:59', true],
    ['and after it', [NIGHT], '2026-11-22T05:59:59', true],
    ['and closed at its end', [NIGHT], '2026-11-22T06:00:00', false],
    ['weekday 0 is Sunday', [SUNDAY_NIGHT], '2026-11-22T20:00:00', true],
    ['its window goes on into Monday', [SUNDAY_NIGHT], '2026-11-23T01:59:59', true],
    ['to its end', [SUNDAY_NIGHT], '2026-11-23T02:00:00', false],
    ['and does not begin on Saturday night', [SUNDAY_NIGHT], '2026-11-22T01:00:00', false],
    ['of several windows the first lets through', OFFICE, '2026-11-21T11:59:59', true],
    ['the pause between them does not', OFFICE, '2026-11-21T12:00:00', false],
    ['the second lets through again', OFFICE, '2026-11-21T14:00:00', true],
  ])('%s: %j at %s → %s', async (_, policies, at, allowed) => {
    const verdict = await evaluate(await campaignWith(...policies), shanghai(at));
    expect([verdict.allowed, verdict.reason === null]).toEqual([allowed, allowed]);
  });
});

describe('numbers [OCS 4.9, D8.7]', () => {
  test.each<[policy: PolicySpec, phoneNumber: string, allowed: boolean]>([
    [['phone_blacklist', { numbers: ['139-1234-5678'] }], '+86 13912345678', false],
    [['phone_blacklist', { numbers: ['139-1234-5678'] }], '13912345679', true],
    [['phone_prefix_blocklist', { prefixes: ['1391'] }], '0086 139 1234 5678', false],
    [['phone_prefix_blocklist', { prefixes: ['1391'] }], '13812345678', true],
    [['phone_prefix_blocklist', { prefixes: ['139123456789'] }], '13912345678', true],
  ])('%j and %s → %s', async (policy, phoneNumber, allowed) => {
    expect((await evaluate(await campaignWith(policy), shanghai('2026-11-21T12:00:00'), phoneNumber)).allowed).toBe(allowed);
  });

  test('a dial counts until the last millisecond of N × 24 h, and no longer [D8.4]', async () => {
    const campaignId = await campaignWith(['contact_frequency_limit', { days: 2, maxAttempts: 1 }]);
    const db = server.running.context.database;
    const contactId = await insertContact(db, { campaignId, phoneNumber: NUMBER });
    const attemptId = await insertAttempt(db, { campaignId, contactId, phoneNumber: NUMBER, status: 'failed', agoMs: DAY_MS });
    const dialled = await db.first(sql<{ at: number }>`select dialing_at as at from attempt where id = ${attemptId}`);
    const allowedAfter = async (ms: number) => (await evaluate(campaignId, new Date((dialled?.at ?? 0) + ms).toISOString())).allowed;
    expect([await allowedAfter(2 * DAY_MS - 1), await allowedAfter(2 * DAY_MS)]).toEqual([false, true]);
  });
});

describe('limits only tighten, over both scopes [OCS 4.9, D8.3]', () => {
  test.each<[policy: PolicySpec, effective: object]>([
    [['rate_limit', { callIntervalMs: 100 }], { callIntervalMs: 200 }],
    [['rate_limit', { callIntervalMs: 3_600_000 }], { callIntervalMs: 3_600_000 }],
    [['retry_rule', { maxRetries: 0 }], { maxRetries: 0, retryIntervalSeconds: 600 }],
    [['retry_rule', { maxRetries: 20, retryIntervalSeconds: 2_592_000 }], { maxRetries: 3, retryIntervalSeconds: 2_592_000 }],
    [['concurrency_limit', { maxConcurrency: 1 }], { maxConcurrency: 1 }],
    [['concurrency_limit', { maxConcurrency: 10_000 }], { maxConcurrency: 10 }],
  ])('%j → %j', async (policy, effective) => {
    const verdict = await evaluate(await campaignWith(policy), shanghai('2026-11-21T12:00:00'));
    expect(verdict).toMatchObject({ allowed: true, effectiveLimits: effective });
  });

  test('a global window and a campaign window must both be open; deleting the global one opens it', async () => {
    const campaignId = await campaignWith(['daily_window', { start: '10:00', end: '20:00' }]);
    const config = { start: '08:00', end: '12:00' };
    const added = await server.api(
      'POST',
      '/api/policies',
      { name: '全局', scope: 'global', type: 'daily_window', action: 'allow_window', config },
      token,
    );
    const allowed = [];
    for (const hour of ['09', '11', '13']) allowed.push((await evaluate(campaignId, shanghai(`2026-11-21T${hour}:00:00`))).allowed);
    await server.api('DELETE', `/api/policies/${added.data.policy.id}`, undefined, token);
    expect(allowed).toEqual([false, true, false]);
  });
});
