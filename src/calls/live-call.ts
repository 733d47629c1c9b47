import { z } from 'zod';
import type { CallMonitor, IntentHit } from '#actors/call/watch.ts';
import { bigRowId, rowId } from '#kernel/fields.ts';
import type { LiveDelta } from '#platform/feeds/live-deltas.ts';
import { isoInstant } from '#platform/http/route.ts';
import { SPEAKERS } from '#protocol/call-status.ts';
import { INTERVENTION_TIMINGS } from '#protocol/interventions.ts';
import { callAggregate, parseMeta } from './call-actor.ts';
import type { LiveSegment, StoredLiveCall } from './live-call-store.ts';
import { callChange, type CallChange, callFacts, type CallFacts } from './publish-call.ts';

export const LIVE_CALL_STATUSES = ['dialing', 'ringing', 'live', 'settling', 'ended'] as const;
export const MONITOR_VIEW_MODES = ['active', 'retained'] as const;
export const INTERVENTION_STATUSES = ['requested', 'transferring', 'active', 'ended', 'cancelled', 'failed', 'expired'] as const;

/** `request:<requestId>` (OCS 2.13). */
const callKey = z.string();

const liveSegmentView = z
  .object({
    segmentId: z.string(),
    speaker: z.enum(SPEAKERS),
    text: z.string(),
    final: z.boolean(),
    startMs: z.number().nullable(),
    endMs: z.number().nullable(),
    nodeId: z.string().nullable(),
    at: isoInstant,
  })
  .meta({ id: 'LiveSegment' });

const intentHitView = z.object({ keyword: z.string(), segmentId: z.string(), at: isoInstant });

const monitorAssignmentView = z.object({
  userId: rowId,
  agentId: rowId.nullable(),
  displayName: z.string(),
  assignedAt: isoInstant,
});

export const interventionView = z.object({
  id: z.string(),
  status: z.enum(INTERVENTION_STATUSES),
  initiatorId: rowId.nullable(),
  requestedAt: isoInstant.nullable(),
  consumedAt: isoInstant.nullable(),
  agentId: rowId.nullable(),
  when: z.enum(INTERVENTION_TIMINGS),
  /** Chinese; null until the intervention is over. */
  reason: z.string().nullable(),
});

/** Source: D9.2 */
export const liveCallView = z
  .object({
    callKey,
    attemptId: bigRowId,
    requestId: z.uuid(),
    campaignId: rowId,
    campaignName: z.string(),
    contactId: bigRowId,
    phoneNumber: z.string(),
    customerName: z.string(),
    cellId: z.string(),
    lineId: rowId.nullable(),
    callerNumber: z.string().nullable(),
    status: z.enum(LIVE_CALL_STATUSES),
    startedAt: isoInstant,
    answeredAt: isoInstant.nullable(),
    endedAt: isoInstant.nullable(),
    hangupCause: z.string().nullable(),
    currentNodeId: z.string().nullable(),
    segments: z.array(liveSegmentView).max(200),
    intentHits: z.array(intentHitView),
    monitorAssignment: monitorAssignmentView.nullable(),
    monitorViewMode: z.enum(MONITOR_VIEW_MODES),
    intervention: interventionView.nullable(),
    waitingSince: isoInstant.nullable(),
    version: z.int().positive(),
  })
  .meta({ id: 'LiveCall' });

export type LiveCallView = z.input<typeof liveCallView>;
type LiveSegmentView = z.input<typeof liveSegmentView>;
type Assignment = z.input<typeof monitorAssignmentView>;
type Intervention = z.input<typeof interventionView>;
type IntentHitView = z.input<typeof intentHitView>;

/** Types of a live call with instants in UTC ms, as the program holds them. */
type HeldSegment = Omit<LiveSegmentView, 'at'> & { at: number };
type HeldIntervention = Omit<Intervention, 'requestedAt' | 'consumedAt'> & { requestedAt: number | null; consumedAt: number | null };
type Instants = 'startedAt' | 'answeredAt' | 'endedAt' | 'waitingSince';
type Replaced = Instants | 'segments' | 'intentHits' | 'monitorAssignment' | 'intervention' | 'monitorViewMode';
type HeldLiveCall = Omit<LiveCallView, Replaced> & {
  startedAt: number;
  answeredAt: number | null;
  endedAt: number | null;
  waitingSince: number | null;
  segments: readonly HeldSegment[];
  intentHits: readonly IntentHit[];
  monitor: CallMonitor | null;
  intervention: HeldIntervention | null;
};

/**
 * Converts a call to its form in REST and in the event stream.
 *
 * Source: D2.5, D9.2
 */
export function presentLiveCall(call: HeldLiveCall, monitorViewMode: LiveCallView['monitorViewMode']): LiveCallView {
  return {
    callKey: call.callKey,
    attemptId: call.attemptId,
    requestId: call.requestId,
    campaignId: call.campaignId,
    campaignName: call.campaignName,
    contactId: call.contactId,
    phoneNumber: call.phoneNumber,
    customerName: call.customerName,
    cellId: call.cellId,
    lineId: call.lineId,
    callerNumber: call.callerNumber,
    ...presentStage(call),
    startedAt: instant(call.startedAt),
    currentNodeId: call.currentNodeId,
    segments: call.segments.map(presentSegment),
    intentHits: call.intentHits.map(presentHit),
    monitorAssignment: presentAssignment(call.monitor),
    monitorViewMode,
    intervention: presentIntervention(call.intervention),
    waitingSince: instantOrNull(call.waitingSince),
    version: call.version,
  };
}

/** Status of a call, with its times and hang-up cause. */
export function presentStage(call: Pick<HeldLiveCall, 'status' | 'answeredAt' | 'endedAt' | 'hangupCause'>) {
  const { status, answeredAt, endedAt, hangupCause } = call;
  return { status, answeredAt: instantOrNull(answeredAt), endedAt: instantOrNull(endedAt), hangupCause };
}

export function presentSegment({ segmentId, speaker, text, final, startMs, endMs, nodeId, at }: HeldSegment): LiveSegmentView {
  return { segmentId, speaker, text, final, startMs, endMs, nodeId, at: instant(at) };
}

export function presentHit({ keyword, segmentId, at }: IntentHit): IntentHitView {
  return { keyword, segmentId, at: instant(at) };
}

export function presentAssignment(assignment: CallMonitor | null): Assignment | null {
  if (!assignment) return null;
  const { userId, agentId, displayName, assignedAt } = assignment;
  return { userId, agentId, displayName, assignedAt: instant(assignedAt) };
}

export function presentIntervention(intervention: HeldIntervention | null): Intervention | null {
  if (!intervention) return null;
  const { requestedAt, consumedAt, ...shown } = intervention;
  return { ...shown, requestedAt: instantOrNull(requestedAt), consumedAt: instantOrNull(consumedAt) };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

function instantOrNull(at: number | null): string | null {
  return at === null ? null : instant(at);
}

/** Captions kept of one call. Source: D9.2 */
export const MAX_SEGMENTS = 200;

/** A live call as its watchers see it; an immutable value. Source: D9.2 */
export interface LiveCall extends CallFacts, Omit<CallChange, 'call'> {
  /** `request:<requestId>` (OCS 2.13). */
  callKey: string;
  currentNodeId: string | null;
  /** Oldest first, at most 200. */
  segments: readonly LiveSegment[];
  version: number;
}

const aggregate = callAggregate();

/** The call as its store has it; null when its static facts are missing. */
export function liveCallOf(stored: StoredLiveCall): LiveCall | null {
  const meta = parseMeta(stored.meta);
  if (!meta) return null;
  return {
    callKey: callKeyOf(stored.requestId),
    ...callFacts(meta),
    ...callChange(aggregate.parse(stored.snapshot)),
    currentNodeId: currentNode(stored.segments),
    segments: stored.segments,
    version: stored.version,
  };
}

/** Defaults for members that the deltas of an earlier server version lack. */
const UNWATCHED = {
  hasLeft: false,
  monitor: null,
  retainedBy: [],
  waitingSince: null,
  people: [],
  intentHits: [],
  intervention: null,
  guidance: [],
  runtimeId: null,
};

/** The call that a first delta describes; null for any other delta. */
export function startedCall({ requestId, version, data }: LiveDelta): LiveCall | null {
  const { call, ...change } = data as Partial<CallChange>;
  if (version !== 1 || call === undefined) return null;
  const known = { ...UNWATCHED, ...call, ...(change as Omit<CallChange, 'call'>) };
  return { callKey: callKeyOf(requestId), ...known, currentNodeId: null, segments: [], version };
}

/** Applies the delta of the next version to a call. */
export function changedCall(call: LiveCall, { version, data }: LiveDelta): LiveCall {
  const segment = segmentOf(data);
  if (segment === null) return { ...call, ...(data as unknown as Omit<CallChange, 'call'>), version };
  const segments = withSegment(call.segments, segment);
  return { ...call, segments, currentNodeId: segment.nodeId ?? call.currentNodeId, version };
}

/** Source: OCS 2.13 */
export function callKeyOf(requestId: string): string {
  return `request:${requestId}`;
}

/** Caption of a delta of kind `segment`; null for other kinds. */
export function segmentOf(data: LiveDelta['data']): LiveSegment | null {
  return 'segment' in data ? (data['segment'] as LiveSegment) : null;
}

/** A later text of the same segment replaces the earlier one in place (D9.1). */
function withSegment(segments: readonly LiveSegment[], segment: LiveSegment): LiveSegment[] {
  const place = segments.findIndex(({ segmentId }) => segmentId === segment.segmentId);
  if (place >= 0) return segments.with(place, segment);
  return [...segments, segment].slice(-MAX_SEGMENTS);
}

function currentNode(segments: readonly LiveSegment[]): string | null {
  return segments.findLast(({ nodeId }) => nodeId !== null)?.nodeId ?? null;
}
