import type { Clock } from '#kernel/clock.ts';

/** Who is silent for longer has been talked about enough; ms. */
const FRESH_MS = 60_000;
/** Actors that are held in memory at most. */
const MAX_ACTORS = 1_000;

/**
 * Actors as this host has written them last.
 *
 * Why: reading a snapshot again before each commit costs a round trip. The commit is fenced by the version, so what another instance has changed
 *      since is found out there, and comes back with the refusal: a wrong guess costs what reading would have
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
