import { sql } from 'kysely';
import { OPEN_ATTEMPT_STATUSES } from '#attempts/attempt.ts';
import type { SwitchEvent, SwitchPort } from '#platform/freeswitch/switch.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { Platform } from '#platform/platform.ts';
import { ids } from '#platform/postgres/values.ts';
import type { RuntimeEventStore } from './runtime-event-store.ts';
import type { RuntimeEventType } from './runtime-event.ts';

interface OutageOptions extends Pick<Platform, 'log'> {
  events: Pick<RuntimeEventStore, 'record' | 'lastOfCell' | 'lastOfDependency'>;
  switchPort: Pick<SwitchPort, 'subscribe'>;
  bus: Pick<Bus, 'onChange'>;
  cache: { onChange(listener: (ready: boolean) => void): () => void };
}

/**
 * Records a runtime event when a cell or a dependency fails or recovers; outages of the database itself show only in the health report. To be
 * called while bus and cache are connected.
 *
 * Source: D14.3
 */
export function recordOutages(options: OutageOptions): () => void {
  const { events, log } = options;
  // Events are recorded in the order in which they happened.
  let last: Promise<unknown> = Promise.resolve();
  const record = (type: string, record: () => Promise<unknown>) => {
    last = last.then(record).catch((error: unknown) => log.warn({ err: error, type }, 'a runtime event could not be written'));
  };
  const dependency = (name: DependencyName, isUp: boolean) =>
    record(isUp ? 'dependency.up' : 'dependency.down', () => recordDependency(events, name, isUp));
  const stops = [
    options.switchPort.subscribe(event => {
      if (event.kind === 'cell_up' || event.kind === 'cell_down') record(event.kind, () => recordCell(events, event));
    }),
    options.bus.onChange(isUp => dependency('bus', isUp)),
    options.cache.onChange(isUp => dependency('cache', isUp)),
  ];
  // The instance that recorded an outage may have stopped before the recovery.
  for (const name of ['bus', 'cache'] as const) dependency(name, true);
  return () => {
    for (const stop of stops) stop();
  };
}

const DOWN = 'cell.down';
const UP = 'cell.up';

type CellEvent = Extract<SwitchEvent, { kind: 'cell_up' | 'cell_down' }>;

/**
 * Records one row for each outage of a cell, and one for each recovery.
 *
 * Why: every instance sees both; the dedupe key contains the preceding event, so that later instances write the same row. A cell without a
 *      recorded outage gets no recovery
 */
async function recordCell(events: OutageOptions['events'], event: CellEvent): Promise<void> {
  const { cellId } = event;
  const isUp = event.kind === 'cell_up';
  const before = await events.lastOfCell(cellId, isUp ? DOWN : UP);
  if (isUp && before === null) return;
  const type = isUp ? UP : DOWN;
  await events.record({
    level: isUp ? 'info' : 'error',
    type,
    title: isUp ? `交换机 ${cellId} 已恢复` : `交换机 ${cellId} 不可达`,
    message: isUp ? (event.restarted ? '交换机已重启，进行中的通话正在核对' : '') : '已停止在该节点拨号，恢复后自动继续',
    cellId,
    dedupeKey: `${type}:${cellId}:${before ?? 0}`,
  });
}

type DependencyName = 'bus' | 'cache';

const NOUNS = { bus: '消息总线', cache: '共享缓存' } as const satisfies Record<DependencyName, string>;

/** Like `recordCell`, for a dependency. */
async function recordDependency(events: OutageOptions['events'], name: DependencyName, isUp: boolean): Promise<void> {
  const before = await events.lastOfDependency(name, isUp ? 'dependency.down' : 'dependency.up');
  if (isUp && before === null) return;
  const type = isUp ? 'dependency.up' : 'dependency.down';
  await events.record({
    level: isUp ? 'info' : 'error',
    type,
    title: isUp ? `${NOUNS[name]}已恢复` : `${NOUNS[name]}不可用`,
    message: isUp ? '' : '恢复后自动继续',
    detail: { name },
    dedupeKey: `${type}:${name}:${before ?? 0}`,
  });
}

/** An event whose cause is over. */
interface ResolvedEvent {
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
export function readResolved({ db }: Pick<Platform, 'db'>, eventIds: readonly number[]): Promise<ResolvedEvent[]> {
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
