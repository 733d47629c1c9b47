import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';

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
export function keepReading<Value>(deps: { clock: Clock; log: Log }, reading: Reading<Value>): KeptReading {
  return new Reader(deps, reading);
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
