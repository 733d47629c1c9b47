import { invalidArgument } from '#kernel/errors.ts';
import { CONTACT_STATUSES } from '#contacts/contact.ts';
import { trendRoute } from './routes.ts';
import { parseInput } from '#platform/http/parse.ts';
import { getNluCapabilities } from '#scripts/nlu-client.ts';
import { getOverview } from './overview.ts';
import { getRuntimeOverview } from './runtime-overview.ts';
import { getRecentMinutes, getTrend, getTrendHours } from './counts.ts';
import { AGENT_ACTIVITIES } from '#agents/agent.ts';
import { CAMPAIGN_STATUSES } from '#campaigns/decisions/campaign-states.ts';
import { optionalRowId } from '#platform/graphql/row-id.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

/** Pages about the whole installation, and the types that they consist of. */
export const overviewResolvers: Resolvers = {
  Query: {
    overview: (_root, _args, { app }) => getOverview(app),
    trend: (_root, { days, campaignId }, { app }) => getTrend(app, daysOf(days), optionalRowId('campaignId', campaignId)),
    trendHours: (_root, { hours, campaignId }, { app }) =>
      getTrendHours(app, countOf('hours', hours, HOURS), optionalRowId('campaignId', campaignId)),
    recentMinutes: (_root, { minutes }, { app }) => getRecentMinutes(app, countOf('minutes', minutes, MINUTES)),
    runtimeOverview: (_root, _args, { app }) => getRuntimeOverview(app),
    health: (_root, _args, { app }) => app.health.check(),
    mediaConfig: (_root, _args, { app }) => app.media,
    nluCapabilities: async (_root, _args, { app }) => (await getNluCapabilities(app)).actions,
  },
  Overview: {
    campaigns: ({ campaigns }) => ({
      total: sum(campaigns),
      running: campaigns.running ?? 0,
      paused: campaigns.paused ?? 0,
      byStatus: CAMPAIGN_STATUSES.map(status => ({ status, count: campaigns[status] ?? 0 })),
    }),
    contacts: ({ contacts }) => ({
      total: sum(contacts),
      byStatus: CONTACT_STATUSES.map(status => ({ status, count: contacts[status] ?? 0 })),
    }),
    agents: ({ agents, agentStates }) => ({
      ...agents,
      byState: AGENT_ACTIVITIES.map(state => ({ state, count: agentStates[state] })),
    }),
    attempts: ({ today: { attempts, ...counts } }) => ({ today: attempts, ...counts }),
  },
  RuntimeCampaign: {
    total: ({ contacts }) => sum(contacts),
    pending: ({ contacts }) => contacts.pending,
    submitted: ({ contacts }) => contacts.submitted,
    completed: ({ contacts }) => contacts.completed,
    failed: ({ contacts }) => contacts.failed,
    paused: ({ contacts }) => contacts.paused,
    fraction: ({ contacts, awaitingRetry }) => {
      const total = sum(contacts);
      return total === 0 ? 0 : (contacts.completed + contacts.failed - awaitingRetry) / total;
    },
  },
  MediaConfig: {
    switchRecordingBaseUrlsByCell: ({ switchRecordingBaseUrlsByCell }) =>
      Object.entries(switchRecordingBaseUrlsByCell).map(([cellId, baseUrl]) => ({ cellId, baseUrl })),
  },
};

/** Applies the bounds of the REST row. Errors: INVALID_ARGUMENT naming `days` */
function daysOf(days: number | null | undefined): number {
  if (!trendRoute.query) throw new Error('the row has no query');
  return parseInput(trendRoute.query, days === null || days === undefined ? {} : { days: String(days) }, '参数').days;
}

const MINUTES = { most: 60, whenAbsent: 15 };
const HOURS = { most: 72, whenAbsent: 24 };

/** Errors: INVALID_ARGUMENT naming the argument */
function countOf(name: string, given: number | null | undefined, { most, whenAbsent }: { most: number; whenAbsent: number }): number {
  const asked = given ?? whenAbsent;
  if (asked < 1 || asked > most) throw invalidArgument(name, 'integerBetween', { min: 1, max: most });
  return asked;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
