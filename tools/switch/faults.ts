import type { Clock } from '#kernel/clock.ts';
import { headerOf, type OutgoingEvent } from './frames.ts';
import type { Troubles } from './troubles.ts';

/** Faults on demand; also available as `api callout_fault {json}`. */
export interface Faults {
  /** Stops reading and writing on every connection, old and new, like SIGSTOP; calls go on. Without a duration, until `thaw`. */
  freeze(durationMs?: number): void;
  thaw(): void;
  /** Closes every connection without a notice. */
  dropConnections(): void;
  /** Drops the next replies of that kind; the commands are still executed. */
  loseReplies(count: number, kind?: 'bgapi' | 'api' | 'any'): void;
  /** Closes every connection and refuses new ones for a while; calls go on, and events of that time are lost. */
  cut(durationMs: number): void;
  /** Drops the next events, or the next events of that name. */
  loseEvents(count: number, name?: string): void;
  /** Sends the next events twice. */
  duplicateEvents(count: number): void;
  /** Swaps each of the next events with the one after it. */
  swapEvents(count: number): void;
  /** Delays everything written, in ms; 0 ends the delay. */
  slow(delayMs: number): void;
  /** Faults of the switch itself. */
  readonly troubles: Troubles;
  /** Kills the process: no disconnect notice, all channels lost; back with a new Core-UUID after `downMs`. */
  kill(downMs: number): void;
  /** Orderly restart: SHUTDOWN, hang-ups, a disconnect notice; back with a new Core-UUID after `downMs`. */
  restart(downMs: number): void;
}

/** Longest wait for the successor of a swapped event, in ms. */
const SWAP_HOLD_MS = 200;

/** Faults in the stream of events and replies. */
export class StreamFaults {
  readonly #clock: Clock;
  readonly #deliver: (event: OutgoingEvent) => void;
  #losingReplies = { count: 0, kind: 'any' as 'bgapi' | 'api' | 'any' };
  #losing: { count: number; name: string | null } = { count: 0, name: null };
  #duplicating = 0;
  #swapping = 0;
  #held: { event: OutgoingEvent; cancel: () => void } | null = null;

  constructor(clock: Clock, deliver: (event: OutgoingEvent) => void) {
    this.#clock = clock;
    this.#deliver = deliver;
  }

  loseReplies(count: number, kind: 'bgapi' | 'api' | 'any'): void {
    this.#losingReplies = { count, kind };
  }

  loseEvents(count: number, name?: string): void {
    this.#losing = { count, name: name ?? null };
  }

  duplicateEvents(count: number): void {
    this.#duplicating = count;
  }

  swapEvents(count: number): void {
    this.#swapping = count;
  }

  /** Whether to drop the reply to a command of this kind; counts it. */
  losesReply(kind: 'bgapi' | 'api' | 'other'): boolean {
    const losing = this.#losingReplies;
    if (losing.count <= 0 || (losing.kind !== 'any' && losing.kind !== kind)) return false;
    losing.count -= 1;
    return true;
  }

  /** Passes an event on, with the requested faults. */
  pass(event: OutgoingEvent): void {
    if (this.#loses(event)) return;
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

  #loses(event: OutgoingEvent): boolean {
    const losing = this.#losing;
    if (losing.count <= 0 || (losing.name !== null && headerOf(event, 'Event-Name') !== losing.name)) return false;
    losing.count -= 1;
    return true;
  }

  #release(): void {
    const held = this.#held;
    if (held === null) return;
    held.cancel();
    this.#held = null;
    this.#deliver(held.event);
  }
}
