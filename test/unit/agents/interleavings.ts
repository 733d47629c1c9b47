import { expect } from '@jest/globals';
import { AgentFloor } from './agent-floor.ts';
import { CallFloor } from './call-floor.ts';

const STEPS = 16;
/** Seeds with faults after which the others are not played. */
const MAX_FAULTS = 5;
const CALL_CASES = ['placed', 'bridged', 'lostAnswers', 'away'];

export interface Seeds {
  from: number;
  to: number;
}

interface Floor {
  /** How often the random steps have reached each case under test. */
  seen: Readonly<Record<string, number>>;
  run(steps: number): Promise<void>;
  /** Ends the run; resolves to what is then wrong. */
  settle(): Promise<string[]>;
}

/** Random interleavings of calls for agents: none is stuck, and none was ever reserved by two holders. */
export function expectNobodyStuck(seeds: Seeds): Promise<void> {
  return expectSettled(seeds, ['reserved', 'answered', 'expired', 'lostEvents', 'strangers'], seed => new AgentFloor(seed));
}

/** Random agent calls: no leg is left at the switch, and no agent, record or slot is held. */
export function expectNothingHeld(seeds: Seeds): Promise<void> {
  return expectSettled(seeds, [...CALL_CASES, 'lostEvents', 'crashed'], seed => new CallFloor(seed));
}

/** Random agent calls with lost answer events: no party waits 5 s in silence, and each answer has its true time. */
export function expectAnswersSeen(seeds: Seeds): Promise<void> {
  return expectSettled(seeds, CALL_CASES, seed => new CallFloor(seed, { losesSightAlone: true }));
}

/** The random runs must also reach the `cases` under test. */
async function expectSettled({ from, to }: Seeds, cases: readonly string[], floorOf: (seed: number) => Floor): Promise<void> {
  const faults: string[] = [];
  const seen = new Map<string, number>();
  for (let seed = from; seed <= to && faults.length <= MAX_FAULTS; seed++) {
    const floor = floorOf(seed);
    await floor.run(STEPS);
    faults.push(...(await floor.settle()).map(fault => `seed ${seed}: ${fault}`));
    for (const [what, count] of Object.entries(floor.seen)) seen.set(what, (seen.get(what) ?? 0) + count);
  }
  expect(faults).toEqual([]);
  const enough = (to - from + 1) / 50;
  for (const name of cases) expect([name, (seen.get(name) ?? 0) > enough]).toEqual([name, true]);
}
