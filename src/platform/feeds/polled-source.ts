import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Publisher, Source } from './feed.ts';

/** A read that is repeated when its result may have changed, and at a poll interval. */
export interface Reading<Value> {
  /** Name for the log. */
  what: string;
  read(): Promise<Value>;
  /** Receives each result; not called after `stop`. */
  take(value: Value): void;
  /** Called when a read failed, before it is tried again; not called after `stop`. */
  failed?(): void;
  /** Calls `refresh` when something may have changed; call the returned function to stop. */
  listen?(refresh: () => void): () => void;
  /** Called at each poll, before its `refresh`. */
  polls?(): void;
  /** Poll interval, in ms: covers changes that no signal announces. */
  pollMs: number;
  /** Minimum interval between two reads, in ms; 0 reads as soon as something may have changed. */
  spacingMs: number;
}

export interface KeptReading {
  /** Requests a read because something may have changed. */
  refresh(): void;
  stop(): void;
}

/**
 * Reads at the start, on each `refresh` and at each poll, one read at a time; a `refresh` during a read causes another read after it.
 *
 * Why: a lost signal only delays a change. An outage logs a single line
 */
export function keepReading<Value>(app: { clock: Clock; log: Log }, reading: Reading<Value>): KeptReading {
  return new Reader(app, reading);
}

class Reader<Value> implements KeptReading {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #reading: Reading<Value>;
  readonly #stopListening: (() => void) | undefined;
  #isReading = false;
  #isStale = false;
  #isStopped = false;
  #isAway = false;
  /** Monotonic time of the newest read. */
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancelLook: Cancel | null = null;
  #cancelPoll: Cancel = () => undefined;

  constructor({ clock, log }: { clock: Clock; log: Log }, reading: Reading<Value>) {
    this.#clock = clock;
    this.#log = log;
    this.#reading = reading;
    this.#stopListening = reading.listen?.(() => this.refresh());
    this.refresh();
    this.#pollLater();
  }

  refresh(): void {
    if (this.#isReading) this.#isStale = true;
    if (this.#isReading || this.#isStopped || this.#cancelLook !== null) return;
    const { spacingMs } = this.#reading;
    if (spacingMs === 0) return void this.#read();
    const waitMs = Math.max(0, this.#lastAt + spacingMs - this.#clock.monotonic());
    this.#cancelLook = this.#clock.schedule(waitMs, () => {
      this.#cancelLook = null;
      void this.#read();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening?.();
    this.#cancelPoll();
    this.#cancelLook?.();
  }

  #pollLater(): void {
    this.#cancelPoll = this.#clock.schedule(this.#reading.pollMs, () => {
      this.#reading.polls?.();
      this.refresh();
      this.#pollLater();
    });
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    this.#isStale = false;
    this.#lastAt = this.#clock.monotonic();
    try {
      const value = await this.#reading.read();
      this.#isAway = false;
      if (!this.#isStopped) this.#reading.take(value);
    } catch (error) {
      if (!this.#isAway)
        this.#log.warn({ err: error, what: this.#reading.what }, 'the state of a feed could not be read; the next poll retries');
      this.#isAway = true;
      if (!this.#isStopped) this.#reading.failed?.();
    } finally {
      this.#isReading = false;
      if (this.#isStale) this.refresh();
    }
  }
}

/** A state that is always read as a whole. */
interface PolledState<State, Change> extends Pick<Reading<State>, 'what' | 'listen' | 'pollMs' | 'spacingMs'> {
  /** Null when the state has been deleted; the source then ends. */
  read(): Promise<State | null>;
  /** Changes that lead from `before` to `after`, in order; empty when they are equal. */
  changes(before: State, after: State): readonly Change[];
  /** Whether no change can follow this state; it is published before the end. */
  isLast?(state: State): boolean;
}

/** Derives changes from a state that can only be read as a whole. */
export function polledSource<State, Change>(app: { clock: Clock; log: Log }, polled: PolledState<State, Change>): Source<State, Change> {
  let state: State | null = null;
  const take = (next: State | null, publisher: Publisher<Change>) => {
    const before = state;
    state = next;
    if (next === null) publisher.ended();
    else if (before === null) publisher.began();
    else for (const change of polled.changes(before, next)) publisher.changed(change);
    if (next !== null && polled.isLast?.(next)) publisher.ended();
  };
  return {
    current: () => state,
    start(publisher) {
      const reading = keepReading(app, {
        ...polled,
        take: next => take(next, publisher),
        failed() {
          state = null;
          publisher.lost('SOURCE_UNAVAILABLE');
        },
      });
      return () => reading.stop();
    },
  };
}

/** Implements `changes` for states whose change carries the whole state. */
export function wholeWhenOther<State>(before: State, after: State): readonly State[] {
  return isSame(before, after) ? [] : [after];
}

export function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
