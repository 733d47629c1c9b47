import { z } from 'zod';
import { bigRowId, rowId } from '#kernel/fields.ts';
import type { CallMonitor, IntentHit } from '#actors/call/watch.ts';
import { isoInstant } from '#platform/http/route.ts';
import { SPEAKERS } from '#protocol/call-status.ts';
import { INTERVENTION_TIMINGS } from '#protocol/interventions.ts';

export const LIVE_CALL_STATUSES = ['dialing', 'ringing', 'live', 'settling', 'ended'] as const;
export const MONITOR_VIEW_MODES = ['active', 'retained'] as const;
export const INTERVENTION_STATUSES = ['requested', 'transferring', 'active', 'ended', 'cancelled', 'failed', 'expired'] as const;

/** `request:<requestId>` (OCS 2.13). */
const callKey = z.string();

export const liveSegmentView = z
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

export const intentHitView = z.object({ keyword: z.string(), segmentId: z.string(), at: isoInstant });

export const monitorAssignmentView = z.object({
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
export type LiveSegmentView = z.input<typeof liveSegmentView>;
type Assignment = z.input<typeof monitorAssignmentView>;
type Intervention = z.input<typeof interventionView>;
type IntentHitView = z.input<typeof intentHitView>;

/** Types of a live call with instants in UTC ms, as the program holds them. */
export type HeldSegment = Omit<LiveSegmentView, 'at'> & { at: number };
export type HeldIntervention = Omit<Intervention, 'requestedAt' | 'consumedAt'> & { requestedAt: number | null; consumedAt: number | null };
type Instants = 'startedAt' | 'answeredAt' | 'endedAt' | 'waitingSince';
type Replaced = Instants | 'segments' | 'intentHits' | 'monitorAssignment' | 'intervention' | 'monitorViewMode';
export type HeldLiveCall = Omit<LiveCallView, Replaced> & {
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
