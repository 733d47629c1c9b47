import type { RuntimeEventChange } from '#ports/runtime-event-store.ts';
import type { Channel } from './fan-out.ts';
import type { RuntimeEventFeed, RuntimeEventListener, RuntimeEventSnapshot } from './runtime-event-feed.ts';

export type RuntimeEventsEvent =
  | { kind: 'change'; change: RuntimeEventChange }
  | ({ kind: 'snapshot' } & RuntimeEventSnapshot)
  | { kind: 'resync'; position: number };

/** No event has this position: who names it, or what is no position, is resynchronised. */
const UNKNOWN_POSITION = -1;

/** Runtime events, for a fan-out. Cursors are positions of rows, the same at every instance. */
export function runtimeEventChannel(feed: RuntimeEventFeed): Channel<RuntimeEventsEvent> {
  const since = (position: number | null) => {
    const events: RuntimeEventsEvent[] = [];
    feed.subscribe(
      position,
      listenerOf(event => events.push(event)),
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
        }),
      );
      isStarting = false;
      return stop;
    },
    since: cursor => since(cursor === null ? null : positionOf(cursor)),
    catchUp: () => since(UNKNOWN_POSITION),
  };
}

function listenerOf(tell: (event: RuntimeEventsEvent) => void): RuntimeEventListener {
  return {
    onChange: change => tell({ kind: 'change', change }),
    onSnapshot(snapshot, told) {
      if (told) tell({ kind: 'resync', position: snapshot.position });
      tell({ kind: 'snapshot', ...snapshot });
    },
  };
}

function positionOf(cursor: string): number {
  return /^\d{1,15}$/.test(cursor) ? Number(cursor) : UNKNOWN_POSITION;
}
