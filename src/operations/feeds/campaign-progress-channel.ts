import { CalloutError } from '#kernel/errors.ts';
import type { CampaignProgress } from '#ports/graph-store.ts';
import type { CampaignProgressFeed } from './campaign-progress-feed.ts';
import type { Channel } from './fan-out.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * How far one campaign is, for a fan-out; only the newest counts.
 *
 * Errors: RATE_LIMITED when this process watches too many
 */
export function campaignProgressChannel(feed: Pick<CampaignProgressFeed, 'subscribe'>, campaignId: number): Channel<CampaignProgress> {
  let newest: CampaignProgress | null = null;
  const known = () => (newest ? [newest] : []);
  return {
    key: String(campaignId),
    follow(listener, onEnd) {
      // What is known at once is what `since` gives.
      let isStarting = true;
      const stop = feed.subscribe(campaignId, progress => {
        newest = progress;
        if (isStarting) return;
        if (progress) listener(progress);
        else onEnd();
      });
      isStarting = false;
      if (stop) return stop;
      throw new CalloutError('RATE_LIMITED', '正在观看的活动过多，请稍后重试', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
    since: known,
    catchUp: known,
  };
}
