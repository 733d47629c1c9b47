import { isStale } from '#actors/call/context.ts';
import type { IntentHit } from '#actors/call/watch.ts';
import type { InterventionStatus } from '#actors/intervention/take-over.ts';
import type { Speaker } from '#attempts/attempt.ts';
import { assert } from '#kernel/assert.ts';
import { type CalloutError, isCalloutError, notFound, staleEpoch } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';
import type { DeltasPart } from '#platform/feeds/live-deltas.ts';
import type { Platform } from '#platform/platform.ts';
import type { CallActorEvent, CallsPart } from './call-actor.ts';
import { adoptCall, requestIdOfAttempt } from './find-call.ts';
import type { LiveCallStore, LiveSegment } from './live-call-store.ts';

/** Finds the keywords that a text contains. */
interface KeywordMatcher {
  /** Keywords in order of first appearance, without duplicates, in the campaign's spelling. */
  match(text: string): string[];
}

/**
 * Compiles keywords into one regular expression: a single pass finds all of them, preferring the longest at each position.
 *
 * Why:    ignores case and character width (ＡＢＣ matches abc), because speech recognition produces either
 * Source: OCS 4.12 rule 2, D5.4
 */
export function compileKeywords(keywords: readonly string[]): KeywordMatcher | null {
  const spellings = new Map(keywords.map(keyword => [fold(keyword), keyword]));
  spellings.delete('');
  if (spellings.size === 0) return null;
  const longestFirst = [...spellings.keys()].sort((a, b) => b.length - a.length);
  const expression = new RegExp(longestFirst.map(escapePattern).join('|'), 'gu');
  return {
    match(text) {
      const found = fold(text).match(expression) ?? [];
      return [...new Set(found)].flatMap(spelling => spellings.get(spelling) ?? []);
    },
  };
}

/** NFKC converts full-width letters and digits to ASCII. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** Keyed by the list itself, so that the compiled keywords live as long as the cached list. */
const compiled = new WeakMap<readonly string[], KeywordMatcher | null>();

/** Finds the intent keywords in a final caption of the customer. Source: OCS 4.12 rule 2 */
function intentHits(keywords: readonly string[], { segmentId, speaker, final, text, at }: LiveSegment): IntentHit[] {
  if (keywords.length === 0 || speaker !== 'customer' || !final) return [];
  const found = matcherOf(keywords)?.match(text) ?? [];
  return found.map(keyword => ({ keyword, segmentId, at }));
}

function matcherOf(keywords: readonly string[]): KeywordMatcher | null {
  const known = compiled.get(keywords);
  if (known !== undefined) return known;
  const matcher = compileKeywords(keywords);
  compiled.set(keywords, matcher);
  return matcher;
}

export interface ProgressApp extends CallsPart, OutcomesPart, DeltasPart, Pick<Platform, 'db' | 'clock'> {
  liveCalls: Pick<LiveCallStore, 'appendSegments' | 'read'>;
}

/** One validated event of D9.1. */
export interface Progress {
  requestId: string | null;
  attemptId: number | null;
  kind: 'started' | 'segment' | 'intervention' | 'ended';
  seq: number | null;
  /** Epoch of the hand-over under which the reporter holds the call; null when not given. */
  epoch: number | null;
  /** The reporting runtime; null when not given. */
  runtimeId: string | null;
  /** Time of the event by the reporter's clock, UTC ms; null means now. */
  at: number | null;
  nodeId: string | null;
  segment: { segmentId: string; speaker: Speaker; text: string; final: boolean; startMs: number | null; endMs: number | null } | null;
  intervention: { id: string; status: InterventionStatus; agentId: number | null; reason: string | null } | null;
}

interface ProgressAnswer {
  accepted: number;
  duplicates: number;
  /** `error` is NOT_FOUND or STALE_EPOCH. */
  rejected: { index: number; error: CalloutError }[];
}

type Outcome = 'accepted' | 'duplicate' | CalloutError;

/** Most captions appended in one step of the cache: about 1 ms, during which it serves no other request. */
const MAX_CAPTIONS_AT_ONCE = 50;
/** Greatest plausible age of a caption, in ms. */
const MAX_CAPTION_AGE_MS = 60_000;

/**
 * Applies progress events of live calls: the events of one call in the given order, consecutive captions together; different calls in parallel.
 * An event of an unknown call is rejected under its index, and the others are applied.
 *
 * Errors: CACHE_UNAVAILABLE; some of the events may have been applied, and repeating them is harmless
 * Source: OCS 4.12, D9.1
 */
export function reportProgress(app: ProgressApp, events: readonly Progress[]): Promise<ProgressAnswer> {
  const [first] = events;
  return first && events.length === 1 ? reportOne(app, first) : reportList(app, events);
}

async function reportList(app: ProgressApp, events: readonly Progress[]): Promise<ProgressAnswer> {
  const requestIds = await locateAll(app, events);
  const calls = Map.groupBy(events.keys(), index => requestIds[index] ?? null);
  const outcomes: (Outcome | undefined)[] = [];
  const apply = async ([requestId, indexes]: [string | null, number[]]) => {
    if (requestId === null) return;
    for (const run of runsOf(events, indexes)) {
      const applied = await applyRun(
        app,
        requestId,
        run.map(index => events[index] as Progress),
      ).catch(refusal);
      for (const [place, index] of run.entries()) outcomes[index] = Array.isArray(applied) ? (applied[place] ?? 'duplicate') : applied;
    }
  };
  await Promise.all([...calls].map(apply));
  return answerOf(events.map((_event, index) => outcomes[index] ?? notFound('通话')));
}

/** Fast path: nearly all reports contain a single event, thousands per second. */
async function reportOne(app: ProgressApp, event: Progress): Promise<ProgressAnswer> {
  const requestId = isLocated(event) ? event.requestId.toLowerCase() : (await locateAll(app, [event]))[0];
  if (!requestId) return answerOf([notFound('通话')]);
  try {
    return answerOf(await applyRun(app, requestId, [event]));
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

/** Returns an error that rejects its event only; rethrows any other. */
function refusal(error: unknown): CalloutError {
  if (isCalloutError(error, 'NOT_FOUND') || isCalloutError(error, 'STALE_EPOCH')) return error;
  throw error;
}

/** Splits one call's events into runs of indexes: consecutive captions under one hand-over together, any other event alone. */
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

function applyRun(app: ProgressApp, requestId: string, run: readonly Progress[]): Promise<Outcome[]> {
  const [first] = run;
  assert(first, 'a run holds an event');
  return first.kind === 'segment' ? appendCaptions(app, requestId, run) : sendProgress(app, requestId, first).then(outcome => [outcome]);
}

/** Finds the call of each event; null where there is none. */
function locateAll(app: ProgressApp, events: readonly Progress[]): Promise<(string | null)[]> {
  const ofAttempts = new Map<number, Promise<string | null>>();
  const ofAttempt = (attemptId: number) => {
    const lookup = ofAttempts.get(attemptId) ?? requestIdOfAttempt(app, attemptId).catch(unknown);
    ofAttempts.set(attemptId, lookup);
    return lookup;
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

/** An event that the actor has applied before changes nothing and is a duplicate, whatever its `seq`. */
async function sendProgress(app: ProgressApp, requestId: string, event: Progress): Promise<Outcome> {
  // Server time, because the runtime's clock decides no duration.
  const callEvent = toCallEvent(event, app.clock.now());
  if (callEvent === null) return acceptKnown(app, requestId);
  // The machine of an intervention does not check epochs.
  if (event.kind === 'intervention') await requireOwner(app, requestId, event);
  const commandId = commandIdOf(event);
  let outcome = await app.calls.send(requestId, callEvent, commandId);
  if (outcome.kind === 'absent' && (await adoptCall(app, requestId))) outcome = await app.calls.send(requestId, callEvent, commandId);
  if (outcome.kind === 'absent') throw notFound('通话');
  if (outcome.kind === 'ignored' && isStale(outcome.state.context, event)) throw staleEpoch();
  return outcome.kind === 'applied' ? 'accepted' : 'duplicate';
}

async function requireOwner({ calls }: ProgressApp, requestId: string, event: Progress): Promise<void> {
  const call = await calls.find(requestId);
  if (call && isStale(call.state.context, event)) throw staleEpoch();
}

async function acceptKnown(app: ProgressApp, requestId: string): Promise<Outcome> {
  if ((await app.calls.find(requestId)) === null && !(await adoptCall(app, requestId))) throw notFound('通话');
  return 'accepted';
}

/** Steps of an intervention without a `seq` are identified by their content. */
function commandIdOf({ kind, seq, epoch, intervention }: Progress): string {
  const step = intervention && seq === null ? `:${intervention.id}:${intervention.status}` : '';
  // Each owner of a call numbers its own events.
  return `progress:${epoch === null ? '' : `${epoch}:`}${kind}:${seq ?? 0}${step}`;
}

/** Returns null for an event that the call's actor does not decide on. */
function toCallEvent({ kind, intervention, epoch, runtimeId }: Progress, at: number): CallActorEvent | null {
  if (kind === 'started') return { type: 'runtimeStarted', at, epoch, runtimeId };
  if (kind === 'ended') return { type: 'runtimeEnded', epoch, runtimeId };
  if (kind !== 'intervention' || !intervention) return null;
  const { id, status, agentId, reason } = intervention;
  // The server has decided these steps itself.
  if (status === 'requested' || status === 'cancelled' || status === 'expired') return null;
  return { type: 'interventionNoticed', id, status, agentId, reason, at };
}

/** Appends captions of one call under one hand-over. */
async function appendCaptions(app: ProgressApp, requestId: string, events: readonly Progress[]): Promise<Outcome[]> {
  const now = app.clock.now();
  const segments = events.flatMap(({ segment, nodeId, seq, at }): LiveSegment[] =>
    segment ? [{ ...segment, nodeId, at: captionAt(at, now), seq }] : [],
  );
  const append = () => app.liveCalls.appendSegments(requestId, segments, events[0]);
  let appended = await append();
  if (!appended && (await adoptCall(app, requestId))) appended = await append();
  if (!appended) throw notFound('通话');
  const { accepted, campaignId, intentKeywords } = appended;
  let version = appended.version - accepted.filter(Boolean).length;
  for (const [place, segment] of segments.entries()) {
    if (accepted[place])
      app.deltas.publish({ requestId, campaignId, kind: 'segment', version: ++version, at: segment.at, data: { segment } });
  }
  for (const [place, segment] of segments.entries()) {
    const hits = intentHits(intentKeywords, segment);
    if (hits.length > 0 && (accepted[place] || (await isStored(app, requestId, segment))))
      await app.calls.send(requestId, { type: 'intentHeard', hits }, `intent:${segment.segmentId}:${appended.version}`);
  }
  return segments.map((_segment, place) => (accepted[place] ? 'accepted' : 'duplicate'));
}

/** A caption that waited to be sent was spoken a little earlier; any other deviation comes from a wrong clock. */
function captionAt(at: number | null, now: number): number {
  return at === null || at > now || at < now - MAX_CAPTION_AGE_MS ? now : at;
}

/**
 * Whether the caption is stored. The first report of a repeated caption may have been interrupted before its keywords were reported; a caption
 * that was dropped reports none.
 */
async function isStored({ liveCalls }: ProgressApp, requestId: string, { segmentId, text, final }: LiveSegment): Promise<boolean> {
  const [call] = await liveCalls.read([requestId]);
  return call?.segments.some(known => known.segmentId === segmentId && known.text === text && known.final === final) ?? false;
}
