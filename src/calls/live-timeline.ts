import type { AttemptEvent } from '#attempts/timelines.ts';
import type { TranscriptSource } from '#attempts/attempt.ts';
import type { LiveCall } from './live-call.ts';

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
  return kind === 'segment' && (Object(detail) as { source?: TranscriptSource }).source === CAPTIONS;
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
