import { type CallStatus, isAnswered } from '#rules/call-status.ts';
import { SCRIPTLESS_HOLD_MS } from '#rules/scriptless-calls.ts';

/** Attempts that a contact has in all, whoever starts them. Source: D5.5 */
export function attemptsAllowed(maxRetries: number): number {
  return maxRetries + 1;
}

/** Units: UTC ms. Source: D5.5 */
export function retryDueAt(endedAt: number, retryIntervalSeconds: number): number {
  return endedAt + retryIntervalSeconds * 1_000;
}

/** Facts of an attempt that has ended, and how its campaign dials again. */
export interface EndedAttempt {
  /** null when the outcome is unknown. */
  callStatus: CallStatus | null;
  /** Attempts that count, this one included; cancelled claims do not. */
  attemptCount: number;
  maxRetries: number;
  retryIntervalSeconds: number;
  /** UTC ms. */
  endedAt: number;
  /** The switch, the line or the runtime failed, not the person. */
  isOurFault?: boolean;
  /** The person had answered, and heard an apology or silence: with `isOurFault`. */
  isUnserved?: boolean;
  /** Earlier attempts of the contact that ended so. */
  unservedBefore?: number;
  /** Nothing ever came from the far end. */
  isSilent?: boolean;
  /** The campaign's breaker has stopped its dials: the line is known to be dead, so silence says nothing of this person. */
  isLineDead?: boolean;
  /** Silent attempts in a row that have cost the contact nothing. Absent: none. */
  silentRepeats?: number;
  /** The runtime ended it for want of a script. */
  isScriptless?: boolean;
  /** Answered, and the runtime has not said how it went (D7.8). */
  isResultMissing?: boolean;
  /** The campaign dials such a contact again. */
  retryAnsweredWithoutResult?: boolean;
  /** The campaign dials again whoever's call ended in a way that nobody knows. */
  retryUnknown?: boolean;
}

/** A contact whose dial failed by our fault rests this long, ms: others come first, and what is broken is not hammered. */
export const OUR_FAULT_PAUSE_MS = 30_000;

/** So often a person who answered and was served by nobody is called again without its counting as an attempt. */
export const FREE_REPEATS = 2;
/**
 * Silent attempts of a contact that cost nothing, in a row.
 *
 * Why: a phone that is off in a network which says nothing of it looks as a dead line does; while others ring, it is not dialled for ever
 */
export const MAX_SILENT_REPEATS = 5;

/** Instants are UTC ms. */
export interface ContactOutcome {
  contactStatus: 'completed' | 'failed' | 'pending';
  /** When the next attempt is due; null when there is none. */
  retryAt: number | null;
  /** The contact is held until then; null: it is not, or for good. */
  restsUntil: number | null;
  /** Nobody can be reached at the number: it is held until a person asks for it again. */
  isUnreachable: boolean;
  /** Whether the attempt is one of the contact's `attemptCount`. */
  isCounted: boolean;
  /** As in `EndedAttempt`, with this attempt. */
  silentRepeats: number;
  /** The attempt was the line's failure: no dial of the person. */
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
 * What becomes of a contact after an attempt: answered calls complete it, all others fail it and are retried while attempts remain. What was not
 * the person's doing costs nothing, and is not tried again at once; a number at which nobody can be reached is not tried again at all.
 *
 * Source: D5.5, D5.6, D7.1, D7.8
 */
export function contactOutcome(attempt: EndedAttempt): ContactOutcome {
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
  // A verdict on the number does not change with time: every further dial of it would fail alike.
  if (attempt.callStatus === 'invalid_number') return { ...COMPLETED, contactStatus: 'failed', isUnreachable: true };
  const isOver = !attempt.isResultMissing || !attempt.retryAnsweredWithoutResult;
  if (isAnswered(attempt.callStatus) && isOver) return COMPLETED;
  // Somebody may have answered: whether they are called again is no guess of ours.
  const mayRepeat = attempt.callStatus !== null || attempt.retryUnknown === true;
  const remains = mayRepeat && attempt.attemptCount < attemptsAllowed(attempt.maxRetries);
  return { ...COMPLETED, contactStatus: 'failed', retryAt: remains ? retryDueAt(endedAt, retryIntervalSeconds) : null };
}

/** A telephone that rang for nothing again and again costs attempts like any other, or it would never end. */
function isFree({ isUnserved = false, unservedBefore = 0 }: EndedAttempt): boolean {
  return !isUnserved || unservedBefore < FREE_REPEATS;
}
