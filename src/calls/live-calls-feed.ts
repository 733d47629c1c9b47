import type { Cancel } from '#kernel/clock.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { LiveCallStore } from './live-call-store.ts';
import type { LiveDelta, LiveDeltas } from '#platform/feeds/live-deltas.ts';
import type { Platform } from '#platform/platform.ts';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedEvent, type Publisher, type Source, type View } from '#platform/feeds/feed.ts';
import { type LiveCallList, liveCallList, MAX_LIVE_CALLS, readLiveCalls } from './list-live-calls.ts';
import type { LiveCall } from './live-call.ts';
import {
  type CallResyncReason,
  eventFor,
  type LiveCallChange,
  type LiveCallScope,
  LiveCallsView,
  type ScopedCallEvent,
  scopeKey,
  topicOf,
  topicsOf,
} from './live-call-scope.ts';

/** Time to wait for out-of-order deltas of instances that publish concurrently, in ms. */
const SETTLE_MS = 250;
/** Interval of comparing the view with the store, in ms: when a call's last delta is lost, no later one reveals the gap. */
const AUDIT_MS = 5_000;
/** Interval of the same comparison without the bus, when no delta arrives at all, in ms. */
const POLL_MS = 1_000;
/** Delay before an unavailable store is read again, in ms. */
const RETRY_MS = 1_000;
/** Most deltas buffered while the view is being read; beyond that it is read again. */
const MAX_BUFFERED = 50_000;
/** Changes kept for replay to reconnecting clients. */
const HELD_CHANGES = 4_096;

export type LiveCallsEvent = FeedEvent<LiveCallList, ScopedCallEvent>;

export interface LiveCallsFeed {
  channel(scope: LiveCallScope): Channel<LiveCallsEvent>;
  /** State shown on the health page. */
  state(): LiveState;
  close(): void;
}

export interface LiveCallsFeedPart {
  liveCallsFeed: Pick<LiveCallsFeed, 'channel'>;
}

export interface LiveCallsFeedOptions extends Pick<Platform, 'clock' | 'ids' | 'log'> {
  deltas: Pick<LiveDeltas, 'subscribe'>;
  liveCalls: LiveCallStore;
  bus: Pick<Bus, 'onChange' | 'isConnected'>;
  /** Reports when the store behind `liveCalls` becomes unavailable or available again. */
  cache: { onChange(listener: (ready: boolean) => void): () => void };
}

/** Keeps one view of all live calls per process; each scope sees its part of it. Source: D9.2 */
export function liveCallsFeed(options: LiveCallsFeedOptions): LiveCallsFeed {
  const feed = new Feed<LiveCallsView, LiveCallChange>(options, { heldChanges: HELD_CHANGES });
  let upkeep: Upkeep | null = null;
  const source: Source<LiveCallsView, LiveCallChange> = {
    current: () => upkeep?.complete() ?? null,
    topicsOf,
    start(publisher) {
      const own = new Upkeep(options, publisher);
      own.start();
      upkeep = own;
      return () => {
        own.stop();
        upkeep = null;
      };
    },
  };
  return {
    channel: scope => feed.channel('live-calls', () => source, viewOf(scope)),
    state: () => upkeep?.state() ?? { source: 'idle', calls: 0 },
    close: () => feed.close(),
  };
}

function viewOf(scope: LiveCallScope): View<LiveCallsView, LiveCallChange, LiveCallList, ScopedCallEvent> {
  return {
    key: scopeKey(scope),
    topic: topicOf(scope),
    state: view => liveCallList(view.values(), scope, view.truncated),
    change: change => eventFor(scope, change),
  };
}

/**
 * Keeps the view of all live calls current while the bus or the store is available.
 *
 * Why:    deltas are subscribed to before the store is read, and those that the read already includes are dropped by their version: no gap,
 *         no duplicate. Whatever is lost nevertheless shows in the version of the next delta or in the audit, and is published (I8)
 * Source: A1.5, A4, D9.2
 */
class Upkeep {
  readonly #options: LiveCallsFeedOptions;
  readonly #publisher: Publisher<LiveCallChange>;
  readonly #view = new LiveCallsView();
  /** Deltas that arrived while the view was being read; null when the view is complete. */
  #buffer: LiveDelta[] | null = [];
  /** The store is unavailable. */
  #isAway = false;
  /** Number of the newest full read: results of an older one are discarded. */
  #reading = 0;
  #stops: (() => void)[] = [];
  #cancelSettle: Cancel | null = null;
  #cancelNext: Cancel = () => undefined;

  constructor(options: LiveCallsFeedOptions, publisher: Publisher<LiveCallChange>) {
    this.#options = options;
    this.#publisher = publisher;
  }

  complete(): LiveCallsView | null {
    return this.#buffer === null ? this.#view : null;
  }

  state(): LiveState {
    const known = this.#options.bus.isConnected() ? 'bus' : 'poll';
    return { source: this.#isAway ? 'unavailable' : known, calls: this.#view.size };
  }

  start(): void {
    this.#stops = [
      this.#options.deltas.subscribe(delta => this.#take(delta)),
      this.#options.bus.onChange(isConnected => this.#busChanged(isConnected)),
      this.#options.cache.onChange(isReady => (isReady ? void this.#read() : this.#startOver('SOURCE_UNAVAILABLE'))),
    ];
    void this.#read();
  }

  stop(): void {
    this.#reading += 1;
    for (const stop of this.#stops) stop();
    this.#cancelNext();
    this.#cancelSettle?.();
  }

  /** Deltas published during an outage are lost: until the bus is back the store is polled, and then read once more. */
  #busChanged(isConnected: boolean): void {
    if (isConnected) this.#startOver('DISCONNECTED');
    else if (this.#buffer === null) this.#auditLater();
  }

  #startOver(reason: 'DISCONNECTED' | 'SOURCE_UNAVAILABLE'): void {
    this.#lose(reason);
    void this.#read();
  }

  #lose(reason: 'DISCONNECTED' | 'SOURCE_UNAVAILABLE'): void {
    this.#isAway ||= reason === 'SOURCE_UNAVAILABLE';
    this.#publisher.lost(reason);
  }

  async #read(): Promise<void> {
    const reading = ++this.#reading;
    this.#buffer = [];
    this.#cancelNext();
    try {
      const ids = await this.#options.liveCalls.listIds(MAX_LIVE_CALLS + 1);
      const calls = await readLiveCalls(this.#options, ids.slice(0, MAX_LIVE_CALLS));
      if (reading === this.#reading) this.#complete(calls, ids.length > MAX_LIVE_CALLS);
    } catch (error) {
      if (reading !== this.#reading) return;
      this.#options.log.warn({ err: error }, 'live calls could not be read; trying again');
      this.#lose('SOURCE_UNAVAILABLE');
      this.#cancelNext = this.#options.clock.schedule(RETRY_MS, () => void this.#read());
    }
  }

  #complete(calls: Map<string, LiveCall>, truncated: boolean): void {
    const buffered = this.#buffer ?? [];
    if (buffered.length > MAX_BUFFERED) return void this.#read();
    this.#view.replaceAll(calls, truncated);
    this.#buffer = null;
    this.#isAway = false;
    for (const delta of buffered) this.#view.apply(delta);
    this.#publisher.began();
    this.#settleLater();
    this.#auditLater();
  }

  #take(delta: LiveDelta): void {
    if (this.#buffer !== null) {
      if (this.#buffer.length <= MAX_BUFFERED) this.#buffer.push(delta);
      return;
    }
    if (this.#view.size >= MAX_LIVE_CALLS && !this.#view.get(delta.requestId)) {
      this.#view.truncated = true;
      return;
    }
    for (const event of this.#view.apply(delta)) this.#publisher.changed(event, event.at);
    this.#settleLater();
  }

  #settleLater(): void {
    if (this.#cancelSettle !== null || this.#view.behind().length === 0) return;
    this.#cancelSettle = this.#options.clock.schedule(SETTLE_MS, () => {
      this.#cancelSettle = null;
      void this.#repair(this.#view.behind(), 'GAP');
    });
  }

  /** Reads single calls again and publishes each as a whole. */
  async #repair(requestIds: readonly string[], reason: CallResyncReason, isAnew = false): Promise<void> {
    if (requestIds.length === 0 || this.#buffer !== null) return;
    const reading = this.#reading;
    try {
      const stored = await readLiveCalls(this.#options, requestIds);
      if (reading !== this.#reading) return;
      for (const requestId of requestIds) {
        const before = this.#view.get(requestId) ?? null;
        if (this.#view.repair(requestId, stored.get(requestId) ?? null, isAnew)) this.#publishRepaired(requestId, before, reason);
      }
    } catch (error) {
      this.#options.log.warn({ err: error }, 'live calls could not be repaired');
      if (reading === this.#reading) this.#startOver('SOURCE_UNAVAILABLE');
    }
  }

  #publishRepaired(requestId: string, before: LiveCall | null, reason: CallResyncReason): void {
    const call = this.#view.get(requestId) ?? null;
    const callKey = (call ?? before)?.callKey;
    if (callKey !== undefined) this.#publisher.changed({ kind: 'repaired', callKey, call, before, reason });
  }

  #auditLater(): void {
    this.#cancelNext();
    const delayMs = this.#options.bus.isConnected() ? AUDIT_MS : POLL_MS;
    this.#cancelNext = this.#options.clock.schedule(delayMs, () => void this.#audit());
  }

  async #audit(): Promise<void> {
    const reading = this.#reading;
    try {
      const known = this.#view.versions();
      const listed = await this.#options.liveCalls.listIds(MAX_LIVE_CALLS);
      const versions = await this.#options.liveCalls.versions([...new Set([...known.keys(), ...listed])]);
      if (reading !== this.#reading) return;
      this.#view.truncated = listed.length >= MAX_LIVE_CALLS;
      for (const requestId of known.keys()) if (!versions.has(requestId)) this.#forgetEnded(requestId);
      this.#check(known, versions);
      this.#auditLater();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'live calls could not be compared with the store');
      if (reading === this.#reading) this.#startOver('SOURCE_UNAVAILABLE');
    }
  }

  #forgetEnded(requestId: string): void {
    const before = this.#view.get(requestId);
    if (before?.status !== 'ended') return;
    this.#view.forget(requestId);
    this.#publisher.changed({ kind: 'forgotten', callKey: before.callKey, call: null, before });
  }

  /** Waits before it repairs, because the missing deltas may still be under way; without the bus none is, so it repairs at once. */
  #check(known: ReadonlyMap<string, number>, versions: ReadonlyMap<string, number>): void {
    // After a wiped store the call's versions start anew: its deltas look old until the stored version is accepted.
    const anew = [...versions].filter(([requestId, version]) => version < (known.get(requestId) ?? 0)).map(([requestId]) => requestId);
    void this.#repair(anew, 'GAP', true);
    const isBehind = (requestId: string) =>
      (this.#view.get(requestId)?.version ?? 0) < (versions.get(requestId) ?? Number.POSITIVE_INFINITY);
    const suspects = [...new Set([...known.keys(), ...versions.keys()])].filter(
      requestId => isBehind(requestId) && this.#isShown(requestId, known),
    );
    if (suspects.length === 0) return;
    if (!this.#options.bus.isConnected()) return void this.#repair(suspects, 'DISCONNECTED');
    const reading = this.#reading;
    this.#options.clock.schedule(SETTLE_MS, () => {
      if (reading === this.#reading) void this.#repair(suspects.filter(isBehind), 'GAP');
    });
  }

  /** Skips a call that was removed in the meantime, and new calls when the view is full. */
  #isShown(requestId: string, known: ReadonlyMap<string, number>): boolean {
    return this.#view.get(requestId) !== undefined || (!known.has(requestId) && this.#view.size < MAX_LIVE_CALLS);
  }
}

/** How the live calls watched at this instance are kept up to date. */
export interface LiveState {
  /** `bus`: deltas from the instances; `poll`: compared with the cache every second while the bus is unavailable; `idle`: no subscribers. */
  source: 'bus' | 'poll' | 'unavailable' | 'idle';
  calls: number;
}
