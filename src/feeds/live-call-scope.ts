import type { Caller } from '#operations/access/caller.ts';
import type { LiveCall } from './live-call.ts';
import type { LiveCallEvent } from './live-calls-view.ts';

/** Which live calls a listener is shown; all that is null does not narrow. */
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
export type LiveCallMove = { kind: 'joined' | 'left'; call: LiveCall };

export type CallResyncReason = 'GAP' | 'DISCONNECTED';

/** What was published of one call no longer holds: this replaces it; null when there is no such call any more. */
export interface LiveCallRepair {
  kind: 'repaired';
  callKey: string;
  call: LiveCall | null;
  before: LiveCall | null;
  reason: CallResyncReason;
}

/** A call that is over is not kept any more. */
export interface LiveCallFarewell {
  kind: 'forgotten';
  callKey: string;
  call: null;
  before: LiveCall;
}

/** What happens to the view of all calls. */
export type LiveCallChange = LiveCallEvent | LiveCallRepair | LiveCallFarewell;

/** What one scope is shown. */
export type ScopedCallEvent = LiveCallEvent | LiveCallMove | LiveCallRepair | LiveCallFarewell;

/** A change as one scope sees it; null when it shows nothing of it. The change itself where that is enough, so that its form can be shared. */
export function eventFor(scope: LiveCallScope, change: LiveCallChange): ScopedCallEvent | null {
  const { before, call } = change;
  const saw = before !== null && shows(scope, before);
  const sees = call !== null && shows(scope, call);
  if (saw && call !== null && !sees) return { kind: 'left', call };
  if (!saw && sees && before !== null && change.kind !== 'repaired') return { kind: 'joined', call };
  return saw || sees ? change : null;
}

/** Of the calls that a scope can show: what it must hear of is published to this topic, so that a change costs only those whom it may concern. */
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
