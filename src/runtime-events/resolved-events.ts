import { sql } from 'kysely';
import { ids } from '#platform/postgres/values.ts';
import { OPEN_ATTEMPT_STATUSES } from '#attempts/attempt.ts';
import type { RuntimeEventType } from './runtime-event-types.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';

/** An event whose cause is over. */
export interface ResolvedEvent {
  id: number;
  /** UTC ms. */
  overAt: number;
}

/** Events about a live call, which need no action once the call has ended; events about how a call ended are not among them. */
const OF_A_LIVE_CALL: readonly RuntimeEventType[] = ['call.stuck', 'intent.alert', 'intervention.failed', 'supervisor.hangup'];
/** Recovery event of each outage event. */
const RECOVERY = { 'cell.down': 'cell.up', 'dependency.down': 'dependency.up', 'runtime.down': 'runtime.up' } as const satisfies Partial<
  Record<RuntimeEventType, RuntimeEventType>
>;
const RESOLVABLE: ReadonlySet<string> = new Set([...OF_A_LIVE_CALL, ...Object.keys(RECOVERY)]);

/** Whether events of this type can become over. */
export function isResolvable(type: string): boolean {
  return RESOLVABLE.has(type);
}

/**
 * Returns which of the events are over, and since when: their call ended, or their cell, dependency or runtime recovered.
 *
 * Why:   a cause that has resolved needs no action. An event about no runtime at all names none, so the return of any runtime ends it
 * Shape: unordered; an event whose cause continues, or that reports a moment, has no row
 */
export function readResolved({ db }: ListDeps, eventIds: readonly number[]): Promise<ResolvedEvent[]> {
  return db.rows(sql<ResolvedEvent>`
    select e.id, over.at as over_at from runtime_event e, lateral (
      select coalesce(a.ended_at, a.updated_at) as at from attempt a
      where a.id = e.attempt_id and e.type = any(${[...OF_A_LIVE_CALL]}::text[]) and a.status <> all(${[...OPEN_ATTEMPT_STATUSES]}::text[])
      union all
      (select up.created_at from runtime_event up
      where up.type = ${JSON.stringify(RECOVERY)}::jsonb ->> e.type and up.id > e.id
        and coalesce(e.cell_id, e.detail->>'name', '') in ('', coalesce(up.cell_id, up.detail->>'name', ''))
      order by up.id limit 1)
    ) over where e.id = any(${ids(eventIds)})`);
}
