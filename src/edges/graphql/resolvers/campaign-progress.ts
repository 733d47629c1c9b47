import { notFound } from '#kernel/errors.ts';
import { campaignProgressChannel } from '#operations/feeds/campaign-progress-channel.ts';
import { rowIdOf } from '../row-id.ts';
import type { SubscriptionSources } from '../subscription-source.ts';

export const campaignProgressSources: Pick<SubscriptionSources, 'campaignProgress'> = {
  campaignProgress: async ({ campaignId }, { deps }) => {
    const id = rowIdOf('campaignId', campaignId);
    if ((await deps.graph.campaigns([id])).length === 0) throw notFound('活动');
    return { channel: campaignProgressChannel(deps.campaignProgressFeed, id), after: null };
  },
};
