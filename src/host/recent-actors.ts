import type { Clock } from '#kernel/clock.ts';

/** What happens to an actor comes in bursts; what is older may well have been changed by another instance, ms. */
const FRESH_MS = 1_000;
/** More than change within that time. */
const MAX_ACTORS = 2_000;

/**
 * Actors as this host has written them a moment ago.
 *
 * Why: most events of a call follow each other within a second, and reading its snapshot again cost a round trip each. The commit is fenced by the
 *      version, so what is outdated is found out there
 */
export class RecentActors<Actor> {
  readonly #actors = new Map<string, { actor: Actor; at: number }>();
  readonly #clock: Pick<Clock, 'monotonic'>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  put(id: string, actor: Actor): void {
    this.#actors.delete(id);
    this.#actors.set(id, { actor, at: this.#clock.monotonic() });
    // In the order in which they were written.
    for (const [oldest, { at }] of this.#actors) {
      if (this.#actors.size <= MAX_ACTORS && this.#isFresh(at)) return;
      this.#actors.delete(oldest);
    }
  }

  /** Each is given once: whoever writes the actor puts it in anew. */
  take(id: string): Actor | undefined {
    const known = this.#actors.get(id);
    this.#actors.delete(id);
    return known && this.#isFresh(known.at) ? known.actor : undefined;
  }

  #isFresh(at: number): boolean {
    return this.#clock.monotonic() - at <= FRESH_MS;
  }
}
