import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { keyedNumbers, rowsOf } from '#bench/support/numbered-contacts.ts';
import { insertCampaign } from '#test/support/rows.ts';

export interface DialLoad {
  campaignId: number;
  lineId: number;
}

export const PENDING = 100_000;
const DO_NOT_CALL = 20_000;
/** One contact in so many is on the do-not-call list. */
const LISTED_EVERY = 20;
const MAX_CONCURRENCY = 10_000;
let campaigns = 0;

/** Inserts 20,000 do-not-call rows and five policies that every claim must check. */
export async function insertRules(database: Database): Promise<void> {
  await database.run(sql`
    insert into do_not_call (phone_number, dial_key, source)
    select number, key, 'manual' from ${rowsOf(keyedNumbers('139', DO_NOT_CALL, LISTED_EVERY))}
    on conflict (dial_key) do nothing`);
  const policies = [
    ['daily_window', 'allow_window', { start: '00:00', end: '12:30' }],
    ['daily_window', 'allow_window', { start: '12:00', end: '00:00' }],
    ['blocked_dates', 'block', { dates: ['2020-01-01'] }],
    ['phone_prefix_blocklist', 'block', { prefixes: ['170', '171'] }],
    ['contact_frequency_limit', 'limit', { maxAttempts: 3, days: 7 }],
  ] as const;
  for (const [type, action, config] of policies) {
    await database.run(sql`
      insert into policy (name, scope, type, action, config) values (${type}, 'global', ${type}, ${action}, ${JSON.stringify(config)}::jsonb)`);
  }
}

/** Inserts a running campaign with its own line and 100,000 pending contacts or fewer, some of them on the do-not-call list. */
export async function insertDialLoad(database: Database, pending = PENDING): Promise<DialLoad> {
  campaigns += 1;
  // Without a script only a runtime that brings its own call flow is given calls (D5.6).
  await database.run(sql`
    insert into business (business_code, business_name, runtime_brings_flow) values ('demo', '演示', true)
    on conflict (business_code) do update set runtime_brings_flow = true`);
  const campaignId = await insertCampaign(database, { name: `活动 ${campaigns}`, status: 'running' });
  await database.run(sql`
    update campaign set max_concurrency = ${MAX_CONCURRENCY}, max_retries = 0, call_interval_ms = 0 where id = ${campaignId}`);
  const line = await database.first(sql<{ id: number }>`
    insert into line (name, code, dial_string_template, caller_id_number, max_concurrency, allocation_mode)
    values ('线路', ${`bench-${campaigns}`}, 'sofia/gateway/gw1/{{destinationNumber}}', '02160000001', ${MAX_CONCURRENCY}, 'single_shared') returning id`);
  const lineId = line?.id ?? 0;
  await database.run(sql`insert into campaign_line (campaign_id, line_id, position) values (${campaignId}, ${lineId}, 0)`);
  await database.run(sql`
    insert into contact (campaign_id, phone_number, dial_key, customer_name, metadata)
    select ${campaignId}::int, number, key, '王先生', '{"城市": "上海"}' from ${rowsOf(keyedNumbers('139', pending))}`);
  await database.run(sql`analyze contact`);
  return { campaignId, lineId };
}
