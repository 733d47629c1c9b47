import { expect, test } from '@jest/globals';
import { AgentFloor } from './agent-floor.ts';
import { CallFloor } from './call-floor.ts';

/** Number of seeds, required for every continuous-integration run. */
const SEEDS = 2_000;
const STEPS = 16;

test(`after ${SEEDS} random interleavings no agent is stuck, and none was ever reserved by two holders [D12.7]`, async () => {
  const faults: string[] = [];
  const seen = { reserved: 0, answered: 0, expired: 0, lostEvents: 0, strangers: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const floor = new AgentFloor(seed);
    await floor.run(STEPS);
    faults.push(...(await floor.settle()).map(fault => `seed ${seed}: ${fault}`));
    for (const key of Object.keys(seen) as (keyof typeof seen)[]) seen[key] += floor.seen[key];
    if (faults.length > 5) break;
  }
  expect(faults).toEqual([]);
  // The random runs must reach the cases under test.
  for (const [what, count] of Object.entries(seen)) expect([what, count > SEEDS / 50]).toEqual([what, true]);
}, 120_000);

test(`after ${SEEDS} random agent calls no leg is left at the switch, and no agent, record or slot is held [D12.3, D12.7, I5]`, async () => {
  const faults: string[] = [];
  const seen = { placed: 0, bridged: 0, lostEvents: 0, lostAnswers: 0, away: 0, crashed: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const floor = new CallFloor(seed);
    await floor.run(STEPS);
    faults.push(...(await floor.settle()).map(fault => `seed ${seed}: ${fault}`));
    for (const key of Object.keys(seen) as (keyof typeof seen)[]) seen[key] += floor.seen[key];
    if (faults.length > 5) break;
  }
  expect(faults).toEqual([]);
  for (const [what, count] of Object.entries(seen)) expect([what, count > SEEDS / 50]).toEqual([what, true]);
}, 240_000);

test(`in ${SEEDS} random agent calls with lost answer events no party waits 5 s in silence, and each answer has its true time [I9]`, async () => {
  const faults: string[] = [];
  const seen = { placed: 0, bridged: 0, lostAnswers: 0, away: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const floor = new CallFloor(seed, { losesSightAlone: true });
    await floor.run(STEPS);
    faults.push(...(await floor.settle()).map(fault => `seed ${seed}: ${fault}`));
    for (const key of Object.keys(seen) as (keyof typeof seen)[]) seen[key] += floor.seen[key];
    if (faults.length > 5) break;
  }
  expect(faults).toEqual([]);
  for (const [what, count] of Object.entries(seen)) expect([what, count > SEEDS / 50]).toEqual([what, true]);
}, 240_000);
