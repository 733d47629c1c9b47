import type { Clock } from '#kernel/clock.ts';

/** Of this host under way at once; more wait. */
const MAX_AT_ONCE = 8;
/** Who has waited for so long begins beside the others, ms; far below the lease after which a pump would begin it as well. */
const MAX_WAIT_MS = 1_000;

/**
 * Work that follows an answer and makes way for the next question: a few are under way at once, in the order in which they came.
 *
 * Why: when a hundred people claim calls at once, what follows the first wins would stand between the others and their answers
 */
export class FollowUps {
  /** By actor, oldest first: how each begins. */
  readonly #waiting = new Map<string, () => void>();
  readonly #clock: Pick<Clock, 'schedule'>;
  #underWay = 0;

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock;
  }

  /** Settles as `work` does. What waits for the same actor begins first. */
  run(id: string, work: () => Promise<void>): Promise<void> {
    this.hurry(id);
    if (this.#underWay < MAX_AT_ONCE) return this.#begin(work);
    return new Promise((resolve, reject) => {
      const begin = () => {
        cancel();
        this.#waiting.delete(id);
        this.#begin(work).then(resolve, reject);
      };
      const cancel = this.#clock.schedule(MAX_WAIT_MS, begin);
      this.#waiting.set(id, begin);
    });
  }

  /** What waits for this actor begins now: its next step comes after it. */
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
