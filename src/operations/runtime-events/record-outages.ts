import type { Bus } from '#ports/bus.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { SwitchEvent, SwitchPort } from '#ports/switch.ts';
import type { Ports } from '#ports/ports.ts';

export interface OutageDeps extends Pick<Ports, 'log'> {
  events: Pick<RuntimeEventStore, 'record' | 'lastOfCell' | 'lastOfDependency'>;
  switchPort: Pick<SwitchPort, 'subscribe'>;
  bus: Pick<Bus, 'onChange'>;
  cache: { onChange(listener: (ready: boolean) => void): () => void };
}

/**
 * Writes a runtime event when a cell or a dependency goes or comes back; the database's own outages show in health alone. Called while bus and cache
 * are connected.
 *
 * Source: D14.3
 */
export function recordOutages(deps: OutageDeps): () => void {
  const { events, log } = deps;
  // What one of them does is recorded in its order.
  let last: Promise<unknown> = Promise.resolve();
  const record = (type: string, record: () => Promise<unknown>) => {
    last = last.then(record).catch((error: unknown) => log.warn({ err: error, type }, 'a runtime event could not be written'));
  };
  const dependency = (name: DependencyName, isUp: boolean) =>
    record(isUp ? 'dependency.up' : 'dependency.down', () => recordDependency(events, name, isUp));
  const stops = [
    deps.switchPort.subscribe(event => {
      if (event.kind === 'cell_up' || event.kind === 'cell_down') record(event.kind, () => recordCell(events, event));
    }),
    deps.bus.onChange(isUp => dependency('bus', isUp)),
    deps.cache.onChange(isUp => dependency('cache', isUp)),
  ];
  // Whoever recorded the outage may have died in it.
  for (const name of ['bus', 'cache'] as const) dependency(name, true);
  return () => {
    for (const stop of stops) stop();
  };
}

const DOWN = 'cell.down';
const UP = 'cell.up';

type CellEvent = Extract<SwitchEvent, { kind: 'cell_up' | 'cell_down' }>;

/**
 * One row for each time that a cell goes, one for each time that it comes back.
 *
 * Why: every instance sees it; what is recorded is keyed by the event before it, so that whoever comes second records the same row. A cell that was
 *      never recorded as away is not recorded as back
 */
async function recordCell(events: OutageDeps['events'], event: CellEvent): Promise<void> {
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

/** As `recordCell`. */
async function recordDependency(events: OutageDeps['events'], name: DependencyName, isUp: boolean): Promise<void> {
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
