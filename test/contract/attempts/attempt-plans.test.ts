import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { readActivity, readScheduler, readStuckBatches } from '#overview/runtime-overview.ts';
import { type AttemptFilter, attemptList } from '#attempts/attempt-store.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { type FreshDatabase, freshDatabase } from '#test/support/database.ts';
import { insertCampaign } from '#test/support/rows.ts';

/** Enough rows for an index to beat a sequential scan. */
const ATTEMPTS = 20_000;

let fresh: FreshDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: 30_000 });
  const campaigns = [await insertCampaign(db), await insertCampaign(db)];
  // One row in twenty belongs to the second campaign.
  await db.run(sql`
    insert into contact (campaign_id, phone_number, dial_key)
    select case when n % 20 = 0 then ${campaigns[1]}::int else ${campaigns[0]}::int end, n::text, n::text from generate_series(1, ${ATTEMPTS}) as n`);
  await db.run(sql`
    insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, call_status, emotion_status, result_at)
    select gen_random_uuid(), campaign_id, id, phone_number, dial_key, 
      case when id % 2000 = 1999 then 'accepted' when id % 10 = 0 then 'failed' else 'completed' end,
      case when id % 2000 = 1999 then 'ringing' when id % 10 = 0 then 'busy' else 'completed' end, case when id % 100 = 0 then 'done' else 'none' end,
      case when id % 2000 <> 1999 and id % 10 <> 0 and id % 1000 <> 7 then now() end from contact`);
  await db.run(sql`vacuum analyze`);
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

describe('plans of lists over attempts', () => {
  test.each<[string, AttemptFilter, RegExp]>([
    ['no filter', {}, /attempt_listed|attempt_pkey/],
    ['campaign', { campaignId: 2 }, /attempt_campaign/],
    ['status', { status: 'failed' }, /attempt_status/],
    ['campaign and status', { campaignId: 2, status: 'failed' }, /attempt_campaign_status/],
    ['call status', { callStatus: 'busy' }, /attempt_call_status/],
    ['emotion status', { emotionStatus: 'done' }, /attempt_emotion/],
    ['missing result', { resultMissing: true }, /attempt_result_missing/],
    ['campaign and missing result', { campaignId: 1, resultMissing: true }, /attempt_result_missing/],
    ['status and missing result', { status: 'completed', resultMissing: true }, /attempt_result_missing/],
    ['open', { open: true }, /attempt_open/],
    ['campaign and open', { campaignId: 1, open: true }, /attempt_open/],
    ['over', { open: false }, /attempt_listed|attempt_pkey/],
    ['answered', { answered: true }, /attempt_listed|attempt_pkey/],
    ['no missing result', { resultMissing: false }, /attempt_listed|attempt_pkey/],
    ['all filters', { campaignId: 2, status: 'failed', callStatus: 'busy', emotionStatus: 'done' }, /attempt_emotion|attempt_campaign_/],
  ])('use a matching index: %s', async (_, filter, index) => {
    const plans = await plansOf(observed => readPage({ db: observed }, attemptList, { page: 1, pageSize: 50, ...filter }));
    expect(plans).toHaveLength(2);
    expect(plans.flatMap(scannedWhole)).toEqual([]);
    expect(plans[1]).toMatch(index);
  });

  test('scan no table for the runtime overview', async () => {
    const plans = await plansOf(async observed => {
      const deps = { db: observed };
      await readActivity(deps, 60_000);
      await readScheduler(deps);
      await readStuckBatches(deps, 600_000, 50);
    });
    expect(plans.flatMap(scannedWhole)).toEqual([]);
  });
});

/** Runs `work` and explains every statement that it executes. */
async function plansOf(work: (observed: Database) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const explain = async (statement: Parameters<Database['rows']>[0]) => {
    const lines = await db.rows(sql<Record<string, string>>`explain ${statement}`);
    plans.push(lines.map(line => line['QUERY PLAN']).join('\n'));
  };
  const observed: Database = {
    ...db,
    em: db.em,
    rows: async statement => {
      await explain(statement);
      return db.rows(statement);
    },
    first: async statement => {
      await explain(statement);
      return db.first(statement);
    },
  };
  await work(observed);
  return plans;
}

function scannedWhole(plan: string): string[] {
  return plan.match(/Seq Scan on (?:attempt|contact|transcript_segment)\b/g) ?? [];
}
