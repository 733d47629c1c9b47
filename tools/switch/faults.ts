import type { Clock } from '#kernel/clock.ts';
import { headerOf, type OutgoingEvent } from './frames.ts';
import type { Troubles } from './troubles.ts';

/** Faults on demand; all of them can also be given as `api callout_fault {json}`. */
export interface Faults {
  /** Stops reading and writing on every connection, old and new, as SIGSTOP does; calls go on. Without a duration until `thaw`. */
  freeze(durationMs?: number): void;
  thaw(): void;
  /** Closes every connection without a word. */
  dropConnections(): void;
  /** The next replies of that kind are never written; the commands are carried out. */
  loseReplies(count: number, kind?: 'bgapi' | 'api' | 'any'): void;
  /** Closes every connection and refuses new ones for a while; calls go on, and what happens meanwhile is told to nobody, ever. */
  cut(durationMs: number): void;
  /** The next events reach nobody; with a name only events of that name. */
  loseEvents(count: number, name?: string): void;
  /** The next events are written twice. */
  duplicateEvents(count: number): void;
  /** The next events change places with the one after them. */
  swapEvents(count: number): void;
  /** Everything is written this much later; 0 ends it. */
  slow(delayMs: number): void;
  /** What is wrong with the switch itself. */
  readonly troubles: Troubles;
  /** The process is killed: no goodbye, all channels lost; back with a new Core-UUID after `downMs`. */
  kill(downMs: number): void;
  /** An orderly restart: SHUTDOWN, hang-ups, a disconnect notice; back with a new Core-UUID after `downMs`. */
  restart(downMs: number): void;
}

/** An event that waits for its successor is let go after this, ms. */
const SWAP_HOLD_MS = 200;

/** Faults that bend the stream of events and replies. */
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

  /** Whether the reply to a command of this kind is to be lost; counts it. */
  losesReply(kind: 'bgapi' | 'api' | 'other'): boolean {
    const losing = this.#losingReplies;
    if (losing.count <= 0 || (losing.kind !== 'any' && losing.kind !== kind)) return false;
    losing.count -= 1;
    return true;
  }

  /** Passes an event on, bent as asked. */
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
