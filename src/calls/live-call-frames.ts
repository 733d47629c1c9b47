import { unreachable } from '#kernel/assert.ts';
import { presentAssignment, presentHit, presentIntervention, presentLiveCall, presentSegment, presentStage } from './live-call-view.ts';
import type { LiveCall } from './live-call.ts';
import { type LiveCallScope, type ScopedCallEvent, shows, viewModeOf } from './live-call-scope.ts';
import type { LiveCallsEvent } from './live-calls-feed.ts';
import type { IntentHit } from '#actors/call/watch.ts';
import type { ServerEvent } from '#platform/sse/stream.ts';

type Named = Omit<ServerEvent, 'id'>;
interface Changed {
  kind: 'changed' | 'ended';
  call: LiveCall;
  before: LiveCall | null;
  at: number;
}

/** Stream events that a scope receives for one event of the feed, in order. Source: D10 */
export function liveCallFrames(scope: LiveCallScope, event: LiveCallsEvent): Named[] {
  const at = iso(event.at);
  if (event.kind === 'resync') return [{ event: 'resync', data: { reason: event.reason, at } }];
  if (event.kind === 'change') return framesOfChange(scope, event.change, event.at);
  const { calls, truncated } = event.state;
  return [{ event: 'snapshot', data: { calls: calls.map(call => view(scope, call)), truncated, at } }];
}

function framesOfChange(scope: LiveCallScope, change: ScopedCallEvent, at: number): Named[] {
  switch (change.kind) {
    case 'repaired': {
      const { callKey, call, reason } = change;
      const shown = call && shows(scope, call) ? view(scope, call) : null;
      const { campaignId = null, version = null } = call ?? {};
      return [{ event: 'call-resync', data: { callKey, campaignId, version, at: iso(at), reason, call: shown } }];
    }
    // D10 defines no event for this: 60 s after `call-ended` a client removes the call by itself.
    case 'forgotten':
      return [];
    case 'started':
      return [framed('call-started', change, { call: view(scope, change.call) })];
    case 'joined':
      return [framed('assignment', { ...change, at }, { ...assignmentOf(scope, change.call), call: view(scope, change.call) })];
    case 'left':
      return [framed('assignment', { ...change, at }, { ...assignmentOf(scope, change.call), monitorViewMode: null })];
    case 'segment':
      return [
        framed('segment', change, { segment: presentSegment(change.segment), currentNodeId: change.call.currentNodeId }),
        ...hitFrames(change),
      ];
    case 'changed':
    case 'ended':
      return changeFrames(scope, { ...change, kind: change.kind });
    default:
      return unreachable(change);
  }
}

function changeFrames(scope: LiveCallScope, event: Changed): Named[] {
  const { before, call } = event;
  const frames = hitFrames(event);
  if (isOther(before?.intervention, call.intervention)) {
    frames.push(framed('intervention', event, { intervention: presentIntervention(call.intervention) }));
  }
  if (isOther(watchOf(before), watchOf(call))) frames.push(framed('assignment', event, assignmentOf(scope, call)));
  const stage = presentStage(call);
  if (event.kind === 'ended') frames.push(framed('call-ended', event, stage));
  else if (frames.length === 0 || isOther(before && presentStage(before), stage)) frames.push(framed('call-changed', event, stage));
  return frames;
}

function hitFrames(event: { before: LiveCall | null; call: LiveCall; at: number }): Named[] {
  const hits = event.call.intentHits.slice(event.before?.intentHits.length ?? 0);
  const bySegment = Map.groupBy(hits, hit => hit.segmentId);
  return [
    ...hits.map(hit => framed('keyword', event, presentHit(hit))),
    ...[...bySegment].map(([segmentId, own]) => framed('intent-alert', event, alertOf(event.call, segmentId, own))),
  ];
}

function alertOf({ segments }: LiveCall, segmentId: string, hits: readonly IntentHit[]) {
  const text = segments.find(segment => segment.segmentId === segmentId)?.text ?? null;
  return { segmentId, keywords: hits.map(({ keyword }) => keyword), text };
}

function framed(event: string, { call, at }: { call: LiveCall; at: number }, more: object): Named {
  const { callKey, campaignId, version } = call;
  return { event, data: { ...more, callKey, campaignId, version, at: iso(at) } };
}

function view(scope: LiveCallScope, call: LiveCall) {
  return presentLiveCall(call, viewModeOf(scope, call));
}

function assignmentOf(scope: LiveCallScope, call: LiveCall) {
  const waitingSince = call.waitingSince === null ? null : iso(call.waitingSince);
  return { monitorAssignment: presentAssignment(call.monitor), monitorViewMode: viewModeOf(scope, call), waitingSince };
}

function watchOf(call: LiveCall | null) {
  return call && [call.monitor, call.retainedBy, call.waitingSince];
}

function isOther(before: unknown, now: unknown): boolean {
  return JSON.stringify(before ?? null) !== JSON.stringify(now ?? null);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
