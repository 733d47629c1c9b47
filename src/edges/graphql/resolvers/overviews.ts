import { CalloutError } from '#kernel/errors.ts';
import { CONTACT_STATUSES } from '#model/contact.ts';
import { trendRoute } from '#contract/rest/overview.ts';
import { parseInput } from '#contract/rest/parse.ts';
import { getNluCapabilities } from '#operations/nlu/get-capabilities.ts';
import { getOverview } from '#operations/overview/get-overview.ts';
import { getRuntimeOverview } from '#operations/overview/get-runtime-overview.ts';
import { getRecentMinutes, getTrend } from '#operations/overview/read-counts.ts';
import { acknowledgeEvent } from '#operations/runtime-events/acknowledge-event.ts';
import { CAMPAIGN_STATUSES } from '#rules/campaign-bounds.ts';
import { callerOf } from '../context.ts';
import { bigRowIdOf } from '../row-id.ts';
import type { Resolvers } from '../schema-types.generated.ts';

/** Pages about the whole installation, and what they are made of. */
export const overviewResolvers: Resolvers = {
  Query: {
    overview: (_root, _args, { deps }) => getOverview(deps.overviews),
    trend: (_root, { days }, { deps }) => getTrend(deps.overviews, daysOf(days)),
    recentMinutes: (_root, { minutes }, { deps }) => getRecentMinutes(deps.overviews, minutesOf(minutes)),
    runtimeOverview: (_root, _args, { deps }) => getRuntimeOverview(deps.overviews),
    mediaConfig: (_root, _args, { deps }) => deps.overviews.media,
    nluCapabilities: async (_root, _args, { deps }) => (await getNluCapabilities(deps.overviews)).actions,
  },
  Mutation: {
    acknowledgeRuntimeEvent: (_root, { id }, context, info) =>
      acknowledgeEvent(context.deps.overviews, callerOf(context, info), bigRowIdOf('id', id, 'RuntimeEvent')),
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

/** Bounds are those of the REST row. Errors: INVALID_ARGUMENT naming `days` */
function daysOf(days: number | null | undefined): number {
  if (!trendRoute.query) throw new Error('the row has no query');
  return parseInput(trendRoute.query, days === null || days === undefined ? {} : { days: String(days) }, '参数').days;
}

const MOST_MINUTES = 60;
const MINUTES = 15;

/** Errors: INVALID_ARGUMENT naming `minutes` */
function minutesOf(minutes: number | null | undefined): number {
  const asked = minutes ?? MINUTES;
  if (asked < 1 || asked > MOST_MINUTES)
    throw new CalloutError('INVALID_ARGUMENT', `minutes 必须是 1 到 ${MOST_MINUTES} 的整数`, { field: 'minutes' });
  return asked;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
