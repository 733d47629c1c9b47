import { type RawBuilder, sql } from 'kysely';
import type { ResultCondition } from '#attempts/decisions/result-condition.ts';
import { resultFieldConditions } from '#attempts/result-conditions.ts';
import { instant } from '#platform/postgres/values.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { SkipReason } from '#campaigns/decisions/skip-reason.ts';

/** Filters of contacts; an undefined filter does not narrow. */
export interface ContactFilter {
  /** Created at or after `from` and before `to`; UTC ms */
  from?: number | undefined;
  to?: number | undefined;
  /** Normalised number (`dialKey`). */
  dialKey?: string | undefined;
  /** Bounds of the attempts since the last reset. */
  minAttempts?: number | undefined;
  maxAttempts?: number | undefined;
  /** Whether a rule holds the contact back. */
  isHeld?: boolean | undefined;
  /** Not dialled now for this reason. */
  waiting?: Waiting | undefined;
  /** A single attempt must match all of the following. */
  callStatus?: CallStatus | undefined;
  classification?: string | undefined;
  intent?: string | undefined;
  batchId?: number | undefined;
  /** Agent that took the call over or was added to it. */
  agentId?: number | undefined;
  /** Conditions on the values of the script's fields; all must hold. */
  resultField?: readonly ResultCondition[] | undefined;
}

/** A reason that keeps contacts from being dialled. */
export interface Waiting {
  reason: SkipReason;
  /** Whether it also applies to every contact that has no reason of its own. */
  isCommon: boolean;
}

/** Restricts the ids selected by `found` to contacts that match the filter. */
export function narrowed(found: RawBuilder<unknown>, filter: ContactFilter = {}): RawBuilder<unknown> {
  const conditions = contactConditions(filter);
  if (conditions.length === 0) return found;
  return sql`select k.id from (${found}) as found join contact k on k.id = found.id where ${sql.join(conditions, sql` and `)}`;
}

export function isNarrowing(filter: ContactFilter | undefined): boolean {
  return filter !== undefined && contactConditions(filter).length > 0;
}

/** Conditions on a row of `contact k`. */
export function contactConditions(filter: ContactFilter = {}): RawBuilder<unknown>[] {
  const { from, to, dialKey, minAttempts, maxAttempts, isHeld, waiting } = filter;
  const attempt = attemptConditions(filter);
  return [
    from === undefined ? null : sql`k.created_at >= ${instant(from)}`,
    to === undefined ? null : sql`k.created_at < ${instant(to)}`,
    dialKey === undefined
      ? null
      : sql`(k.dial_key = ${dialKey} or k.id in (select n.contact_id from contact_number n where n.dial_key = ${dialKey}))`,
    minAttempts === undefined ? null : sql`k.attempt_count >= ${minAttempts}`,
    maxAttempts === undefined ? null : sql`k.attempt_count <= ${maxAttempts}`,
    isHeld === undefined ? null : sql`(k.hold_reason is not null) = ${isHeld}`,
    waiting === undefined ? null : waitingCondition(waiting),
    attempt.length === 0
      ? null
      : sql`exists (select from attempt a where a.contact_id = k.id and a.deleted_at is null and ${sql.join(attempt, sql` and `)})`,
  ].filter(condition => condition !== null);
}

/** Selects the contacts that `explainCampaigns` counts under the reason. */
function waitingCondition({ reason, isCommon }: Waiting): RawBuilder<unknown> {
  const own = OWN_REASONS[reason];
  const free = sql`k.hold_reason is null and (k.status = 'pending' or (k.status = 'failed' and k.retry_at <= now()))`;
  return sql`(k.hold_reason = ${reason} ${own ? sql`or (${own})` : sql``} ${isCommon ? sql`or (${free})` : sql``})`;
}

/** Reasons that follow from the contact's own row. */
const OWN_REASONS: Partial<Record<SkipReason, RawBuilder<unknown>>> = {
  paused: sql`k.status = 'paused'`,
  attempts_exhausted: sql`k.status = 'failed' and k.retry_at is null and coalesce(k.hold_reason, '') not in ('invalid_number', 'not_after_passed')`,
  retry_wait: sql`k.status = 'failed' and k.retry_at > now() and k.hold_reason is null`,
};

function attemptConditions({ callStatus, classification, intent, batchId, agentId, resultField }: ContactFilter): RawBuilder<unknown>[] {
  return [
    callStatus === undefined ? null : sql`a.call_status = ${callStatus}`,
    classification === undefined ? null : sql`a.classification = ${classification}`,
    intent === undefined ? null : sql`a.intent = ${intent}`,
    batchId === undefined ? null : sql`a.batch_id = ${batchId}`,
    agentId === undefined ? null : sql`exists (select from softphone_call s where s.attempt_id = a.id and s.agent_id = ${agentId})`,
    ...resultFieldConditions(resultField),
  ].filter(condition => condition !== null);
}
