import { describe, test } from '@jest/globals';
import { expectAnswersSeen, expectNobodyStuck, expectNothingHeld } from '#test/unit/agents/interleavings.ts';

/** `npm test` plays the first 500 (test/unit/agents). */
const SEEDS = { from: 501, to: 2_500 };

describe(`random agent calls, seeds ${SEEDS.from} to ${SEEDS.to}`, () => {
  test('no agent is stuck, and none is ever reserved by two holders [D12.7]', () => expectNobodyStuck(SEEDS), 240_000);

  test('no leg is left at the switch, and no agent, record or slot is held [D12.3, D12.7, I5]', () => expectNothingHeld(SEEDS), 480_000);

  test(
    'with lost answer events no party waits 5 s in silence, and each answer has its true time [I9]',
    () => expectAnswersSeen(SEEDS),
    480_000,
  );
});
