import { assert } from '#kernel/assert.ts';
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
  /** Who reports; null: it does not say. */
  runtimeId: string | null;
  /** When it was said, by the reporter's clock, UTC ms; null = now. */
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

type Outcome = 'accepted' | 'duplicate' | CalloutError;

/** Captions that one step of the cache takes at most: a thousandth of a second, in which it serves nobody else. */
const MAX_CAPTIONS_AT_ONCE = 50;
/** Older ones are not live any more, ms. */
const MAX_CAPTION_AGE_MS = 60_000;

/**
 * Applies progress of live calls: of each call in the order given, its captions in a row together; calls do not wait for each other. An event of an
 * unknown call is rejected by its place; the rest is applied.
 *
 * Errors: CACHE_UNAVAILABLE: some of the events may have been applied, repeating them is harmless
 * Source: OCS 4.12, D9.1
 */
export function reportProgress(deps: ReportProgressDeps, events: readonly Progress[]): Promise<ProgressAnswer> {
  const [first] = events;
  return first && events.length === 1 ? reportOne(deps, first) : reportList(deps, events);
}

async function reportList(deps: ReportProgressDeps, events: readonly Progress[]): Promise<ProgressAnswer> {
  const requestIds = await locateAll(deps, events);
  const calls = Map.groupBy(events.keys(), index => requestIds[index] ?? null);
  const outcomes: (Outcome | undefined)[] = [];
  const apply = async ([requestId, indexes]: [string | null, number[]]) => {
    if (requestId === null) return;
    for (const run of runsOf(events, indexes)) {
      const applied = await applyRun(
        deps,
        requestId,
        run.map(index => events[index] as Progress),
      ).catch(refusal);
      for (const [place, index] of run.entries()) outcomes[index] = Array.isArray(applied) ? (applied[place] ?? 'duplicate') : applied;
    }
  };
  await Promise.all([...calls].map(apply));
  return answerOf(events.map((_event, index) => outcomes[index] ?? notFound('通话')));
}

/** Nearly all reports are of one event, thousands a second. */
async function reportOne(deps: ReportProgressDeps, event: Progress): Promise<ProgressAnswer> {
  const requestId = isLocated(event) ? event.requestId.toLowerCase() : (await locateAll(deps, [event]))[0];
  if (!requestId) return answerOf([notFound('通话')]);
  try {
    return answerOf(await applyRun(deps, requestId, [event]));
  } catch (error) {
    return answerOf([refusal(error)]);
  }
}

function isLocated(event: Progress): event is Progress & { requestId: string } {
  return event.requestId !== null && isUuid(event.requestId);
}

function answerOf(outcomes: readonly Outcome[]): ProgressAnswer {
  const answer: ProgressAnswer = { accepted: 0, duplicates: 0, rejected: [] };
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome === 'accepted') answer.accepted += 1;
    else if (outcome === 'duplicate') answer.duplicates += 1;
    else answer.rejected.push({ index, error: outcome });
  }
  return answer;
}

/** What rejects an event and keeps no other from being applied. */
function refusal(error: unknown): CalloutError {
  if (isCalloutError(error, 'NOT_FOUND') || isCalloutError(error, 'STALE_EPOCH')) return error;
  throw error;
}

/** Places of one call's events: captions under one hand-over that follow each other, anything else by itself. */
function runsOf(events: readonly Progress[], indexes: readonly number[]): number[][] {
  const runs: number[][] = [];
  let speaker: string | undefined;
  for (const index of indexes) {
    const event = events[index];
    const last = runs.at(-1);
    const speaksAs = event?.kind === 'segment' ? `${event.epoch}:${event.runtimeId}` : undefined;
    if (last && speaksAs !== undefined && speaksAs === speaker && last.length < MAX_CAPTIONS_AT_ONCE) last.push(index);
    else runs.push([index]);
    speaker = speaksAs;
  }
  return runs;
}

function applyRun(deps: ReportProgressDeps, requestId: string, run: readonly Progress[]): Promise<Outcome[]> {
  const [first] = run;
  assert(first, 'a run holds an event');
  return first.kind === 'segment' ? appendCaptions(deps, requestId, run) : sendProgress(deps, requestId, first).then(outcome => [outcome]);
}

/** The call of each event; null: there is none. */
function locateAll(deps: ReportProgressDeps, events: readonly Progress[]): Promise<(string | null)[]> {
  const ofAttempts = new Map<number, Promise<string | null>>();
  const ofAttempt = (attemptId: number) => {
    const asked = ofAttempts.get(attemptId) ?? requestIdOfAttempt(deps, attemptId).catch(unknown);
    ofAttempts.set(attemptId, asked);
    return asked;
  };
  return Promise.all(
    events.map(async ({ requestId, attemptId }) => {
      if (requestId !== null) return isUuid(requestId) ? requestId.toLowerCase() : null;
      return attemptId === null ? null : ofAttempt(attemptId);
    }),
  );
}

function unknown(error: unknown): null {
  if (isCalloutError(error, 'NOT_FOUND')) return null;
  throw error;
}

/** What the actor has taken before changes nothing and is a duplicate, whatever its `seq`. */
async function sendProgress(deps: ReportProgressDeps, requestId: string, event: Progress): Promise<Outcome> {
  // By the server's clock: what the runtime's says decides no duration.
  const callEvent = toCallEvent(event, deps.clock.now());
  if (callEvent === null) return acceptKnown(deps, requestId);
  // An intervention's machine knows nothing of hand-overs.
  if (event.kind === 'intervention') await requireOwner(deps, requestId, event);
  const commandId = commandIdOf(event);
  let outcome = await deps.calls.send(requestId, callEvent, commandId);
  if (outcome.kind === 'absent' && (await adoptCall(deps, requestId))) outcome = await deps.calls.send(requestId, callEvent, commandId);
  if (outcome.kind === 'absent') throw notFound('通话');
  if (outcome.kind === 'ignored' && isStale(outcome.state.context, event)) throw staleEpoch();
  return outcome.kind === 'applied' ? 'accepted' : 'duplicate';
}

async function requireOwner({ calls }: ReportProgressDeps, requestId: string, event: Progress): Promise<void> {
  const call = await calls.find(requestId);
  if (call && isStale(call.state.context, event)) throw staleEpoch();
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
function toCallEvent({ kind, intervention, epoch, runtimeId }: Progress, at: number): CallActorEvent | null {
  if (kind === 'started') return { type: 'runtimeStarted', at, epoch, runtimeId };
  if (kind === 'ended') return { type: 'runtimeEnded', epoch, runtimeId };
  if (kind !== 'intervention' || !intervention) return null;
  const { id, status, agentId, reason } = intervention;
  // What the server has decided by itself is no news from the runtime.
  if (status === 'requested' || status === 'cancelled' || status === 'expired') return null;
  return { type: 'interventionNoticed', id, status, agentId, reason, at };
}

/** Captions of one call under one hand-over. */
async function appendCaptions(deps: ReportProgressDeps, requestId: string, events: readonly Progress[]): Promise<Outcome[]> {
  const now = deps.clock.now();
  const segments = events.flatMap(({ segment, nodeId, seq, at }): LiveSegment[] =>
    segment ? [{ ...segment, nodeId, at: captionAt(at, now), seq }] : [],
  );
  const append = () => deps.liveCalls.appendSegments(requestId, segments, events[0]);
  let appended = await append();
  if (!appended && (await adoptCall(deps, requestId))) appended = await append();
  if (!appended) throw notFound('通话');
  const { accepted, campaignId, intentKeywords } = appended;
  let version = appended.version - accepted.filter(Boolean).length;
  for (const [place, segment] of segments.entries()) {
    if (accepted[place])
      deps.deltas.publish({ requestId, campaignId, kind: 'segment', version: ++version, at: segment.at, data: { segment } });
  }
  for (const [place, segment] of segments.entries()) {
    const hits = intentHits(intentKeywords, segment);
    if (hits.length > 0 && (accepted[place] || (await stands(deps, requestId, segment))))
      await deps.calls.send(requestId, { type: 'intentHeard', hits }, `intent:${segment.segmentId}:${appended.version}`);
  }
  return segments.map((_segment, place) => (accepted[place] ? 'accepted' : 'duplicate'));
}

/** What waited to be sent was spoken a little earlier; any other time comes from a wrong clock. */
function captionAt(at: number | null, now: number): number {
  return at === null || at > now || at < now - MAX_CAPTION_AGE_MS ? now : at;
}

/** A repeated caption may be one whose first report was cut off before its keywords were reported; one that was left out has said nothing. */
async function stands({ liveCalls }: ReportProgressDeps, requestId: string, { segmentId, text, final }: LiveSegment): Promise<boolean> {
  const [call] = await liveCalls.read([requestId]);
  return call?.segments.some(known => known.segmentId === segmentId && known.text === text && known.final === final) ?? false;
}
