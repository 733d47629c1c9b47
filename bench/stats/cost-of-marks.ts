import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { median, timed } from '#bench/support/measure.ts';
import type { Figure } from '#tools/commands/bench-report.ts';

/** Dials of one round, and the times that each changes afterwards: marked, accepted, answered, settled. */
const DIALS = 500;

/**
 * The writes of dials with the triggers that mark changed hours and without them, taking turns.
 *
 * Why: a dial's attempt is young, so all that the triggers do is to find that out
 */
export async function costOfMarks(db: Database, rounds: number): Promise<{ ratio: number; figures: Figure[] }> {
  const taken = { enable: [] as number[], disable: [] as number[] };
  await dialAll(db);
  for (let round = 0; round < rounds; round++) {
    for (const how of round % 2 === 0 ? (['enable', 'disable'] as const) : (['disable', 'enable'] as const)) {
      await setMarks(db, how);
      taken[how].push((await timed(() => dialAll(db))).ms);
    }
  }
  await setMarks(db, 'enable');
  const [marked, bare] = [median(taken.enable), median(taken.disable)];
  return { ratio: marked / bare, figures: [{ what: `writes of ${DIALS} dials with the marks`, value: marked, unit: 'ms' }] };
}

async function setMarks(db: Database, how: 'enable' | 'disable'): Promise<void> {
  for (const event of ['insert', 'update', 'delete']) {
    await db.run(sql`alter table attempt ${sql.raw(how)} trigger ${sql.ref(`attempt_call_hour_${event}`)}`);
  }
}

/** Writes like claims and results do: many rows in each statement, and each statement in its own transaction. */
async function dialAll(db: Database): Promise<void> {
  const claimed = await db.rows(sql<{ id: number }>`
    insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status)
    select gen_random_uuid(), k.campaign_id, k.id, k.phone_number, k.dial_key, 'claimed' from contact k order by k.id limit ${DIALS} returning id`);
  const ids = sql`${claimed.map(({ id }) => id)}::bigint[]`;
  await db.run(sql`update attempt set status = 'dialing', dialing_at = now(), started_at = now() where id = any(${ids})`);
  await db.run(sql`update attempt set status = 'accepted', accepted_at = now() where id = any(${ids})`);
  await db.run(sql`update attempt set status = 'answered', answered_at = now() where id = any(${ids})`);
  await db.run(sql`
    update attempt set status = 'completed', call_status = 'completed', outcome = 'completed', ended_at = now(), duration_seconds = 1, result_at = now(),
      evidence = '{"basis": "runtime"}' where id = any(${ids})`);
  await db.run(sql`update attempt set deleted_at = now() where id = any(${ids})`);
}
