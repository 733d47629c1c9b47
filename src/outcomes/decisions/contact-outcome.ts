import { type CallStatus, isAnswered } from '#protocol/call-status.ts';
import { SCRIPTLESS_HOLD_MS } from '#campaigns/decisions/campaign-states.ts';

/** Total attempts of a contact, however they are started. Source: D5.5 */
export function attemptsAllowed(maxRetries: number): number {
  return maxRetries + 1;
}

/** Units: UTC ms. Source: D5.5 */
export function retryDueAt(endedAt: number, retryIntervalSeconds: number): number {
  return endedAt + retryIntervalSeconds * 1_000;
}

/** Facts of an ended attempt, and the campaign's retry settings. */
export interface EndedAttempt {
  /** Null when the outcome is unknown. */
  callStatus: CallStatus | null;
  /** Counted attempts, including this one; cancelled claims do not count. */
  attemptCount: number;
  maxRetries: number;
  retryIntervalSeconds: number;
  /** UTC ms. */
  endedAt: number;
  /** The switch, the line or the runtime failed, not the called person. */
  isOurFault?: boolean;
  /** With `isOurFault`: the customer had answered, and heard an apology or silence. */
  isUnserved?: boolean;
  /** Number of earlier attempts of the contact with that ending. */
  unservedBefore?: number;
  /** The far end never responded. */
  isSilent?: boolean;
  /** The campaign's breaker is open: the line is known to be dead, so silence is no evidence about this contact. */
  isLineDead?: boolean;
  /** Consecutive silent attempts that were not counted against the contact. Absent: none. */
  silentRepeats?: number;
  /** The runtime ended the call for lack of a script. */
  isScriptless?: boolean;
  /** Answered, but without a runtime result (D7.8). */
  isResultMissing?: boolean;
  /** The campaign's setting: redial such a contact. */
  retryAnsweredWithoutResult?: boolean;
  /** How often the contact has refused a call, this one included. Absent: not known. */
  refusals?: number;
  /** Begin of the contact's next day, UTC ms; asked only after a refusal. */
  nextDay?: () => number;
  /** The campaign's setting: redial after a call with an unknown outcome. */
  retryUnknown?: boolean;
}

/** Pause for a contact whose dial failed through our fault, ms: other contacts come first, and the broken part is not hammered. */
export const OUR_FAULT_PAUSE_MS = 30_000;

/** How often a customer who answered and was not served is redialled without counting the attempt. */
export const FREE_REPEATS = 2;
/**
 * Limit of consecutive silent attempts of a contact that are not counted.
 *
 * Why: a phone that is off may look like a dead line, in a network that reports nothing; while others ring, it must not be dialled forever
 */
export const MAX_SILENT_REPEATS = 5;

/** Instants are UTC ms. */
export interface ContactOutcome {
  contactStatus: 'completed' | 'failed' | 'pending';
  /** Time of the next attempt; null when there is none. */
  retryAt: number | null;
  /** End of a temporary hold; null when there is none. */
  restsUntil: number | null;
  /** The number cannot be reached at all: it is on hold until a user retries it. */
  isUnreachable: boolean;
  /** Whether the attempt counts towards `attemptCount`. */
  isCounted: boolean;
  /** The count of `EndedAttempt`, including this attempt. */
  silentRepeats: number;
  /** The line failed: the attempt does not count as a dial of the number. */
  isLineFault: boolean;
}

const COMPLETED: ContactOutcome = {
  contactStatus: 'completed',
  retryAt: null,
  restsUntil: null,
  isUnreachable: false,
  isCounted: true,
  silentRepeats: 0,
  isLineFault: false,
};

/**
 * The contact's state after an attempt: an answered call completes it; any other fails it, and it is retried while attempts remain. A failure
 * that is not the called person's is not counted and not retried at once; an unreachable number is not retried at all.
 *
 * Source: D5.5, D5.6, D7.1, D7.8
 */
export function contactOutcome(attempt: EndedAttempt): ContactOutcome {
  return freeOutcome(attempt) ?? countedOutcome(attempt);
}

/** The contact's state after an attempt that does not count; null when it counts. */
export function freeOutcome(attempt: EndedAttempt): ContactOutcome | null {
  const { endedAt, retryIntervalSeconds, silentRepeats = 0 } = attempt;
  const free: ContactOutcome = { ...COMPLETED, contactStatus: 'failed', isCounted: false, silentRepeats };
  if (attempt.isOurFault && isFree(attempt)) {
    const pauseMs = attempt.isUnserved ? Math.max(OUR_FAULT_PAUSE_MS, retryIntervalSeconds * 1_000) : OUR_FAULT_PAUSE_MS;
    return { ...free, retryAt: endedAt + pauseMs };
  }
  if (attempt.isScriptless) {
    const restsUntil = Math.max(endedAt + SCRIPTLESS_HOLD_MS, retryDueAt(endedAt, retryIntervalSeconds));
    return { ...free, contactStatus: 'pending', restsUntil };
  }
  if (attempt.isSilent && (attempt.isLineDead || silentRepeats < MAX_SILENT_REPEATS)) {
    const retryAt = Math.max(endedAt + OUR_FAULT_PAUSE_MS, retryDueAt(endedAt, retryIntervalSeconds));
    return { ...free, retryAt, silentRepeats: silentRepeats + Number(!attempt.isLineDead), isLineFault: true };
  }
  return null;
}

/** Most calls that a contact may refuse; further ones would only annoy. */
const MAX_REFUSALS = 2;

function countedOutcome(attempt: EndedAttempt): ContactOutcome {
  const { endedAt, retryIntervalSeconds, refusals = 0, nextDay } = attempt;
  // The verdict on the number is permanent: every further dial would fail alike.
  if (attempt.callStatus === 'invalid_number') return { ...COMPLETED, contactStatus: 'failed', isUnreachable: true };
  const isOver = !attempt.isResultMissing || !attempt.retryAnsweredWithoutResult;
  if (isAnswered(attempt.callStatus) && isOver) return COMPLETED;
  // The customer may have answered: only the campaign's setting allows a redial.
  const mayRepeat = attempt.callStatus !== null || attempt.retryUnknown === true;
  const isRefused = attempt.callStatus === 'rejected';
  const remains = mayRepeat && attempt.attemptCount < attemptsAllowed(attempt.maxRetries) && !(isRefused && refusals >= MAX_REFUSALS);
  const dueAt = Math.max(retryDueAt(endedAt, retryIntervalSeconds), isRefused && nextDay ? nextDay() : endedAt);
  return { ...COMPLETED, contactStatus: 'failed', retryAt: remains ? dueAt : null };
}

/** After several unserved answers the attempts count like any other, otherwise they would never end. */
function isFree({ isUnserved = false, unservedBefore = 0 }: EndedAttempt): boolean {
  return !isUnserved || unservedBefore < FREE_REPEATS;
}

export const RETRYABLE_STATUSES = ['failed', 'submitted', 'completed', 'paused'] as const;
