import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Bus } from '#ports/bus.ts';
import type { LiveState } from '#ports/health-probes.ts';
import type { LiveCallStore } from '#ports/live-call-store.ts';
import type { LiveDelta, LiveDeltas } from '#ports/live-deltas.ts';
import type { LiveCall } from './live-call.ts';
import {
  type CallResyncReason,
  eventFor,
  type LiveCallRepair,
  type LiveCallScope,
  type ScopedCallEvent,
  ScopeIndex,
} from './live-call-scope.ts';
import { type LiveCallList, liveCallList, MAX_LIVE_CALLS, readLiveCalls } from './list-live-calls.ts';
import { type LiveCallEvent, LiveCallsView } from './live-calls-view.ts';
import { ReplayRing } from './replay-ring.ts';

/** Deltas of instances that publish at the same time meet within this, ms. */
const SETTLE_MS = 250;
/** What the view has is compared with the store this often: a lost last delta has no successor that would show the gap. ms */
const AUDIT_MS = 5_000;
/** The same without the bus: nothing else tells of changes then. ms */
const POLL_MS = 1_000;
/** A store that did not answer is asked again after this, ms. */
const RETRY_MS = 1_000;
/** The view is kept up for so long without listeners, for those that come back with a cursor. ms */
const LINGER_MS = 30_000;
/** Deltas that wait while the view is being read; more, and it is read again. */
const MAX_BUFFERED = 50_000;
/** Changes that can be told again to who comes back. */
const MAX_HELD_CHANGES = 4_096;

export type ResyncReason = CallResyncReason | 'OVERFLOW' | 'SOURCE_UNAVAILABLE' | 'CURSOR_NOT_HELD';

/** With each event: a listener that has gone comes back with it and misses nothing. */
interface Told {
  cursor: string;
}

export type LiveCallsSnapshot = { kind: 'snapshot' } & LiveCallList & Told;
export type LiveCallsResync = { kind: 'resync'; reason: ResyncReason; at: number } & Told;
/** Everything after a snapshot continues it; a resync takes it all back until the next snapshot. */
export type LiveCallsEvent = (ScopedCallEvent & Told) | LiveCallsSnapshot | LiveCallsResync;

export interface LiveCallsFeed {
  /** Tells every later event of the scope, synchronously and in order; `since` gives what was before. The returned function stops it. */
  follow(scope: LiveCallScope, listener: (event: LiveCallsEvent) => void): () => void;
  /**
   * What a listener of the scope needs to go on from `cursor`, null from nothing: the events after it, or a snapshot, after a resync (`lost` says
   * why) when the cursor is not held. No snapshot while the view is being read: it is told when it has been.
   */
  since(scope: LiveCallScope, cursor: string | null, lost?: ResyncReason): LiveCallsEvent[];
  /** `follow`, and first what `since` gives. */
  subscribe(scope: LiveCallScope, listener: (event: LiveCallsEvent) => void): () => void;
  /** For the health page. */
  state(): LiveState;
  close(): void;
}

export interface LiveCallsFeedDeps {
  deltas: Pick<LiveDeltas, 'subscribe'>;
  liveCalls: Pick<LiveCallStore, 'listIds' | 'read' | 'versions'>;
  bus: Pick<Bus, 'onChange' | 'isConnected'>;
  /** Tells when the store behind `liveCalls` goes and comes. */
  cache: { onChange(listener: (ready: boolean) => void): () => void };
  /** Of this process's life: cursors of another are not held here. */
  epoch: string;
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

type Listener = (event: LiveCallsEvent) => void;
type Change = (LiveCallEvent | LiveCallRepair) & Told;

class Feed implements LiveCallsFeed {
  readonly #deps: LiveCallsFeedDeps;
  readonly #listeners = new ScopeIndex<Listener>();
  readonly #view = new LiveCallsView();
  readonly #held = new ReplayRing<Change>(MAX_HELD_CHANGES);
  /** Null: the view is complete. */
  #buffer: LiveDelta[] | null = null;
  #truncated = false;
  /** The store did not answer, and that has been told. */
  #isAway = false;
  /** Counts readings of the whole view: one that was overtaken is thrown away. */
  #reading = 0;
  #stops: (() => void)[] = [];
  #cancelSettle: Cancel | null = null;
  #cancelNext: Cancel = () => undefined;
  #cancelLinger: Cancel = () => undefined;

  constructor(deps: LiveCallsFeedDeps) {
    this.#deps = deps;
  }

  follow(scope: LiveCallScope, listener: Listener): () => void {
    const own = (event: LiveCallsEvent) => listener(event);
    this.#cancelLinger();
    const remove = this.#listeners.add(scope, own);
    if (this.#stops.length === 0) this.#start();
    return () => {
      remove();
      if (this.#listeners.size > 0 || this.#stops.length === 0) return;
      this.#cancelLinger();
      this.#cancelLinger = this.#deps.clock.schedule(LINGER_MS, () => this.#stop());
    };
  }

  since(scope: LiveCallScope, cursor: string | null, lost: ResyncReason = 'CURSOR_NOT_HELD'): LiveCallsEvent[] {
    const isReading = this.#buffer !== null || this.#stops.length === 0;
    const missed = cursor === null || isReading ? null : this.#held.after(this.#positionOf(cursor));
    if (missed) return missed.flatMap(change => this.#scoped(scope, change) ?? []);
    const resync = cursor === null ? [] : [this.#resync(lost)];
    if (this.#isAway) return [this.#resync('SOURCE_UNAVAILABLE')];
    return isReading ? resync : [...resync, this.#snapshot(scope)];
  }

  subscribe(scope: LiveCallScope, listener: Listener): () => void {
    const stop = this.follow(scope, listener);
    for (const event of this.since(scope, null)) listener(event);
    return stop;
  }

  state(): LiveState {
    return { source: this.#source(), calls: this.#view.size };
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #source(): LiveState['source'] {
    if (this.#stops.length === 0) return 'idle';
    if (this.#isAway) return 'unavailable';
    return this.#deps.bus.isConnected() ? 'bus' : 'poll';
  }

  #start(): void {
    this.#stops = [
      this.#deps.deltas.subscribe(delta => this.#take(delta)),
      this.#deps.bus.onChange(isConnected => this.#busChanged(isConnected)),
      this.#deps.cache.onChange(isReady => this.#startOver(isReady ? null : 'SOURCE_UNAVAILABLE')),
    ];
    void this.#read();
  }

  #stop(): void {
    this.#reading += 1;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#cancelNext();
    this.#cancelLinger();
    this.#cancelSettle?.();
    this.#cancelSettle = null;
    this.#isAway = false;
    this.#held.forget();
    this.#view.replaceAll(new Map());
  }

  /** What was published meanwhile reached nobody: from then on the store is compared, and once more when the bus is back. */
  #busChanged(isConnected: boolean): void {
    if (isConnected) this.#startOver('DISCONNECTED');
    else if (this.#buffer === null) this.#auditLater();
  }

  /** Null: those that listen know already. */
  #startOver(reason: ResyncReason | null): void {
    const isTold = reason === null || (reason === 'SOURCE_UNAVAILABLE' && this.#isAway);
    if (reason === 'SOURCE_UNAVAILABLE') this.#isAway = true;
    this.#held.forget();
    if (reason !== null && !isTold) this.#tellAll(() => this.#resync(reason));
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
      if (!this.#isAway) this.#tellAll(() => this.#resync('SOURCE_UNAVAILABLE'));
      this.#isAway = true;
      this.#cancelNext = this.#deps.clock.schedule(RETRY_MS, () => void this.#read());
    }
  }

  #complete(calls: Map<string, LiveCall>, truncated: boolean): void {
    const buffered = this.#buffer ?? [];
    if (buffered.length > MAX_BUFFERED) return void this.#read();
    this.#view.replaceAll(calls);
    this.#truncated = truncated;
    this.#buffer = null;
    this.#isAway = false;
    for (const delta of buffered) this.#view.apply(delta);
    this.#held.forget();
    this.#tellAll(scope => this.#snapshot(scope));
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
      void this.#repair(this.#view.behind(), 'GAP');
    });
  }

  /** Reads single calls again and tells them whole. */
  async #repair(requestIds: readonly string[], reason: CallResyncReason, isAnew = false): Promise<void> {
    if (requestIds.length === 0 || this.#buffer !== null) return;
    const reading = this.#reading;
    try {
      const stored = await readLiveCalls(this.#deps, requestIds);
      if (reading !== this.#reading) return;
      for (const requestId of requestIds) {
        const before = this.#view.get(requestId) ?? null;
        if (this.#view.repair(requestId, stored.get(requestId) ?? null, isAnew)) this.#tellRepaired(requestId, before, reason);
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'live calls could not be repaired');
      if (reading === this.#reading) this.#startOver('SOURCE_UNAVAILABLE');
    }
  }

  #tellRepaired(requestId: string, before: LiveCall | null, reason: CallResyncReason): void {
    const call = this.#view.get(requestId) ?? null;
    const callKey = (call ?? before)?.callKey;
    if (callKey !== undefined) this.#tell({ kind: 'repaired', callKey, call, before, reason, at: this.#deps.clock.now() });
  }

  #auditLater(): void {
    this.#cancelNext();
    const delayMs = this.#deps.bus.isConnected() ? AUDIT_MS : POLL_MS;
    this.#cancelNext = this.#deps.clock.schedule(delayMs, () => void this.#audit());
  }

  async #audit(): Promise<void> {
    const reading = this.#reading;
    try {
      const known = this.#view.versions();
      const listed = await this.#deps.liveCalls.listIds(MAX_LIVE_CALLS);
      const versions = await this.#deps.liveCalls.versions([...new Set([...known.keys(), ...listed])]);
      if (reading !== this.#reading) return;
      this.#truncated = listed.length >= MAX_LIVE_CALLS;
      for (const requestId of known.keys())
        if (!versions.has(requestId) && this.#view.get(requestId)?.status === 'ended') this.#view.forget(requestId);
      this.#check(known, versions);
      this.#auditLater();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'live calls could not be compared with the store');
      if (reading === this.#reading) this.#startOver('SOURCE_UNAVAILABLE');
    }
  }

  /** What differs now may be on its way: only what still differs a moment later was lost. Without the bus nothing is on its way. */
  #check(known: ReadonlyMap<string, number>, versions: ReadonlyMap<string, number>): void {
    // The store was wiped and the call taken up again: what is told of it looks old until the store is believed.
    const anew = [...versions].filter(([requestId, version]) => version < (known.get(requestId) ?? 0)).map(([requestId]) => requestId);
    void this.#repair(anew, 'GAP', true);
    const isBehind = (requestId: string) =>
      (this.#view.get(requestId)?.version ?? 0) < (versions.get(requestId) ?? Number.POSITIVE_INFINITY);
    const suspects = [...new Set([...known.keys(), ...versions.keys()])].filter(
      requestId => isBehind(requestId) && this.#isShown(requestId, known),
    );
    if (suspects.length === 0) return;
    if (!this.#deps.bus.isConnected()) return void this.#repair(suspects, 'DISCONNECTED');
    const reading = this.#reading;
    this.#deps.clock.schedule(SETTLE_MS, () => {
      if (reading === this.#reading) void this.#repair(suspects.filter(isBehind), 'GAP');
    });
  }

  /** A call that was forgotten just now is neither known nor lost; beyond the view's bound none is taken in. */
  #isShown(requestId: string, known: ReadonlyMap<string, number>): boolean {
    return this.#view.get(requestId) !== undefined || (!known.has(requestId) && this.#view.size < MAX_LIVE_CALLS);
  }

  #tell(event: LiveCallEvent | LiveCallRepair): void {
    const change: Change = { ...event, cursor: this.#cursorOf(this.#held.next) };
    this.#held.put(change);
    for (const [listener, scope] of this.#listeners.concerned(change)) {
      const told = this.#scoped(scope, change);
      if (told) listener(told);
    }
  }

  #scoped(scope: LiveCallScope, change: Change): (ScopedCallEvent & Told) | null {
    const event = eventFor(scope, change);
    return event === change ? change : event && { ...event, cursor: change.cursor };
  }

  #tellAll(eventOf: (scope: LiveCallScope) => LiveCallsEvent): void {
    for (const [listener, scope] of this.#listeners.all()) listener(eventOf(scope));
  }

  #resync(reason: ResyncReason): LiveCallsResync {
    return { kind: 'resync', reason, at: this.#deps.clock.now(), cursor: this.#cursorOf(this.#held.last) };
  }

  #snapshot(scope: LiveCallScope): LiveCallsSnapshot {
    const facts = { truncated: this.#truncated, at: this.#deps.clock.now() };
    return { kind: 'snapshot', ...liveCallList(this.#view.values(), scope, facts), cursor: this.#cursorOf(this.#held.last) };
  }

  #cursorOf(position: number): string {
    return `${this.#deps.epoch}.${position.toString(36)}`;
  }

  /** −1, which is never held: the cursor is of another process, or none. */
  #positionOf(cursor: string): number {
    const [epoch, position] = partsOf(cursor);
    return epoch === this.#deps.epoch ? position : -1;
  }
}

/** The cursor of what was told just before. */
export function cursorBefore(cursor: string): string {
  const [epoch, position] = partsOf(cursor);
  return `${epoch}.${Math.max(0, position - 1).toString(36)}`;
}

function partsOf(cursor: string): [epoch: string, position: number] {
  const [epoch = '', position = ''] = cursor.split('.');
  return [epoch, /^[0-9a-z]{1,10}$/.test(position) ? Number.parseInt(position, 36) : -1];
}
