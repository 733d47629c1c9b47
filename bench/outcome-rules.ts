import { numberOption } from '#bench/support/measure.ts';
import type { Bench } from '#tools/commands/bench-context.ts';
import { compareWeeks, PEOPLE, type WeekName } from '#test/simulation/outcome-rules/compare-weeks.ts';

const SEEDS = 200;

/** Titles in the report. */
const TITLES: Readonly<Record<WeekName, string>> = {
  defaults: '2 attempts, 5 min apart (defaults)',
  surveyOfTwo: 'survey with 2 attempts',
  salesOfTwo: 'sales with 2 attempts',
  threeRetries: '4 attempts, 5 min apart',
  threeRetriesHourly: '4 attempts, 1 h apart',
  sales: 'sales (4 attempts)',
  collections: 'collections (8)',
  survey: 'survey (5)',
  notice: 'notice (5)',
};

/**
 * A list of 289 simulated people over a week: dials and persons reached by the templates of outcome rules, against retries without rules. The
 * decisions are the product's; the habits of the people are assumed (`test/simulation/outcome-rules/people.ts`).
 * `npm run bench -- outcome-rules [--seeds N]`
 */
export const bench: Bench = async ({ args }) => {
  const weeks = compareWeeks(numberOption(args, 'seeds', SEEDS));
  const ratioOf = (what: 'dials' | 'reached', [one, other]: readonly [WeekName, WeekName]) =>
    (weeks.get(one)?.[what] ?? NaN) / (weeks.get(other)?.[what] ?? NaN);
  const pairs = [['surveyOfTwo', 'defaults'] as const, ['sales', 'threeRetries'] as const];
  return {
    bench: 'outcome-rules',
    ratios: pairs.flatMap(pair => {
      const names = `${TITLES[pair[0]]} / ${TITLES[pair[1]]}`;
      return [
        { what: `dials: ${names}`, ratio: ratioOf('dials', pair), bar: { atMost: 1 } },
        { what: `reached: ${names}`, ratio: ratioOf('reached', pair), bar: { atLeast: 1 } },
      ];
    }),
    figures: [...weeks].flatMap(([name, { dials, reached }]) => [
      { what: `dials to ${PEOPLE} people: ${TITLES[name]}`, value: dials, unit: 'dials' },
      { what: `reached: ${TITLES[name]}`, value: reached, unit: 'people' },
    ]),
  };
};
