import type { IntentHit } from '#actors/call/watch.ts';
import { unreachable } from '#kernel/assert.ts';
import type { CapacityEvent } from '#monitoring/presence.ts';
import type { MonitorCapacity } from '#monitoring/monitor-registry.ts';
import { type Channel, FanOut, watch } from '#platform/feeds/fan-out.ts';
import { cursorBefore } from '#platform/feeds/history.ts';
import {
  encodeEvent,
  type EventStream,
  openEventStream,
  type ServerEvent,
  type StreamOptions,
  streamHandler,
  type StreamHandler,
} from '#platform/sse/stream.ts';
import { auditWatch } from './audit-watch.ts';
import { type LiveCallScope, type ScopedCallEvent, shows, viewerIdOf, viewModeOf } from './live-call-scope.ts';
import {
  type LiveCall,
  presentAssignment,
  presentHit,
  presentIntervention,
  presentLiveCall,
  presentSegment,
  presentStage,
} from './live-call.ts';
import type { LiveCallsEvent } from './live-calls-feed.ts';
import { liveCallStreamRoute } from './routes.ts';
import type { App } from '#app/app.ts';

/**
 * Writes the monitors' capacity between the call events of one stream.
 *
 * Why:    capacity is a current state, not an event of a call: it carries the id of the last call event, so that a client that reconnects
 *         with this id continues where it was
 * Source: D9.2, D10 `capacity`
 */
class CapacityFrames {
  readonly #stream: Pick<EventStream, 'write'>;
  /** Id of the last call event; null before the first, because nothing is sent before the calls. */
  #id: string | null;
  #latest: { capacity: MonitorCapacity; at: number } | null = null;
  #isDue = false;

  constructor(stream: Pick<EventStream, 'write'>, id: string | null) {
    this.#stream = stream;
    this.#id = id;
  }

  /** Records that the call event with this id was sent. */
  passed(id: string): void {
    this.#id = id;
    if (this.#isDue) this.#write();
  }

  take(event: CapacityEvent): void {
    if (event.kind === 'resync') return;
    this.#latest = { capacity: event.kind === 'snapshot' ? event.state : event.change, at: event.at };
    this.#write();
  }

  /** Sends the capacity again, because the client may have missed it. */
  repeat(): void {
    this.#write();
  }

  #write(): void {
    this.#isDue = this.#latest !== null && this.#id === null;
    if (this.#latest === null || this.#id === null) return;
    const { capacity, at } = this.#latest;
    const data = { callKey: null, campaignId: null, version: null, at: new Date(at).toISOString(), capacity };
    this.#stream.write(encodeEvent({ id: this.#id, event: 'capacity', data }));
  }
}

type Named = Omit<ServerEvent, 'id'>;
interface Changed {
  kind: 'changed' | 'ended';
  call: LiveCall;
  before: LiveCall | null;
  at: number;
}

/** Stream events that a scope receives for one event of the feed, in order. Source: D10 */
function liveCallFrames(scope: LiveCallScope, event: LiveCallsEvent): Named[] {
  const at = iso(event.at);
  if (event.kind === 'resync') return [{ event: 'resync', data: { reason: event.reason, at } }];
  if (event.kind === 'change') return framesOfChange(scope, event.change, event.at);
  const { calls, truncated } = event.state;
  return [{ event: 'snapshot', data: { calls: calls.map(call => view(scope, call)), truncated, at } }];
}

function framesOfChange(scope: LiveCallScope, change: ScopedCallEvent, at: number): Named[] {
  switch (change.kind) {
    case 'repaired': {
      const { callKey, call, reason } = change;
      const shown = call && shows(scope, call) ? view(scope, call) : null;
      const { campaignId = null, version = null } = call ?? {};
      return [{ event: 'call-resync', data: { callKey, campaignId, version, at: iso(at), reason, call: shown } }];
    }
    // D10 defines no event for this: 60 s after `call-ended` a client removes the call by itself.
    case 'forgotten':
      return [];
    case 'started':
      return [framed('call-started', change, { call: view(scope, change.call) })];
    case 'joined':
      return [framed('assignment', { ...change, at }, { ...assignmentOf(scope, change.call), call: view(scope, change.call) })];
    case 'left':
      return [framed('assignment', { ...change, at }, { ...assignmentOf(scope, change.call), monitorViewMode: null })];
    case 'segment':
      return [
        framed('segment', change, { segment: presentSegment(change.segment), currentNodeId: change.call.currentNodeId }),
        ...hitFrames(change),
      ];
    case 'changed':
    case 'ended':
      return changeFrames(scope, { ...change, kind: change.kind });
    default:
      return unreachable(change);
  }
}

function changeFrames(scope: LiveCallScope, event: Changed): Named[] {
  const { before, call } = event;
  const frames = hitFrames(event);
  if (isOther(before?.intervention, call.intervention)) {
    frames.push(framed('intervention', event, { intervention: presentIntervention(call.intervention) }));
  }
  if (isOther(watchOf(before), watchOf(call))) frames.push(framed('assignment', event, assignmentOf(scope, call)));
  const stage = presentStage(call);
  if (event.kind === 'ended') frames.push(framed('call-ended', event, stage));
  else if (frames.length === 0 || isOther(before && presentStage(before), stage)) frames.push(framed('call-changed', event, stage));
  return frames;
}

function hitFrames(event: { before: LiveCall | null; call: LiveCall; at: number }): Named[] {
  const hits = event.call.intentHits.slice(event.before?.intentHits.length ?? 0);
  const bySegment = Map.groupBy(hits, hit => hit.segmentId);
  return [
    ...hits.map(hit => framed('keyword', event, presentHit(hit))),
    ...[...bySegment].map(([segmentId, own]) => framed('intent-alert', event, alertOf(event.call, segmentId, own))),
  ];
}

function alertOf({ segments }: LiveCall, segmentId: string, hits: readonly IntentHit[]) {
  const text = segments.find(segment => segment.segmentId === segmentId)?.text ?? null;
  return { segmentId, keywords: hits.map(({ keyword }) => keyword), text };
}

function framed(event: string, { call, at }: { call: LiveCall; at: number }, more: object): Named {
  const { callKey, campaignId, version } = call;
  return { event, data: { ...more, callKey, campaignId, version, at: iso(at) } };
}

function view(scope: LiveCallScope, call: LiveCall) {
  return presentLiveCall(call, viewModeOf(scope, call));
}

function assignmentOf(scope: LiveCallScope, call: LiveCall) {
  const waitingSince = call.waitingSince === null ? null : iso(call.waitingSince);
  return { monitorAssignment: presentAssignment(call.monitor), monitorViewMode: viewModeOf(scope, call), waitingSince };
}

function watchOf(call: LiveCall | null) {
  return call && [call.monitor, call.retainedBy, call.waitingSince];
}

function isOther(before: unknown, now: unknown): boolean {
  return JSON.stringify(before ?? null) !== JSON.stringify(now ?? null);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

type LiveCallStreamApp = App &
  StreamOptions & {
    /** Checks that the cache responds. Errors: CACHE_UNAVAILABLE */
    requireCache(): Promise<void>;
  };

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
export function liveCallStreams(app: LiveCallStreamApp): StreamHandler[] {
  const fanOut = new FanOut<LiveCallsEvent, Frames>(app.clock);
  return [
    streamHandler(liveCallStreamRoute, async exchange => {
      await app.requireCache();
      const scope = { campaignId: exchange.query.campaignId ?? null, requestId: null, viewerId: viewerIdOf(exchange.caller) };
      const stream = openEventStream(exchange, app, liveCallStreamRoute.path, () => {
        membership.catchUp();
        capacity.repeat();
      });
      const channel = app.liveCallsFeed.channel(scope);
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
      stream.onClose(auditWatch(app, exchange.caller, scope));
      stream.onClose(watch(app.capacityFeed.channel(exchange.caller.userId), event => capacity.take(event)));
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
