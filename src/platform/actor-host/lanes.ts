import type { Cancel, Clock } from '#kernel/clock.ts';

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
  run<T>(id: string, work: () => Promise<T>): Promise<T> {
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

  async #begin<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
      const [next] = this.#waiting.values();
      if (this.#underWay < MAX_AT_ONCE) next?.();
    }
  }
}

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

/** Longest wait of a command for its actor's next event, ms. */
const MAX_WAIT_MS = 100;

/**
 * Commands that are not urgent: they are committed with the actor's next event, or together after a short delay.
 *
 * Why: a call is created, rings and is accepted within 0.1 s; separate commits would each cost a round trip, a delta and a snapshot
 */
export class WaitingCommands<Command> {
  readonly #waiting = new Map<string, { commands: Command[]; cancel: Cancel }>();
  readonly #clock: Pick<Clock, 'schedule'>;

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock;
  }

  /** `leave` is called when the first command has waited long enough, unless all have been taken before. */
  add(id: string, command: Command, leave: () => void): void {
    const known = this.#waiting.get(id);
    if (known) known.commands.push(command);
    else this.#waiting.set(id, { commands: [command], cancel: this.#clock.schedule(MAX_WAIT_MS, leave) });
  }

  take(id: string): Command[] {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.cancel();
    return waiting?.commands ?? [];
  }

  ids(): string[] {
    return [...this.#waiting.keys()];
  }
}

/**
 * Runs work of the same key in order and work of different keys concurrently.
 *
 * Why: two concurrent events of one call in one process would only cause a version conflict
 */
export class Lanes {
  readonly #tails = new Map<string, Promise<void>>();

  /** Number of keys with pending work. */
  get size(): number {
    return this.#tails.size;
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }

  /** Resolves when every key is idle. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
