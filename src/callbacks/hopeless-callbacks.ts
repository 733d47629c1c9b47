import { sql } from 'kysely';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';
import type { Callback } from './callback.ts';
import { endWait, IS_SERVED } from './callback-store.ts';

/**
 * Why the promise with alias `b` to the contact `c` of the campaign `m` cannot be kept any more; null while it can.
 *
 * Why:    a number that is listed for good, or a campaign that has closed, is certain at once; a campaign that has only run out of
 *         contacts may be started again until the promise is due
 */
const END_REASON = sql`
  case when c.deleted_at is not null then 'contact_deleted'
    when m.deleted_at is not null or m.status = 'archived' or (m.status = 'completed' and (b.due_at <= now() or m.scheduled_end_at <= now()))
      then 'campaign_over'
    when exists (select 1 from do_not_call d where d.dial_key = c.dial_key and (d.expires_at is null or d.expires_at >= b.until))
      then 'do_not_call'
    when b.until <= now() then 'time_passed'
    when b.due_at <= now() and c.hold_reason = 'invalid_number' then 'invalid_number' end`;

/**
 * Gives up promises that cannot be kept. One whose contact was deleted is cancelled: who deleted it knows.
 *
 * Shape: their campaigns
 */
export async function giveUpHopeless(db: Database, limit: number): Promise<number[]> {
  const rows = await db.rows(sql<{ campaignId: number }>`
    with over as (
      select b.id, ${END_REASON} as reason from callback b join contact c on c.id = b.contact_id join campaign m on m.id = b.campaign_id
      where b.status = 'promised' and c.status <> 'submitted' and ${END_REASON} is not null
      order by b.due_at limit ${limit} for no key update of b skip locked),
    ended as (
      update callback b set status = case when reason = 'contact_deleted' then 'cancelled' else 'given_up' end,
        end_reason = reason, told = reason = 'contact_deleted'
      from over where b.id = over.id returning b.contact_id, b.campaign_id)
    update contact c set ${endWait(IS_SERVED)}
    from ended e where c.id = e.contact_id returning e.campaign_id`);
  return [...new Set(rows.map(({ campaignId }) => campaignId))];
}

/** Opens personal callbacks to anybody whose agents were disabled or deleted. Shape: their campaigns */
export async function releaseFromLostAgents(db: Database, limit: number): Promise<number[]> {
  const rows = await db.rows(sql<{ campaignId: number }>`
    with lost as (
      select b.id from callback b join agent g on g.id = b.agent_id
      where b.status = 'promised' and b.agent_id is not null and (g.deleted_at is not null or not g.is_enabled)
      order by b.due_at limit ${limit} for no key update of b skip locked),
    opened as (update callback b set agent_id = null from lost where b.id = lost.id returning b.contact_id, b.campaign_id, b.due_at)
    update contact c set callback_at = o.due_at, hold_until = case when c.hold_reason = 'callback' then o.due_at else c.hold_until end
    from opened o where c.id = o.contact_id returning o.campaign_id`);
  return [...new Set(rows.map(({ campaignId }) => campaignId))];
}

/** A given-up callback whose runtime event has not been recorded. */
export interface UntoldCallback extends Pick<Callback, 'id' | 'campaignId' | 'contactId' | 'dueAt' | 'misses' | 'endReason'> {
  campaignName: string;
}

export function untoldCallbacks(db: Sql, limit: number): Promise<UntoldCallback[]> {
  return db.rows(sql<UntoldCallback>`
    select b.id, b.campaign_id, b.contact_id, b.due_at, b.misses, b.end_reason, m.name as campaign_name
    from callback b join campaign m on m.id = b.campaign_id where not b.told order by b.id limit ${limit}`);
}

export async function markTold(db: Sql, callbackIds: readonly number[]): Promise<void> {
  await db.run(sql`update callback set told = true where id = any(${ids(callbackIds)})`);
}
