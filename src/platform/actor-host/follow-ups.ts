import type { Clock } from '#kernel/clock.ts';

/** Upper limit of concurrent follow-ups of this host; further ones wait. */
const MAX_AT_ONCE = 8;
/** Longest wait before a follow-up starts regardless of the limit, ms; far below the lease after which a pump would start it, too. */
const MAX_FOLLOW_UP_WAIT_MS = 1_000;

/**
 * Runs work that follows a reply and yields to new requests: a few items at a time, in order of arrival.
 *
 * Why: when a hundred users claim calls at once, the follow-up work of the first claims would otherwise delay the replies to the rest
 */
export class FollowUps {
  /** Starter functions of waiting work by actor, oldest first. */
  readonly #waiting = new Map<string, () => void>();
  readonly #clock: Pick<Clock, 'schedule'>;
  #underWay = 0;

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock;
  }

  /** Settles with `work`. Waiting work of the same actor starts first. */
  run(id: string, work: () => Promise<void>): Promise<void> {
    this.hurry(id);
    if (this.#underWay < MAX_AT_ONCE) return this.#begin(work);
    return new Promise((resolve, reject) => {
      const begin = () => {
        cancel();
        this.#waiting.delete(id);
        this.#begin(work).then(resolve, reject);
      };
      const cancel = this.#clock.schedule(MAX_FOLLOW_UP_WAIT_MS, begin);
      this.#waiting.set(id, begin);
    });
  }

  /** Starts the actor's waiting work now, because its next step must follow it. */
  hurry(id: string): void {
    this.#waiting.get(id)?.();
  }

  async #begin(work: () => Promise<void>): Promise<void> {
    this.#underWay++;
    try {
      await work();
    } finally {
      this.#underWay--;
      const [next] = this.#waiting.values();
      if (this.#underWay < MAX_AT_ONCE) next?.();
    }
  }
}
