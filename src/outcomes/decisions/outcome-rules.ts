import { z } from 'zod';
import { OUTCOMES, type Outcome } from '#attempts/decisions/evidence.ts';
import { isNever, intersectSchedules, type OpenHours } from '#policies/decisions/week-schedule.ts';
import { MAX_RETRIES, MAX_RETRY_INTERVAL_SECONDS } from '#policies/decisions/policy-kind.ts';
import { type Problem, problem } from '#kernel/problem.ts';
import { MAX_MAILBOX_TEXT_LENGTH } from '#protocol/hand-over.ts';
import { PARTS_OF_DAY, type PartOfDay, scheduleOf } from './parts-of-day.ts';

/** Most rows of one table. */
export const MAX_RULES = 64;
/** Most attempts that rules may allow a contact: those of D5.3. */
export const MAX_RULED_ATTEMPTS = MAX_RETRIES + 1;
/** A number is not dialled again sooner than this, s. */
export const MIN_AGAIN_SECONDS = 30;
const MAX_JITTER_SECONDS = 86_400;
const MAX_BLOCK_DAYS = 365;

const again = z.int().min(MIN_AGAIN_SECONDS).max(MAX_RETRY_INTERVAL_SECONDS);

const done = z.strictObject({ kind: z.literal('done') });
const notReached = z.strictObject({ kind: z.literal('not_reached') });
const doNotCall = z.strictObject({ kind: z.literal('do_not_call') });

export const STEP_KINDS = [
  'again',
  'another_part_of_day',
  'next_number',
  'leave_message',
  'block',
  'done',
  'not_reached',
  'do_not_call',
] as const;

/** Numbers of a contact to which a row can be restricted. */
export const RULE_NUMBERS = ['any', 'first', 'other'] as const;

const step = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('again'), afterSeconds: again, jitterSeconds: z.int().min(0).max(MAX_JITTER_SECONDS) }),
    z.strictObject({ kind: z.literal('another_part_of_day'), parts: z.array(z.enum(PARTS_OF_DAY)).min(1).max(PARTS_OF_DAY.length) }),
    z.strictObject({ kind: z.literal('next_number'), afterSeconds: z.int().min(0).max(MAX_RETRY_INTERVAL_SECONDS) }),
    z.strictObject({ kind: z.literal('leave_message'), afterSeconds: again, text: z.string().trim().min(1).max(MAX_MAILBOX_TEXT_LENGTH) }),
    z.strictObject({ kind: z.literal('block'), days: z.int().min(1).max(MAX_BLOCK_DAYS) }),
    done,
    notReached,
    doNotCall,
  ])
  .meta({
    id: 'OutcomeStep',
    description:
      '一次呼叫之后做什么；another_part_of_day 与 next_number 没有可选的时段、号码时，看下一行；leave_message 再呼一次，对方是语音信箱时由话术引擎留言',
  });

/** The step when no row applies; it always ends the contact. */
const end = z.discriminatedUnion('kind', [done, notReached, doNotCall]).meta({ id: 'OutcomeEnd' });

const rule = z
  .strictObject({
    outcomes: z.array(z.enum(OUTCOMES)).min(1).max(OUTCOMES.length),
    from: z.int().min(1).max(MAX_RULED_ATTEMPTS),
    to: z.int().min(1).max(MAX_RULED_ATTEMPTS).nullable(),
    number: z.enum(RULE_NUMBERS),
    next: step,
  })
  .meta({ id: 'OutcomeRule', description: '第 from 次到第 to 次（含；null 为不限）出现这些结果时，对该号码适用' });

/**
 * An ordered table that decides what follows an attempt: the first row that matches wins.
 *
 * Source: D7.14
 */
export const ruleTable = z
  .strictObject({ maxAttempts: z.int().min(1).max(MAX_RULED_ATTEMPTS), rules: z.array(rule).max(MAX_RULES), otherwise: end })
  .meta({ id: 'OutcomeRules', description: '从上到下第一条适用的行决定；都不适用为 otherwise' });

/** A table that may be stored: no row is hidden, goes on after an end, or lies beyond the attempts. */
export const outcomeRules = ruleTable
  .superRefine((rules, context) => {
    for (const { path, problem } of faultsOf(rules))
      context.addIssue({ code: 'custom', path: [...path], message: JSON.stringify(problem) });
  })
  .meta({ id: 'NewOutcomeRules', description: '校验为一个整体：指明行与原因' });

export type OutcomeRules = z.output<typeof ruleTable>;
export type OutcomeRule = OutcomeRules['rules'][number];
export type OutcomeStep = OutcomeRule['next'];

/** Limits of a campaign under rules: theirs take the place of its own retries, and each row has its own interval. */
export function underRules<Limits extends { maxRetries: number; retryIntervalSeconds: number }>(
  limits: Limits,
  rules: OutcomeRules | null,
): Limits {
  return rules === null ? limits : { ...limits, maxRetries: rules.maxAttempts - 1, retryIntervalSeconds: 0 };
}

interface RuleFault {
  path: readonly (string | number)[];
  problem: Problem;
}

/** Steps after an outcome that admits no further dial of the number; a customer who wants another call is promised a callback. */
const ENDS: readonly OutcomeStep['kind'][] = ['done', 'not_reached', 'do_not_call'];
const AFTER_FINAL: Readonly<Partial<Record<Outcome, readonly OutcomeStep['kind'][]>>> = {
  opted_out: ENDS,
  completed: ENDS,
  invalid_number: [...ENDS, 'next_number'],
};

/** Steps that may not apply, so that the rows below are read. */
const FALLS_THROUGH: ReadonlySet<OutcomeStep['kind']> = new Set(['another_part_of_day', 'next_number']);

function faultsOf({ maxAttempts, rules }: OutcomeRules): RuleFault[] {
  return rules.flatMap((rule, index) => {
    const faults = [...faultsOfRow(rule, maxAttempts)];
    const above = rules.slice(0, index).findIndex(earlier => covers(earlier, rule));
    if (above >= 0) faults.push({ path: [], problem: problem('ruleHidden', { row: above + 1 }) });
    return faults.map(fault => ({ ...fault, path: ['rules', index, ...fault.path] }));
  });
}

function* faultsOfRow({ outcomes, from, to, next }: OutcomeRule, maxAttempts: number): Iterable<RuleFault> {
  if (from > maxAttempts) yield { path: ['from'], problem: problem('ruleBeyondAttempts') };
  if (to !== null && to < from) yield { path: ['to'], problem: problem('atLeast', { min: from }) };
  for (const [index, outcome] of outcomes.entries()) {
    if (outcomes.indexOf(outcome) < index) yield { path: ['outcomes', index], problem: problem('repeated') };
    const allowed = AFTER_FINAL[outcome];
    if (allowed && !allowed.includes(next.kind))
      yield { path: ['next', 'kind'], problem: problem('ruleAfterFinal', { outcome, steps: allowed }) };
  }
  if (next.kind === 'another_part_of_day' && new Set(next.parts).size < next.parts.length)
    yield { path: ['next', 'parts'], problem: problem('repeated') };
}

/** Whether `earlier` always applies where `later` would. A row with more outcomes counts at least as many of them. */
function covers(earlier: OutcomeRule, later: OutcomeRule): boolean {
  if (later.outcomes.length === 0 || FALLS_THROUGH.has(earlier.next.kind) || (earlier.number !== 'any' && earlier.number !== later.number))
    return false;
  if (!later.outcomes.every(outcome => earlier.outcomes.includes(outcome)) || earlier.from > later.from) return false;
  const isSameSet = new Set(earlier.outcomes).size === new Set(later.outcomes).size;
  return earlier.to === null || (isSameSet && later.to !== null && later.to <= earlier.to);
}

function isClosed(part: PartOfDay, { schedules }: OpenHours): boolean {
  return schedules.some(({ schedule }) => isNever(intersectSchedules(schedule, scheduleOf(part))));
}

/** Faults of rules in the hours of a campaign: parts of the day in which it never dials. */
export function faultsInHours({ rules }: OutcomeRules, open: OpenHours): RuleFault[] {
  return rules.flatMap(({ next }, index) => {
    if (next.kind !== 'another_part_of_day') return [];
    return next.parts.flatMap((part, place) =>
      isClosed(part, open) ? [{ path: ['rules', index, 'next', 'parts', place], problem: problem('partNeverOpen') }] : [],
    );
  });
}

/** The rules without the parts of the day in which the campaign never dials; a row that has no other part is left out. */
export function fittedTo(rules: OutcomeRules, open: OpenHours): OutcomeRules {
  const rows = rules.rules.flatMap(rule => {
    if (rule.next.kind !== 'another_part_of_day') return [rule];
    const parts = rule.next.parts.filter(part => !isClosed(part, open));
    return parts.length === 0 ? [] : [{ ...rule, next: { ...rule.next, parts } }];
  });
  return { ...rules, rules: rows };
}
