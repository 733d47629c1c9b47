import { presentRuntimeEvent } from '#contract/rest/runtime-events.ts';
import { runtimeOverviewRoute } from '#contract/rest/runtime-overview.ts';
import { getRuntimeOverview, type RuntimeOverview, type RuntimeOverviewDeps } from '#operations/overview/get-runtime-overview.ts';
import { handler, type RouteHandler } from './handler.ts';
import { presentBatch } from './present/attempts.ts';
import { presentInstant } from './present/instant.ts';

/** OCS 2.12, 4.1. */
export function runtimeOverviewHandlers(deps: RuntimeOverviewDeps): RouteHandler[] {
  return [
    handler(runtimeOverviewRoute, async () => {
      const { campaigns, lines, cells, stuckBatches, recentEvents, runtimes, ...counts } = await getRuntimeOverview(deps);
      return {
        ...counts,
        campaignProgress: campaigns.map(presentProgress),
        lineConcurrency: lines.map(line => ({ ...line, isEnabled: line.isEnabled ? 1 : 0 }) as const),
        cellConcurrency: cells.map(presentCell),
        stuckBatches: stuckBatches.map(presentBatch),
        recentEvents: recentEvents.map(presentRuntimeEvent),
        runtimes: runtimes.map(presentRuntime),
      };
    }),
  ];
}

function presentProgress({ contacts, awaitingRetry, nextWakeAt, ...campaign }: RuntimeOverview['campaigns'][number]) {
  const total = Object.values(contacts).reduce((sum, count) => sum + count, 0);
  const finished = contacts.completed + contacts.failed - awaitingRetry;
  const progress = total === 0 ? 0 : finished / total;
  return { ...campaign, nextWakeAt: presentInstant(nextWakeAt), total, ...contacts, awaitingRetry, progress };
}

function presentCell({ cellId, maxConcurrency, active, isEnabled, state }: RuntimeOverview['cells'][number]) {
  return { cellId, maxConcurrency, active, isEnabled: isEnabled ? 1 : 0, state } as const;
}

function presentRuntime({ businessCodes, lastSeenAt, ...runtime }: RuntimeOverview['runtimes'][number]) {
  return { ...runtime, businessCodes: businessCodes && [...businessCodes], lastSeenAt: presentInstant(lastSeenAt) };
}
