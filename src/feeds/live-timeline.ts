import type { AttemptEvent } from '#operations/attempts/read-timelines.ts';
import type { LiveCall } from './live-call.ts';

/**
 * What has happened in a live call so far, in order: what is kept of its attempt, and what was said, which is written with the result only.
 *
 * Shape:  once the transcript is written it is shown and not the captions, so that nothing stands there twice
 * Source: D9.2 for the captions, the newest 200
 */
export function liveTimeline(
  { attemptId, segments }: Pick<LiveCall, 'attemptId' | 'segments'>,
  kept: readonly AttemptEvent[],
): AttemptEvent[] {
  if (kept.some(({ kind }) => kind === 'segment')) return [...kept];
  const said = segments.map(({ at, text, speaker, segmentId, nodeId }) => ({
    attemptId,
    at,
    kind: 'segment' as const,
    text,
    detail: { speaker, segmentId, nodeId },
  }));
  // Of the same instant: the call was answered before anybody spoke, and ended after.
  return [...kept, ...said].sort((a, b) => a.at - b.at || RANK[a.kind] - RANK[b.kind]);
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
