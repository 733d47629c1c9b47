import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { StateSource, StateTeller } from './state-feed.ts';

/** A state that is read whole, when something may have changed and from time to time. */
export interface PolledState<State, Change> {
  /** Null: it is gone, which is the last word. */
  read(): Promise<State | null>;
  /** What leads from one to the other, in order; nothing when they are the same. */
  changes(before: State, after: State): readonly Change[];
  /** Whether nothing can follow; its change is told before. */
  isLast?(state: State): boolean;
  /** Calls `look` when something may have changed; the returned function stops it. */
  listen(look: () => void): () => void;
  /** What no signal tells shows after this, ms. */
  pollMs: number;
  /** It is read at most this often, ms. */
  spacingMs: number;
}

/**
 * Tells how a state changes that others only show whole.
 *
 * Why: a lost signal costs time and nothing else, because the next reading finds all that is different
 */
export function polledState<State, Change>(
  deps: { clock: Clock; log: Log },
  polled: PolledState<State, Change>,
): StateSource<State, Change> {
  return new Polled(deps, polled);
}

class Polled<State, Change> implements StateSource<State, Change> {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #polled: PolledState<State, Change>;
  #state: State | null = null;
  /** The last reading failed, and that has been told. */
  #isAway = false;
  #isReading = false;
  #isStale = false;
  #isStopped = false;
  /** Monotonic instant of the newest reading. */
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancelLook: Cancel | null = null;
  #cancelPoll: Cancel = () => undefined;

  constructor({ clock, log }: { clock: Clock; log: Log }, polled: PolledState<State, Change>) {
    this.#clock = clock;
    this.#log = log;
    this.#polled = polled;
  }

  current(): State | null {
    return this.#state;
  }

  start(teller: StateTeller<Change>): () => void {
    const stopListening = this.#polled.listen(() => this.#lookSoon(teller));
    this.#lookSoon(teller);
    this.#pollLater(teller);
    return () => {
      this.#isStopped = true;
      stopListening();
      this.#cancelPoll();
      this.#cancelLook?.();
    };
  }

  #pollLater(teller: StateTeller<Change>): void {
    this.#cancelPoll = this.#clock.schedule(this.#polled.pollMs, () => {
      this.#lookSoon(teller);
      this.#pollLater(teller);
    });
  }

  /** One reading at a time; what may have changed during it is read after it. */
  #lookSoon(teller: StateTeller<Change>): void {
    if (this.#isReading) this.#isStale = true;
    if (this.#isReading || this.#isStopped || this.#cancelLook !== null) return;
    const waitMs = Math.max(0, this.#lastAt + this.#polled.spacingMs - this.#clock.monotonic());
    this.#cancelLook = this.#clock.schedule(waitMs, () => {
      this.#cancelLook = null;
      void this.#read(teller);
    });
  }

  async #read(teller: StateTeller<Change>): Promise<void> {
    this.#isReading = true;
    this.#isStale = false;
    this.#lastAt = this.#clock.monotonic();
    try {
      const state = await this.#polled.read();
      if (!this.#isStopped) this.#take(state, teller);
    } catch (error) {
      this.#log.warn({ err: error }, 'a watched state could not be read; trying again');
      if (!this.#isStopped) this.#lose(teller);
    } finally {
      this.#isReading = false;
      if (this.#isStale) this.#lookSoon(teller);
    }
  }

  #take(next: State | null, teller: StateTeller<Change>): void {
    const before = this.#state;
    this.#state = next;
    this.#isAway = false;
    if (next === null) teller.ended();
    else if (before === null) teller.began();
    else for (const change of this.#polled.changes(before, next)) teller.changed(change);
    if (next !== null && this.#polled.isLast?.(next)) teller.ended();
  }

  #lose(teller: StateTeller<Change>): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#state = null;
    teller.lost('SOURCE_UNAVAILABLE');
  }
}
