import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { evaluateCampaign } from '#policies/decisions/evaluate.ts';
import type { Policy } from '#policies/decisions/policy-kind.ts';
import type { DialLoad } from './dial-load.ts';
import { CELL_COUNT, SETTINGS } from './product.ts';
import { preparePolicies } from '#policies/decisions/prepare-policies.ts';

/** One job of a queue that keeps the same guarantees: one contact, checked, dialled and closed. */
export type DialJob = (contactId: number) => Promise<'dialled' | 'held'>;

const MAX_RECENT_DIALS = 3;
const RECENT_DAYS = 7;
const MAX_CONCURRENCY = 10_000;
const UNPACED = 1_000_000_000;
const LIMITS = { maxConcurrency: MAX_CONCURRENCY, maxRetries: 0, retryIntervalSeconds: 300, callIntervalMs: 0 };

/** The same checks as the product's claim and mark, for one contact at a time, in as few round trips as possible. */
export async function dialJob(stores: { database: Database; redis: RedisLink }, load: DialLoad): Promise<DialJob> {
  const { database } = stores;
  const slots = redisSlotRegistry(stores.redis, { leaseMs: SETTINGS.reservationLeaseMs });
  const policies = preparePolicies(await readPolicies(database), load.campaignId, 'CN');
  return async contactId => {
    const verdict = evaluateCampaign({ policies, campaign: LIMITS, at: systemClock.now(), zones: [SETTINGS.timeZone] });
    if (!verdict.allowed) return 'held';
    const requestId = systemIds();
    const { grants } = await slots.reserve({
      campaignId: load.campaignId,
      weight: 1,
      campaignMax: MAX_CONCURRENCY,
      callIntervalMs: 0,
      lines: [{ lineId: load.lineId, max: MAX_CONCURRENCY, mode: 'single_shared', numbers: [], sharedNumber: '02160000001' }],
      cells: Array.from({ length: CELL_COUNT }, (_, index) => ({ cellId: `cell-${index}`, max: 0, maxPerSecond: UNPACED })),
      requestIds: [requestId],
    });
    const attemptId = grants.length === 0 ? null : await claim(database, { requestId, contactId });
    // The switch reports busy.
    if (attemptId !== null) await close(database, attemptId);
    await slots.release([requestId]);
    return attemptId === null ? 'held' : 'dialled';
  };
}

function readPolicies(database: Database): Promise<Policy[]> {
  return database.rows(sql<Policy>`
    select id, name, scope, campaign_id as "campaignId", type, action, priority, config, is_enabled::int as "isEnabled" from policy`);
}

/** Campaign, do-not-call list, recent dials and the claim in one statement; null when the contact must not be dialled. */
async function claim(database: Database, { requestId, contactId }: { requestId: string; contactId: number }): Promise<number | null> {
  const row = await database.first(sql<{ id: number }>`
    with chosen as (
      select c.* from contact c join campaign k on k.id = c.campaign_id and k.status = 'running'
      where c.id = ${contactId} and c.status = 'pending'
        and not exists (select 1 from do_not_call d where d.dial_key = c.dial_key and (d.expires_at is null or d.expires_at > now()))
        and (select count(*) from attempt a where a.dial_key = c.dial_key and a.dialing_at > now() - make_interval(days => ${RECENT_DAYS})) < ${MAX_RECENT_DIALS}
      for no key update of c skip locked),
    inserted as (
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, dialing_at, started_at)
      select ${requestId}::uuid, campaign_id, id, phone_number, dial_key, 'dialing', now(), now() from chosen returning id, contact_id),
    moved as (
      update contact c set status = 'submitted', attempt_count = c.attempt_count + 1, last_attempt_id = i.id from inserted i where c.id = i.contact_id)
    select id from inserted`);
  return row?.id ?? null;
}

async function close(database: Database, attemptId: number): Promise<void> {
  await database.run(sql`
    with ended as (
      update attempt set status = 'failed', call_status = 'busy', hangup_cause = 'USER_BUSY', ended_at = now(), duration_seconds = 0
      where id = ${attemptId} returning contact_id)
    update contact c set status = 'failed' from ended e where c.id = e.contact_id`);
}
