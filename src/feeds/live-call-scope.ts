import type { Caller } from '#operations/access/caller.ts';
import type { LiveCall } from './live-call.ts';
import type { LiveCallEvent } from './live-calls-view.ts';

/** Which live calls a listener is told of; all that is null does not narrow. */
export interface LiveCallScope {
  campaignId: number | null;
  requestId: string | null;
  /** The user to whom calls must be assigned, or who retains them. */
  viewerId: number | null;
}

export const EVERY_CALL: LiveCallScope = { campaignId: null, requestId: null, viewerId: null };

/** No user has this id: a caller without one and without the permission sees nothing. */
export const NOBODY = 0;

/** Null: may see every call; else only what is assigned to or retained by this user. Source: OCS 4.12 */
export function viewerIdOf(caller: Caller | null): number | null {
  return caller?.permissions.has('campaign:dispatch') ? null : (caller?.userId ?? NOBODY);
}

/** The same for scopes that see the same. */
export function scopeKey({ campaignId, requestId, viewerId }: LiveCallScope): string {
  return `${campaignId ?? ''}/${requestId ?? ''}/${viewerId ?? ''}`;
}

export function shows(scope: LiveCallScope, call: LiveCall): boolean {
  if (scope.campaignId !== null && scope.campaignId !== call.campaignId) return false;
  if (scope.requestId !== null && scope.requestId !== call.requestId) return false;
  return scope.viewerId === null || isAssigned(scope.viewerId, call) || call.retainedBy.includes(scope.viewerId);
}

/** `retained`: the viewer sees the call read-only. Source: D9.2 */
export function viewModeOf({ viewerId }: LiveCallScope, call: LiveCall): 'active' | 'retained' {
  return viewerId !== null && !isAssigned(viewerId, call) && call.retainedBy.includes(viewerId) ? 'retained' : 'active';
}

function isAssigned(viewerId: number, { monitor }: LiveCall): boolean {
  return monitor?.userId === viewerId;
}

/** A call has come into a listener's scope, or has left it, while it goes on. */
export type LiveCallMove = { kind: 'joined' | 'left'; call: LiveCall; at: number };

export type CallResyncReason = 'GAP' | 'DISCONNECTED';

/** What was told of one call no longer holds: this replaces it; null when there is no such call any more. */
export interface LiveCallRepair {
  kind: 'repaired';
  callKey: string;
  call: LiveCall | null;
  before: LiveCall | null;
  reason: CallResyncReason;
  at: number;
}

/** What is told to one scope. */
export type ScopedCallEvent = LiveCallEvent | LiveCallMove | LiveCallRepair;

/** A change as one scope sees it; null when it shows nothing of it. The change itself where that is enough, so that its form can be shared. */
export function eventFor(scope: LiveCallScope, change: LiveCallEvent | LiveCallRepair): ScopedCallEvent | null {
  const { before, call, at } = change;
  const saw = before !== null && shows(scope, before);
  const sees = call !== null && shows(scope, call);
  if (saw && call !== null && !sees) return { kind: 'left', call, at };
  if (!saw && sees && before !== null && change.kind !== 'repaired') return { kind: 'joined', call, at };
  return saw || sees ? change : null;
}

/** Listeners by what they must hear of, so that a change costs only those whom it may concern. */
export class ScopeIndex<Listener> {
  readonly #buckets = new Map<string, Map<Listener, LiveCallScope>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The returned function takes it out. */
  add(scope: LiveCallScope, listener: Listener): () => void {
    const key = bucketOf(scope);
    const bucket = this.#buckets.get(key) ?? new Map<Listener, LiveCallScope>();
    this.#buckets.set(key, bucket.set(listener, scope));
    this.#size += 1;
    return () => {
      if (!bucket.delete(listener)) return;
      this.#size -= 1;
      if (bucket.size === 0 && this.#buckets.get(key) === bucket) this.#buckets.delete(key);
    };
  }

  clear(): void {
    this.#buckets.clear();
    this.#size = 0;
  }

  *all(): Iterable<[Listener, LiveCallScope]> {
    for (const bucket of this.#buckets.values()) yield* bucket;
  }

  *concerned({ before, call }: Pick<LiveCallRepair, 'before' | 'call'>): Iterable<[Listener, LiveCallScope]> {
    const keys = new Set<string>(['']);
    for (const each of [before, call]) if (each) addKeys(keys, each);
    for (const key of keys) {
      const bucket = this.#buckets.get(key);
      if (bucket) yield* bucket;
    }
  }
}

function bucketOf({ campaignId, requestId, viewerId }: LiveCallScope): string {
  if (requestId !== null) return `call ${requestId}`;
  if (viewerId !== null) return `user ${viewerId}`;
  return campaignId === null ? '' : `campaign ${campaignId}`;
}

function addKeys(keys: Set<string>, { requestId, campaignId, monitor, retainedBy }: LiveCall): void {
  keys.add(`call ${requestId}`).add(`campaign ${campaignId}`);
  if (monitor) keys.add(`user ${monitor.userId}`);
  for (const userId of retainedBy) keys.add(`user ${userId}`);
}
