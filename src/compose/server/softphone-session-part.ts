import { serveSoftphoneReports } from '#edges/bus/softphone.ts';
import { softphoneSessionHandlers } from '#edges/rest/softphone-sessions.ts';
import { softphoneStreams } from '#edges/sse/softphone-sessions.ts';
import { sleep } from '#kernel/clock.ts';
import type { SoftphoneSessionDeps } from '#operations/softphone-sessions/deps.ts';
import { handleSessionEvent, reconcileSessions } from '#operations/softphone-sessions/session-events.ts';
import type { ServerContext, ServerPart } from './context.ts';

/** Sessions of browser phones: REST, the event stream, NATS, and what the switch tells of them. */
export function softphoneSessionPart(context: ServerContext, deps: SoftphoneSessionDeps): ServerPart {
  runSessions(context, deps);
  return { handlers: [...softphoneSessionHandlers(deps), ...softphoneStreams({ ...context, ...deps })] };
}

function runSessions({ bus, log, clock, metrics, stack }: ServerContext, deps: SoftphoneSessionDeps): void {
  const working = new AbortController();
  const underWay = new Set<Promise<void>>();
  const told = (work: Promise<void>, what: string) => {
    const settled = work.catch((error: unknown) => log.warn({ err: error }, what));
    underWay.add(settled);
    void settled.finally(() => underWay.delete(settled));
  };
  const stopEvents = deps.switchPort.subscribe(event =>
    told(handleSessionEvent(deps, event), 'an event of a softphone session could not be applied; the reconciler finds what it told'),
  );
  const stopReports = serveSoftphoneReports({ ...deps, log, clock, metrics }, bus);
  const reconciling = (async () => {
    while (!working.signal.aborted) {
      await reconcileSessions(deps).catch((error: unknown) => log.warn({ err: error }, 'softphone sessions could not be looked at'));
      await sleep(clock, deps.conferenceSettings.reconcileIntervalMs, working.signal);
    }
  })();
  stack.defer(async () => {
    stopEvents();
    stopReports();
    working.abort();
    await reconciling;
    await Promise.all(underWay);
  });
}
