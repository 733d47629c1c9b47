import { RULE_TEMPLATES, TEMPLATE_KEYS, type TemplateKey } from '#outcomes/decisions/rule-templates.ts';
import { type Deciding, dialWeek, type WeekResult } from './week.ts';

export const PEOPLE = 289;

/** Means over all seeds. */
export type Week = Omit<WeekResult, 'people'>;

/** Retries without rules: what the form of a new campaign proposes, and as many attempts as the template for sales has. */
const WITHOUT_RULES = {
  defaults: { maxRetries: 1, retryIntervalSeconds: 300 },
  threeRetries: { maxRetries: 3, retryIntervalSeconds: 300 },
  threeRetriesHourly: { maxRetries: 3, retryIntervalSeconds: 3_600 },
} as const satisfies Record<string, Deciding>;

/** A template with the attempts of the defaults. */
const ofTwo = (key: TemplateKey): Deciding => ({ rules: { ...RULE_TEMPLATES[key], maxAttempts: 2 } });

export type WeekName = keyof typeof WITHOUT_RULES | 'surveyOfTwo' | 'salesOfTwo' | TemplateKey;

const DECIDING: readonly (readonly [WeekName, Deciding])[] = [
  ['defaults', WITHOUT_RULES.defaults],
  ['surveyOfTwo', ofTwo('survey')],
  ['salesOfTwo', ofTwo('sales')],
  ['threeRetries', WITHOUT_RULES.threeRetries],
  ['threeRetriesHourly', WITHOUT_RULES.threeRetriesHourly],
  ...TEMPLATE_KEYS.map(key => [key, { rules: RULE_TEMPLATES[key] }] as const),
];

/** The same people, dialled for a week without rules and by each of the templates. */
export function compareWeeks(seeds: number): ReadonlyMap<WeekName, Week> {
  return new Map(DECIDING.map(([name, deciding]) => [name, meanWeek(seeds, deciding)]));
}

function meanWeek(seeds: number, deciding: Deciding): Week {
  const weeks = Array.from({ length: seeds }, (_, index) => dialWeek(index + 1, PEOPLE, deciding));
  const mean = (of: (week: WeekResult) => number) => weeks.reduce((sum, week) => sum + of(week), 0) / seeds;
  return { dials: mean(({ dials }) => dials), reached: mean(({ reached }) => reached), most: Math.max(...weeks.map(({ most }) => most)) };
}
