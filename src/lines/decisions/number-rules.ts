import { z } from 'zod';
import { filledWith, flag, instant } from '#kernel/fields.ts';

/** More dials than any caller number makes in a day: the counter keeps each of them. */
export const MAX_CAP = 10_000;
const MAX_REST_AFTER = 200;
const MAX_REST_MINUTES = 1_440;
export const MAX_REST_HOURS = 720;

export const FEW_ANSWERS_ACTIONS = ['off', 'ask', 'rest'] as const;

export const cap = z.int().min(1).max(MAX_CAP).nullable();

/** How the caller numbers of a line are spared and chosen. Source: D4.7, D4.8 */
export const numberRules = z
  .object({
    hourlyCap: cap.meta({ description: '每个主叫号码任意 60 分钟内最多呼叫次数；空：不限' }),
    dailyCap: cap.meta({ description: '每个主叫号码每天最多呼叫次数；空：不限' }),
    restAfterDials: z.int().min(1).max(MAX_REST_AFTER).nullable().meta({ description: '连续呼叫这么多次后休息；空：不休息' }),
    restMinutes: z.int().min(1).max(MAX_REST_MINUTES).meta({ description: '休息的分钟数' }),
    /** A person is called from the number that reached them last. */
    keepsNumber: flag,
    /** A number of the person's city comes first, then one of the province. */
    prefersPlace: flag,
    changesOnRetry: flag,
    onFewAnswers: z.enum(FEW_ANSWERS_ACTIONS).meta({ description: '接通率明显低于同线路其他号码时：不处理、提醒、自动休息' }),
    fewAnswersRestHours: z.int().min(1).max(MAX_REST_HOURS).meta({ description: '自动休息的小时数' }),
  })
  .meta({ id: 'NumberRules' });

export type NumberRules = z.output<typeof numberRules>;

/** A line without rules of its own. The column has the same default. */
export const NUMBER_RULE_DEFAULTS: NumberRules = {
  hourlyCap: null,
  dailyCap: null,
  restAfterDials: null,
  restMinutes: 10,
  keepsNumber: false,
  prefersPlace: false,
  changesOnRetry: true,
  onFewAnswers: 'off',
  fewAnswersRestHours: 24,
};

/** Absent members have their defaults; unknown ones are refused. */
export const numberRulesInput = numberRules.partial().strict().transform(filledWith(NUMBER_RULE_DEFAULTS)).meta({ id: 'NumberRulesInput' });

export type FewAnswersAction = (typeof FEW_ANSWERS_ACTIONS)[number];

/** Evidence against a number: its dials since the given instant, how many were answered, and how many the others' rates led to expect. Source: D4.9 */
export const numberAlarm = z
  .object({
    /** The consequence: a rest, or a question to the operators. */
    action: z.enum(['ask', 'rest']),
    at: instant,
    since: instant,
    dials: z.int(),
    answered: z.int(),
    expected: z.number(),
  })
  .meta({ id: 'NumberAlarm' });

export type NumberAlarm = z.output<typeof numberAlarm>;
