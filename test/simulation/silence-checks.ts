import type { Cell, Channel } from './cell.ts';
import type { Journal } from './journal.ts';
import type { Timeline } from './timeline.ts';
import { Violation } from './violation.ts';

/** Interval of the checks, ms. */
const LOOK_MS = 250;
/** Longest allowed silences, whatever runtimes do, ms: after the answer, and after the death of the customer's runtime (I9). */
const LIMIT_MS = 6_000;
const DEATH_LIMIT_MS = 12_000;
/** Extra time for each of up to two runtimes that accepted the call and stayed silent, including the next offer, ms. */
const MUTE_MS = 12_000;
const MAX_MUTE_TAKES = 2;
/** Allowance when the live state is lost during the silence: the adoption of the call, and the time in which a runtime shows that it speaks, ms. */
const LOSS_MS = 12_000;
/** Longest allowed silence while stores, processes and the network fail at random, ms. */
const STORM_LIMIT_MS = 45_000;

export interface SilenceWorld {
  timeline: Timeline;
  journal: Journal;
  cells: readonly Cell[];
  /** Whether a running instance reaches the cell. */
  isReached: (cellId: string) => boolean;
  /** Whether a runtime has or had the call. */
  isServed: (requestId: string) => boolean;
  failuresOf: (requestId: string) => { hasDied: boolean; muteTakes: number };
  isStorm: () => boolean;
}

/**
 * I9: while the switch is reachable, no answered customer stays without a runtime, an apology or a hang-up for longer than the limit,
 * whatever events were missed and whatever runtimes do.
 *
 * Why: silence counts from the time at which an instance could have known of the answer
 */
export class SilenceChecks {
  /** Longest silence of any customer, ms. */
  longestMs = 0;
  /**
   * Longest silence while only runtimes failed, ms: of customers whose runtime neither died nor accepted the call in silence, and of all.
   */
  longestCalmMs = { unaided: 0, all: 0 };
  readonly #world: SilenceWorld;
  readonly #silentMs = new Map<string, number>();
  /** Calls whose live state was lost during the present silence. */
  readonly #lost = new Set<string>();
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

  /** The live state of all calls is lost. */
  cacheLost(): void {
    for (const requestId of this.#silentMs.keys()) this.#lost.add(requestId);
  }

  #look(): void {
    const { cells, isStorm, timeline } = this.#world;
    // The after-effects of the storm (leases, reconnects, restarts) last a while.
    if (isStorm()) this.#calmSince = timeline.now() + STORM_LIMIT_MS;
    for (const cell of cells) for (const channel of cell.channels.values()) this.#hear(cell, channel);
  }

  #hear(cell: Cell, { requestId, answeredAt }: Channel): void {
    const { isReached, isServed, failuresOf, timeline } = this.#world;
    const isSilent = answeredAt !== null && !isServed(requestId) && !cell.dismissed.has(requestId);
    if (!isSilent || !isReached(cell.id)) {
      this.#silentMs.delete(requestId);
      this.#lost.delete(requestId);
      return;
    }
    const silentMs = (this.#silentMs.get(requestId) ?? 0) + LOOK_MS;
    this.#silentMs.set(requestId, silentMs);
    this.longestMs = Math.max(this.longestMs, silentMs);
    const isCalm = timeline.now() > this.#calmSince;
    const { hasDied, muteTakes } = failuresOf(requestId);
    if (isCalm) this.longestCalmMs.all = Math.max(this.longestCalmMs.all, silentMs);
    if (isCalm && !hasDied && muteTakes === 0) this.longestCalmMs.unaided = Math.max(this.longestCalmMs.unaided, silentMs);
    const calmMs = (hasDied ? DEATH_LIMIT_MS : LIMIT_MS) + (this.#lost.has(requestId) ? LOSS_MS : 0);
    const limitMs = (isCalm ? calmMs : STORM_LIMIT_MS) + Math.min(muteTakes, MAX_MUTE_TAKES) * MUTE_MS;
    if (silentMs > limitMs) throw new Violation('I9 answered customer in silence', `${requestId} for ${silentMs} ms`);
  }
}
