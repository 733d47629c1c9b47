import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';

/** Deletes attempts with their transcripts and clears references to them in other tables. Returns the number of transcript rows. */
export async function removeAttempts(tx: Sql, attemptIds: readonly number[]): Promise<number> {
  const which = ids(attemptIds);
  await tx.run(sql`
    update contact k set last_attempt_id = null from attempt a
    where a.id = any(${which}) and k.id = a.contact_id and k.last_attempt_id = a.id`);
  await tx.run(sql`update softphone_call set attempt_id = null where attempt_id = any(${which})`);
  await tx.run(sql`update conference_session set attempt_id = null where attempt_id = any(${which})`);
  const segments = await tx.run(sql`delete from transcript_segment where attempt_id = any(${which})`);
  await tx.run(sql`delete from attempt where id = any(${which})`);
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
