import { z } from 'zod';
import { runtimeEventStreamRoute } from './runtime-events.ts';
import { FanOut } from '#platform/feeds/fan-out.ts';
import type { RuntimeEventFeed, RuntimeEventsEvent } from './runtime-event-feed.ts';
import { runtimeEvent } from './runtime-event.ts';
import type { RuntimeEventChange } from './runtime-event-store.ts';
import { encodeEvent, openEventStream, type StreamDeps, streamHandler, type StreamHandler } from '#platform/sse/stream.ts';

/** OCS 4.1, 6: runtime events and alerts, as they are recorded and acknowledged. */
export function runtimeEventStreams(deps: StreamDeps & { runtimeEventFeed: Pick<RuntimeEventFeed, 'channel'> }): StreamHandler[] {
  const fanOut = new FanOut<RuntimeEventsEvent, string>(deps.clock);
  const channel = deps.runtimeEventFeed.channel();
  return [
    streamHandler(runtimeEventStreamRoute, async exchange => {
      const stream = openEventStream(exchange, deps, runtimeEventStreamRoute.path, () => membership.catchUp());
      const sink = { put: (frame: string, isOwed: boolean) => stream.write(frame, isOwed), end: () => stream.close() };
      const membership = fanOut.join(channel, encode, { cursor: stream.lastEventId, sink });
      stream.onClose(() => membership.leave());
    }),
  ];
}

/** Source: D10 */
function encode(event: RuntimeEventsEvent): string {
  const id = event.cursor;
  if (event.kind === 'resync') return encodeEvent({ id, event: 'resync', data: {} });
  if (event.kind === 'snapshot')
    return encodeEvent({ id, event: 'snapshot', data: { events: z.encode(z.array(runtimeEvent), [...event.state]) } });
  return encodeEvent({ id, event: nameOf(event.change), data: z.encode(runtimeEvent, event.change.event) });
}

function nameOf({ kind, event }: RuntimeEventChange): string {
  if (kind === 'acknowledged') return 'acknowledged';
  return event.level === 'info' ? 'runtime-event' : 'alert';
}
