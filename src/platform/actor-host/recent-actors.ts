import type { Clock } from '#kernel/clock.ts';

/** Entries older than this are dropped: the actor is probably idle; ms. */
const FRESH_MS = 60_000;
/** Upper limit of cached actors. */
const MAX_ACTORS = 1_000;

/**
 * Cache of actors as this host last wrote them.
 *
 * Why: it saves the read before each commit. The commit is fenced by the version, so a stale entry is refused together with the current
 *      state, and a wrong guess costs no more than the read
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
    // The map is in order of writing.
    for (const [oldest, { at }] of this.#actors) {
      if (this.#actors.size <= MAX_ACTORS && this.#isFresh(at)) return;
      this.#actors.delete(oldest);
    }
  }

  /** Removes the entry: the caller puts the actor back after writing it. */
  take(id: string): Actor | undefined {
    const known = this.#actors.get(id);
    this.#actors.delete(id);
    return known && this.#isFresh(known.at) ? known.actor : undefined;
  }

  #isFresh(at: number): boolean {
    return this.#clock.monotonic() - at <= FRESH_MS;
  }
}
