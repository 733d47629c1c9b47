import { test } from '@jest/globals';
import { expectAnswersSeen, expectNobodyStuck, expectNothingHeld } from './interleavings.ts';

/** `npm run test:release` plays more (test/seeds/agents). */
const SEEDS = { from: 1, to: 500 };

test(
  `after ${SEEDS.to} random interleavings no agent is stuck, and none was ever reserved by two holders [D12.7]`,
  () => expectNobodyStuck(SEEDS),
  120_000,
);

test(
  `after ${SEEDS.to} random agent calls no leg is left at the switch, and no agent, record or slot is held [D12.3, D12.7, I5]`,
  () => expectNothingHeld(SEEDS),
  240_000,
);

test(
  `in ${SEEDS.to} random agent calls with lost answer events no party waits 5 s in silence, and each answer has its true time [I9]`,
  () => expectAnswersSeen(SEEDS),
  240_000,
);
