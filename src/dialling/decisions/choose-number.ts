import type { SkipReason } from '#campaigns/decisions/skip-reason.ts';
import { assert } from '#kernel/assert.ts';
import type { PersonNumber } from '#outcomes/decisions/next-number.ts';
import type { DialDecision } from './assess.ts';
import type { AdmitDial, AdmitVerdict, CandidateNumber, DialCandidate } from '../dial-store.ts';

/** Refusals of a number that say nothing about its person's other numbers. */
const OF_THE_NUMBER: ReadonlySet<string> = new Set<SkipReason>(['dnc', 'blacklist', 'consent_missing', 'short_code']);

/** The claim's decision about a contact, and the number to dial. */
export interface ChosenNumber<Candidate> {
  candidate: Candidate;
  verdict: AdmitVerdict;
}

/**
 * Admits a contact at its number, or at the first of its other numbers that may be dialled while that one may not.
 *
 * Why:    a number on the do-not-call list is skipped, and the others of the person remain
 * Shape:  where no number may be dialled, the contact waits for the refusal that ends first
 * Source: D6.7
 */
export function chooseNumber<Candidate extends DialCandidate>(admit: AdmitDial, candidate: Candidate, at: number): ChosenNumber<Candidate> {
  const own = { candidate, verdict: admit(candidate, at) };
  if (!isOfTheNumber(own.verdict)) return own;
  let first = own;
  for (const number of otherNumbers(candidate.numbers ?? [], candidate.dialKey)) {
    const other = withNumber(candidate, number);
    const verdict = admit(other, at);
    if (verdict.kind === 'admit') return { candidate: other, verdict };
    if (isOfTheNumber(verdict) && endsBefore(verdict, first.verdict)) first = { candidate, verdict };
  }
  return first;
}

/** The contact's numbers besides one that nothing has ended. */
export function otherNumbers(numbers: readonly CandidateNumber[], dialKey: string): readonly CandidateNumber[] {
  return numbers.filter(number => number.verdict === null && number.dialKey !== dialKey);
}

/**
 * The decision that `chooseNumber` meets, for an explanation: that of the first number that may be dialled, while the refusals before it say
 * nothing about the person.
 *
 * Shape: of each number in order, at least one
 */
export function firstAdmitted([own, ...others]: readonly (() => DialDecision)[]): DialDecision {
  assert(own, 'a contact has a number');
  const decision = own();
  if (decision.admit || !OF_THE_NUMBER.has(decision.reason)) return decision;
  return others.map(ask => ask()).find(({ admit }) => admit) ?? decision;
}

function isOfTheNumber(verdict: AdmitVerdict): boolean {
  return verdict.kind === 'hold' && OF_THE_NUMBER.has(verdict.reason);
}

function endsBefore(one: AdmitVerdict, other: AdmitVerdict): boolean {
  return untilOf(one) < untilOf(other);
}

function untilOf(verdict: AdmitVerdict): number {
  return verdict.kind === 'hold' ? (verdict.until ?? Infinity) : Infinity;
}

function withNumber<Candidate extends DialCandidate>(candidate: Candidate, number: CandidateNumber): Candidate {
  const { phoneNumber, dialKey, doNotCall, consents = [] } = number;
  return { ...candidate, phoneNumber, dialKey, doNotCall, consents };
}

/** A number as the end of an attempt reads it; an expired entry binds no longer. `at`: UTC ms */
export function asPersonNumber({ dialKey, verdict, doNotCall }: CandidateNumber, at: number): PersonNumber {
  return { dialKey, verdict, isListed: doNotCall !== null && (doNotCall.expiresAt ?? Infinity) > at };
}

/** Digits to send once the candidate has answered; empty without an extension. */
export function extensionOf({ dialKey, numbers = [] }: Pick<DialCandidate, 'dialKey' | 'numbers'>): string {
  return numbers.find(number => number.dialKey === dialKey)?.extension ?? '';
}
