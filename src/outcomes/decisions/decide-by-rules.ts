import type { Outcome } from '#attempts/decisions/evidence.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import type { OpenHours, Zones } from '#policies/decisions/week-schedule.ts';
import { MIN_AGAIN_SECONDS, type OutcomeRule, type OutcomeRules, type OutcomeStep } from './outcome-rules.ts';
import { nextInParts, untriedParts } from './parts-of-day.ts';

export type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>;

/** An ended attempt, and what the contact has been through. */
export interface RuledAttempt {
  outcome: Outcome;
  /** Outcomes of the contact's attempts so far, this one included. */
  counts: OutcomeCounts;
  /** Counted attempts, this one included. */
  attemptCount: number;
  /** Bound of policies on attempts; the rules' own bound applies besides. */
  attemptsAllowed: number;
  /** Policies' shortest wait between two attempts, s. */
  intervalSeconds: number;
  isFirstNumber: boolean;
  hasNextNumber: boolean;
  /** Bit mask, this attempt included. */
  partsTried: number;
  /** UTC ms. */
  endedAt: number;
  /** Hours in which the campaign dials. */
  open: OpenHours;
  /** Time zones in which the person may be. */
  zones: Zones;
  /** In [0, 1): the share of a row's jitter that this contact waits. */
  jitter: number;
}

/** Instants UTC ms. */
type Consequence =
  /** `mailboxText`: left on the mailbox, if one answers. */
  | { kind: 'again'; at: number; mailboxText?: string }
  | { kind: 'next_number'; at: number }
  | { kind: 'blocked'; at: number }
  | { kind: 'done' | 'not_reached' | 'do_not_call' };

export type RuleDecision = Consequence & {
  /** Index of the row that decided; null: `otherwise`. */
  row: number | null;
  /** The row wants another dial, but no attempt is left. */
  isBudgetSpent: boolean;
};

/**
 * Decides what follows an attempt by the first row that matches and applies.
 *
 * Why:    a policy and the rules' own number of attempts stay upper bounds, whatever a row says
 * Source: D7.14
 */
export function decideByRules(rules: OutcomeRules, attempt: RuledAttempt): RuleDecision {
  const { row, next } = rowFor(rules, attempt);
  const wanted = consequenceOf(next, attempt);
  const isLast = attempt.attemptCount >= Math.min(rules.maxAttempts, attempt.attemptsAllowed);
  if (isLast && 'at' in wanted) return { kind: 'not_reached', row, isBudgetSpent: true };
  return { ...wanted, row, isBudgetSpent: false };
}

function rowFor(rules: OutcomeRules, attempt: RuledAttempt): { row: number | null; next: OutcomeStep } {
  const row = rules.rules.findIndex(rule => matches(rule, attempt) && applies(rule.next, attempt));
  const found = rules.rules[row];
  return found === undefined ? { row: null, next: rules.otherwise } : { row, next: found.next };
}

function matches({ outcomes, from, to, number }: OutcomeRule, { outcome, counts, isFirstNumber }: RuledAttempt): boolean {
  if (!outcomes.includes(outcome)) return false;
  if (number !== 'any' && (number === 'first') !== isFirstNumber) return false;
  const count = outcomes.reduce((sum, each) => sum + (counts[each] ?? 0), 0);
  return count >= from && count <= (to ?? Infinity);
}

function applies(step: OutcomeStep, attempt: RuledAttempt): boolean {
  if (step.kind === 'next_number') return attempt.hasNextNumber;
  return step.kind !== 'another_part_of_day' || partAt(step, attempt) !== null;
}

function consequenceOf(step: OutcomeStep, attempt: RuledAttempt): Consequence {
  const after = (seconds: number) => attempt.endedAt + Math.max(seconds, attempt.intervalSeconds) * 1_000;
  switch (step.kind) {
    case 'again':
      return { kind: 'again', at: after(step.afterSeconds) + Math.floor(step.jitterSeconds * 1_000 * attempt.jitter) };
    case 'another_part_of_day':
      return { kind: 'again', at: partAt(step, attempt) ?? after(0) };
    case 'next_number':
      return { kind: 'next_number', at: after(step.afterSeconds) };
    case 'leave_message':
      return { kind: 'again', at: after(step.afterSeconds), mailboxText: step.text };
    case 'block':
      return { kind: 'blocked', at: attempt.endedAt + step.days * MS_PER_DAY };
    case 'done':
    case 'not_reached':
    case 'do_not_call':
      return { kind: step.kind };
    default:
      return step satisfies never;
  }
}

type PartStep = Extract<OutcomeStep, { kind: 'another_part_of_day' }>;

/** Longest wait for a part of the day: over a holiday, but not for the next change of clocks, which may bring two zones together. */
const MAX_PART_WAIT_MS = 31 * MS_PER_DAY;

/** The first instant in a part that was not tried; null when all were, or the campaign does not dial soon in those that are left. */
function partAt({ parts }: PartStep, { partsTried, open, zones, endedAt, intervalSeconds }: RuledAttempt): number | null {
  const from = endedAt + Math.max(MIN_AGAIN_SECONDS, intervalSeconds) * 1_000;
  const at = nextInParts(untriedParts(parts, partsTried), open, zones, from);
  return at !== null && at <= from + MAX_PART_WAIT_MS ? at : null;
}

/** A contact's counts with one more outcome. */
export function counted(counts: OutcomeCounts, outcome: Outcome): OutcomeCounts {
  return { ...counts, [outcome]: (counts[outcome] ?? 0) + 1 };
}

/** The same share for the same attempt each time, evenly spread over attempts: a Weyl sequence. Shape: [0, 1) */
export function jitterOf(attemptId: number): number {
  return (attemptId * 0.618_033_988_749_895) % 1;
}
