import { sql } from 'kysely';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type BulkResult, leftOf } from '#platform/postgres/bulk-result.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';
import { OPEN } from './attempt-store.ts';
import type { Platform } from '#platform/platform.ts';

/** Deletes attempts with their transcripts and clears references to them in other tables. Returns the number of transcript rows. */
export async function removeAttempts(tx: Sql, attemptIds: readonly number[]): Promise<number> {
  const which = ids(attemptIds);
  await tx.run(sql`
    update contact k set last_attempt_id = null from attempt a
    where a.id = any(${which}) and k.id = a.contact_id and k.last_attempt_id = a.id`);
  await tx.run(sql`update softphone_call set attempt_id = null where attempt_id = any(${which})`);
  await tx.run(sql`update conference_session set attempt_id = null where attempt_id = any(${which})`);
  await tx.run(sql`delete from recording_check where attempt_id = any(${which})`);
  const segments = await tx.run(sql`delete from transcript_segment where attempt_id = any(${which})`);
  // A test call has a deleted contact of its own.
  await tx.run(sql`
    with gone as (delete from attempt where id = any(${which}) returning contact_id, tested_by)
    delete from contact k using gone g where g.tested_by is not null and k.id = g.contact_id`);
  return segments;
}

/** Deletes agents' calls with their legs and session events. */
export async function removeAgentCalls(tx: Sql, callIds: readonly number[]): Promise<void> {
  const which = ids(callIds);
  await tx.run(sql`delete from softphone_event where softphone_call_id = any(${which})`);
  await tx.run(sql`delete from leg where softphone_call_id = any(${which})`);
  await tx.run(sql`delete from softphone_call where id = any(${which})`);
}

/** Deletes conferences with their remaining legs. */
export async function removeConferences(tx: Sql, conferenceIds: readonly number[]): Promise<void> {
  const which = ids(conferenceIds);
  await tx.run(sql`delete from leg where conference_id = any(${which})`);
  await tx.run(sql`delete from conference_session where id = any(${which})`);
}

/** Most ids kept in the audit row; its counts cover all of them. */
const MAX_AUDITED_IDS = 200;

type AttemptsApp = AuditPart & Pick<Platform, 'db'>;

/**
 * Hides call records and clears the contacts' references to them; skips open, unknown and already deleted attempts.
 *
 * Shape:  `requested` = `affected` + `skipped`
 * Source: OCS 4.8
 */
export async function deleteAttempts(app: AttemptsApp, caller: Caller, attemptIds: readonly number[]): Promise<BulkResult> {
  const hiddenIds = await app.db.transaction(tx => hideAttempts(tx, attemptIds));
  const affected = hiddenIds.length;
  const counts = { requested: attemptIds.length, affected, skipped: attemptIds.length - affected };
  const result = { ...counts, left: leftOf('attempt', null, attemptIds, hiddenIds) };
  if (affected === 0) return result;
  await audit(app, caller, {
    action: 'attempt.deleted',
    targetType: 'attempt',
    targetId: null,
    summary: `删除 ${affected} 条通话记录`,
    detail: { ...counts, attemptIds: attemptIds.slice(0, MAX_AUDITED_IDS) },
  });
  return result;
}

export async function hideAttempts(tx: Sql, attemptIds: readonly number[]): Promise<number[]> {
  const hidden = await tx.rows(sql<{ id: number }>`
    with closed as (
      select a.id from attempt a where a.id = any(${ids(attemptIds)}) and a.deleted_at is null and not (${OPEN})
      order by a.id for no key update),
    hidden as (update attempt set deleted_at = now() where id in (select id from closed) returning id, contact_id),
    cleared as (
      update contact set last_attempt_id = null from hidden
      where contact.id = hidden.contact_id and contact.last_attempt_id = hidden.id returning contact.id)
    select id from hidden`);
  return hidden.map(({ id }) => id);
}
