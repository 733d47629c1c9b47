import type { Log } from '#kernel/log.ts';
import type { CampaignProgress } from '#operations/campaigns/read-progress.ts';
import type { LiveDeltas } from '#ports/live-deltas.ts';
import type { Channel } from './fan-out.ts';
import { Feed, type FeedDeps, type FeedEvent } from './feed.ts';
import { keyedSources } from './keyed-sources.ts';

/** Progress is computed at most this often, ms. */
const SPACING_MS = 250;
/** What no call says (imports, phases, pauses) shows after this, ms. */
const POLL_MS = 1_000;
/** Campaigns watched by one process: each costs one row of one statement. */
const MAX_WATCHED = 1_000;

export interface CampaignProgressFeed {
  /** How far the campaign is; it ends when the campaign is gone. */
  channel(campaignId: number): Channel<FeedEvent<CampaignProgress, CampaignProgress>>;
  close(): void;
}

export interface CampaignProgressFeedDeps extends FeedDeps {
  readProgress: (campaignIds: readonly number[]) => Promise<CampaignProgress[]>;
  deltas: Pick<LiveDeltas, 'subscribe'>;
  log: Log;
}

/** Computes the progress of watched campaigns once per process, all that changed in one statement. */
export function campaignProgressFeed(deps: CampaignProgressFeedDeps): CampaignProgressFeed {
  const feed = new Feed<CampaignProgress, CampaignProgress>(deps, { maxStates: MAX_WATCHED });
  const source = keyedSources<number, CampaignProgress>(deps, {
    what: 'the progress of campaigns',
    read: async ids => new Map((await deps.readProgress(ids)).map(row => [row.campaignId, row])),
    listen: look =>
      deps.deltas.subscribe(({ campaignId, kind }) => {
        if (kind !== 'segment') look(campaignId);
      }),
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
  return { channel: id => feed.channel(String(id), () => source(id)), close: () => feed.close() };
}
