import { isAnswered } from '#rules/call-status.ts';
import type { CallStatus } from '#rules/call-status.ts';
import { SCRIPTLESS_HOLD_MS } from '#rules/scriptless-calls.ts';

/** Attempts that a contact has in all, whoever starts them. Source: D5.5 */
export function attemptsAllowed(maxRetries: number): number {
  return maxRetries + 1;
}

/** Facts of an attempt that has ended. */
export interface EndedAttempt {
  /** null when the outcome is unknown. */
  callStatus: CallStatus | null;
  /** Attempts that count, this one included; cancelled claims do not. */
  attemptCount: number;
  maxRetries: number;
  retryIntervalSeconds: number;
  /** UTC ms. */
  endedAt: number;
  /** The switch, the line or the runtime failed, not the person: `attemptCount` goes back by one. */
  isOurFault?: boolean;
  /** Answered, and the runtime has not said how it went (D7.8). */
  isResultMissing?: boolean;
  /** The campaign dials such a contact again. */
  retryAnsweredWithoutResult?: boolean;
}

/** A contact whose dial failed by our fault rests this long, ms: others come first, and what is broken is not hammered. */
export const OUR_FAULT_PAUSE_MS = 30_000;

export interface RetryDecision {
  contactStatus: 'completed' | 'failed';
  /** UTC instant at which the next attempt is due; null when there is none. */
  retryAt: number | null;
}

/** What becomes of a contact after a result. */
export interface ContactFate {
  contactStatus: 'completed' | 'failed' | 'pending';
  retryAt: number | null;
  /** The attempt counts for nothing; the contact rests until then (UTC ms). Null: it counts. */
  restsUntil: number | null;
}

/** A call that a runtime ended for want of a script costs its contact nothing; it is not called again at once. Source: D5.6 */
export function spare({ endedAt, retryIntervalSeconds }: Pick<EndedAttempt, 'endedAt' | 'retryIntervalSeconds'>): ContactFate {
  const restsUntil = endedAt + Math.max(SCRIPTLESS_HOLD_MS, retryIntervalSeconds * 1_000);
  return { contactStatus: 'pending', retryAt: null, restsUntil };
}

/**
 * What becomes of a contact after an attempt: answered calls complete it, all others fail it and are retried while attempts remain.
 *
 * Source: D5.5, D7.1, D7.8
 */
export function decideRetry(attempt: EndedAttempt): RetryDecision {
  if (attempt.isOurFault === true) return { contactStatus: 'failed', retryAt: attempt.endedAt + OUR_FAULT_PAUSE_MS };
  const isOver = attempt.isResultMissing !== true || attempt.retryAnsweredWithoutResult !== true;
  if (isAnswered(attempt.callStatus) && isOver) return { contactStatus: 'completed', retryAt: null };
  const remains = attempt.attemptCount < attemptsAllowed(attempt.maxRetries);
  return { contactStatus: 'failed', retryAt: remains ? retryDueAt(attempt.endedAt, attempt.retryIntervalSeconds) : null };
}

/** Units: UTC ms. Source: D5.5 */
export function retryDueAt(endedAt: number, retryIntervalSeconds: number): number {
  return endedAt + retryIntervalSeconds * 1_000;
}
