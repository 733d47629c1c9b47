import { z } from 'zod';
import { FanOut } from '#platform/feeds/fan-out.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { bigIdParam, route } from '#platform/http/route.ts';
import { encodeEvent, openEventStream, type StreamOptions, streamHandler, type StreamHandler } from '#platform/sse/stream.ts';
import type { RuntimeEventsEvent } from './runtime-event-feed.ts';
import { acknowledgeEvent, type RuntimeEventChange } from './runtime-event-store.ts';
import { runtimeEvent } from './runtime-event.ts';
import type { App } from '#app/app.ts';

/** Source: OCS 4.1 */
export const acknowledgeRuntimeEventRoute = route('PATCH /api/runtime/events/:id/acknowledge', 'session', '确认运行事件或告警', {
  params: bigIdParam,
  data: z.object({ event: runtimeEvent }),
});

/**
 * Event stream: `snapshot` (`{ events }`, the newest 50, newest first) at the start and after `resync`; then `runtime-event` (level info),
 * `alert` (warning, error) and `acknowledged`, each with the row as data.
 *
 * Source: OCS 4.1, 6, D10
 */
export const runtimeEventStreamRoute = route('GET /api/runtime/events', 'session', '运行事件流（SSE）', {
  data: z.unknown(),
  stream: true,
});

/** OCS 4.1; the stream itself is in runtime-events/sse-runtime-events.ts. */
export function runtimeEventHandlers(app: App): RouteHandler[] {
  return [
    handler(acknowledgeRuntimeEventRoute, async ({ params, caller }) => ({
      event: await acknowledgeEvent(app, caller, params.id),
    })),
  ];
}

/** OCS 4.1, 6: runtime events and alerts, as they are recorded and acknowledged. */
export function runtimeEventStreams(options: App & StreamOptions): StreamHandler[] {
  const fanOut = new FanOut<RuntimeEventsEvent, string>(options.clock);
  const channel = options.runtimeEventFeed.channel();
  return [
    streamHandler(runtimeEventStreamRoute, async exchange => {
      const stream = openEventStream(exchange, options, runtimeEventStreamRoute.path, () => membership.catchUp());
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
