import type { Outcome } from '#attempts/decisions/evidence.ts';
import type { NumberVerdict } from '#contacts/decisions/numbers.ts';
import type { ContactOutcome } from './contact-outcome.ts';

/** One of several numbers of a contact. */
export interface PersonNumber {
  dialKey: string;
  verdict: NumberVerdict | null;
  /** It is on the do-not-call list. */
  isListed: boolean;
}

/** The numbers of a contact as they stand after an attempt; keys are null when there is no such number. */
export interface NumberQueue {
  /** The attempt was made to the first number in order. */
  isFirst: boolean;
  /** The number that follows the dialled one. */
  next: string | null;
  /** The number with which a later attempt begins anew. */
  first: string | null;
}

/** Numbers of a contact, and the key of the dialled one. */
export interface DialledNumbers {
  dialKey?: string;
  numbers?: readonly PersonNumber[];
}

const SINGLE: NumberQueue = { isFirst: true, next: null, first: null };

/**
 * The numbers that may follow an attempt: those that nothing has ended and that are not on the do-not-call list.
 *
 * Why:    `next` walks down the list and stops at its end, so that a table of rules sees the end of a round; after a number that does not
 *         exist any other one follows
 * Shape:  `numbers` in order, absent or empty for a single number
 * Source: D6.7
 */
export function numberQueue({ numbers = [], dialKey = '' }: DialledNumbers, outcome: Outcome): NumberQueue {
  if (numbers.length === 0) return SINGLE;
  const place = numbers.findIndex(number => number.dialKey === dialKey);
  const hasEnded = outcome === 'invalid_number';
  const isOver = (number: PersonNumber) => (number.dialKey === dialKey ? hasEnded : number.verdict !== null);
  const open = numbers.filter(number => !number.isListed && !isOver(number));
  const later = open.find(number => numbers.indexOf(number) > place);
  const first = open[0]?.dialKey ?? null;
  return { isFirst: place <= 0, next: later?.dialKey ?? (hasEnded ? first : null), first };
}

/** Changes that an attempt makes to the numbers of its contact. */
export interface NumberChange {
  /** The dialled number. */
  dialKey: string;
  /** The verdict that ends it now; null: none. */
  verdict: NumberVerdict | null;
  /** The number to dial next; null: as before. */
  next: string | null;
}

/** Null for a contact with a single number. */
export function numberChange({ numbers = [], dialKey = '' }: DialledNumbers, outcome: Outcome, next: string | null): NumberChange | null {
  if (numbers.length === 0) return null;
  return { dialKey, verdict: outcome === 'invalid_number' ? outcome : null, next };
}

/**
 * The contact after an attempt to a number that does not exist, while it has another number: that one is dialled at once, and the attempt
 * costs the person nothing.
 *
 * Why: nobody was rung, and at most ten such attempts are possible
 */
export function onNextNumber(outcome: ContactOutcome, endedAt: number): ContactOutcome {
  return { ...outcome, contactStatus: 'failed', retryAt: endedAt, isUnreachable: false, isCounted: false };
}
