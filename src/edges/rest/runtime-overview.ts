import { runtimeOverviewRoute } from '#contract/rest/runtime-overview.ts';
import { getRuntimeOverview, type RuntimeOverview, type RuntimeOverviewDeps } from '#operations/overview/get-runtime-overview.ts';
import { handler, type RouteHandler } from './handler.ts';

/** OCS 2.12, 4.1. */
export function runtimeOverviewHandlers(deps: RuntimeOverviewDeps): RouteHandler[] {
  return [
    handler(runtimeOverviewRoute, async () => {
      const { campaigns, lines, cells, stuckBatches, recentEvents, runtimes, ...counts } = await getRuntimeOverview(deps);
      return {
        ...counts,
        campaignProgress: campaigns.map(presentProgress),
        lineConcurrency: lines,
        cellConcurrency: cells,
        stuckBatches,
        recentEvents,
        runtimes: runtimes.map(presentRuntime),
      };
    }),
  ];
}

function presentProgress({ contacts, awaitingRetry, nextWakeAt, ...campaign }: RuntimeOverview['campaigns'][number]) {
  const total = Object.values(contacts).reduce((sum, count) => sum + count, 0);
  const finished = contacts.completed + contacts.failed - awaitingRetry;
  const progress = total === 0 ? 0 : finished / total;
  return { ...campaign, nextWakeAt, total, ...contacts, awaitingRetry, progress };
}

function presentRuntime({ businessCodes, lastSeenAt, ...runtime }: RuntimeOverview['runtimes'][number]) {
  return { ...runtime, businessCodes: businessCodes && [...businessCodes], lastSeenAt };
}
