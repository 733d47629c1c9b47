import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ask, askFor } from '#test/contract/graphql/graphql-client.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
let busy: number;
let quiet: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
  busy = await insertCampaign(db(), { status: 'paused' });
  quiet = await insertCampaign(db(), { status: 'paused' });
  await call(busy, 0, sql`status = 'completed', answered_at = now(), duration_seconds = 30`);
  await call(busy, 2, sql`status = 'completed', answered_at = now(), duration_seconds = 60`);
  await call(busy, 2, sql`status = 'failed'`);
  await call(quiet, 2, sql`status = 'outcome_unknown'`);
  // Answered, but served by no runtime.
  await call(quiet, 2, sql`status = 'failed', answered_at = now()`);
  // Withdrawn, deleted and too old ones do not count.
  await call(busy, 2, sql`status = 'cancelled'`);
  await call(busy, 2, sql`status = 'failed', deleted_at = now()`);
  await call(busy, 100, sql`status = 'failed'`);
});
afterAll(() => server.close());

const db = () => server.running.context.database;

/** A call that was claimed `hoursAgo`. */
async function call(campaignId: number, hoursAgo: number, change: ReturnType<typeof sql>): Promise<void> {
  const contactId = await insertContact(db(), { campaignId, status: 'submitted' });
  const id = await insertAttempt(db(), { campaignId, contactId, status: 'claimed' });
  const at = sql`date_trunc('hour', now()) - make_interval(hours => ${hoursAgo}::int)`;
  await db().run(sql`update attempt set created_at = ${at}, claimed_at = ${at}, day = business_day(${at}), ${change} where id = ${id}`);
}

const COUNTS = 'attempts answered completed failed averageDurationSeconds';
const HOURS = `query ($hours: Int, $campaignId: ID) { trendHours(hours: $hours, campaignId: $campaignId) { at ${COUNTS} } }`;
const DAYS = `query ($days: Int, $campaignId: ID) { trend(days: $days, campaignId: $campaignId) { date ${COUNTS} } }`;

interface Row {
  at: string;
  attempts: number;
  answered: number;
  completed: number;
  failed: number;
  averageDurationSeconds: number;
}

async function hours(variables: object = {}): Promise<Row[]> {
  return (await askFor(server, token, HOURS, variables)).trendHours as Row[];
}

function sumOf(rows: readonly Row[]): Record<string, number> {
  const add = (name: 'attempts' | 'answered' | 'completed' | 'failed') => rows.reduce((sum, row) => sum + row[name], 0);
  return { attempts: add('attempts'), answered: add('answered'), completed: add('completed'), failed: add('failed') };
}

describe('Query.trendHours', () => {
  test('is a row per hour, empty ones too, the current hour last', async () => {
    const rows = await hours();
    expect(rows).toHaveLength(24);
    const starts = rows.map(({ at }) => new Date(at).getTime());
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBe(23 * 3_600_000);
    expect(Math.abs(Date.now() - (starts.at(-1) ?? 0))).toBeLessThan(3_700_000);
    expect(sumOf(rows)).toEqual({ attempts: 5, answered: 3, completed: 2, failed: 2 });
  });

  test('counts a call in the hour in which it was claimed, with the average of the known durations', async () => {
    const filled = (await hours({ hours: 12 })).filter(({ attempts }) => attempts > 0).map(row => ({ ...row, at: null }));
    expect(filled).toEqual([
      { at: null, attempts: 4, answered: 2, completed: 1, failed: 2, averageDurationSeconds: 60 },
      { at: null, attempts: 1, answered: 1, completed: 1, failed: 0, averageDurationSeconds: 30 },
    ]);
  });

  test('counts only the calls of one campaign when it is given', async () => {
    expect(sumOf(await hours({ campaignId: String(quiet) }))).toEqual({ attempts: 2, answered: 1, completed: 0, failed: 1 });
    expect(sumOf(await hours({ campaignId: String(busy) }))).toEqual({ attempts: 3, answered: 2, completed: 2, failed: 1 });
  });

  test.each([0, 73])('%p hours are refused by name', async count => {
    const { errors } = await ask(server, token, HOURS, { hours: count });
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'hours' });
  });
});

describe('Query.trend of one campaign', () => {
  test('counts by day as the total does', async () => {
    const ofAll = (await askFor(server, token, DAYS, { days: 7 })).trend as Row[];
    const each = await Promise.all(
      [busy, quiet].map(async id => (await askFor(server, token, DAYS, { days: 7, campaignId: String(id) })).trend as Row[]),
    );
    expect(each.map(rows => rows.length)).toEqual([7, 7]);
    expect(sumOf(each.flat())).toEqual(sumOf(ofAll));
    expect(sumOf(ofAll)).toEqual({ attempts: 6, answered: 3, completed: 2, failed: 3 });
  });

  test('a malformed id is refused by name', async () => {
    const { errors } = await ask(server, token, DAYS, { campaignId: 'none' });
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'campaignId' });
  });
});
