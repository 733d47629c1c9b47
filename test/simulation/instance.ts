import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Dice } from './dice.ts';
import type { Journal } from './journal.ts';
import type { Timeline } from './timeline.ts';

/** Downtime after a crash, ms. */
const DOWN_MS = { min: 100, max: 20_000 };
/** Time after which a client gives up on a request, ms. */
const CLIENT_TIMEOUT_MS = 10_000;

export interface InstanceOptions {
  name: string;
  timeline: Timeline;
  dice: Dice;
  journal: Journal;
  /** Deviation of its wall clock from the world's, ms. */
  skewMs: number;
  /** Composes the server for a new life. */
  boot(instance: Instance): void;
}

/**
 * One server process. A crash ends a life: whatever it scheduled or awaited never runs, and a new life is composed from scratch. A pause
 * delays everything that the process would do, while messages that it has sent still take effect.
 */
export class Instance {
  readonly name: string;
  life = 0;
  isUp = false;
  crashes = 0;
  pauses = 0;
  /** Start of this life, at which its monotonic clock is 0. */
  bootedAt = 0;
  #pausedUntil = 0;
  readonly #options: InstanceOptions;

  constructor(options: InstanceOptions) {
    this.#options = options;
    this.name = options.name;
  }

  start(): void {
    this.life += 1;
    this.isUp = true;
    this.#pausedUntil = 0;
    this.bootedAt = this.#options.timeline.now();
    this.#options.journal.write(() => `${this.name} starts`);
    this.#options.boot(this);
  }

  crash(): void {
    if (!this.isUp) return;
    const { journal, timeline, dice } = this.#options;
    journal.write(() => `${this.name} CRASHES`);
    this.life += 1;
    this.crashes += 1;
    this.isUp = false;
    timeline.after(dice.between(DOWN_MS.min, DOWN_MS.max), () => this.start());
  }

  pause(forMs: number): void {
    const { journal, timeline } = this.#options;
    journal.write(() => `${this.name} PAUSES for ${forMs} ms`);
    this.pauses += 1;
    this.#pausedUntil = timeline.now() + forMs;
  }

  get isPaused(): boolean {
    return this.#pausedUntil > this.#options.timeline.now();
  }

  /** Runs `task` in this life after `delayMs`, or when a pause ends. */
  after(delayMs: number, task: () => void): Cancel {
    const { timeline } = this.#options;
    const { life } = this;
    let cancel: Cancel = () => undefined;
    const fire = () => {
      if (this.life !== life) return;
      const waitMs = this.#pausedUntil - timeline.now();
      if (waitMs > 0) cancel = timeline.after(waitMs, fire);
      else task();
    };
    cancel = timeline.after(delayMs, fire);
    return () => cancel();
  }

  /** The clock of the process: its wall clock may be wrong, its monotonic clock is right. */
  clock(): Clock {
    const { timeline, skewMs } = this.#options;
    return {
      now: () => timeline.now() + skewMs,
      monotonic: () => timeline.now() - this.bootedAt,
      schedule: (delayMs, task) => this.after(delayMs, task),
    };
  }

  /** Sends a client's request; rejects when the process dies or the response is lost. */
  ask<T>(work: () => Promise<T>, lossOf: () => boolean): Promise<T> {
    const { timeline, dice } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { life } = this;
    timeline.after(CLIENT_TIMEOUT_MS, () => reject(new Error(`${this.name} does not answer`)));
    timeline.after(dice.between(1, 20), () => {
      if (this.life !== life || !this.isUp) return reject(new Error(`${this.name} is down`));
      this.after(0, () => {
        work().then(
          value => (lossOf() ? undefined : timeline.after(dice.between(1, 20), () => resolve(value))),
          (error: unknown) => timeline.after(dice.between(1, 20), () => reject(error instanceof Error ? error : new Error(String(error)))),
        );
      });
    });
    return promise;
  }
}
