import { serveSoftphoneReports } from '#edges/bus/softphone.ts';
import { softphoneSessionHandlers } from '#edges/rest/softphone-sessions.ts';
import { softphoneStreams } from '#edges/sse/softphone-sessions.ts';
import { sleep } from '#kernel/clock.ts';
import type { Rejections } from '#operations/runtime-events/publish-rejections.ts';
import type { SoftphoneSessionDeps } from '#operations/softphone-sessions/deps.ts';
import { reconcileSessions } from '#operations/softphone-sessions/session-events.ts';
import type { ServerContext, ServerPart } from './context.ts';

export type SoftphoneParts = SoftphoneSessionDeps & { rejections: Rejections };

/** Sessions of browser phones: REST, the event stream, NATS, and the look at what events have not told; the events come by their conferences. */
export function softphoneSessionPart(context: ServerContext, deps: SoftphoneParts): ServerPart {
  runSessions(context, deps);
  return { handlers: [...softphoneSessionHandlers(deps), ...softphoneStreams({ ...context, ...deps })] };
}

function runSessions({ bus, log, clock, metrics, stack }: ServerContext, deps: SoftphoneParts): void {
  const working = new AbortController();
  const stopReports = serveSoftphoneReports({ ...deps, log, clock, metrics }, bus);
  const look = () =>
    reconcileSessions(deps).catch((error: unknown) => log.warn({ err: error }, 'softphone sessions could not be looked at'));
  // One look at a time; a cell that is back does not wait for the next.
  let wake = new AbortController();
  const stopEvents = deps.switchPort.subscribe(event => {
    if (event.kind === 'cell_up') wake.abort();
  });
  const reconciling = (async () => {
    while (!working.signal.aborted) {
      wake = new AbortController();
      await look();
      await sleep(clock, deps.conferenceSettings.reconcileIntervalMs, AbortSignal.any([working.signal, wake.signal]));
    }
  })();
  stack.defer(async () => {
    stopReports();
    stopEvents();
    working.abort();
    await reconciling;
  });
}
