import { type AccessAuditPart, type AccessEntry } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { watch } from '#platform/feeds/fan-out.ts';
import type { LiveCallScope } from './live-call-scope.ts';
import type { LiveCallsEvent, LiveCallsFeedPart } from './live-calls-feed.ts';

/** Most calls listed in one audit row. */
const MAX_CALLS = 200;

/**
 * Writes one audit row that says who watched which live calls, and from when to when; call the returned function to end it.
 *
 * Why:    a user who may see every call watches a campaign or all of them; any other user watches assigned calls, so the row lists those
 * Shape:  `detail.calls` are request ids, at most 200
 * Source: D3.7
 */
export function auditWatch(
  { accessAudit, liveCallsFeed }: LiveCallsFeedPart & AccessAuditPart,
  caller: Caller,
  scope: LiveCallScope,
): () => void {
  const end = accessAudit.watch(caller, { action: 'call.watched', ...targetOf(scope), summary: '实时监看通话' });
  if (scope.viewerId === null) return end;
  const calls = new Set<string>();
  const leave = watch(liveCallsFeed.channel(scope), event => {
    for (const requestId of callsOf(event)) if (calls.size < MAX_CALLS) calls.add(requestId);
  });
  return () => {
    leave();
    end({ calls: [...calls] });
  };
}

/** Audits that captions were read through a list of live calls, which clients poll. */
export function auditCaptionsRead({ accessAudit }: AccessAuditPart, caller: Caller, scope: LiveCallScope): Promise<void> {
  return accessAudit.read(caller, { action: 'captions.read', ...targetOf(scope), summary: '查看进行中通话的字幕' });
}

function targetOf({ requestId, campaignId, viewerId }: LiveCallScope): Pick<AccessEntry, 'targetType' | 'targetId'> {
  if (requestId !== null) return { targetType: 'call', targetId: requestId };
  if (campaignId !== null) return { targetType: 'campaign', targetId: campaignId };
  return { targetType: 'live_calls', targetId: viewerId === null ? 'all' : 'assigned' };
}

function callsOf(event: LiveCallsEvent): string[] {
  if (event.kind === 'resync') return [];
  if (event.kind === 'snapshot') return event.state.calls.map(({ requestId }) => requestId);
  return event.change.call === null ? [] : [event.change.call.requestId];
}
