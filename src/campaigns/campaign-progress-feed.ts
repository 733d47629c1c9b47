import type { CampaignProgress } from './read-progress.ts';
import type { LiveDeltas } from '#platform/feeds/live-deltas.ts';
import type { Platform } from '#platform/platform.ts';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedDeps, type FeedEvent, type Source } from '#platform/feeds/feed.ts';
import { keyedSources } from '#platform/feeds/keyed-sources.ts';

/** Minimum interval between two computations of the progress, in ms. */
const SPACING_MS = 250;
/** Poll interval, in ms: imports, phases and pauses cause no delta of a call. */
const POLL_MS = 1_000;
/** Most campaigns watched by one process; each adds one row to a single statement. */
const MAX_WATCHED = 1_000;

type OneEvent = FeedEvent<CampaignProgress, CampaignProgress>;

/** `progress` is null once the campaign has been deleted. */
export interface ProgressChange {
  campaignId: number;
  progress: CampaignProgress | null;
}

export interface CampaignProgressFeed {
  /** Progress of one campaign; ends when the campaign is deleted. */
  channel(campaignId: number): Channel<OneEvent>;
  /** Progress of several campaigns; deleted ones are left out. */
  channelOf(campaignIds: readonly number[]): Channel<FeedEvent<readonly CampaignProgress[], ProgressChange>>;
  close(): void;
}

export interface CampaignProgressFeedDeps extends FeedDeps, Pick<Platform, 'log'> {
  readProgress: (campaignIds: readonly number[]) => Promise<CampaignProgress[]>;
  deltas: Pick<LiveDeltas, 'subscribe'>;
}

/** Computes the progress of watched campaigns once per process, with one statement for all that changed. */
export function campaignProgressFeed(deps: CampaignProgressFeedDeps): CampaignProgressFeed {
  const feed = new Feed<CampaignProgress, CampaignProgress>(deps, { maxStates: MAX_WATCHED });
  const source = keyedSources<number, CampaignProgress>(deps, {
    what: 'the progress of campaigns',
    read: async ids => new Map((await deps.readProgress(ids)).map(row => [row.campaignId, row])),
    listen: refresh =>
      deps.deltas.subscribe(({ campaignId, kind }) => {
        if (kind !== 'segment') refresh(campaignId);
      }),
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
  const channel = (id: number) => feed.channel(String(id), () => source(id));
  const many = new Feed<readonly CampaignProgress[], ProgressChange>(deps, { maxStates: MAX_WATCHED });
  return {
    channel,
    channelOf(campaignIds) {
      const sortedIds = [...new Set(campaignIds)].sort((a, b) => a - b);
      return many.channel(sortedIds.join(), () => joined(sortedIds, channel));
    },
    close() {
      many.close();
      feed.close();
    },
  };
}

/** Combines the progress of several campaigns into one state without a read of its own; it begins once each of them is known. */
function joined(
  campaignIds: readonly number[],
  channel: (id: number) => Channel<OneEvent>,
): Source<readonly CampaignProgress[], ProgressChange> {
  const known = new Map<number, CampaignProgress | null>();
  const current = () => (known.size < campaignIds.length ? null : [...known.values()].filter(progress => progress !== null));
  return {
    current,
    start(publisher) {
      const take = (campaignId: number, progress: CampaignProgress | null) => {
        const wasKnown = current() !== null;
        known.set(campaignId, progress);
        if (wasKnown) publisher.changed({ campaignId, progress });
        else if (current() !== null) publisher.began();
      };
      const stops = campaignIds.map(id => {
        const next = (event: OneEvent) => {
          if (event.kind !== 'resync') take(id, event.kind === 'snapshot' ? event.state : event.change);
        };
        const stop = channel(id).follow(next, () => take(id, null));
        for (const event of channel(id).since(null)) next(event);
        return stop;
      });
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
