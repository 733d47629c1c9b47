import type { Log } from '#kernel/log.ts';
import type { Bus } from '#ports/bus.ts';
import type { NewRuntimeEvent, RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { SwitchEvent, SwitchPort } from '#ports/switch.ts';

export interface OutageDeps {
  events: Pick<RuntimeEventStore, 'record'>;
  switchPort: Pick<SwitchPort, 'subscribe'>;
  bus: Pick<Bus, 'onChange'>;
  cache: { onChange(listener: (ready: boolean) => void): () => void };
  log: Log;
}

/** Writes a runtime event when a cell or a dependency goes or comes back; the database's own outages show in health alone. Source: D14.3 */
export function tellOutages(deps: OutageDeps): () => void {
  const record = (event: NewRuntimeEvent) => {
    deps.events
      .record(event)
      .catch((error: unknown) => deps.log.warn({ err: error, type: event.type }, 'a runtime event could not be written'));
  };
  const stops = [
    deps.switchPort.subscribe(event => {
      const told = cellEvent(event);
      if (told) record(told);
    }),
    deps.bus.onChange(isUp => record(dependencyEvent('消息总线', 'bus', isUp))),
    deps.cache.onChange(isUp => record(dependencyEvent('共享缓存', 'cache', isUp))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Every instance sees the same outage within the same seconds: one row tells it. */
const DEDUPE_MS = 10_000;

function cellEvent(event: SwitchEvent): NewRuntimeEvent | null {
  if (event.kind !== 'cell_up' && event.kind !== 'cell_down') return null;
  const isUp = event.kind === 'cell_up';
  const type = isUp ? 'cell.up' : 'cell.down';
  return {
    level: isUp ? 'info' : 'error',
    type,
    title: isUp ? `交换机 ${event.cellId} 已恢复` : `交换机 ${event.cellId} 不可达`,
    message: isUp ? (event.restarted ? '交换机已重启，进行中的通话正在核对' : '') : '已停止在该节点拨号，恢复后自动继续',
    cellId: event.cellId,
    dedupeKey: `${type}:${event.cellId}:${Math.floor(event.at / DEDUPE_MS)}`,
  };
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
