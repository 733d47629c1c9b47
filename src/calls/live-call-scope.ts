import type { Caller } from '#kernel/caller.ts';
import type { LiveCall } from './live-call.ts';
import type { LiveCallEvent } from './live-calls-view.ts';

/** Filter on the live calls that a subscriber receives; a null member does not narrow it. */
export interface LiveCallScope {
  campaignId: number | null;
  requestId: string | null;
  /** Only calls that are assigned to or retained by this user. */
  viewerId: number | null;
}

export const EVERY_CALL: LiveCallScope = { campaignId: null, requestId: null, viewerId: null };

/** An id that no user has: a caller without a user and without the permission sees nothing. */
export const NOBODY = 0;

/** Null for callers who may see every call; otherwise the user whose assigned and retained calls are visible. Source: OCS 4.12 */
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
  return scope.viewerId === null || isAssigned(scope.viewerId, call) || call.retainedBy.includes(scope.viewerId);
}

/** `retained`: the viewer sees the call read-only. Source: D9.2 */
export function viewModeOf({ viewerId }: LiveCallScope, call: LiveCall): 'active' | 'retained' {
  return viewerId !== null && !isAssigned(viewerId, call) && call.retainedBy.includes(viewerId) ? 'retained' : 'active';
}

function isAssigned(viewerId: number, { monitor }: LiveCall): boolean {
  return monitor?.userId === viewerId;
}

/** An ongoing call has entered or left a subscriber's scope. */
export type LiveCallMove = { kind: 'joined' | 'left'; call: LiveCall };

export type CallResyncReason = 'GAP' | 'DISCONNECTED';

/** Earlier events of one call no longer hold and `call` replaces them; null when the call does not exist any more. */
export interface LiveCallRepair {
  kind: 'repaired';
  callKey: string;
  call: LiveCall | null;
  before: LiveCall | null;
  reason: CallResyncReason;
}

/** An ended call has been removed from the store. */
export interface LiveCallFarewell {
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
  }
  return topics;
}
