import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { insertCampaign } from '#test/support/rows.ts';

/** Calls per statement. */
const CHUNK = 50_000;
const CAMPAIGNS = 20;
const CONTACTS = 200_000;
/** Share of the calls in which an agent has spoken. */
const TRANSFERRED = 0.01;

export interface LoadedCalls {
  campaignIds: number[];
  agentIds: number[];
  calls: number;
}

/**
 * Loads calls of the last `days` days, oldest first, all between 9 and 21 o'clock of the business time zone.
 *
 * Why: the triggers of totals are off meanwhile: they are not what is measured, and ten million calls would take an hour
 */
export async function loadCalls(
  db: Database,
  wanted: { calls: number; days: number; print: (line: string) => void },
): Promise<LoadedCalls> {
  const campaignIds: number[] = [];
  for (let index = 0; index < CAMPAIGNS; index++)
    campaignIds.push(await insertCampaign(db, { status: 'paused', name: `活动 ${index + 1}` }));
  const agents = await db.rows(
    sql<{ id: number }>`insert into agent (name) select '坐席 ' || g from generate_series(1, 50) g returning id`,
  );
  await setTriggers(db, 'disable');
  await insertContacts(db, campaignIds[0] ?? 1);
  for (let start = 0; start < wanted.calls; start += CHUNK) {
    await insertCalls(db, { start, count: Math.min(CHUNK, wanted.calls - start), ...wanted });
    if (start % 1_000_000 === 0) wanted.print(`  ${start} calls loaded`);
  }
  await insertTransfers(db, agents[0]?.id ?? 1);
  await setTriggers(db, 'enable');
  await db.run(sql`vacuum analyze attempt`);
  return { campaignIds, agentIds: agents.map(({ id }) => id), calls: wanted.calls };
}

async function setTriggers(db: Database, how: 'enable' | 'disable'): Promise<void> {
  for (const table of ['attempt', 'contact', 'softphone_call'])
    await db.run(sql`alter table ${sql.table(table)} ${sql.raw(how)} trigger user`);
}

function insertContacts(db: Database, campaignId: number): Promise<unknown> {
  return db.run(sql`
    insert into contact (campaign_id, phone_number, dial_key)
    select ${campaignId}::int + g % ${sql.lit(CAMPAIGNS)}, '139' || lpad(g::text, 8, '0'), '+86139' || lpad(g::text, 8, '0')
    from generate_series(1, ${sql.lit(CONTACTS)}) as g`);
}

/** Multipliers of the number of a call, so that its values look drawn and are the same in each run. */
function insertCalls(
  db: Database,
  { start, count, calls, days }: { start: number; count: number; calls: number; days: number },
): Promise<unknown> {
  return db.run(sql`
    insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, line_id, caller_number, cell_id, status, call_status, outcome, script_id,
      script_version, classification, intent, opt_out, claimed_at, dialing_at, started_at, answered_at, ended_at, duration_seconds, evidence, result_at, created_at)
    select gen_random_uuid(), k.campaign_id, k.id, k.phone_number, k.dial_key, 1 + h % 8, '0216000' || lpad((h % 40)::text, 4, '0'), 'cell-' || h % 3,
      case when answered then 'completed' else 'failed' end, case when answered then 'completed' else 'no_answer' end,
      case when answered then (array['completed', 'completed', 'completed', 'completed', 'short', 'silent', 'opted_out', 'abandoned'])[1 + h / 7 % 8]
        else (array['no_answer', 'no_answer', 'no_answer', 'busy', 'rejected', 'power_off', 'invalid_number', 'voicemail'])[1 + h / 11 % 8] end,
      1 + h % 5, 1 + h / 5 % 3, case when answered then (array['有意向', '无意向', '待跟进', '拒绝', '其他'])[1 + h / 13 % 5] end,
      case when answered then 'intent_' || h / 17 % 8 end, answered and h % 61 = 0, at, at, at + interval '200 milliseconds',
      case when answered then at + (3000 + h % 25000) * interval '1 millisecond' end, at + interval '1 minute' + h % 120 * interval '1 second',
      case when answered then 5 + h % 170 else 0 end, jsonb_build_object('basis', 'runtime', 'firstAudioMs', case when answered then 200 + h % 1500 end), at, at
    from generate_series(${start}::bigint, ${start + count - 1}::bigint) as g
    cross join lateral (select (g * 2654435761 % 1000003)::int as h) as drawn
    cross join lateral (
      select h % 5 < 2 as answered, date_trunc('day', now(), 'Asia/Shanghai') - ${days}::int * interval '1 day'
        + (g * ${days}::bigint / ${calls}::bigint) * interval '1 day' + interval '9 hours'
        + (g * ${days}::numeric / ${calls} % 1)::float8 * interval '12 hours' as at) as made
    join contact k on k.id = 1 + g % ${sql.lit(CONTACTS)}`);
}

function insertTransfers(db: Database, firstAgent: number): Promise<unknown> {
  return db.run(sql`
    insert into softphone_call (request_id, direction, status, agent_id, attempt_id, answered_at, ended_at, duration_seconds, created_at)
    select gen_random_uuid(), 'conference', 'completed', ${firstAgent}::int + a.id % 50, a.id, a.answered_at + interval '20 seconds', a.ended_at, 60, a.created_at
    from attempt a where a.answered_at is not null and a.id % ${sql.lit(Math.round(1 / TRANSFERRED))} = 0`);
}
