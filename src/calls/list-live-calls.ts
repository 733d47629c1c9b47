import type { TranscriptSource } from '#attempts/attempt.ts';
import type { AttemptEvent } from '#attempts/timelines.ts';
import type { Platform } from '#platform/platform.ts';
import { type LiveCallScope, shows } from './live-call-scope.ts';
import type { LiveCallsPart, LiveCallReadPart } from './live-call-store.ts';
import { type LiveCall, liveCallOf } from './live-call.ts';
import { membersOf } from '#kernel/typed.ts';

const CAPTIONS: TranscriptSource = 'captions';

/**
 * Timeline of a live call so far, in order: the stored events of its attempt, and the captions, which are stored only when the call ends.
 *
 * Shape:  once a result has brought a transcript, captions are left out, so that no utterance appears twice; stored captions are replaced
 *         by those of the live call, which may have more
 * Source: D9.2 for the captions, the newest 200
 */
export function liveTimeline(
  { attemptId, segments }: Pick<LiveCall, 'attemptId' | 'segments'>,
  kept: readonly AttemptEvent[],
): AttemptEvent[] {
  if (kept.some(event => event.kind === 'segment' && !isCaption(event))) return [...kept];
  const said = segments.map(({ at, text, speaker, segmentId, nodeId }) => ({
    attemptId,
    at,
    kind: 'segment' as const,
    text,
    detail: { speaker, segmentId, nodeId, source: CAPTIONS },
  }));
  // Events of the same instant are ordered by kind: `answered` before what was said, `ended` after it.
  return [...kept.filter(event => !isCaption(event)), ...said].sort((a, b) => a.at - b.at || RANK[a.kind] - RANK[b.kind]);
}

function isCaption({ kind, detail }: AttemptEvent): boolean {
  return kind === 'segment' && membersOf(detail)['source'] === CAPTIONS;
}

const RANK: Readonly<Record<AttemptEvent['kind'], number>> = {
  claimed: 0,
  dialing: 1,
  accepted: 2,
  answered: 3,
  segment: 4,
  event: 5,
  joined: 5,
  left: 5,
  ended: 6,
  result: 7,
};

/** Most calls in one view: as many as a campaign may have at once (D5.3). */
export const MAX_LIVE_CALLS = 10_000;
/** Calls read with their captions in one round trip. */
const READ_AT_ONCE = 200;

/** Live calls, oldest first. */
export interface LiveCallList {
  calls: LiveCall[];
  /** More calls are live than fit into one view. */
  truncated: boolean;
}

/** `at`: UTC ms. */
export type LiveCallListing = LiveCallList & { at: number };

/**
 * Calls held by the store; an ended call stays for another 60 s.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D9.2
 */
export async function listLiveCalls(app: LiveCallsPart & Pick<Platform, 'clock'>, scope: LiveCallScope): Promise<LiveCallListing> {
  const ids = await app.liveCalls.listIds(MAX_LIVE_CALLS + 1);
  const calls = await readLiveCalls(app, ids.slice(0, MAX_LIVE_CALLS));
  return { ...liveCallList(calls.values(), scope, ids.length > MAX_LIVE_CALLS), at: app.clock.now() };
}

/** Reads calls by request id, in batches; unknown ids are left out. */
export async function readLiveCalls(app: LiveCallReadPart, ids: readonly string[]): Promise<Map<string, LiveCall>> {
  const calls = new Map<string, LiveCall>();
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    for (const stored of await app.liveCalls.read(ids.slice(from, from + READ_AT_ONCE))) {
      const call = liveCallOf(stored);
      if (call) calls.set(call.requestId, call);
    }
  }
  return calls;
}

export function liveCallList(calls: Iterable<LiveCall>, scope: LiveCallScope, truncated: boolean): LiveCallList {
  const chosen = [...calls].filter(call => shows(scope, call));
  return { truncated, calls: chosen.sort((a, b) => a.startedAt - b.startedAt || (a.requestId < b.requestId ? -1 : 1)) };
}
