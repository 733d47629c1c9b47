import { describe, expect, test } from '@jest/globals';
import { findingsThatCount, type ResultLayers } from '#attempts/decisions/result-layers.ts';
import { changesBetween, corrected, correctionFaults } from '#results/decisions/correct.ts';
import { describeFields } from '#results/decisions/describe-fields.ts';

const FIELDS = [
  { key: 'amount', label: '金额', type: 'number' },
  { key: 'visitTime', label: '上门时间', type: 'datetime' },
];
const ZONE = 'Asia/Shanghai';
const WHO = { userId: 7, at: 9, zone: ZONE };
const REPORTED: ResultLayers = {
  reported: { classification: 'a', intent: 'i', fields: { amount: 1 } },
  said: { fields: {} },
};
const correct = (layers: ResultLayers, change: Omit<Parameters<typeof corrected>[1], 'reason'>): ResultLayers => ({
  ...layers,
  said: corrected(layers, { reason: 'r', ...change }, FIELDS, WHO),
});

describe('a correction of what came of a call [D7.17]', () => {
  test('counts in place of the report, which stays visible with who said what', () => {
    const layers = correct(REPORTED, { classification: 'b', fields: { amount: 2 } });
    const counted = findingsThatCount(layers);
    expect(counted).toEqual({ classification: 'b', intent: 'i', fields: { amount: 2 } });
    expect(describeFields(FIELDS, counted.fields, layers)).toEqual([
      { ...FIELDS[0], value: 2, reported: 1, source: 'correction', userId: 7, saidAt: 9 },
      { ...FIELDS[1], value: null, reported: null, source: null, userId: null, saidAt: null },
    ]);
  });

  test('may say that there is no value, and leaves members that it does not name', () => {
    const before = correct(REPORTED, { classification: 'b' });
    const layers = correct(before, { intent: null, fields: { amount: null } });
    expect(findingsThatCount(layers)).toEqual({ classification: 'b', intent: null, fields: {} });
  });

  test('equal to the report takes the earlier one back', () => {
    const before = correct(REPORTED, { classification: 'b', intent: null, fields: { amount: 2 } });
    expect(correct(before, { classification: 'a', intent: 'i', fields: { amount: 1 } }).said).toEqual({ fields: {} });
  });

  test('keeps an instant in UTC', () => {
    const { fields } = findingsThatCount(correct(REPORTED, { fields: { visitTime: '2026-12-03 15:00' } }));
    expect(fields).toEqual({ amount: 1, visitTime: '2026-12-03T07:00:00.000Z' });
  });

  test('names the members that changed, with both values', () => {
    const after = findingsThatCount(correct(REPORTED, { classification: 'b', intent: 'i', fields: { amount: null } }));
    expect(changesBetween(findingsThatCount(REPORTED), after)).toEqual([
      { member: 'classification', before: 'a', after: 'b' },
      { member: 'fields.amount', before: 1, after: null },
    ]);
  });

  test.each([
    ['amount', '5', 'number'],
    ['visitTime', '明天', 'zonedOrLocalTime'],
    ['other', 1, 'unknownResultField'],
  ])('refuses %s as %j: %s', (key, value, code) => {
    const faults = correctionFaults({ reason: 'r', fields: { [key]: value } }, FIELDS, ZONE);
    expect(faults.map(fault => [fault.field, fault.problem.code])).toEqual([[`fields.${key}`, code]]);
  });

  test('accepts an empty value of each field', () => {
    expect(correctionFaults({ reason: 'r', fields: { amount: null, visitTime: '' } }, FIELDS, ZONE)).toEqual([]);
  });
});
