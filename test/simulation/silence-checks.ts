import type { Cell, Channel } from './cell.ts';
import type { Journal } from './journal.ts';
import type { Timeline } from './timeline.ts';
import { Violation } from './violation.ts';

/** Looked at this often, ms. */
const LOOK_MS = 250;
/** Silence that a customer may meet while nothing goes wrong, ms (I9). */
const CALM_LIMIT_MS = 5_000;
/** While stores, processes and the network fail by chance all the time, ms. */
const STORM_LIMIT_MS = 45_000;

export interface SilenceWorld {
  timeline: Timeline;
  journal: Journal;
  cells: readonly Cell[];
  /** Whether some instance is at work and reaches the cell. */
  isReached: (cellId: string) => boolean;
  /** A runtime has the call, or had it. */
  isServed: (requestId: string) => boolean;
  isStorm: () => boolean;
}

/**
 * I9: no answered customer is without runtime or hang-up for longer than the limit while the switch can be reached, whatever events were missed.
 *
 * Why: silence counts from the moment at which somebody could have known
 */
export class SilenceChecks {
  /** The longest silence of any customer, ms. */
  longestMs = 0;
  readonly #world: SilenceWorld;
  readonly #silentMs = new Map<string, number>();
  #calmSince = 0;

  constructor(world: SilenceWorld) {
    this.#world = world;
  }

  start(): void {
    this.#world.timeline.after(LOOK_MS, () => {
      this.#look();
      this.start();
    });
  }

  #look(): void {
    const { cells, isStorm, timeline } = this.#world;
    // What the storm has left behind (leases, reconnects, restarts) is over after a while.
    if (isStorm()) this.#calmSince = timeline.now() + STORM_LIMIT_MS;
    for (const cell of cells) for (const channel of cell.channels.values()) this.#hear(cell, channel);
  }

  #hear(cell: Cell, { requestId, answeredAt }: Channel): void {
    const { isReached, isServed, timeline } = this.#world;
    const isSilent = answeredAt !== null && !isServed(requestId) && !cell.dismissed.has(requestId);
    if (!isSilent || !isReached(cell.id)) return void this.#silentMs.delete(requestId);
    const silentMs = (this.#silentMs.get(requestId) ?? 0) + LOOK_MS;
    this.#silentMs.set(requestId, silentMs);
    this.longestMs = Math.max(this.longestMs, silentMs);
    const limitMs = timeline.now() > this.#calmSince ? CALM_LIMIT_MS : STORM_LIMIT_MS;
    if (silentMs > limitMs) throw new Violation('I9 answered customer in silence', `${requestId} for ${silentMs} ms`);
  }
}
