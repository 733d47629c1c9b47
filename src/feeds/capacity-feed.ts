import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { MonitorBook, MonitorCapacity } from '#ports/monitor-book.ts';

/** A change is told after at most this, ms. */
const POLL_MS = 1_000;
/** Who comes within this of each other is told from one reading, ms. */
const GATHER_MS = 100;

export interface ToldCapacity {
  capacity: MonitorCapacity;
  /** UTC ms. */
  at: number;
}

type Listener = (told: ToldCapacity) => void;

export interface CapacityFeed {
  /** Tells how much the monitors may watch, with this user's own share: first as it is, then at each change. The returned function stops it. */
  follow(userId: number | null, listener: Listener): () => void;
  close(): void;
}

export interface CapacityFeedDeps {
  monitors: Pick<MonitorBook, 'capacities'>;
  clock: Clock;
  log: Log;
}

/**
 * One look at the monitor book for everybody who follows it here, and none while nobody does.
 *
 * Why:    the book changes with presences, calls and time itself, at any instance: looking finds all of it, whatever a signal may lose
 * Source: D9.2, D10 `capacity`
 */
export function capacityFeed(deps: CapacityFeedDeps): CapacityFeed {
  return new Feed(deps);
}

interface Follower {
  userId: number | null;
  listener: Listener;
  /** What it was told last. */
  known: string;
}

class Feed implements CapacityFeed {
  readonly #deps: CapacityFeedDeps;
  readonly #followers = new Set<Follower>();
  #isLooking = false;
  /** Null: no look is due. */
  #next: { atMs: number; cancel: Cancel } | null = null;
  /** Whether the book did not answer, so that one outage is one line of the log. */
  #isAway = false;

  constructor(deps: CapacityFeedDeps) {
    this.#deps = deps;
  }

  follow(userId: number | null, listener: Listener): () => void {
    const follower = { userId, listener, known: '' };
    this.#followers.add(follower);
    this.#lookIn(GATHER_MS);
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#rest();
    };
  }

  close(): void {
    this.#followers.clear();
    this.#rest();
  }

  #rest(): void {
    this.#next?.cancel();
    this.#next = null;
  }

  /** Sooner looks replace later ones. */
  #lookIn(delayMs: number): void {
    const atMs = this.#deps.clock.monotonic() + delayMs;
    if (this.#next && this.#next.atMs <= atMs) return;
    this.#next?.cancel();
    const look = () => {
      this.#next = null;
      if (!this.#isLooking) void this.#look();
    };
    this.#next = { atMs, cancel: this.#deps.clock.schedule(delayMs, look) };
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      const userIds = [...new Set([...this.#followers].map(({ userId }) => userId))];
      const capacities = await this.#deps.monitors.capacities(userIds);
      this.#tell(new Map(userIds.map((userId, index) => [userId, capacities[index]])));
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway) this.#deps.log.warn({ err: error }, 'the capacity of monitors could not be read; trying again');
      this.#isAway = true;
    }
    this.#isLooking = false;
    if (this.#followers.size > 0) this.#lookIn(POLL_MS);
  }

  #tell(capacities: ReadonlyMap<number | null, MonitorCapacity | undefined>): void {
    const at = this.#deps.clock.now();
    for (const follower of this.#followers) {
      const capacity = capacities.get(follower.userId);
      const now = wordOf(capacity);
      if (!capacity || now === follower.known) continue;
      follower.known = now;
      follower.listener({ capacity, at });
    }
  }
}

function wordOf(capacity: MonitorCapacity | undefined): string {
  return capacity ? `${capacity.mine} ${capacity.used} ${capacity.total} ${capacity.waiting}` : '';
}
