import type { RecordingState } from '#attempts/attempt.ts';

/** What a look at a recording has found. */
export type RecordingFound =
  | { kind: 'absent' }
  /** Its place gives no answer, or this server has no access to it. */
  | { kind: 'unreachable' }
  /** `seconds` null: in a format whose length is not read; `quietShare` null: in one whose level is not. */
  | { kind: 'sound'; seconds: number | null; quietShare: number | null };

export type Verdict = Extract<RecordingState, 'complete' | 'short' | 'silent' | 'missing' | 'unknown'>;

/** Verdicts that people are told of. */
export const WRONG_STATES = ['short', 'silent', 'missing', 'unknown'] as const satisfies readonly Verdict[];

/** A recording may begin late or end early by so much: a fixed part for the seconds that a runtime needs, and a share for its clock. */
const TOLERATED_SECONDS = 3;
const TOLERATED_SHARE = 0.02;
/** A recording is silent when at least this share of its samples is quiet. */
const SILENT_SHARE = 0.995;
/** Shorter calls may end before anybody has spoken, in s. */
const MIN_SPOKEN_SECONDS = 5;

/** Judges a recording by the seconds that it has to hold. Source: D7.20 */
export function judgeRecording(found: RecordingFound, talkSeconds: number): Verdict {
  if (found.kind === 'absent') return 'missing';
  if (found.kind === 'unreachable' || found.seconds === null) return 'unknown';
  if (found.seconds < talkSeconds * (1 - TOLERATED_SHARE) - TOLERATED_SECONDS) return 'short';
  const isSilent = (found.quietShare ?? 0) >= SILENT_SHARE && talkSeconds >= MIN_SPOKEN_SECONDS;
  return isSilent ? 'silent' : 'complete';
}

/** Pause between looks until the verdict, in ms: a file may still be written, or be on its way to its server. */
const PROVISIONAL_PAUSE_MS = 15_000;
/** Age of a check from which a look decides, in ms. */
const DECIDED_AFTER_MS = 38_000;
/** Ages at which what was not complete is looked at again, in ms. */
const LATER_MS = [600_000, 3_600_000, 6 * 3_600_000];

export interface NextLook {
  /** Whether the verdict stands; otherwise the check is still pending. */
  isDecided: boolean;
  /** Null: never. */
  inMs: number | null;
}

/** What follows from a look at a check of this age. */
export function nextLook(verdict: Verdict, ageMs: number): NextLook {
  if (verdict === 'complete' || verdict === 'silent') return { isDecided: true, inMs: null };
  if (ageMs < DECIDED_AFTER_MS) return { isDecided: false, inMs: PROVISIONAL_PAUSE_MS };
  const later = LATER_MS.find(age => age > ageMs);
  return { isDecided: true, inMs: later === undefined ? null : later - ageMs };
}
