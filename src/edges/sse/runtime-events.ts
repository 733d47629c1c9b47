import { presentRuntimeEvent, runtimeEventStreamRoute } from '#contract/rest/runtime-events.ts';
import type { RuntimeEventFeed, RuntimeEventSnapshot } from '#feeds/runtime-event-feed.ts';
import type { RuntimeEventChange } from '#ports/runtime-event-store.ts';
import { encodeEvent, openEventStream, type StreamDeps } from './stream.ts';
import { type StreamHandler, streamHandler } from './stream-handler.ts';

export interface RuntimeEventStreamDeps extends StreamDeps {
  runtimeEventFeed: Pick<RuntimeEventFeed, 'subscribe' | 'snapshot'>;
}

/** No event has this position: a client that names it, or sends what is no position, is resynchronised. */
const UNKNOWN_POSITION = -1;

/**
 * OCS 4.1, 6: runtime events and alerts as they are written and acknowledged.
 *
 * Why: the feed hands the same change object to every stream, so its frame is made once
 */
export function runtimeEventStreams(deps: RuntimeEventStreamDeps): StreamHandler[] {
  const frames = new WeakMap<RuntimeEventChange, string>();
  const frameOf = (change: RuntimeEventChange) => {
    const frame = frames.get(change) ?? encodeChange(change);
    frames.set(change, frame);
    return frame;
  };
  return [
    streamHandler(runtimeEventStreamRoute, async exchange => {
      const resynchronise = (snapshot: RuntimeEventSnapshot) => {
        stream.write(encodeEvent({ id: String(snapshot.position), event: 'resync', data: {} }), true);
        stream.write(encodeSnapshot(snapshot), true);
      };
      const stream = openEventStream(exchange, deps, runtimeEventStreamRoute.path, () => resynchronise(deps.runtimeEventFeed.snapshot()));
      const stop = deps.runtimeEventFeed.subscribe(positionOf(stream.lastEventId), {
        onChange: change => stream.write(frameOf(change)),
        onSnapshot: (snapshot, told) => (told ? resynchronise(snapshot) : stream.write(encodeSnapshot(snapshot))),
      });
      stream.onClose(stop);
    }),
  ];
}

/** Source: D10 */
function encodeChange({ position, kind, event }: RuntimeEventChange): string {
  const name = kind === 'acknowledged' ? 'acknowledged' : event.level === 'info' ? 'runtime-event' : 'alert';
  return encodeEvent({ id: String(position), event: name, data: presentRuntimeEvent(event) });
}

function encodeSnapshot({ position, events }: RuntimeEventSnapshot): string {
  return encodeEvent({ id: String(position), event: 'snapshot', data: { events: events.map(presentRuntimeEvent) } });
}

function positionOf(lastEventId: string | null): number | null {
  if (lastEventId === null) return null;
  return /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : UNKNOWN_POSITION;
}
