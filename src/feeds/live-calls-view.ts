import type { LiveSegment } from '#ports/live-call-store.ts';
import type { LiveDelta } from '#ports/live-deltas.ts';
import { changedCall, type LiveCall, segmentOf, startedCall } from './live-call.ts';

/** A change of one call, given once and in order; `before` null: the call is new. */
export type LiveCallEvent =
  | { kind: 'started' | 'changed' | 'ended'; call: LiveCall; before: LiveCall | null; at: number }
  | { kind: 'segment'; call: LiveCall; before: LiveCall | null; segment: LiveSegment; at: number };

/** Deltas of one call that wait for an earlier one; instances publish at the same time. */
const MAX_HELD_DELTAS = 32;

/**
 * Live calls by version: takes deltas in any order, gives events in order.
 *
 * Why: pure and synchronous, so what is held and what is published change in one step
 */
export class LiveCallsView {
  /** More calls are live than the view holds. */
  truncated = false;
  #calls = new Map<string, LiveCall>();
  /** By call, ascending; what came before its predecessor. */
  readonly #held = new Map<string, LiveDelta[]>();

  get(requestId: string): LiveCall | undefined {
    return this.#calls.get(requestId);
  }

  values(): Iterable<LiveCall> {
    return this.#calls.values();
  }

  /** By request id. */
  versions(): Map<string, number> {
    return new Map([...this.#calls].map(([requestId, { version }]) => [requestId, version]));
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Calls that wait for a delta that has not come. */
  behind(): string[] {
    return [...this.#held.keys()];
  }

  replaceAll(calls: Map<string, LiveCall>, truncated: boolean): void {
    this.#calls = calls;
    this.truncated = truncated;
    this.#held.clear();
  }

  /** What a delta makes known; nothing when it is old, or waits for an earlier one. */
  apply(delta: LiveDelta): LiveCallEvent[] {
    const call = this.#calls.get(delta.requestId);
    if (call ? delta.version <= call.version : isLateGoodbye(delta)) return [];
    const next = call ? nextOf(call, delta) : startedCall(delta);
    if (!next) {
      this.#hold(delta);
      return [];
    }
    this.#calls.set(next.requestId, next);
    return [eventOf(delta, call ?? null, next), ...this.#applyHeld(next.requestId)];
  }

  /** Puts in what the store has; null: it has the call no more. `isAnew`: its versions have begun anew there. False when nothing changed. */
  repair(requestId: string, stored: LiveCall | null, isAnew = false): boolean {
    const known = this.#calls.get(requestId);
    if (stored === null) {
      this.#held.delete(requestId);
      return this.#calls.delete(requestId);
    }
    const isNewer = !known || isAnew || stored.version > known.version;
    if (isNewer) this.#calls.set(requestId, stored);
    this.#applyHeld(requestId);
    // The store is written before a delta leaves: what still waits for more can only have been made up.
    this.#held.delete(requestId);
    return isNewer;
  }

  /** Leaves out a call that is over and no longer kept. */
  forget(requestId: string): void {
    this.#calls.delete(requestId);
    this.#held.delete(requestId);
  }

  #hold(delta: LiveDelta): void {
    const held = this.#held.get(delta.requestId) ?? [];
    if (held.length < MAX_HELD_DELTAS && !held.some(({ version }) => version === delta.version)) held.push(delta);
    this.#held.set(
      delta.requestId,
      held.sort((a, b) => a.version - b.version),
    );
  }

  #applyHeld(requestId: string): LiveCallEvent[] {
    const held = this.#held.get(requestId);
    if (!held) return [];
    this.#held.delete(requestId);
    return held.flatMap(delta => this.apply(delta));
  }
}

/** A call that nobody here has seen and that is over: its snapshot is about to be forgotten. */
function isLateGoodbye(delta: LiveDelta): boolean {
  return delta.kind === 'call-ended';
}

function nextOf(call: LiveCall, delta: LiveDelta): LiveCall | null {
  return delta.version === call.version + 1 ? changedCall(call, delta) : null;
}

function eventOf({ at, data }: LiveDelta, before: LiveCall | null, call: LiveCall): LiveCallEvent {
  const segment = segmentOf(data);
  if (segment) return { kind: 'segment', call, before, segment, at };
  if (!before) return { kind: 'started', call, before, at };
  return { kind: call.status === 'ended' && before.status !== 'ended' ? 'ended' : 'changed', call, before, at };
}
