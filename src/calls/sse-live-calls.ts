import { liveCallStreamRoute } from './live-call-events.ts';
import type { AccessAuditDeps } from '#audit/access-audit.ts';
import { auditWatch } from './audit-watch.ts';
import type { CapacityFeed } from '#monitoring/capacity-feed.ts';
import { type Channel, FanOut, watch } from '#platform/feeds/fan-out.ts';
import { cursorBefore } from '#platform/feeds/history.ts';
import { type LiveCallScope, viewerIdOf } from './live-call-scope.ts';
import type { LiveCallsEvent, LiveCallsFeed } from './live-calls-feed.ts';
import { CapacityFrames } from './capacity-frames.ts';
import { liveCallFrames } from './live-call-frames.ts';
import {
  encodeEvent,
  type EventStream,
  openEventStream,
  type StreamDeps,
  streamHandler,
  type StreamHandler,
} from '#platform/sse/stream.ts';

export interface LiveCallStreamDeps extends StreamDeps, AccessAuditDeps {
  liveCallsFeed: Pick<LiveCallsFeed, 'channel'>;
  capacityFeed: Pick<CapacityFeed, 'channel'>;
  /** Checks that the cache responds. Errors: CACHE_UNAVAILABLE */
  requireCache(): Promise<void>;
}

/** Encoded frames of one event. */
interface Frames {
  bytes: Buffer;
  /** Cursor of the event; a client that has received all frames reconnects with it. */
  cursor: string;
  /** The stream ends after these frames. */
  isLast: boolean;
}

/** Separates a cursor from the index of a frame, because all frames of an event share one cursor. */
const PART = '~';

/**
 * OCS 4.12, 6: captions, keywords, interventions and assignments of the calls that the caller may see, and the capacity of the monitors.
 *
 * Why:    the frames of an event are encoded once for all streams of a scope
 * Errors: CACHE_UNAVAILABLE while the cache is down; an open stream then ends with `unavailable`, because nothing is served from memory
 * Source: D10, OCS 4.12 rule 5
 */
export function liveCallStreams(deps: LiveCallStreamDeps): StreamHandler[] {
  const fanOut = new FanOut<LiveCallsEvent, Frames>(deps.clock);
  return [
    streamHandler(liveCallStreamRoute, async exchange => {
      await deps.requireCache();
      const scope = { campaignId: exchange.query.campaignId ?? null, requestId: null, viewerId: viewerIdOf(exchange.caller) };
      const stream = openEventStream(exchange, deps, liveCallStreamRoute.path, () => {
        membership.catchUp();
        capacity.repeat();
      });
      const channel = deps.liveCallsFeed.channel(scope);
      const cursor = resume(channel, scope, stream);
      const capacity = new CapacityFrames(stream, cursor);
      const sink = {
        put({ bytes, cursor: passed, isLast }: Frames, isOwed: boolean) {
          stream.write(bytes, isOwed || isLast);
          if (isLast) stream.close();
          else capacity.passed(passed);
        },
        end: () => stream.close(),
      };
      const membership = fanOut.join(channel, event => encode(scope, event), { cursor, sink });
      stream.onClose(() => membership.leave());
      stream.onClose(auditWatch(deps, exchange.caller, scope));
      stream.onClose(watch(deps.capacityFeed.channel(exchange.caller.userId), event => capacity.take(event)));
    }),
  ];
}

/** Cursor to continue from. A client that was cut off between the frames of one event receives the remaining ones here. */
function resume(channel: Channel<LiveCallsEvent>, scope: LiveCallScope, stream: EventStream): string | null {
  const [cursor = null, part] = stream.lastEventId?.split(PART) ?? [];
  if (cursor === null || part === undefined) return cursor;
  const [event] = channel.since(cursorBefore(cursor));
  // The event is no longer held; the empty cursor, which never is, leads to a resync.
  if (event?.cursor !== cursor || event.kind !== 'change') return '';
  stream.write(
    framesOf(scope, event)
      .slice(Number(part) + 1)
      .join(''),
    true,
  );
  return cursor;
}

/** Null when the stream has no frame for the event. */
function encode(scope: LiveCallScope, event: LiveCallsEvent): Frames | null {
  const frames = framesOf(scope, event);
  return frames.length === 0 ? null : { bytes: Buffer.from(frames.join('')), cursor: event.cursor, isLast: isEnd(event) };
}

function framesOf(scope: LiveCallScope, event: LiveCallsEvent): string[] {
  if (isEnd(event)) return [encodeEvent({ id: event.cursor, event: 'unavailable', data: UNAVAILABLE })];
  const frames = liveCallFrames(scope, event);
  return frames.map((frame, part) =>
    encodeEvent({ ...frame, id: part === frames.length - 1 ? event.cursor : `${event.cursor}${PART}${part}` }),
  );
}

function isEnd(event: LiveCallsEvent): boolean {
  return event.kind === 'resync' && event.reason === 'SOURCE_UNAVAILABLE';
}

const UNAVAILABLE = { code: '503', msg: '共享缓存暂不可用，请稍后重新连接' };
