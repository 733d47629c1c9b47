import { z } from 'zod';
import { instantText, toInstantOrNull } from '#kernel/fields.ts';
import { FanOut } from '#platform/feeds/fan-out.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { bigIdParam, flagFilter, idText4, idText8, integerText, MAX_PAGE_SIZE, route, textFilter } from '#platform/http/route.ts';
import { encodeEvent, openEventStream, type StreamOptions, streamHandler, type StreamHandler } from '#platform/sse/stream.ts';
import type { RuntimeEventsEvent } from './runtime-event-feed.ts';
import { acknowledgeEvent, type RuntimeEventChange } from './runtime-event-store.ts';
import { readEventRuns, runtimeEventRun } from './runtime-event-runs.ts';
import { RUNTIME_EVENT_LEVELS, runtimeEvent } from './runtime-event.ts';
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

/** Rows when the request names no number. */
const DEFAULT_RUNS = 50;

/** Filters of the folded list; an event must match all of them. */
const eventFilter = {
  level: z.enum(RUNTIME_EVENT_LEVELS).optional().meta({ description: '级别' }),
  type: textFilter(100).meta({ description: '类型，例如 cell.down' }),
  campaignId: idText4.optional().meta({ description: '活动的编号' }),
  cellId: textFilter(100).meta({ description: '交换机节点' }),
  isAcknowledged: flagFilter.meta({ description: '是否已确认' }),
  from: instantText.optional().meta({ description: '不早于' }),
  to: instantText.optional().meta({ description: '早于' }),
  fromId: idText8.optional().meta({ description: '事件编号不小于' }),
  toId: idText8.optional().meta({ description: '事件编号不大于' }),
};

/** Source: D14.5 */
export const listEventRunsRoute = route('GET /api/runtime/event-runs', 'session', '运行事件，新的在前，连续相同的合成一行', {
  query: z.object({
    ...eventFilter,
    fold: flagFilter.meta({ description: '0：每条一行；默认合并' }),
    before: idText8.optional().meta({ description: '只要这一行之前的：上一页最后一行的编号' }),
    limit: integerText({ min: 1, max: MAX_PAGE_SIZE }).optional().default(DEFAULT_RUNS).meta({ description: '行数' }),
  }),
  data: z.object({ rows: z.array(runtimeEventRun), hasMore: z.boolean().meta({ description: '之前是否还有' }) }),
});

/** OCS 4.1; the stream itself is in runtime-events/sse-runtime-events.ts. */
export function runtimeEventHandlers(app: App): RouteHandler[] {
  return [
    handler(listEventRunsRoute, ({ query }) => listEventRuns(app, query)),
    handler(acknowledgeRuntimeEventRoute, async ({ params, caller }) => ({
      event: await acknowledgeEvent(app, caller, params.id),
    })),
  ];
}

type RunsQuery = z.output<NonNullable<typeof listEventRunsRoute.query>>;

async function listEventRuns(app: App, { before, limit, fold = true, level, from, to, ...filter }: RunsQuery) {
  const instantOf = (text: string | undefined) => toInstantOrNull(text, app.timeZone) ?? undefined;
  const search = { ...filter, type: filter.type || undefined, cellId: filter.cellId || undefined };
  const span = { from: instantOf(from), to: instantOf(to) };
  return readEventRuns(app, { ...search, ...span, levels: level ? [level] : [], isFolded: fold }, { limit, beyond: before ?? null });
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
