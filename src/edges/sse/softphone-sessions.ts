import { softphoneEventsRoute } from '#contract/rest/softphone-sessions.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { SoftphoneSessionDeps } from '#operations/softphone-sessions/deps.ts';
import { findSession, isOpen } from '#operations/softphone-sessions/find-session.ts';
import { followSession } from '#operations/softphone-sessions/session-feed.ts';
import type { SoftphoneEvent } from '#ports/softphone-session-store.ts';
import { encodeEvent, openEventStream, type StreamDeps } from './stream.ts';
import { type StreamHandler, streamHandler } from './stream-handler.ts';

/**
 * OCS 4.14, 6: what happens in one session of a browser phone. It ends with the session; the stream of an ended one is 410.
 *
 * Source: D2.7, D10
 */
export function softphoneStreams(deps: SoftphoneSessionDeps & StreamDeps): StreamHandler[] {
  return [
    streamHandler(softphoneEventsRoute, async exchange => {
      const { call } = await findSession(deps, exchange.caller, exchange.params.sessionId);
      if (!isOpen(call)) throw new CalloutError('GONE', '会话已结束');
      let stop: () => void = () => undefined;
      const follow = (eventId: number) => {
        stop();
        stop = followSession(deps, { softphoneCallId: call.id, eventId }, event => {
          stream.write(encode(event));
          if (event.kind === 'session' && event.data['status'] === 'ended') stream.close();
        });
      };
      const stream = openEventStream(exchange, deps, softphoneEventsRoute.path, () => follow(0));
      stream.onClose(() => stop());
      follow(positionOf(stream.lastEventId));
    }),
  ];
}

function encode({ id, kind, data, createdAt }: SoftphoneEvent): string {
  return encodeEvent({ id: String(id), event: kind, data: { ...data, at: new Date(createdAt).toISOString() } });
}

/** Without a position everything is told from the beginning. */
function positionOf(lastEventId: string | null): number {
  return lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : 0;
}
