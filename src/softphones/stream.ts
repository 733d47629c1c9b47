import { CalloutError } from '#kernel/errors.ts';
import type { FeedEvent } from '#platform/feeds/feed.ts';
import {
  encodeEvent,
  type EventStream,
  openEventStream,
  type StreamOptions,
  streamHandler,
  type StreamHandler,
} from '#platform/sse/stream.ts';
import { softphoneEventsRoute } from './routes.ts';
import { auditSessionWatch, type SoftphoneSessionChange, type SoftphoneSessionState } from './session-feed.ts';
import { findSession, isOpen, type SoftphoneEvent } from './session.ts';
import type { App } from '#app/app.ts';

/** Most events in a snapshot, the newest. */
const SNAPSHOT_LIMIT = 200;
/** No event has this position: a client with an invalid id is resynchronised. */
const UNKNOWN_POSITION = -1;

/**
 * Sends a session to a stream: each event once and in order, from the one after the client's last.
 *
 * Why:    rows keep every event, so a snapshot of the feed is sent as the events that the client lacks; a `resync` is needed only for a
 *         client with an unknown position or with dropped frames
 * Source: D10
 */
export class SessionFrames {
  readonly #stream: Pick<EventStream, 'write' | 'close'>;
  /** Id of the last event that the client has; null when it has none. */
  #last: number | null;
  /** Frames were dropped: the next snapshot replaces what the client has. */
  #isLost = false;

  constructor(stream: Pick<EventStream, 'write' | 'close' | 'lastEventId'>) {
    this.#stream = stream;
    this.#last = positionOf(stream.lastEventId);
  }

  /** Records that frames were dropped, so that the next snapshot replaces everything. */
  lose(): void {
    this.#isLost = true;
  }

  take(event: FeedEvent<SoftphoneSessionState, SoftphoneSessionChange>): void {
    // Events missed during an outage are in the snapshot that follows it.
    if (event.kind === 'resync') return;
    if (event.kind === 'snapshot') this.#catchUp(event.state.events);
    else if (event.change.kind === 'event') this.#tell([event.change.event]);
  }

  #catchUp(events: readonly SoftphoneEvent[]): void {
    const isHeld = this.#last === null || events.some(({ id }) => id === this.#last);
    if (isHeld && !this.#isLost) return this.#tell(events.filter(({ id }) => id > (this.#last ?? 0)));
    const newest = events.slice(-SNAPSHOT_LIMIT);
    this.#isLost = false;
    this.#last = newest.at(-1)?.id ?? null;
    for (const frame of encodeResync(newest)) this.#stream.write(frame, true);
    if (newest.some(isEnd)) this.#stream.close();
  }

  #tell(events: readonly SoftphoneEvent[]): void {
    for (const event of events) {
      this.#last = event.id;
      this.#stream.write(encodeEvent({ id: String(event.id), event: event.kind, data: dataOf(event) }));
      if (isEnd(event)) this.#stream.close();
    }
  }
}

function isEnd({ kind, data }: SoftphoneEvent): boolean {
  return kind === 'session' && data['status'] === 'ended';
}

function dataOf({ data, createdAt }: SoftphoneEvent) {
  return { ...data, at: new Date(createdAt).toISOString() };
}

/** A `resync`, followed by a `snapshot` of the current events. */
function encodeResync(events: readonly SoftphoneEvent[]): string[] {
  const id = String(events.at(-1)?.id ?? 0);
  const known = events.map(event => ({ id: event.id, kind: event.kind, data: dataOf(event) }));
  return [encodeEvent({ id, event: 'resync', data: {} }), encodeEvent({ id, event: 'snapshot', data: { events: known } })];
}

/** Null: the stream starts with the first event. */
function positionOf(lastEventId: string | null): number | null {
  if (lastEventId === null) return null;
  return /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : UNKNOWN_POSITION;
}

/**
 * OCS 4.14, 6: events of one browser phone's session. The stream ends with the session; a request for an ended session gets 410.
 *
 * Source: D2.7, D10
 */
export function softphoneStreams(app: App & StreamOptions): StreamHandler[] {
  return [
    streamHandler(softphoneEventsRoute, async exchange => {
      const { call } = await findSession(app, exchange.caller, exchange.params.sessionId);
      if (!isOpen(call)) throw new CalloutError('GONE', '会话已结束');
      const channel = app.states.softphoneSession(call.id);
      const stream = openEventStream(exchange, app, softphoneEventsRoute.path, () => {
        frames.lose();
        for (const event of channel.catchUp()) frames.take(event);
      });
      const frames = new SessionFrames(stream);
      stream.onClose(
        channel.follow(
          event => frames.take(event),
          () => stream.close(),
        ),
      );
      for (const event of channel.since(null)) frames.take(event);
      const left = auditSessionWatch(app, exchange.caller, call);
      if (left) stream.onClose(left);
    }),
  ];
}
