import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Bus } from '#ports/bus.ts';
import type { LiveCallStore } from '#ports/live-call-store.ts';
import type { LiveDelta, LiveDeltas } from '#ports/live-deltas.ts';
import type { LiveCall } from './live-call.ts';
import { type LiveCallList, type LiveCallScope, liveCallList, MAX_LIVE_CALLS, readLiveCalls } from './list-live-calls.ts';
import { type LiveCallEvent, LiveCallsView } from './live-calls-view.ts';

/** Deltas of instances that publish at the same time meet within this, ms. */
const SETTLE_MS = 250;
/** What the view has is compared with the store this often: a lost last delta has no successor that would show the gap. ms */
const AUDIT_MS = 5_000;
/** A store that did not answer is asked again after this, ms. */
const RETRY_MS = 1_000;
/** Deltas that wait while the view is being read; more, and it is read again. */
const MAX_BUFFERED = 50_000;

export type ResyncReason = 'GAP' | 'OVERFLOW' | 'DISCONNECTED' | 'SOURCE_UNAVAILABLE';

/** Everything after a snapshot continues it; a resync takes it all back until the next snapshot. */
export type LiveCallsEvent = LiveCallEvent | ({ kind: 'snapshot' } & LiveCallList) | { kind: 'resync'; reason: ResyncReason; at: number };

export interface LiveCallsFeed {
  /** Tells the scope's snapshot as soon as there is one, then every change, synchronously and in order. The returned function stops it. */
  subscribe(campaignId: LiveCallScope, listener: (event: LiveCallsEvent) => void): () => void;
  /** What the scope's listeners have been told so far; null while the view is being read. */
  snapshot(campaignId: LiveCallScope): LiveCallList | null;
  close(): void;
}

export interface LiveCallsFeedDeps {
  deltas: Pick<LiveDeltas, 'subscribe'>;
  liveCalls: LiveCallStore;
  bus: Pick<Bus, 'onChange'>;
  clock: Clock;
  log: Log;
}

/**
 * One view of all live calls per process, shared by its listeners and kept only while there are any.
 *
 * Why:    deltas are listened to before the store is read, and those that the reading includes already are dropped by their version: no gap, no
 *         duplicate. What is lost nevertheless is found by the version of the next delta or by the audit, and told (I8)
 * Source: A1.5, A4, D9.2
 */
export function liveCallsFeed(deps: LiveCallsFeedDeps): LiveCallsFeed {
  return new Feed(deps);
}

class Feed implements LiveCallsFeed {
  readonly #deps: LiveCallsFeedDeps;
  readonly #listeners = new Map<(event: LiveCallsEvent) => void, LiveCallScope>();
  readonly #view = new LiveCallsView();
  /** Null: the view is complete. */
  #buffer: LiveDelta[] | null = null;
  #truncated = false;
  /** Counts readings of the whole view: one that was overtaken is thrown away. */
  #reading = 0;
  #stops: (() => void)[] = [];
  #cancelSettle: Cancel | null = null;
  #cancelNext: Cancel = () => undefined;

  constructor(deps: LiveCallsFeedDeps) {
    this.#deps = deps;
  }

  subscribe(campaignId: LiveCallScope, listener: (event: LiveCallsEvent) => void): () => void {
    const own = (event: LiveCallsEvent) => listener(event);
    this.#listeners.set(own, campaignId);
    if (this.#stops.length === 0) this.#start();
    else if (this.#buffer === null) own(this.#snapshotEvent(campaignId));
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  snapshot(campaignId: LiveCallScope): LiveCallList | null {
    if (this.#buffer !== null || this.#stops.length === 0) return null;
    return liveCallList(this.#view.values(), campaignId, { truncated: this.#truncated, at: this.#deps.clock.now() });
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #start(): void {
    this.#stops = [
      this.#deps.deltas.subscribe(delta => this.#take(delta)),
      this.#deps.bus.onChange(connected => {
        if (connected) this.#startOver('DISCONNECTED');
      }),
    ];
    void this.#read();
  }

  #stop(): void {
    this.#reading += 1;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#cancelNext();
    this.#cancelSettle?.();
    this.#cancelSettle = null;
    this.#view.replaceAll(new Map());
  }

  #startOver(reason: ResyncReason): void {
    this.#tellAll(() => ({ kind: 'resync', reason, at: this.#deps.clock.now() }));
    void this.#read();
  }

  async #read(): Promise<void> {
    const reading = ++this.#reading;
    this.#buffer = [];
    this.#cancelNext();
    try {
      const ids = await this.#deps.liveCalls.listIds(MAX_LIVE_CALLS + 1);
      const calls = await readLiveCalls(this.#deps, ids.slice(0, MAX_LIVE_CALLS));
      if (reading === this.#reading) this.#complete(calls, ids.length > MAX_LIVE_CALLS);
    } catch (error) {
      if (reading !== this.#reading) return;
      this.#deps.log.warn({ err: error }, 'live calls could not be read; trying again');
      this.#tellAll(() => ({ kind: 'resync', reason: 'SOURCE_UNAVAILABLE', at: this.#deps.clock.now() }));
      this.#cancelNext = this.#deps.clock.schedule(RETRY_MS, () => void this.#read());
    }
  }

  #complete(calls: Map<string, LiveCall>, truncated: boolean): void {
    const buffered = this.#buffer ?? [];
    if (buffered.length > MAX_BUFFERED) return void this.#read();
    this.#view.replaceAll(calls);
    this.#truncated = truncated;
    this.#buffer = null;
    for (const delta of buffered) this.#view.apply(delta);
    this.#tellAll(campaignId => this.#snapshotEvent(campaignId));
    this.#settleLater();
    this.#auditLater();
  }

  #take(delta: LiveDelta): void {
    if (this.#buffer !== null) {
      if (this.#buffer.length <= MAX_BUFFERED) this.#buffer.push(delta);
      return;
    }
    if (this.#view.size >= MAX_LIVE_CALLS && !this.#view.get(delta.requestId)) {
      this.#truncated = true;
      return;
    }
    for (const event of this.#view.apply(delta)) this.#tell(event);
    this.#settleLater();
  }

  #settleLater(): void {
    if (this.#cancelSettle !== null || this.#view.behind().length === 0) return;
    this.#cancelSettle = this.#deps.clock.schedule(SETTLE_MS, () => {
      this.#cancelSettle = null;
      void this.#repair(this.#view.behind());
    });
  }

  /** Reads single calls again; whoever was told something else starts over. */
  async #repair(requestIds: readonly string[]): Promise<void> {
    if (requestIds.length === 0 || this.#buffer !== null) return;
    const reading = this.#reading;
    try {
      const stored = await readLiveCalls(this.#deps, requestIds);
      if (reading === this.#reading) this.#putRight(requestIds, stored);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'live calls could not be repaired');
      if (reading === this.#reading) this.#startOver('SOURCE_UNAVAILABLE');
    }
  }

  #putRight(requestIds: readonly string[], stored: ReadonlyMap<string, LiveCall>): void {
    const campaigns = new Set<number>();
    for (const requestId of requestIds) {
      const call = stored.get(requestId) ?? null;
      const campaignId = (call ?? this.#view.get(requestId))?.campaignId;
      if (this.#view.repair(requestId, call) && campaignId !== undefined) campaigns.add(campaignId);
    }
    const at = this.#deps.clock.now();
    for (const [listener, scope] of this.#listeners) {
      if (scope === null ? campaigns.size === 0 : !campaigns.has(scope)) continue;
      listener({ kind: 'resync', reason: 'GAP', at });
      listener(this.#snapshotEvent(scope));
    }
  }

  #auditLater(): void {
    this.#cancelNext = this.#deps.clock.schedule(AUDIT_MS, () => void this.#audit());
  }

  async #audit(): Promise<void> {
    const reading = this.#reading;
    try {
      const known = [...this.#view.keys()];
      const listed = await this.#deps.liveCalls.listIds(MAX_LIVE_CALLS);
      const versions = await this.#deps.liveCalls.versions([...new Set([...known, ...listed])]);
      if (reading !== this.#reading) return;
      this.#truncated = listed.length >= MAX_LIVE_CALLS;
      for (const requestId of known)
        if (!versions.has(requestId) && this.#view.get(requestId)?.status === 'ended') this.#view.forget(requestId);
      this.#checkLater(known, versions);
      this.#auditLater();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'live calls could not be compared with the store');
      if (reading === this.#reading) this.#startOver('SOURCE_UNAVAILABLE');
    }
  }

  /** What differs now may be on its way: only what still differs a moment later was lost. */
  #checkLater(known: readonly string[], versions: ReadonlyMap<string, number>): void {
    const isBehind = (requestId: string) =>
      (this.#view.get(requestId)?.version ?? 0) < (versions.get(requestId) ?? Number.POSITIVE_INFINITY);
    const suspects = [...new Set([...known, ...versions.keys()])].filter(
      requestId => isBehind(requestId) && this.#isShown(requestId, known),
    );
    if (suspects.length === 0) return;
    const reading = this.#reading;
    this.#deps.clock.schedule(SETTLE_MS, () => {
      if (reading === this.#reading) void this.#repair(suspects.filter(isBehind));
    });
  }

  /** A call that was forgotten just now is neither known nor lost; beyond the view's bound none is taken in. */
  #isShown(requestId: string, known: readonly string[]): boolean {
    return this.#view.get(requestId) !== undefined || (!known.includes(requestId) && this.#view.size < MAX_LIVE_CALLS);
  }

  #snapshotEvent(campaignId: LiveCallScope): LiveCallsEvent {
    const facts = { truncated: this.#truncated, at: this.#deps.clock.now() };
    return { kind: 'snapshot', ...liveCallList(this.#view.values(), campaignId, facts) };
  }

  #tell(event: LiveCallEvent): void {
    for (const [listener, scope] of this.#listeners) if (scope === null || scope === event.call.campaignId) listener(event);
  }

  #tellAll(eventFor: (campaignId: LiveCallScope) => LiveCallsEvent): void {
    for (const [listener, scope] of this.#listeners) listener(eventFor(scope));
  }
}
