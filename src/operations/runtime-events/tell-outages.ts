import type { Log } from '#kernel/log.ts';
import type { Bus } from '#ports/bus.ts';
import type { NewRuntimeEvent, RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { SwitchEvent, SwitchPort } from '#ports/switch.ts';

export interface OutageDeps {
  events: Pick<RuntimeEventStore, 'record' | 'lastOfCell'>;
  switchPort: Pick<SwitchPort, 'subscribe'>;
  bus: Pick<Bus, 'onChange'>;
  cache: { onChange(listener: (ready: boolean) => void): () => void };
  log: Log;
}

/** Writes a runtime event when a cell or a dependency goes or comes back; the database's own outages show in health alone. Source: D14.3 */
export function tellOutages(deps: OutageDeps): () => void {
  const { events, log } = deps;
  const tell = (written: Promise<unknown>, type: string) =>
    written.catch((error: unknown) => log.warn({ err: error, type }, 'a runtime event could not be written'));
  const record = (event: NewRuntimeEvent) => void tell(events.record(event), event.type);
  // What one cell does is told in its order.
  let last: Promise<unknown> = Promise.resolve();
  const stops = [
    deps.switchPort.subscribe(event => {
      if (event.kind !== 'cell_up' && event.kind !== 'cell_down') return;
      last = last.then(() => tell(recordCell(events, event), event.kind));
    }),
    deps.bus.onChange(isUp => record(dependencyEvent('消息总线', 'bus', isUp))),
    deps.cache.onChange(isUp => record(dependencyEvent('共享缓存', 'cache', isUp))),
  ];
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
 * Why: every instance sees it; what is told is keyed by the event before it, so that whoever comes second tells the same row. A cell that was
 *      never told to be away is not told to be back
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

function dependencyEvent(noun: string, name: string, isUp: boolean): NewRuntimeEvent {
  return {
    level: isUp ? 'info' : 'error',
    type: isUp ? 'dependency.up' : 'dependency.down',
    title: isUp ? `${noun}已恢复` : `${noun}不可用`,
    message: isUp ? '' : '恢复后自动继续',
    detail: { name },
  };
}
