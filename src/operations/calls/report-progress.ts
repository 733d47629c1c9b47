import { type CalloutError, isCalloutError, notFound, staleEpoch } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import { isStale } from '#actors/call/context.ts';
import type { InterventionStatus } from '#actors/intervention/take-over.ts';
import type { LiveCallStore, LiveSegment } from '#ports/live-call-store.ts';
import type { Speaker } from '#model/attempt.ts';
import type { Ports } from '#ports/ports.ts';
import type { ListDeps } from '../listing.ts';
import { adoptCall, type AdoptDeps } from './adopt-call.ts';
import type { CallActorEvent } from './call-aggregate.ts';
import { requestIdOfAttempt } from './find-call.ts';
import { intentHits } from './intent-hits.ts';

export interface ReportProgressDeps extends AdoptDeps, ListDeps, Pick<Ports, 'dials' | 'deltas' | 'clock'> {
  liveCalls: Pick<LiveCallStore, 'appendSegments' | 'read'>;
}

/** One validated event of D9.1. */
export interface Progress {
  requestId: string | null;
  attemptId: number | null;
  kind: 'started' | 'segment' | 'intervention' | 'ended';
  seq: number | null;
  /** Of the hand-over by which the call is the reporter's; null: it does not say. */
  epoch: number | null;
  /** UTC ms, null = now. */
  at: number | null;
  nodeId: string | null;
  segment: { segmentId: string; speaker: Speaker; text: string; final: boolean; startMs: number | null; endMs: number | null } | null;
  intervention: { id: string; status: InterventionStatus; agentId: number | null; reason: string | null } | null;
}

export interface ProgressAnswer {
  accepted: number;
  duplicates: number;
  /** `error`: NOT_FOUND or STALE_EPOCH. */
  rejected: { index: number; error: CalloutError }[];
}

type Outcome = 'accepted' | 'duplicate';

/**
 * Applies progress of live calls in the order given. An event of an unknown call is rejected by its place; the rest is applied.
 *
 * Errors: CACHE_UNAVAILABLE: events before it may have been applied, repeating them is harmless
 * Source: OCS 4.12, D9.1
 */
export async function reportProgress(deps: ReportProgressDeps, events: readonly Progress[]): Promise<ProgressAnswer> {
  const answer: ProgressAnswer = { accepted: 0, duplicates: 0, rejected: [] };
  for (const [index, event] of events.entries()) {
    try {
      const outcome = await applyOne(deps, event);
      if (outcome === 'accepted') answer.accepted += 1;
      else answer.duplicates += 1;
    } catch (error) {
      if (!(isCalloutError(error, 'NOT_FOUND') || isCalloutError(error, 'STALE_EPOCH'))) throw error;
      answer.rejected.push({ index, error });
    }
  }
  return answer;
}

async function applyOne(deps: ReportProgressDeps, event: Progress): Promise<Outcome> {
  const requestId = await locate(deps, event);
  if (event.kind === 'segment' && event.segment) return appendSegment(deps, requestId, event, event.segment);
  return sendProgress(deps, requestId, event);
}

async function locate(deps: ReportProgressDeps, { requestId, attemptId }: Progress): Promise<string> {
  if (requestId !== null) {
    if (isUuid(requestId)) return requestId.toLowerCase();
    throw notFound('通话');
  }
  if (attemptId === null) throw notFound('通话');
  return requestIdOfAttempt(deps, attemptId);
}

/** What the actor has taken before changes nothing and is a duplicate, whatever its `seq`. */
async function sendProgress(deps: ReportProgressDeps, requestId: string, event: Progress): Promise<Outcome> {
  const callEvent = toCallEvent(event, event.at ?? deps.clock.now());
  if (callEvent === null) return acceptKnown(deps, requestId);
  const commandId = commandIdOf(event);
  let outcome = await deps.calls.send(requestId, callEvent, commandId);
  if (outcome.kind === 'absent' && (await adoptCall(deps, requestId))) outcome = await deps.calls.send(requestId, callEvent, commandId);
  if (outcome.kind === 'absent') throw notFound('通话');
  if (outcome.kind === 'ignored' && isStale(outcome.state.context, { epoch: event.epoch ?? undefined })) throw staleEpoch();
  return outcome.kind === 'applied' ? 'accepted' : 'duplicate';
}

async function acceptKnown(deps: ReportProgressDeps, requestId: string): Promise<Outcome> {
  if ((await deps.calls.find(requestId)) === null && !(await adoptCall(deps, requestId))) throw notFound('通话');
  return 'accepted';
}

/** Steps of an intervention without a number of their own are known apart by what they say. */
function commandIdOf({ kind, seq, epoch, intervention }: Progress): string {
  const step = intervention && seq === null ? `:${intervention.id}:${intervention.status}` : '';
  // Each owner of a call counts for itself.
  return `progress:${epoch === null ? '' : `${epoch}:`}${kind}:${seq ?? 0}${step}`;
}

/** Null: nothing that the call's actor decides by. */
function toCallEvent({ kind, intervention, epoch: given }: Progress, at: number): CallActorEvent | null {
  const epoch = given ?? undefined;
  if (kind === 'started') return { type: 'runtimeStarted', at, epoch };
  if (kind === 'ended') return { type: 'runtimeEnded', epoch };
  if (kind !== 'intervention' || !intervention) return null;
  const { id, status, agentId, reason } = intervention;
  // What the server has decided by itself is no news from the runtime.
  if (status === 'requested' || status === 'cancelled' || status === 'expired') return null;
  return { type: 'interventionNoticed', id, status, agentId, reason, at };
}

async function appendSegment(
  deps: ReportProgressDeps,
  requestId: string,
  event: Progress,
  spoken: NonNullable<Progress['segment']>,
): Promise<Outcome> {
  const at = event.at ?? deps.clock.now();
  const segment: LiveSegment = { ...spoken, nodeId: event.nodeId, at, seq: event.seq };
  const append = () => deps.liveCalls.appendSegments(requestId, [segment], event.epoch);
  let appended = await append();
  if (!appended && (await adoptCall(deps, requestId))) appended = await append();
  if (!appended) throw notFound('通话');
  const isNew = appended.accepted[0] === true;
  const { campaignId, version } = appended;
  if (isNew) deps.deltas.publish({ requestId, campaignId, kind: 'segment', version, at, data: { segment } });
  const hits = intentHits(appended.intentKeywords, segment);
  if (hits.length > 0 && (isNew || (await stands(deps, requestId, segment))))
    await deps.calls.send(requestId, { type: 'intentHeard', hits }, `intent:${segment.segmentId}:${version}`);
  return isNew ? 'accepted' : 'duplicate';
}

/** A repeated caption may be one whose first report was cut off before its keywords were reported; one that was left out has said nothing. */
async function stands({ liveCalls }: ReportProgressDeps, requestId: string, { segmentId, text, final }: LiveSegment): Promise<boolean> {
  const [call] = await liveCalls.read([requestId]);
  return call?.segments.some(known => known.segmentId === segmentId && known.text === text && known.final === final) ?? false;
}
