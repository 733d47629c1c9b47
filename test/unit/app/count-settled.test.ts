import { expect, test } from '@jest/globals';
import { countSettled } from '#app/call-engine.ts';
import type { ResultReport, SettledDial } from '#outcomes/outcome-store.ts';
import type { DialStore } from '#dialling/dial-store.ts';

const outcomes = {
  first: { kind: 'applied', outboxId: 7, status: 'completed' },
  again: { kind: 'applied', outboxId: null },
  unknown: { kind: 'not_found' },
};

function counted(outcome: keyof typeof outcomes) {
  const statuses: string[] = [];
  const settle: DialStore['settle'] = async batch => batch.map(({ requestId }) => ({ requestId, settled: requestId !== 'closed-before' }));
  const dials = { applyResult: async () => outcomes[outcome], settle } as unknown as DialStore;
  return { statuses, dials: countSettled(dials, { callSettled: status => void statuses.push(status) }) };
}

test.each([
  ['first', ['busy']],
  ['again', []],
  ['unknown', []],
] as const)('a result whose outcome is "%s" counts %j', async (outcome, expected) => {
  const { dials, statuses } = counted(outcome);
  await dials.applyResult({ callStatus: 'busy' } as ResultReport);
  expect(statuses).toEqual(expected);
});

test('a result without a call status counts by the status of the attempt', async () => {
  const { dials, statuses } = counted('first');
  await dials.applyResult({ callStatus: null } as ResultReport);
  expect(statuses).toEqual(['completed']);
});

test('calls settled by the engine count, a lost one as unknown', async () => {
  const { dials, statuses } = counted('first');
  const ended = [
    { requestId: 'a', callStatus: 'no_answer', status: 'failed' },
    { requestId: 'b', callStatus: null, status: 'outcome_unknown' },
    { requestId: 'closed-before', callStatus: 'busy', status: 'failed' },
  ];
  await dials.settle(ended as SettledDial[]);
  expect(statuses).toEqual(['no_answer', 'unknown']);
});
