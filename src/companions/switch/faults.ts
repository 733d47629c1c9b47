import type { Clock } from '#kernel/clock.ts';

/** Faults on demand; all of them can also be given as `api callout_fault {json}`. */
export interface Faults {
  /** Stops reading and writing on every connection, old and new, as SIGSTOP does; calls go on. Without a duration until `thaw`. */
  freeze(durationMs?: number): void;
  thaw(): void;
  /** Closes every connection without a word. */
  dropConnections(): void;
  /** The next replies of that kind are never written; the commands are carried out. */
  loseReplies(count: number, kind?: 'bgapi' | 'api' | 'any'): void;
  /** The next events reach nobody. */
  loseEvents(count: number): void;
  /** The next events are written twice. */
  duplicateEvents(count: number): void;
  /** The next events change places with the one after them. */
  swapEvents(count: number): void;
  /** Everything is written this much later; 0 ends it. */
  slow(delayMs: number): void;
  /** The process is killed: no goodbye, all channels lost; back with a new Core-UUID after `downMs`. */
  kill(downMs: number): void;
  /** An orderly restart: SHUTDOWN, hang-ups, a disconnect notice; back with a new Core-UUID after `downMs`. */
  restart(downMs: number): void;
}

/** An event that waits for its successor is let go after this, ms. */
const SWAP_HOLD_MS = 200;

/** Faults that bend the stream of events and replies. */
export class StreamFaults<Event> {
  readonly #clock: Clock;
  readonly #deliver: (event: Event) => void;
  replyDelayMs = 0;
  #losingReplies = { count: 0, kind: 'any' as 'bgapi' | 'api' | 'any' };
  #losing = 0;
  #duplicating = 0;
  #swapping = 0;
  #held: { event: Event; cancel: () => void } | null = null;

  constructor(clock: Clock, deliver: (event: Event) => void) {
    this.#clock = clock;
    this.#deliver = deliver;
  }

  loseReplies(count: number, kind: 'bgapi' | 'api' | 'any'): void {
    this.#losingReplies = { count, kind };
  }

  loseEvents(count: number): void {
    this.#losing = count;
  }

  duplicateEvents(count: number): void {
    this.#duplicating = count;
  }

  swapEvents(count: number): void {
    this.#swapping = count;
  }

  /** Whether the reply to a command of this kind is to be lost; counts it. */
  losesReply(kind: 'bgapi' | 'api' | 'other'): boolean {
    const losing = this.#losingReplies;
    if (losing.count <= 0 || (losing.kind !== 'any' && losing.kind !== kind)) return false;
    losing.count -= 1;
    return true;
  }

  /** Passes an event on, bent as asked. */
  pass(event: Event): void {
    if (this.#losing > 0) {
      this.#losing -= 1;
      return;
    }
    if (this.#held === null && this.#swapping > 0) {
      this.#swapping -= 1;
      this.#held = { event, cancel: this.#clock.schedule(SWAP_HOLD_MS, () => this.#release()) };
      return;
    }
    this.#deliver(event);
    if (this.#duplicating > 0) {
      this.#duplicating -= 1;
      this.#deliver(event);
    }
    this.#release();
  }

  #release(): void {
    const held = this.#held;
    if (held === null) return;
    held.cancel();
    this.#held = null;
    this.#deliver(held.event);
  }
}

/** The argument of `api callout_fault`, checked. */
export type FaultOrder = { [key: string]: unknown; fault?: unknown };

/**
 * Carries out an order from the control line.
 *
 * Shape: null when done, otherwise what is wrong with the order
 */
export function orderFault(faults: Faults, order: FaultOrder): string | null {
  const count = wholeNumber(order['count'], 1);
  const durationMs = wholeNumber(order['durationMs'], 5_000);
  if (count === null) return 'count must be an integer from 0 to 1000000';
  if (durationMs === null) return 'durationMs must be an integer from 0 to 1000000';
  const { kind } = order;
  const orders: Record<string, () => void> = {
    freeze: () => faults.freeze(durationMs),
    thaw: () => faults.thaw(),
    drop: () => faults.dropConnections(),
    loseReplies: () => faults.loseReplies(count, kind === 'bgapi' || kind === 'api' ? kind : 'any'),
    loseEvents: () => faults.loseEvents(count),
    duplicateEvents: () => faults.duplicateEvents(count),
    swapEvents: () => faults.swapEvents(count),
    slow: () => faults.slow(durationMs),
    kill: () => faults.kill(durationMs),
    restart: () => faults.restart(durationMs),
  };
  const name = String(order.fault);
  const carryOut = Object.hasOwn(orders, name) ? orders[name] : undefined;
  if (!carryOut) return `fault must be one of ${Object.keys(orders).join(', ')}`;
  carryOut();
  return null;
}

const MAX_NUMBER = 1_000_000;

function wholeNumber(value: unknown, fallback: number): number | null {
  if (value === undefined) return fallback;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER ? value : null;
}
