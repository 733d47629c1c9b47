import type { LiveCallRow } from '#contract/rest/live-calls.ts';
import type { CallIntervention } from '#operations/calls/publish-call.ts';
import type { LiveCall } from '#operations/feeds/live-call.ts';
import { type Viewer, viewModeOf } from '#operations/feeds/list-my-calls.ts';
import { presentInstant } from './instant.ts';

/** Source: D9.2 */
export function presentLiveCall(call: LiveCall, viewer: Pick<Viewer, 'userId'>): LiveCallRow {
  const { monitor, intervention } = call;
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
    status: call.status,
    startedAt: presentInstant(call.startedAt),
    answeredAt: presentInstant(call.answeredAt),
    endedAt: presentInstant(call.endedAt),
    hangupCause: call.hangupCause,
    currentNodeId: call.currentNodeId,
    segments: call.segments.map(({ seq: _seq, at, ...segment }) => ({ ...segment, at: presentInstant(at) })),
    intentHits: call.intentHits.map(({ at, ...hit }) => ({ ...hit, at: presentInstant(at) })),
    monitorAssignment: monitor && { ...monitor, assignedAt: presentInstant(monitor.assignedAt) },
    monitorViewMode: viewModeOf(viewer, call),
    intervention: intervention && presentIntervention(intervention),
    waitingSince: presentInstant(call.waitingSince),
    version: call.version,
  };
}

export function presentIntervention({ requestedAt, consumedAt, ...intervention }: CallIntervention) {
  return { ...intervention, requestedAt: presentInstant(requestedAt), consumedAt: presentInstant(consumedAt) };
}
