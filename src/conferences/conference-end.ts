import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { instant, json } from '#platform/postgres/values.ts';

interface End {
  /** UTC ms. */
  at: number;
  cause: string;
}

/** Closes a leg and its softphone call. */
async function endLeg(inside: Sql, legUuid: string, end: End): Promise<void> {
  const leg = await inside.first(sql<{ callId: number }>`
    update leg set status = 'ended', ended_at = ${instant(end.at)}, end_cause = ${end.cause}
    where leg_uuid = ${legUuid} and status <> 'ended' returning softphone_call_id as call_id`);
  if (leg) await closeCalls(inside, [leg.callId], end);
}

/** Closes older legs of an agent: a new reservation proves that they have ended, even if their events were lost. */
export async function endStaleLegs(inside: Sql, agentId: number): Promise<void> {
  const stale = await inside.rows(sql<{ legUuid: string; at: number }>`
    select leg_uuid, now() as at from leg where agent_id = ${agentId} and conference_id is not null and status <> 'ended'`);
  for (const { legUuid, at } of stale) await endLeg(inside, legUuid, { at, cause: 'SUPERSEDED' });
}

/** A leg that never joined counts as failed, any other as completed. The end of a browser phone's session is recorded once, in the same step. */
export async function closeCalls(inside: Sql, callIds: readonly number[], { at, cause }: End): Promise<void> {
  if (callIds.length === 0) return;
  await inside.run(sql`
    with closed as (
      update softphone_call set status = case when answered_at is null then 'failed' else 'completed' end, ended_at = ${instant(at)},
        hangup_cause = ${cause},
        duration_seconds = case when answered_at is null then 0 else greatest(0, round(extract(epoch from ${instant(at)} - answered_at)))::int end
      where id = any(${[...callIds]}::bigint[]) and ended_at is null returning id, direction)
    insert into softphone_event (softphone_call_id, kind, data)
    select id, 'session', ${json({ status: 'ended', cause })} from closed where direction = 'session'`);
}
