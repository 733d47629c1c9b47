import type { RuntimeEventChange } from '#ports/runtime-event-store.ts';
import type { Channel } from './fan-out.ts';
import type { ResyncReason } from './live-calls-feed.ts';
import type { RuntimeEventFeed, RuntimeEventListener, RuntimeEventSnapshot } from './runtime-event-feed.ts';

export type RuntimeEventsEvent =
  | { kind: 'change'; change: RuntimeEventChange }
  | ({ kind: 'snapshot' } & RuntimeEventSnapshot)
  | { kind: 'resync'; reason: ResyncReason; position: number };

/** No event has this position: who names it, or what is no position, is resynchronised. */
const UNKNOWN_POSITION = -1;

/** Runtime events, for a fan-out. Cursors are positions of rows, the same at every instance. */
export function runtimeEventChannel(feed: RuntimeEventFeed): Channel<RuntimeEventsEvent> {
  const since = (position: number | null, reason: ResyncReason) => {
    const events: RuntimeEventsEvent[] = [];
    feed.subscribe(
      position,
      listenerOf(event => events.push(event), reason),
    )();
    return events;
  };
  return {
    key: 'runtime-events',
    follow(listener) {
      // The first snapshot is what `since` gives.
      let isStarting = true;
      const stop = feed.subscribe(
        null,
        listenerOf(event => {
          if (!isStarting) listener(event);
        }, 'GAP'),
      );
      isStarting = false;
      return stop;
    },
    since: cursor => since(cursor === null ? null : positionOf(cursor), 'CURSOR_NOT_HELD'),
    catchUp: () => since(UNKNOWN_POSITION, 'OVERFLOW'),
  };
}

/** `reason` is told with what no longer adds up. */
function listenerOf(tell: (event: RuntimeEventsEvent) => void, reason: ResyncReason): RuntimeEventListener {
  return {
    onChange: change => tell({ kind: 'change', change }),
    onSnapshot(snapshot, told) {
      if (told) tell({ kind: 'resync', reason, position: snapshot.position });
      tell({ kind: 'snapshot', ...snapshot });
    },
  };
}

function positionOf(cursor: string): number {
  return /^\d{1,15}$/.test(cursor) ? Number(cursor) : UNKNOWN_POSITION;
}
