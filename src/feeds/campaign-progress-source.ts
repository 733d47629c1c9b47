import type { CampaignProgress } from '#ports/graph-store.ts';
import type { CampaignProgressFeed } from './campaign-progress-feed.ts';
import { type StateSource, tooMany } from './state-feed.ts';

/**
 * How far one campaign is; each change is the whole.
 *
 * Errors: RATE_LIMITED when this process watches too many
 */
export function campaignProgressSource(
  feed: Pick<CampaignProgressFeed, 'subscribe'>,
  campaignId: number,
): StateSource<CampaignProgress, CampaignProgress> {
  let newest: CampaignProgress | null = null;
  return {
    start(teller) {
      const stop = feed.subscribe(campaignId, progress => {
        if (progress === null) return teller.ended();
        const isFirst = newest === null;
        newest = progress;
        if (isFirst) teller.began();
        else teller.changed(progress);
      });
      if (stop) return stop;
      throw tooMany();
    },
    current: () => newest,
  };
}
