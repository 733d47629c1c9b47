import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Publisher, Source } from './feed.ts';
import { isSame } from './polled-source.ts';
import { keepReading, type KeptReading, type Reading } from './reading.ts';

/** States of one kind that are read together, by key. */
export interface KeyedState<Key, State> extends Pick<Reading<State>, 'what' | 'pollMs' | 'spacingMs'> {
  /** A key without a state is gone, which is its last word. */
  read(keys: readonly Key[]): Promise<ReadonlyMap<Key, State>>;
  /** Calls `look` with the key whose state may have changed; the returned function stops it. */
  listen?(look: (key: Key) => void): () => void;
}

interface Watched<State> {
  /** Null: not read yet. */
  state: State | null;
  publisher: Publisher<State>;
}

/**
 * Sources of the watched keys, all that may have changed in one reading; each change is the whole.
 *
 * Why: who watches one more costs nothing more. While the store is away, what was published last stays true as far as anybody knows
 */
export function keyedSources<Key, State>(
  deps: { clock: Clock; log: Log },
  keyed: KeyedState<Key, State>,
): (key: Key) => Source<State, State> {
  const sources = new KeyedSources(deps, keyed);
  return key => sources.of(key);
}

class KeyedSources<Key, State> {
  readonly #deps: { clock: Clock; log: Log };
  readonly #keyed: KeyedState<Key, State>;
  readonly #watched = new Map<Key, Watched<State>>();
  readonly #stale = new Set<Key>();
  #reading: KeptReading | null = null;

  constructor(deps: { clock: Clock; log: Log }, keyed: KeyedState<Key, State>) {
    this.#deps = deps;
    this.#keyed = keyed;
  }

  of(key: Key): Source<State, State> {
    return {
      current: () => this.#watched.get(key)?.state ?? null,
      start: publisher => {
        this.#watched.set(key, { state: null, publisher });
        this.#stale.add(key);
        if (this.#reading) this.#reading.look();
        else this.#reading = this.#start();
        return () => this.#leave(key);
      },
    };
  }

  #start(): KeptReading {
    const { what, pollMs, spacingMs } = this.#keyed;
    return keepReading<readonly (readonly [Key, State | null])[]>(this.#deps, {
      what,
      pollMs,
      spacingMs,
      read: () => this.#readStale(),
      take: read => {
        for (const [key, state] of read) this.#take(key, state);
      },
      listen: look => this.#keyed.listen?.(key => this.#mayHaveChanged(key, look)) ?? (() => undefined),
      polls: () => {
        for (const key of this.#watched.keys()) this.#stale.add(key);
      },
    });
  }

  #mayHaveChanged(key: Key, look: () => void): void {
    if (!this.#watched.has(key)) return;
    this.#stale.add(key);
    look();
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
