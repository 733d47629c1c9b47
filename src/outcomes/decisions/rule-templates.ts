import type { OutcomeRule, OutcomeRules, OutcomeStep } from './outcome-rules.ts';

export const TEMPLATE_KEYS = ['sales', 'collections', 'survey', 'notice'] as const;
export type TemplateKey = (typeof TEMPLATE_KEYS)[number];

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

const NOT_REACHED: OutcomeStep = { kind: 'not_reached' };
const DONE: OutcomeStep = { kind: 'done' };
const again = (afterSeconds: number, jitterSeconds: number): OutcomeStep => ({ kind: 'again', afterSeconds, jitterSeconds });
const nextNumber = (afterSeconds: number): OutcomeStep => ({ kind: 'next_number', afterSeconds });
const parts = (...names: Extract<OutcomeStep, { kind: 'another_part_of_day' }>['parts']): OutcomeStep => ({
  kind: 'another_part_of_day',
  parts: names,
});

function row(outcomes: OutcomeRule['outcomes'], [from, to]: readonly [number, number | null], next: OutcomeStep): OutcomeRule {
  return { outcomes, from, to, number: 'any', next };
}

/** Ends and failures of our own, which every trade treats alike: each begins a table. */
const COMMON: readonly OutcomeRule[] = [
  row(['opted_out'], [1, null], { kind: 'do_not_call' }),
  row(['completed'], [1, null], DONE),
  row(['invalid_number'], [1, null], nextNumber(0)),
  row(['invalid_number'], [1, null], NOT_REACHED),
  row(['local_failure', 'network_busy'], [1, 3], again(10 * MINUTE, 5 * MINUTE)),
  // A customer who heard silence from a dialler is not called for a while (Ofcom, persistent misuse: 72 hours).
  row(['abandoned'], [1, 1], again(3 * DAY, HOUR)),
  row(['fax'], [1, null], nextNumber(0)),
];

/**
 * Tables to begin with, as call-centre practice has them; each is a start that its user edits.
 *
 * Why: a busy line is free within minutes, a phone that rings out is rather reached in another part of the day, and a refusal is an answer
 */
export const RULE_TEMPLATES: Readonly<Record<TemplateKey, OutcomeRules>> = {
  /** Few dials, spread over the day: a customer who is pestered buys nothing. */
  sales: {
    maxAttempts: 4,
    rules: [
      ...COMMON,
      row(['rejected', 'short'], [1, 1], again(DAY, 2 * HOUR)),
      row(['busy'], [1, 2], again(15 * MINUTE, 5 * MINUTE)),
      row(['no_answer', 'power_off', 'voicemail', 'screening', 'silent'], [2, null], nextNumber(HOUR)),
      row(['no_answer', 'power_off', 'voicemail', 'screening', 'silent'], [1, 3], parts('morning', 'afternoon', 'evening', 'weekend')),
      row(['busy'], [3, 3], parts('morning', 'afternoon', 'evening')),
      row(['out_of_service'], [1, 1], again(2 * DAY, 2 * HOUR)),
    ],
    otherwise: { kind: 'not_reached' },
  },
  /** Persistent, on every number, but never twice within an hour. */
  collections: {
    maxAttempts: 8,
    rules: [
      ...COMMON,
      row(['busy'], [1, 3], again(HOUR, 10 * MINUTE)),
      row(['voicemail', 'screening'], [1, 1], again(4 * HOUR, HOUR)),
      row(['no_answer', 'power_off', 'rejected', 'short', 'silent'], [2, null], nextNumber(2 * HOUR)),
      row(
        ['no_answer', 'power_off', 'voicemail', 'screening', 'busy'],
        [1, null],
        parts('morning', 'noon', 'afternoon', 'evening', 'weekend'),
      ),
      row(['no_answer', 'power_off', 'voicemail', 'screening', 'busy'], [1, null], again(DAY, 2 * HOUR)),
      row(['rejected', 'short', 'silent'], [1, 3], again(DAY, 2 * HOUR)),
      row(['out_of_service'], [1, 2], again(3 * DAY, 2 * HOUR)),
    ],
    otherwise: { kind: 'not_reached' },
  },
  /** A survey must be representative: it tries every part of the day, takes a refusal as final, and asks nobody twice. */
  survey: {
    maxAttempts: 5,
    rules: [
      ...COMMON,
      row(['rejected', 'short'], [1, null], NOT_REACHED),
      row(['busy'], [1, 2], again(30 * MINUTE, 10 * MINUTE)),
      row(
        ['no_answer', 'power_off', 'voicemail', 'screening', 'silent', 'busy'],
        [1, null],
        parts('afternoon', 'evening', 'weekend', 'morning'),
      ),
      row(['out_of_service'], [1, 1], again(3 * DAY, 2 * HOUR)),
    ],
    otherwise: { kind: 'not_reached' },
  },
  /** It must arrive soon: a silent listener has heard it, and so has a mailbox after the second time. */
  notice: {
    maxAttempts: 5,
    rules: [
      ...COMMON,
      row(['silent'], [1, null], DONE),
      row(['busy'], [1, 3], again(5 * MINUTE, 2 * MINUTE)),
      row(['voicemail', 'screening'], [1, 1], again(10 * MINUTE, 5 * MINUTE)),
      row(['voicemail', 'screening'], [2, null], DONE),
      row(['no_answer', 'power_off', 'out_of_service'], [1, null], nextNumber(5 * MINUTE)),
      row(['no_answer', 'short'], [1, 2], again(30 * MINUTE, 10 * MINUTE)),
      row(['no_answer', 'power_off', 'short', 'rejected'], [1, null], again(2 * HOUR, 30 * MINUTE)),
      row(['out_of_service'], [1, 1], again(DAY, HOUR)),
    ],
    otherwise: { kind: 'not_reached' },
  },
};
