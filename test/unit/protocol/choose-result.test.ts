import { describe, expect, test } from '@jest/globals';
import { problem } from '#kernel/problem.ts';
import {
  chooseResult,
  type ConditionFacts,
  conditionFault,
  isFulfilled,
  MAX_CONDITION_DEPTH,
  type ScriptCondition,
} from '#protocol/script.ts';

const FACTS: ConditionFacts = {
  callStatus: 'completed',
  steps: [
    { nodeId: 'start', branch: 'default' },
    { nodeId: 'ask', branch: 'yes' },
    { nodeId: 'bye', branch: null },
  ],
  variables: { amount: 500, city: '上海市', vip: true, note: '', missing: null },
};

test.each<[ScriptCondition, boolean]>([
  [{}, true],
  [{ node: 'ask' }, true],
  [{ node: 'human' }, false],
  [{ branch: 'yes' }, true],
  [{ node: 'ask', branch: 'yes' }, true],
  [{ node: 'start', branch: 'yes' }, false],
  [{ variable: 'city' }, true],
  [{ variable: 'note' }, false],
  [{ variable: 'missing' }, false],
  [{ variable: 'toString' }, false],
  [{ variable: 'note', exists: false }, true],
  [{ variable: 'city', exists: false }, false],
  [{ variable: 'city', contains: '上海' }, true],
  [{ variable: 'amount', contains: '5' }, false],
  [{ variable: 'amount', equals: 500 }, true],
  [{ variable: 'amount', equals: '500' }, false],
  [{ variable: 'vip', equals: true }, true],
  [{ variable: 'amount', in: [1, 500] }, true],
  [{ variable: 'amount', in: [] }, false],
  [{ variable: 'amount', atLeast: 500, atMost: 500 }, true],
  [{ variable: 'amount', atLeast: 501 }, false],
  [{ variable: 'amount', atMost: 499 }, false],
  [{ variable: 'city', atLeast: 0 }, false],
  [{ callStatus: 'completed' }, true],
  [{ callStatus: ['busy', 'completed'] }, true],
  [{ callStatus: ['busy'] }, false],
  [{ node: 'ask', callStatus: 'busy' }, false],
  [{ all: [{ node: 'ask' }, { variable: 'vip' }] }, true],
  [{ all: [{ node: 'ask' }, { node: 'human' }] }, false],
  [{ any: [{ node: 'human' }, { node: 'ask' }] }, true],
  [{ any: [{ node: 'human' }] }, false],
  [{ not: { node: 'human' } }, true],
  [{ node: 'ask', not: { branch: 'yes' } }, false],
])('%j evaluates to %j [D11]', (condition, expected) => {
  expect(conditionFault(condition, 'when')).toBeNull();
  expect(isFulfilled(condition, FACTS)).toBe(expected);
});

test.each<[unknown, string]>([
  ['node == 1', 'when'],
  [null, 'when'],
  [[], 'when'],
  [{ eval: 'x' }, 'when.eval'],
  [{ constructor: 'x' }, 'when.constructor'],
  [{ node: 3 }, 'when.node'],
  [{ variable: 'a', equals: {} }, 'when.equals'],
  [{ variable: 'a', in: 'x' }, 'when.in'],
  [{ variable: 'a', atLeast: Number.NaN }, 'when.atLeast'],
  [{ variable: 'a', exists: 1 }, 'when.exists'],
  [{ equals: 3 }, 'when.equals'],
  [{ all: [] }, 'when.all'],
  [{ any: [{}, { node: '' }] }, 'when.any[1].node'],
  [{ not: { not: { x: 1 } } }, 'when.not.not.x'],
  [{ callStatus: 3 }, 'when.callStatus'],
])('%j is not a valid condition: %s', (condition, field) => {
  expect(conditionFault(condition, 'when')).toMatchObject({ field });
});

test('the nesting depth of conditions is limited', () => {
  const nested = (depth: number): object => (depth === 1 ? {} : { not: nested(depth - 1) });
  expect(conditionFault(nested(MAX_CONDITION_DEPTH), 'when')).toBeNull();
  expect(conditionFault(nested(MAX_CONDITION_DEPTH + 1), 'when')).toMatchObject({ problem: problem('conditionTooDeep', { max: 8 }) });
});

describe('chooseResult', () => {
  const rules = [
    { when: { node: 'human' }, classification: 'A', intent: 'transfer' },
    { when: { branch: 'yes' }, classification: 'B', intent: 'agree' },
    { when: null, classification: 'C', intent: null },
  ];

  test('the first matching rule gives the result [D11]', () => {
    expect(chooseResult(rules, FACTS)).toEqual({ classification: 'B', intent: 'agree' });
    expect(chooseResult(rules, { ...FACTS, steps: [] })).toEqual({ classification: 'C', intent: null });
  });

  test('without a matching rule there is no result', () => {
    expect(chooseResult(rules.slice(0, 1), FACTS)).toBeNull();
    expect(chooseResult([], FACTS)).toBeNull();
  });
});
