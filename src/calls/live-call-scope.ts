import { hasPart } from '#actors/call/people.ts';
import type { Caller } from '#kernel/caller.ts';
import type { LiveDelta } from '#platform/feeds/live-deltas.ts';
import type { LiveSegment } from './live-call-store.ts';
import { changedCall, type LiveCall, segmentOf, startedCall } from './live-call.ts';

/** A change of one call, emitted once and in order; `before` is null for a new call. */
type LiveCallEvent =
  | { kind: 'started' | 'changed' | 'ended'; call: LiveCall; before: LiveCall | null; at: number }
  | { kind: 'segment'; call: LiveCall; before: LiveCall | null; segment: LiveSegment; at: number };

/** Most deltas of one call held while an earlier one is missing; concurrent instances publish out of order. */
const MAX_HELD_DELTAS = 32;

/**
 * Live calls by version: accepts deltas in any order and returns events in order.
 *
 * Why: pure and synchronous, so the held state and the published change are updated in one step
 */
export class LiveCallsView {
  /** More calls are live than the view holds. */
  truncated = false;
  #calls = new Map<string, LiveCall>();
  /** Deltas that arrived before their predecessor, by call and in ascending version. */
  readonly #held = new Map<string, LiveDelta[]>();

  get(requestId: string): LiveCall | undefined {
    return this.#calls.get(requestId);
  }

  values(): Iterable<LiveCall> {
    return this.#calls.values();
  }

  /** Versions by request id. */
  versions(): Map<string, number> {
    return new Map([...this.#calls].map(([requestId, { version }]) => [requestId, version]));
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Calls with a missing delta. */
  behind(): string[] {
    return [...this.#held.keys()];
  }

  replaceAll(calls: Map<string, LiveCall>, truncated: boolean): void {
    this.#calls = calls;
    this.truncated = truncated;
    this.#held.clear();
  }

  /** Events that a delta leads to; empty when it is outdated or an earlier one is missing. */
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

  /**
   * Replaces a call by its stored state (null: not stored); false when nothing changed. `isAnew`: its versions have restarted in the store.
   */
  repair(requestId: string, stored: LiveCall | null, isAnew = false): boolean {
    const known = this.#calls.get(requestId);
    if (stored === null) {
      this.#held.delete(requestId);
      return this.#calls.delete(requestId);
    }
    const isNewer = !known || isAnew || stored.version > known.version;
    if (isNewer) this.#calls.set(requestId, stored);
    this.#applyHeld(requestId);
    // The store is written before a delta is published: a held delta that the stored call does not reach can only be forged.
    this.#held.delete(requestId);
    return isNewer;
  }

  /** Removes an ended call that the store no longer holds. */
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

/** The end of a call that this view never held is ignored: its snapshot is about to expire. */
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

/** Filter on the live calls that a subscriber receives; a null member does not narrow it. */
export interface LiveCallScope {
  campaignId: number | null;
  requestId: string | null;
  /** Only calls that this user has part in: by a leg of their agent, as the monitor, or by having kept it. */
  viewerId: number | null;
}

export const EVERY_CALL: LiveCallScope = { campaignId: null, requestId: null, viewerId: null };

/** An id that no user has: a caller without a user and without the permission sees nothing. */
export const NOBODY = 0;

/** Null for callers who may see every call; otherwise the user whose own calls are visible. Source: OCS 4.12, D9.7 */
export function viewerIdOf(caller: Caller | null): number | null {
  return caller?.permissions.has('campaign:dispatch') ? null : (caller?.userId ?? NOBODY);
}

/** Equal for scopes with the same content. */
export function scopeKey({ campaignId, requestId, viewerId }: LiveCallScope): string {
  return `${campaignId ?? ''}/${requestId ?? ''}/${viewerId ?? ''}`;
}

export function shows(scope: LiveCallScope, call: LiveCall): boolean {
  if (scope.campaignId !== null && scope.campaignId !== call.campaignId) return false;
  if (scope.requestId !== null && scope.requestId !== call.requestId) return false;
  return scope.viewerId === null || isActive(scope.viewerId, call) || call.retainedBy.includes(scope.viewerId);
}

/** `retained`: the viewer sees the call read-only. Source: D9.2 */
export function viewModeOf({ viewerId }: LiveCallScope, call: LiveCall): 'active' | 'retained' {
  return viewerId !== null && !isActive(viewerId, call) && call.retainedBy.includes(viewerId) ? 'retained' : 'active';
}

function isActive(viewerId: number, { monitor, people, status }: LiveCall): boolean {
  return monitor?.userId === viewerId || hasPart(people, viewerId, status === 'settling' || status === 'ended');
}

/** An ongoing call has entered or left a subscriber's scope. */
type LiveCallMove = { kind: 'joined' | 'left'; call: LiveCall };

export type CallResyncReason = 'GAP' | 'DISCONNECTED';

/** Earlier events of one call no longer hold and `call` replaces them; null when the call does not exist any more. */
interface LiveCallRepair {
  kind: 'repaired';
  callKey: string;
  call: LiveCall | null;
  before: LiveCall | null;
  reason: CallResyncReason;
}

/** An ended call has been removed from the store. */
interface LiveCallFarewell {
  kind: 'forgotten';
  callKey: string;
  call: null;
  before: LiveCall;
}

/** Any change of the view of all calls. */
export type LiveCallChange = LiveCallEvent | LiveCallRepair | LiveCallFarewell;

/** Any event that a subscriber of one scope receives. */
export type ScopedCallEvent = LiveCallEvent | LiveCallMove | LiveCallRepair | LiveCallFarewell;

/** A change as one scope sees it, or null when it sees nothing; the change itself where it is unaltered, so that its encoding is shared. */
export function eventFor(scope: LiveCallScope, change: LiveCallChange): ScopedCallEvent | null {
  const { before, call } = change;
  const saw = before !== null && shows(scope, before);
  const sees = call !== null && shows(scope, call);
  if (saw && call !== null && !sees) return { kind: 'left', call };
  if (!saw && sees && before !== null && change.kind !== 'repaired') return { kind: 'joined', call };
  return saw || sees ? change : null;
}

/** Topic to which all changes of a scope's calls are published, so that a change costs only the scopes that it may affect. */
export function topicOf({ campaignId, requestId, viewerId }: LiveCallScope): string {
  if (requestId !== null) return `call ${requestId}`;
  if (viewerId !== null) return `user ${viewerId}`;
  return campaignId === null ? '' : `campaign ${campaignId}`;
}

export function topicsOf({ before, call }: Pick<LiveCallRepair, 'before' | 'call'>): ReadonlySet<string> {
  const topics = new Set(['']);
  for (const each of [before, call]) {
    if (each === null) continue;
    topics.add(`call ${each.requestId}`).add(`campaign ${each.campaignId}`);
    if (each.monitor) topics.add(`user ${each.monitor.userId}`);
    for (const userId of each.retainedBy) topics.add(`user ${userId}`);
    for (const { userId } of each.people) if (userId !== null) topics.add(`user ${userId}`);
  }
  return topics;
}
