import { CONTACT_STATUSES } from '#contacts/contact.ts';
import { runtimeOverviewRoute } from './rest-runtime-overview.ts';
import { getRuntimeOverview, type RuntimeOverview, type RuntimeOverviewDeps } from './get-runtime-overview.ts';
import { overviewRoute, trendRoute } from './rest-overview.ts';
import { getOverview, type Overview, type OverviewDeps } from './get-overview.ts';
import { getTrend } from './counts.ts';
import { CAMPAIGN_STATUSES } from '#campaigns/decisions/campaign-states.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

/** Source: OCS 2.12, 4.1, D14.2 */
export function overviewHandlers(deps: OverviewDeps & RuntimeOverviewDeps): RestHandler[] {
  return [
    handler(overviewRoute, async () => presentOverview(await getOverview(deps))),
    handler(trendRoute, async ({ query }) => ({ rows: await getTrend(deps, query.days) })),
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

function presentOverview(overview: Overview) {
  const { today, activeCalls, agents, ratios } = overview;
  const campaigns = everyStatus(CAMPAIGN_STATUSES, overview.campaigns);
  const contacts = everyStatus(CONTACT_STATUSES, overview.contacts);
  return {
    campaigns: { total: sum(campaigns), running: campaigns.running, paused: campaigns.paused, byStatus: campaigns },
    contacts: { total: sum(contacts), byStatus: contacts },
    attempts: { today: today.attempts, answered: today.answered, completed: today.completed, failed: today.failed },
    ratios,
    activeCalls,
    agents,
    recentEvents: overview.recentEvents,
    recentAttempts: overview.recentAttempts,
  };
}

/** A status without entries counts as 0 instead of being absent. */
function everyStatus<Status extends string>(statuses: readonly Status[], counts: Partial<Record<Status, number>>): Record<Status, number> {
  const entries = statuses.map(status => [status, counts[status] ?? 0] as const);
  return Object.fromEntries(entries) as Record<Status, number>;
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function presentProgress({
  contacts,
  awaitingRetry,
  nextWakeAt,
  held: _held,
  phaseRefusal: _phaseRefusal,
  phaseSince: _phaseSince,
  ...campaign
}: RuntimeOverview['campaigns'][number]) {
  const total = Object.values(contacts).reduce((sum, count) => sum + count, 0);
  const finished = contacts.completed + contacts.failed - awaitingRetry;
  const progress = total === 0 ? 0 : finished / total;
  return { ...campaign, nextWakeAt, total, ...contacts, awaitingRetry, progress };
}

function presentRuntime({ businessCodes, lastSeenAt, ...runtime }: RuntimeOverview['runtimes'][number]) {
  return { ...runtime, businessCodes: businessCodes && [...businessCodes], lastSeenAt };
}
