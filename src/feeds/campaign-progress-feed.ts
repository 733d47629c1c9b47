import type { CampaignProgress } from '#operations/campaigns/read-progress.ts';
import type { LiveDeltas } from '#ports/live-deltas.ts';
import type { Ports } from '#ports/ports.ts';
import type { Channel } from './fan-out.ts';
import { Feed, type FeedDeps, type FeedEvent, type Source } from './feed.ts';
import { keyedSources } from './keyed-sources.ts';

/** Progress is computed at most this often, ms. */
const SPACING_MS = 250;
/** What no call says (imports, phases, pauses) shows after this, ms. */
const POLL_MS = 1_000;
/** Campaigns watched by one process: each costs one row of one statement. */
const MAX_WATCHED = 1_000;

type OneEvent = FeedEvent<CampaignProgress, CampaignProgress>;

/** `progress` null: the campaign is gone. */
export interface ProgressChange {
  campaignId: number;
  progress: CampaignProgress | null;
}

export interface CampaignProgressFeed {
  /** How far the campaign is; it ends when the campaign is gone. */
  channel(campaignId: number): Channel<OneEvent>;
  /** How far each of the campaigns is; those that are gone are left out. */
  channelOf(campaignIds: readonly number[]): Channel<FeedEvent<readonly CampaignProgress[], ProgressChange>>;
  close(): void;
}

export interface CampaignProgressFeedDeps extends FeedDeps, Pick<Ports, 'log'> {
  readProgress: (campaignIds: readonly number[]) => Promise<CampaignProgress[]>;
  deltas: Pick<LiveDeltas, 'subscribe'>;
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
  const channel = (id: number) => feed.channel(String(id), () => source(id));
  const many = new Feed<readonly CampaignProgress[], ProgressChange>(deps, { maxStates: MAX_WATCHED });
  return {
    channel,
    channelOf(campaignIds) {
      const asked = [...new Set(campaignIds)].sort((a, b) => a - b);
      return many.channel(asked.join(), () => joined(asked, channel));
    },
    close() {
      many.close();
      feed.close();
    },
  };
}

/** Many campaigns as one state, known when each of them is: it costs no reading of its own. */
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
