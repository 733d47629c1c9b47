import { serveSoftphoneReports } from '#edges/bus/softphone.ts';
import { softphoneSessionHandlers } from '#edges/rest/softphone-sessions.ts';
import { softphoneStreams } from '#edges/sse/softphone-sessions.ts';
import { sleep } from '#kernel/clock.ts';
import type { SoftphoneSessionDeps } from '#operations/softphone-sessions/deps.ts';
import { reconcileSessions } from '#operations/softphone-sessions/session-events.ts';
import type { ServerContext, ServerPart } from './context.ts';

/** Sessions of browser phones: REST, the event stream, NATS, and the look at what events have not told; the events come by their conferences. */
export function softphoneSessionPart(context: ServerContext, deps: SoftphoneSessionDeps): ServerPart {
  runSessions(context, deps);
  return { handlers: [...softphoneSessionHandlers(deps), ...softphoneStreams({ ...context, ...deps })] };
}

function runSessions({ bus, log, clock, metrics, stack }: ServerContext, deps: SoftphoneSessionDeps): void {
  const working = new AbortController();
  const stopReports = serveSoftphoneReports({ ...deps, log, clock, metrics }, bus);
  const reconciling = (async () => {
    while (!working.signal.aborted) {
      await reconcileSessions(deps).catch((error: unknown) => log.warn({ err: error }, 'softphone sessions could not be looked at'));
      await sleep(clock, deps.conferenceSettings.reconcileIntervalMs, working.signal);
    }
  })();
  stack.defer(async () => {
    stopReports();
    working.abort();
    await reconciling;
  });
}
