import { softphoneEventsRoute } from './softphone-sessions.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { StateStreams } from '#app/state-streams.ts';
import type { SoftphoneSessionDeps } from './deps.ts';
import { findSession, isOpen } from './find-session.ts';
import { SessionFrames } from './session-frames.ts';
import { openEventStream, type StreamDeps, streamHandler, type StreamHandler } from '#platform/sse/stream.ts';
import { auditSessionWatch } from './softphone-session-state.ts';

/**
 * OCS 4.14, 6: events of one browser phone's session. The stream ends with the session; a request for an ended session gets 410.
 *
 * Source: D2.7, D10
 */
export function softphoneStreams(
  deps: SoftphoneSessionDeps & StreamDeps & { states: Pick<StateStreams, 'softphoneSession'> },
): StreamHandler[] {
  return [
    streamHandler(softphoneEventsRoute, async exchange => {
      const { call } = await findSession(deps, exchange.caller, exchange.params.sessionId);
      if (!isOpen(call)) throw new CalloutError('GONE', '会话已结束');
      const channel = deps.states.softphoneSession(call.id);
      const stream = openEventStream(exchange, deps, softphoneEventsRoute.path, () => {
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
      const left = auditSessionWatch(deps, exchange.caller, call);
      if (left) stream.onClose(left);
    }),
  ];
}
