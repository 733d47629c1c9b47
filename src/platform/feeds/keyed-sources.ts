import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Publisher, Source } from './feed.ts';
import { isSame, keepReading, type KeptReading, type Reading } from './polled-source.ts';

/** Reads states of one kind together, by key. */
export interface KeyedState<Key, State> extends Pick<Reading<State>, 'what' | 'pollMs' | 'spacingMs'> {
  /** A key that is missing in the result has been deleted, and its source ends. */
  read(keys: readonly Key[]): Promise<ReadonlyMap<Key, State>>;
  /** Calls `refresh` with each key whose state may have changed; call the returned function to stop. */
  listen?(refresh: (key: Key) => void): () => void;
}

interface Watched<State> {
  /** Null until the first read. */
  state: State | null;
  publisher: Publisher<State>;
}

/**
 * Sources of the watched keys; one read covers all that may have changed, and each change carries the whole state.
 *
 * Why: one more watched key costs no additional read. While the store is unavailable, the last published state remains in effect
 */
export function keyedSources<Key, State>(
  app: { clock: Clock; log: Log },
  keyed: KeyedState<Key, State>,
): (key: Key) => Source<State, State> {
  const sources = new KeyedSources(app, keyed);
  return key => sources.of(key);
}

class KeyedSources<Key, State> {
  readonly #app: { clock: Clock; log: Log };
  readonly #keyed: KeyedState<Key, State>;
  readonly #watched = new Map<Key, Watched<State>>();
  readonly #stale = new Set<Key>();
  #reading: KeptReading | null = null;

  constructor(app: { clock: Clock; log: Log }, keyed: KeyedState<Key, State>) {
    this.#app = app;
    this.#keyed = keyed;
  }

  of(key: Key): Source<State, State> {
    return {
      current: () => this.#watched.get(key)?.state ?? null,
      start: publisher => {
        this.#watched.set(key, { state: null, publisher });
        this.#stale.add(key);
        if (this.#reading) this.#reading.refresh();
        else this.#reading = this.#start();
        return () => this.#leave(key);
      },
    };
  }

  #start(): KeptReading {
    const { what, pollMs, spacingMs } = this.#keyed;
    return keepReading<readonly (readonly [Key, State | null])[]>(this.#app, {
      what,
      pollMs,
      spacingMs,
      read: () => this.#readStale(),
      take: read => {
        for (const [key, state] of read) this.#take(key, state);
      },
      listen: refresh => this.#keyed.listen?.(key => this.#mayHaveChanged(key, refresh)) ?? (() => undefined),
      polls: () => {
        for (const key of this.#watched.keys()) this.#stale.add(key);
      },
    });
  }

  #mayHaveChanged(key: Key, refresh: () => void): void {
    if (!this.#watched.has(key)) return;
    this.#stale.add(key);
    refresh();
  }

  async #readStale(): Promise<readonly (readonly [Key, State | null])[]> {
    const keys = [...this.#stale];
    this.#stale.clear();
    if (keys.length === 0) return [];
    const states = await this.#keyed.read(keys);
    return keys.map(key => [key, states.get(key) ?? null]);
  }

  #take(key: Key, state: State | null): void {
    const watched = this.#watched.get(key);
    if (!watched || (state !== null && isSame(watched.state, state))) return;
    const isFirst = watched.state === null;
    watched.state = state;
    if (state === null) watched.publisher.ended();
    else if (isFirst) watched.publisher.began();
    else watched.publisher.changed(state);
  }

  #leave(key: Key): void {
    this.#watched.delete(key);
    this.#stale.delete(key);
    if (this.#watched.size > 0) return;
    this.#reading?.stop();
    this.#reading = null;
  }
}
