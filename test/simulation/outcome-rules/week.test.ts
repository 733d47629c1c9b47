import { describe, expect, test } from '@jest/globals';
import { RULE_TEMPLATES, TEMPLATE_KEYS } from '#outcomes/decisions/rule-templates.ts';
import { compareWeeks, PEOPLE, type WeekName } from './compare-weeks.ts';

const SEEDS = 20;

describe('a list of 289 people, dialled for a week by the decisions of the product [D7.14]', () => {
  const weeks = compareWeeks(SEEDS);
  const weekOf = (name: WeekName) => weeks.get(name) ?? { dials: NaN, reached: NaN, most: NaN };
  const dialsPerPerson = (name: WeekName) => weekOf(name).dials / weekOf(name).reached;

  test.each([
    ['surveyOfTwo', 'defaults'],
    ['sales', 'threeRetries'],
    ['sales', 'threeRetriesHourly'],
  ] as const)('%s reaches more people with fewer dials than %s, which has as many attempts', (rules, retries) => {
    expect(weekOf(rules).reached).toBeGreaterThan(weekOf(retries).reached);
    expect(weekOf(rules).dials).toBeLessThan(weekOf(retries).dials);
  });

  test.each(TEMPLATE_KEYS)('%s needs fewer dials for a person than the defaults, and keeps to its attempts', key => {
    expect(dialsPerPerson(key)).toBeLessThan(dialsPerPerson('defaults'));
    expect(weekOf(key).most).toBe(RULE_TEMPLATES[key].maxAttempts);
    expect(weekOf(key).reached).toBeLessThan(PEOPLE);
  });
});
