import { sql } from 'kysely';
import { ids } from '#adapters/postgres/values.ts';
import { OPEN_ATTEMPT_STATUSES } from '#model/attempt.ts';
import type { RuntimeEventType } from '#rules/runtime-event-types.ts';
import type { ListDeps } from '../listing.ts';

/** An event whose occasion has passed. */
export interface OverEvent {
  id: number;
  /** UTC ms. */
  overAt: number;
}

/** Told of a call that goes on: nobody can do anything about it when the call is over. What tells how a call ended is no such thing. */
const OF_A_LIVE_CALL: readonly RuntimeEventType[] = ['call.stuck', 'intent.alert', 'intervention.failed', 'supervisor.hangup'];
/** What tells that it is back. */
const BACK = { 'cell.down': 'cell.up', 'dependency.down': 'dependency.up', 'runtime.down': 'runtime.up' } as const satisfies Partial<
  Record<RuntimeEventType, RuntimeEventType>
>;
const MAY_BE_OVER: ReadonlySet<string> = new Set([...OF_A_LIVE_CALL, ...Object.keys(BACK)]);

/** Whether events of the type can be over at all. */
export function mayBeOver(type: string): boolean {
  return MAY_BE_OVER.has(type);
}

/**
 * Which of the events are over, and since when: the call ended, or the cell, the dependency or the runtime came back.
 *
 * Why:   what has mended itself asks nothing of anybody. A campaign that found no runtime at all names none: any that comes will do
 * Shape: in no order; one that goes on, or tells of a moment, has no row
 */
export function readOver({ db }: ListDeps, eventIds: readonly number[]): Promise<OverEvent[]> {
  return db.rows(sql<OverEvent>`
    select e.id, over.at as over_at from runtime_event e, lateral (
      select coalesce(a.ended_at, a.updated_at) as at from attempt a
      where a.id = e.attempt_id and e.type = any(${[...OF_A_LIVE_CALL]}::text[]) and a.status <> all(${[...OPEN_ATTEMPT_STATUSES]}::text[])
      union all
      (select up.created_at from runtime_event up
      where up.type = ${JSON.stringify(BACK)}::jsonb ->> e.type and up.id > e.id
        and coalesce(e.cell_id, e.detail->>'name', '') in ('', coalesce(up.cell_id, up.detail->>'name', ''))
      order by up.id limit 1)
    ) over where e.id = any(${ids(eventIds)})`);
}
