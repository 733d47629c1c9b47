import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { connectDatabase } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { getTrend, readCounts } from '#overview/counts.ts';
import {
  addCampaign,
  addContacts,
  claimRequest,
  type Dialling,
  grants,
  openDialling,
  phoneNumbers,
  report,
  settled,
} from '#test/support/dialling.ts';

let d: Dialling;
let campaign: number;
let fold: () => Promise<void>;

beforeAll(async () => {
  d = await openDialling();
  fold = () => d.dials.foldTallies();
  campaign = await addCampaign(d.db, { maxRetries: 3, retryIntervalSeconds: 0 });
  await addContacts(d.db, campaign, phoneNumbers(40));
});
afterAll(() => d.close());

type Step = (n: number, some: string[]) => Promise<unknown>;

const edit =
  (table: RawBuilder<unknown>, change: RawBuilder<unknown>): Step =>
  n =>
    d.db.run(sql`update ${table} set ${change} where id % 5 = ${n % 5}`);

/** Every statement that changes a count. */
const STEPS: Record<string, Step> = {
  claim: async n => d.dials.claim(await claimRequest(d.db, campaign, { grants: grants(1 + (n % 4)) })),
  fail: async () =>
    d.dials.claim(await claimRequest(d.db, campaign, { grants: grants(2), admit: () => ({ kind: 'fail', callStatus: 'invalid_number' }) })),
  mark: (_, some) => d.dials.markDialing(some),
  answer: (_, some) => d.dials.recordProgress(some.map(requestId => ({ requestId, answeredAt: Date.now() }))),
  settle: (_, some) => d.dials.settle(some.map(requestId => settled(requestId))),
  result: (n, some) =>
    Promise.all(
      some.map(requestId =>
        d.dials.applyResult(report({ requestId, callStatus: n % 2 === 0 ? 'completed' : 'busy', durationSeconds: n % 2 === 0 ? n : 0 })),
      ),
    ),
  revert: (_, some) => d.dials.revert(some, { alsoDialing: true, reason: '' }),
  pauseContacts: edit(sql`contact`, sql`status = 'paused'`),
  retryContacts: edit(sql`contact`, sql`status = 'pending', retry_at = null, attempt_count = 0`),
  deleteContacts: edit(sql`contact`, sql`deleted_at = now()`),
  deleteAttempts: (n, _some) =>
    d.db.run(
      sql`update attempt set deleted_at = now() where id % 7 = ${n % 7} and status not in ('claimed','dialing','accepted','answered')`,
    ),
  yesterday: n => d.db.run(sql`update attempt set day = business_day() - 1 where id % 3 = ${n % 3}`),
  campaigns: edit(sql`campaign`, sql`status = case status when 'running' then 'paused' else 'running' end`),
  fold: () => fold(),
};

async function run(name: string, n: number): Promise<void> {
  const open = await d.dials.openAttempts(0, 1_000);
  await d.db.run(sql`update campaign set status = 'running' where id = ${campaign}`);
  await STEPS[name]?.(
    n,
    open.slice(0, 1 + (n % 3)).map(attempt => attempt.requestId),
  );
}

const counted = async () => {
  const byStatus = (table: RawBuilder<unknown>) =>
    d.db.rows(sql<{ status: string; count: number }>`select status, count(*) as count from ${table} where deleted_at is null group by 1`);
  const asRecord = (rows: { status: string; count: number }[]) => Object.fromEntries(rows.map(row => [row.status, row.count]));
  const days = await d.db.rows(sql`
    select day::text as date, count(*) filter (where status <> 'cancelled') as attempts,
      count(*) filter (where status in ('answered', 'completed') or (answered_at is not null and status <> 'cancelled')) as answered,
      count(*) filter (where status = 'completed') as completed,
      count(*) filter (where status in ('failed', 'outcome_unknown') and answered_at is null) as failed
    from attempt where deleted_at is null and status <> 'cancelled' group by 1 order by 1`);
  const active = await d.db.first(sql<{ active: number }>`
    select count(*) as active from attempt where deleted_at is null and status in ('claimed','dialing','accepted','answered')`);
  return {
    campaigns: asRecord(await byStatus(sql`campaign`)),
    contacts: asRecord(await byStatus(sql`contact`)),
    activeCalls: active?.active,
    days,
  };
};

const told = async () => {
  const [{ campaigns, contacts, activeCalls }, trend] = await Promise.all([readCounts(d), getTrend(d, 90)]);
  const days = trend.flatMap(({ averageDurationSeconds, ...day }) => (day.attempts > 0 && averageDurationSeconds >= 0 ? [day] : []));
  return { campaigns, contacts, activeCalls, days };
};

test('overview and trend equal a scan after any operations, folded or not [D14.2]', async () => {
  const script = fc.array(fc.record({ name: fc.constantFrom(...Object.keys(STEPS)), n: fc.nat(40) }), { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(script, async steps => {
      for (const { name, n } of steps) await run(name, n);
      expect(await told()).toEqual(await counted());
      await fold();
      expect(await told()).toEqual(await counted());
    }),
    { numRuns: 20 },
  );
}, 240_000);

test('folding during calls loses nothing and leaves one row per day and status', async () => {
  await addContacts(d.db, campaign, phoneNumbers(100, 13_500_000_000));
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      await d.dials.claim(await claimRequest(d.db, campaign, { grants: grants(4) }));
      await fold();
    }),
  );
  expect(await told()).toEqual(await counted());
  await fold();
  const crowded = await d.db.first(sql`
    select (select count(*) from (select 1 from attempt_day_tally group by day having count(*) > 1) d) as days,
           (select count(*) from (select 1 from status_tally group by noun, status having count(*) > 1) s) as statuses`);
  expect(crowded).toEqual({ days: 0, statuses: 0 });
}, 120_000);

test('days follow the business time zone of the connection [D1.2]', async () => {
  const at = sql`timestamptz '2026-03-01 16:30:00+00'`;
  const dayIn = async (timeZone?: string) => {
    const db = await connectDatabase({
      entities: ENTITIES,
      url: d.url,
      poolSize: 2,
      statementTimeoutMs: 20_000,
      ...(timeZone ? { timeZone } : {}),
    });
    const row = await db.first(sql<{ day: string }>`select business_day(${at})::text as day`);
    await db.close();
    return row?.day;
  };
  expect([await dayIn(), await dayIn('Europe/London'), await dayIn('Asia/Shanghai')]).toEqual(['2026-03-02', '2026-03-01', '2026-03-02']);
});
