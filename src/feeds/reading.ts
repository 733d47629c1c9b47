import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';

/** Something that is read when it may have changed, and from time to time. */
export interface Reading<Value> {
  /** For the log. */
  what: string;
  read(): Promise<Value>;
  /** Not called after the stop. */
  take(value: Value): void;
  /** Not called after the stop; the reading is tried again. */
  failed?(): void;
  /** Calls `look` when something may have changed; the returned function stops it. */
  listen?(look: () => void): () => void;
  /** Runs before the look of each poll. */
  polls?(): void;
  /** What no signal says shows after this, ms. */
  pollMs: number;
  /** It is read at most this often, ms; 0: as soon as something may have changed. */
  spacingMs: number;
}

export interface KeptReading {
  /** Something may have changed. */
  look(): void;
  stop(): void;
}

/**
 * Reads at once, at each look and at each poll, one reading at a time; what may have changed during it is read after it.
 *
 * Why: a lost signal costs time and nothing else. An outage is one line of the log
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
  /** Monotonic instant of the newest reading. */
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancelLook: Cancel | null = null;
  #cancelPoll: Cancel = () => undefined;

  constructor({ clock, log }: { clock: Clock; log: Log }, reading: Reading<Value>) {
    this.#clock = clock;
    this.#log = log;
    this.#reading = reading;
    this.#stopListening = reading.listen?.(() => this.look());
    this.look();
    this.#pollLater();
  }

  look(): void {
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
      this.look();
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
      if (!this.#isAway) this.#log.warn({ err: error, what: this.#reading.what }, 'what is watched could not be read; trying again');
      this.#isAway = true;
      if (!this.#isStopped) this.#reading.failed?.();
    } finally {
      this.#isReading = false;
      if (this.#isStale) this.look();
    }
  }
}
