import { expect, test } from '@jest/globals';
import { randomInt, systemRandom } from '#kernel/random.ts';
import { shortPlan } from './fault-plan.ts';
import { reportLines } from './report.ts';
import { runChaos } from './run-chaos.ts';

const MAX_SEED = 0xffff_ffff;
/** Contacts of each of the five campaigns: more than the plan can dial in its minute. */
const CONTACTS = 6_000;
const REST_TIMEOUT_MS = 180_000;
const TEST_TIMEOUT_MS = 600_000;
/**
 * `npm run chaos` enforces the 5 s and prints the figure. Beside other tests on the same cores only an eventual recovery of every campaign
 * can be required.
 */
const GENEROUS_RECOVERY_MS = 120_000;
/**
 * The 1 s of the rule (D8.6) applies to the decision to dial; the dial itself may start 2 s later (A6 step 6), and the machine may stall.
 */
const CHANNEL_LIMIT_MS = 1_000 + 2_000 + 20_000;

test(
  'no double dial, no limit exceeded, no result lost, no slot leaked while servers, services, wires and cells fail [A6, A8 I1 I2 I5 I6, D8.6]',
  async () => {
    const seed = randomInt(systemRandom, 0, MAX_SEED);
    const lines: string[] = [`replay with: npm run chaos -- --seed ${seed}`];
    const verdict = await runChaos({
      seed,
      plan: shortPlan(seed),
      contactsPerCampaign: CONTACTS,
      restTimeoutMs: REST_TIMEOUT_MS,
      channelLimitMs: CHANNEL_LIMIT_MS,
      print: line => lines.push(line),
      signal: new AbortController().signal,
    });
    process.stderr.write(`${[...lines, ...reportLines(verdict)].join('\n')}\n`);
    expect(verdict.violations).toEqual([]);
    expect(verdict.recoveries.filter(({ ms }) => ms === null || ms > GENEROUS_RECOVERY_MS)).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);
