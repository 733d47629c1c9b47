import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { CampaignProgress, GraphStore } from '#ports/graph-store.ts';
import type { LiveDeltas } from '#ports/live-deltas.ts';

/** Progress is computed at most this often, ms. */
const SPACING_MS = 250;
/** What no call tells (imports, phases, pauses) shows after this, ms. */
const POLL_MS = 1_000;
/** Campaigns watched by one process: each costs one row of one statement. */
const MAX_WATCHED = 1_000;

export interface CampaignProgressFeed {
  /**
   * Tells how far the campaign is, at once when it is known and then after each change; null when the campaign is gone, which is the last word.
   * The returned function stops it. False when this process watches too many.
   */
  subscribe(campaignId: number, listener: (progress: CampaignProgress | null) => void): (() => void) | false;
  close(): void;
}

export interface CampaignProgressFeedDeps {
  graph: Pick<GraphStore, 'progress'>;
  deltas: Pick<LiveDeltas, 'subscribe'>;
  clock: Clock;
  log: Log;
}

/**
 * Computes the progress of watched campaigns once per process, all that changed in one statement.
 *
 * Why: a call's start or end says that something changed, the poll finds the rest; who watches costs nothing more
 */
export function campaignProgressFeed(deps: CampaignProgressFeedDeps): CampaignProgressFeed {
  return new Feed(deps);
}

interface Watched {
  /** Undefined: not computed yet. */
  last: CampaignProgress | undefined;
  listeners: Set<(progress: CampaignProgress | null) => void>;
}

class Feed implements CampaignProgressFeed {
  readonly #deps: CampaignProgressFeedDeps;
  readonly #watched = new Map<number, Watched>();
  readonly #stale = new Set<number>();
  #isComputing = false;
  /** Monotonic instant of the newest computation. */
  #lastAt = Number.NEGATIVE_INFINITY;
  #stopDeltas: (() => void) | null = null;
  #cancelPoll: Cancel = () => undefined;
  #cancelCompute: Cancel | null = null;

  constructor(deps: CampaignProgressFeedDeps) {
    this.#deps = deps;
  }

  subscribe(campaignId: number, listener: (progress: CampaignProgress | null) => void): (() => void) | false {
    const watched = this.#watch(campaignId);
    if (!watched) return false;
    const own = (progress: CampaignProgress | null) => listener(progress);
    watched.listeners.add(own);
    if (watched.last) own(watched.last);
    return () => {
      watched.listeners.delete(own);
      if (watched.listeners.size === 0 && this.#watched.get(campaignId) === watched) this.#watched.delete(campaignId);
      if (this.#watched.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#watched.clear();
    this.#stop();
  }

  #watch(campaignId: number): Watched | null {
    const known = this.#watched.get(campaignId);
    if (known) return known;
    if (this.#watched.size >= MAX_WATCHED) return null;
    const watched: Watched = { last: undefined, listeners: new Set() };
    this.#watched.set(campaignId, watched);
    if (this.#stopDeltas === null) this.#start();
    this.#stale.add(campaignId);
    this.#computeSoon();
    return watched;
  }

  #start(): void {
    this.#stopDeltas = this.#deps.deltas.subscribe(({ campaignId, kind }) => {
      if (kind === 'segment' || !this.#watched.has(campaignId)) return;
      this.#stale.add(campaignId);
      this.#computeSoon();
    });
    this.#pollLater();
  }

  #stop(): void {
    this.#stopDeltas?.();
    this.#stopDeltas = null;
    this.#cancelPoll();
    this.#cancelCompute?.();
    this.#cancelCompute = null;
    this.#stale.clear();
  }

  #pollLater(): void {
    this.#cancelPoll = this.#deps.clock.schedule(POLL_MS, () => {
      for (const campaignId of this.#watched.keys()) this.#stale.add(campaignId);
      this.#computeSoon();
      this.#pollLater();
    });
  }

  /** One computation is planned at a time; what gets stale meanwhile goes along or follows. */
  #computeSoon(): void {
    if (this.#cancelCompute !== null || this.#isComputing) return;
    const waitMs = Math.max(0, this.#lastAt + SPACING_MS - this.#deps.clock.monotonic());
    this.#cancelCompute = this.#deps.clock.schedule(waitMs, () => {
      this.#cancelCompute = null;
      void this.#compute();
    });
  }

  async #compute(): Promise<void> {
    const campaignIds = [...this.#stale].filter(campaignId => this.#watched.has(campaignId));
    this.#stale.clear();
    if (campaignIds.length === 0) return;
    this.#isComputing = true;
    this.#lastAt = this.#deps.clock.monotonic();
    try {
      const rows = await this.#deps.graph.progress(campaignIds);
      const found = new Map(rows.map(row => [row.campaignId, row]));
      for (const campaignId of campaignIds) this.#tell(campaignId, found.get(campaignId) ?? null);
    } catch (error) {
      // The next poll asks again; what was told last stays true as far as anybody knows.
      this.#deps.log.warn({ err: error }, 'the progress of campaigns could not be computed');
    } finally {
      this.#isComputing = false;
      if (this.#stale.size > 0) this.#computeSoon();
    }
  }

  #tell(campaignId: number, progress: CampaignProgress | null): void {
    const watched = this.#watched.get(campaignId);
    if (!watched) return;
    if (progress && watched.last && isSame(progress, watched.last)) return;
    if (progress) watched.last = progress;
    else this.#watched.delete(campaignId);
    for (const listener of watched.listeners) listener(progress);
    if (this.#watched.size === 0) this.#stop();
  }
}

function isSame(a: CampaignProgress, b: CampaignProgress): boolean {
  return (Object.keys(a) as (keyof CampaignProgress)[]).every(key => a[key] === b[key]);
}
