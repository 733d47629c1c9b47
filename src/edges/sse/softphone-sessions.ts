import { softphoneEventsRoute } from '#contract/rest/softphone-sessions.ts';
import { CalloutError } from '#kernel/errors.ts';
import { auditSessionWatch } from '#feeds/audit-watch.ts';
import type { SoftphoneSessionDeps } from '#operations/softphone-sessions/deps.ts';
import { findSession, isOpen } from '#operations/softphone-sessions/find-session.ts';
import { followSession } from '#feeds/session-feed.ts';
import type { SoftphoneEvent } from '#ports/softphone-session-store.ts';
import { encodeEvent, openEventStream, type StreamDeps } from './stream.ts';
import { type StreamHandler, streamHandler } from './stream-handler.ts';

/** No event has this position: a client that sends what is no position is resynchronised. */
const UNKNOWN_POSITION = -1;

/**
 * OCS 4.14, 6: what happens in one session of a browser phone. It ends with the session; the stream of an ended one is 410.
 *
 * Why:    rows keep every event, so that after a `resync` the session is told from its beginning, in place of a snapshot
 * Source: D2.7, D10
 */
export function softphoneStreams(deps: SoftphoneSessionDeps & StreamDeps): StreamHandler[] {
  return [
    streamHandler(softphoneEventsRoute, async exchange => {
      const { call } = await findSession(deps, exchange.caller, exchange.params.sessionId);
      if (!isOpen(call)) throw new CalloutError('GONE', '会话已结束');
      const stream = openEventStream(exchange, deps, softphoneEventsRoute.path, () => followed.resync());
      const closeAfter = (events: readonly SoftphoneEvent[]) => {
        if (events.some(isEnd)) stream.close();
      };
      const followed = followSession(
        deps,
        { softphoneCallId: call.id, eventId: positionOf(stream.lastEventId) },
        {
          onEvent: event => {
            stream.write(encode(event));
            closeAfter([event]);
          },
          onResync: events => {
            for (const frame of encodeResync(events)) stream.write(frame, true);
            closeAfter(events);
          },
        },
      );
      stream.onClose(() => followed.stop());
      const left = auditSessionWatch(deps, exchange.caller, call);
      if (left) stream.onClose(left);
    }),
  ];
}

function isEnd({ kind, data }: SoftphoneEvent): boolean {
  return kind === 'session' && data['status'] === 'ended';
}

function encode(event: SoftphoneEvent): string {
  return encodeEvent({ id: String(event.id), event: event.kind, data: dataOf(event) });
}

function dataOf({ data, createdAt }: SoftphoneEvent) {
  return { ...data, at: new Date(createdAt).toISOString() };
}

/** `resync`, then what is known now. */
function encodeResync(events: readonly SoftphoneEvent[]): string[] {
  const id = String(events.at(-1)?.id ?? 0);
  const known = events.map(event => ({ id: event.id, kind: event.kind, data: dataOf(event) }));
  return [encodeEvent({ id, event: 'resync', data: {} }), encodeEvent({ id, event: 'snapshot', data: { events: known } })];
}

/** Null: everything is told from the beginning. */
function positionOf(lastEventId: string | null): number | null {
  if (lastEventId === null) return null;
  return /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : UNKNOWN_POSITION;
}
