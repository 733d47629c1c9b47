import { describe, expect, test } from '@jest/globals';
import { RULE_TEMPLATES, TEMPLATE_KEYS } from '#outcomes/decisions/rule-templates.ts';
import {
  EMPTY,
  inputOf,
  isSame,
  placed,
  spanOf,
  tableOf,
  withChange,
  withMoved,
  withoutRow,
  withRow,
} from '../../../console/pages/outcome-rules/rule-values.ts';

type Answer = Parameters<typeof tableOf>[0];

/** A template as GraphQL answers it. */
function answered(key: (typeof TEMPLATE_KEYS)[number]): Answer {
  const spelled = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(spelled) : typeof value === 'string' ? value.toUpperCase() : value;
  const stepOf = (step: object) => ({
    afterSeconds: null,
    jitterSeconds: null,
    parts: null,
    days: null,
    text: null,
    ...Object.fromEntries(Object.entries(step).map(([name, value]) => [name, spelled(value)])),
  });
  const { maxAttempts, rules, otherwise } = RULE_TEMPLATES[key];
  const rows = rules.map(({ outcomes, number, next, ...rest }) => ({
    ...rest,
    outcomes: spelled(outcomes),
    number: spelled(number),
    next: stepOf(next),
  }));
  return { maxAttempts, rules: rows, otherwise: stepOf(otherwise) } as Answer;
}

const given = (step: object) => Object.fromEntries(Object.entries(step).filter(([, value]) => value !== null));

describe('outcome rules as they are typed', () => {
  test.each(TEMPLATE_KEYS)('the template %s is sent as it came', key => {
    const { maxAttempts, rules, otherwise } = answered(key);
    expect(inputOf(tableOf(answered(key)))).toEqual({
      maxAttempts,
      rules: rules.map(rule => ({ ...rule, next: given(rule.next) })),
      otherwise: given(otherwise),
    });
  });

  test('a span is shown in the largest whole unit', () => {
    expect([0, 45, 90, 600, 7_200, 259_200, 90_000].map(spanOf)).toEqual([
      { amount: 0, unit: 'MINUTE' },
      { amount: 45, unit: 'SECOND' },
      { amount: 90, unit: 'SECOND' },
      { amount: 10, unit: 'MINUTE' },
      { amount: 2, unit: 'HOUR' },
      { amount: 3, unit: 'DAY' },
      { amount: 25, unit: 'HOUR' },
    ]);
  });

  test('rows are added, changed, moved and removed; a key stays with its row', () => {
    const table = withChange(withRow(withRow(withRow(EMPTY))), 1, { from: 2 });
    const keys = (of: typeof table) => of.rows.map(({ key }) => key);
    expect(keys(table)).toEqual([0, 1, 2]);
    expect(keys(withMoved(table, 1, -1))).toEqual([1, 0, 2]);
    expect(withMoved(table, 1, -1).rows[0]?.from).toBe(2);
    expect(withMoved(table, 0, -1)).toBe(table);
    expect(withMoved(table, 2, 1)).toBe(table);
    expect(keys(withRow(withoutRow(table, 0)))).toEqual([1, 2, 3]);
    expect(isSame(table, withMoved(withMoved(table, 1, -1), 0, 1))).toBe(true);
    expect(isSame(table, withMoved(table, 1, -1))).toBe(false);
  });

  test('faults stand at their rows, by the member', () => {
    const { rows, maxAttempts, others } = placed([
      { field: 'input.rules.rules[2].next.parts[1]', problem: 'p' },
      { field: 'rules.rules[2].outcomes', problem: 'o' },
      { field: 'rules.rules[0]', problem: 'hidden' },
      { field: 'rules.maxAttempts', problem: 'm' },
      { field: 'version', problem: 'v' },
    ]);
    expect(rows.get(2)).toMatchObject([
      { member: 'parts', problem: 'p' },
      { member: 'outcomes', problem: 'o' },
    ]);
    expect(rows.get(0)).toMatchObject([{ member: '', problem: 'hidden' }]);
    expect([maxAttempts, others]).toEqual(['m', ['version v']]);
  });
});
