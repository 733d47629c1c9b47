import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { RuntimeEvent } from '#ports/records.ts';
import type { RuntimeEventChange, RuntimeEventSignals, RuntimeEventStore } from '#ports/runtime-event-store.ts';

/** Signals come at once; a lost one is made good after this, ms. */
const POLL_MS = 5_000;
/** Changes kept in memory for clients that come back; who missed more is resynchronised. */
const MAX_HELD_CHANGES = 1_000;
/** Changes in one read. */
const READ_LIMIT = 500;
/** Positions read again at each look: a transaction that committed late shows up behind the newest one. */
const LATE_WINDOW = 64;
const SNAPSHOT_EVENTS = 50;

/** The newest events as they are after the change at `position`. */
export interface RuntimeEventSnapshot {
  /** Newest first, at most 50. */
  events: RuntimeEvent[];
  position: number;
}

/** Called synchronously, each change exactly once and in order; the same change object reaches every listener. */
export interface RuntimeEventListener {
  onChange(change: RuntimeEventChange): void;
  /** What was told before no longer adds up: the snapshot replaces it. `told` false: nothing was told before. */
  onSnapshot(snapshot: RuntimeEventSnapshot, told: boolean): void;
}

export interface RuntimeEventFeed {
  /**
   * Tells `listener` what happened after `position`, then everything live. A position that is too old or unknown gets a snapshot instead;
   * so does null, with `told` false. The returned function stops it.
   */
  subscribe(position: number | null, listener: RuntimeEventListener): () => void;
  /** The newest events as they stand, of those that `isAsked` for; listeners are told on from there. */
  snapshot(isAsked?: (event: RuntimeEvent) => boolean): RuntimeEventSnapshot;
  close(): void;
}

export interface RuntimeEventFeedDeps {
  events: Pick<RuntimeEventStore, 'changesAfter' | 'lastPosition'>;
  signals: Pick<RuntimeEventSignals, 'subscribe'>;
  clock: Clock;
  log: Log;
}

/**
 * Reads runtime events once per process for all its listeners.
 *
 * Why:    what is held and what is told change in one synchronous step, so a subscriber has no gap between replay and live
 * Errors: DATABASE_UNAVAILABLE when the first read fails; later ones are logged and tried again
 * Source: A1.5, D10
 */
export async function startRuntimeEventFeed(deps: RuntimeEventFeedDeps): Promise<RuntimeEventFeed> {
  const feed = new Feed(deps);
  await feed.fill();
  feed.follow();
  return feed;
}

class Feed implements RuntimeEventFeed {
  readonly #deps: RuntimeEventFeedDeps;
  readonly #listeners = new Set<RuntimeEventListener>();
  /** By position, ascending. */
  #held: RuntimeEventChange[] = [];
  /** Everything after this position is held or still to come. */
  #heldFrom = 0;
  #last = 0;
  /** Changes that came into sight behind later ones, and the newest position then: who went at one in between may not have been told. */
  #overtaken: { position: number; last: number }[] = [];
  #reading = false;
  #isStale = false;
  #stops: Cancel[] = [];
  #cancelPoll: Cancel = () => undefined;

  constructor(deps: RuntimeEventFeedDeps) {
    this.#deps = deps;
  }

  async fill(): Promise<void> {
    const { events } = this.#deps;
    this.#last = Math.max(0, (await events.lastPosition()) - MAX_HELD_CHANGES);
    this.#heldFrom = this.#last;
    while ((await this.#read()) === READ_LIMIT);
  }

  follow(): void {
    this.#stops = [this.#deps.signals.subscribe(() => this.#look()), () => this.#cancelPoll()];
    this.#schedulePoll();
  }

  subscribe(position: number | null, listener: RuntimeEventListener): () => void {
    const isHeld = position !== null && this.#isHeld(position);
    if (isHeld) for (const change of this.#held) if (change.position > position) listener.onChange(change);
    if (!isHeld) listener.onSnapshot(this.snapshot(), position !== null);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  snapshot(isAsked: (event: RuntimeEvent) => boolean = () => true): RuntimeEventSnapshot {
    const latest = new Map<number, RuntimeEvent>();
    for (const { event } of this.#held) if (isAsked(event)) latest.set(event.id, event);
    const events = [...latest.values()].sort((a, b) => b.id - a.id).slice(0, SNAPSHOT_EVENTS);
    return { events, position: this.#last };
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#listeners.clear();
  }

  /** Whether everything that a client at `position` was not told comes after it. */
  #isHeld(position: number): boolean {
    if (position < this.#heldFrom || position > this.#last) return false;
    return !this.#overtaken.some(late => late.position <= position && position <= late.last);
  }

  #schedulePoll(): void {
    this.#cancelPoll = this.#deps.clock.schedule(POLL_MS, () => {
      this.#look();
      this.#schedulePoll();
    });
  }

  /** Signals that come while a read is under way cause one more. */
  #look(): void {
    this.#isStale = true;
    if (!this.#reading) void this.#readOn();
  }

  async #readOn(): Promise<void> {
    this.#reading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        if ((await this.#read()) === READ_LIMIT) this.#isStale = true;
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'runtime events could not be read; trying again');
    } finally {
      this.#reading = false;
    }
  }

  async #read(): Promise<number> {
    const from = Math.max(this.#heldFrom, this.#last - LATE_WINDOW);
    const changes = await this.#deps.events.changesAfter(from, READ_LIMIT);
    const known = new Set(this.#held.map(({ position }) => position));
    const isNew = changes.filter(({ position }) => !known.has(position));
    const late = isNew.filter(({ position }) => position <= this.#last);
    const next = isNew.filter(({ position }) => position > this.#last);
    this.#hold(late, next);
    this.#tell(late.length > 0, next);
    return changes.length;
  }

  #hold(late: readonly RuntimeEventChange[], next: readonly RuntimeEventChange[]): void {
    if (late.length > 0) this.#held = [...this.#held, ...late].sort((a, b) => a.position - b.position);
    for (const { position } of late) this.#overtaken.push({ position, last: this.#last });
    this.#held.push(...next);
    this.#last = next.at(-1)?.position ?? this.#last;
    const dropped = this.#held.splice(0, Math.max(0, this.#held.length - MAX_HELD_CHANGES));
    this.#heldFrom = dropped.at(-1)?.position ?? this.#heldFrom;
    this.#overtaken = this.#overtaken.filter(({ last }) => last >= this.#heldFrom);
  }

  /** A change that became visible behind a later one cannot be told in order any more: everybody gets the whole. */
  #tell(isOutOfOrder: boolean, next: readonly RuntimeEventChange[]): void {
    const snapshot = isOutOfOrder ? this.snapshot() : null;
    for (const listener of this.#listeners) {
      if (snapshot) listener.onSnapshot(snapshot, true);
      else for (const change of next) listener.onChange(change);
    }
  }
}
