import { type RawBuilder, sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedEvent, type Source } from '#platform/feeds/feed.ts';
import { keyedSources } from '#platform/feeds/keyed-sources.ts';
import type { LiveDeltas } from '#platform/feeds/live-deltas.ts';
import type { Platform } from '#platform/platform.ts';
import { ids } from '#platform/postgres/values.ts';
import type { CampaignPhase, CampaignStatus } from './decisions/campaign-states.ts';
import type { PhaseCause } from './decisions/skip-reason.ts';

/** Progress of a campaign. Shape: `total` is the sum of the five statuses; `held` and `awaitingRetry` are parts of them */
export interface CampaignProgress {
  campaignId: number;
  status: CampaignStatus;
  phase: CampaignPhase;
  phaseReason: string | null;
  phaseCause: PhaseCause | null;
  /** UTC ms; null when the phase began before its start was recorded. */
  phaseSince: number | null;
  /** UTC ms. */
  nextWakeAt: number | null;
  total: number;
  pending: number;
  submitted: number;
  completed: number;
  failed: number;
  paused: number;
  awaitingRetry: number;
  held: number;
  /** Open attempts. */
  activeCalls: number;
}

/** Reads all campaigns at one instant without scans: contacts from their tally, open attempts from their partial index. */
export function readProgress({ db }: Pick<Platform, 'db'>, campaignIds: readonly number[]): Promise<CampaignProgress[]> {
  return db.rows(sql<CampaignProgress>`
    select c.id as campaign_id, c.status, c.phase, c.phase_reason, c.phase_cause, c.phase_since, c.next_wake_at, t.*,
           (select count(*) from attempt a where a.campaign_id = c.id and ${OPEN} and a.tested_by is null) as active_calls
    from campaign c
    cross join lateral (
      select coalesce(sum(delta), 0) as total, ${tally(sql`status = 'pending'`)} as pending, ${tally(sql`status = 'submitted'`)} as submitted,
             ${tally(sql`status = 'completed'`)} as completed, ${tally(sql`status = 'failed'`)} as failed, ${tally(sql`status = 'paused'`)} as paused,
             ${tally(sql`status = 'failed' and retryable`)} as awaiting_retry, ${tally(sql`held`)} as held
      from contact_tally where campaign_id = c.id) as t
    where c.id = any(${ids(campaignIds)}) and c.deleted_at is null`);
}

function tally(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce(sum(delta) filter (where ${condition}), 0)`;
}

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

export interface CampaignProgressPart {
  campaignProgressFeed: CampaignProgressFeed;
}

interface CampaignProgressFeedOptions extends Pick<Platform, 'clock' | 'ids' | 'log'> {
  readProgress: (campaignIds: readonly number[]) => Promise<CampaignProgress[]>;
  deltas: Pick<LiveDeltas, 'subscribe'>;
}

/** Computes the progress of watched campaigns once per process, with one statement for all that changed. */
export function campaignProgressFeed(options: CampaignProgressFeedOptions): CampaignProgressFeed {
  const feed = new Feed<CampaignProgress, CampaignProgress>(options, { maxStates: MAX_WATCHED });
  const source = keyedSources<number, CampaignProgress>(options, {
    what: 'the progress of campaigns',
    read: async ids => new Map((await options.readProgress(ids)).map(row => [row.campaignId, row])),
    listen: refresh =>
      options.deltas.subscribe(({ campaignId, kind }) => {
        if (kind !== 'segment') refresh(campaignId);
      }),
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
  const channel = (id: number) => feed.channel(String(id), () => source(id));
  const many = new Feed<readonly CampaignProgress[], ProgressChange>(options, { maxStates: MAX_WATCHED });
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
