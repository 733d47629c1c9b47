import { describe, expect, test } from '@jest/globals';
import { permissionSetOf } from '#kernel/caller.ts';
import { maskedAnswer, maskedJson } from '#phone-numbers/masked-answer.ts';
import { shownNumber } from '#phone-numbers/shown-number.ts';

const ANSWER = {
  rows: [
    {
      phoneNumber: '13800138000',
      numbers: [{ phoneNumber: '+8613900139000', label: '家' }],
      remark: '回拨 13800138000',
      count: 13_800_138_000,
    },
  ],
  legs: [{ targetNumber: '1001' }, { targetNumber: '02161234567' }],
  next: null,
};
const MASKED = {
  rows: [{ phoneNumber: '***8000', numbers: [{ phoneNumber: '***9000', label: '家' }], remark: '回拨 13800138000', count: 13_800_138_000 }],
  legs: [{ targetNumber: '1001' }, { targetNumber: '***4567' }],
  next: null,
};

describe('numbers of customers in answers [D3.11]', () => {
  test('are masked at any depth; extensions and texts of people stay', () => {
    expect(maskedAnswer(ANSWER)).toEqual(MASKED);
  });

  test('are masked in JSON text alike', () => {
    expect(JSON.parse(maskedJson(JSON.stringify(ANSWER)))).toEqual(MASKED);
  });
});

test.each([
  ['supervisor', false, '13800138000'],
  ['admin', false, '13800138000'],
  ['agent', false, '***8000'],
  ['agent', true, '13800138000'],
] as const)('a %s, where agents see numbers: %p, sees %s [D3.11]', (role, agentsSeeNumbers, shown) => {
  expect(shownNumber({ agentsSeeNumbers }, { role, permissions: permissionSetOf(role) }, '13800138000')).toBe(shown);
});
