import { cpuMsOf, median, numberOption } from '#bench/support/measure.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { settled, startCampaign } from '#test/switch/cases/campaign.ts';
import { customerNumber } from '#test/switch/people.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startSwitchRig, type SwitchRig } from '#test/switch/switch-rig.ts';
import type { Bench } from '#tools/commands/bench-context.ts';
import { findBinary } from '#tools/services/binaries.ts';

const ROUNDS = 3;
const CALLS_PER_ROUND = 150;
const TALK_SECONDS = 2;
const FIRST_TONE = 1_100;
const IDLE_MS = 10_000;
const SETTLE_LIMIT_MS = 120_000;

/**
 * `serve` with a real FreeSWITCH, and customers at a second one: CPU of the server per call, from the dial to the stored result, above its
 * idle use. `npm run bench -- real-switch [--freeswitch BINARY] [--rounds N] [--calls N]`; nothing is measured where there is no
 * FreeSWITCH.
 */
export const bench: Bench = async context => {
  const named = context.args.indexOf('--freeswitch');
  const binary = named === -1 ? findBinary('freeswitch', process.env) : context.args[named + 1];
  if (!binary) {
    context.print('real-switch: no freeswitch on the PATH, and none named by --freeswitch: not measured');
    return { bench: 'real-switch', ratios: [], figures: [] };
  }
  await using stack = new AsyncDisposableStack();
  const rig = await startSwitchRig(stack, { binary, isKept: false });
  const calls = numberOption(context.args, 'calls', CALLS_PER_ROUND);
  const rounds: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= numberOption(context.args, 'rounds', ROUNDS); round += 1) {
    const cpuMs = await cpuOfCalls(rig, round, calls);
    if (round > 0) rounds.push(cpuMs / calls);
  }
  const value = median(rounds);
  return { bench: 'real-switch', ratios: [], figures: [{ what: 'CPU of the server per call', value, unit: 'ms', bar: { atMost: 9 } }] };
};

/** CPU of the server, in ms, above its idle use in the same time. */
async function cpuOfCalls(rig: SwitchRig, round: number, calls: number): Promise<number> {
  const idle = await whileIdle(rig);
  // A customer's tone derives from the number, so each number is distinct.
  const called = Array.from({ length: calls }, (_, index) =>
    customerNumber({ tone: FIRST_TONE + ((round * calls + index) % 900), talkSeconds: TALK_SECONDS, ringSeconds: round % 10 }),
  );
  const numbers = new Set(called);
  const before = { cpuMs: cpuMsOf(rig.server.pid()), at: systemClock.monotonic() };
  const campaignId = await startCampaign(rig, called, { maxConcurrency: 50 });
  // The simulated phones report the end, so that the server gets no extra requests.
  const over = () => rig.people.legs.filter(({ to, endedAt }) => endedAt !== null && numbers.has(to)).length === calls;
  await waitUntil('every call to end', over, SETTLE_LIMIT_MS);
  await settled(rig, campaignId, calls);
  return cpuMsOf(rig.server.pid()) - before.cpuMs - idle * (systemClock.monotonic() - before.at);
}

/** CPU per wall-clock time, as a share of one core. */
async function whileIdle(rig: SwitchRig): Promise<number> {
  const before = cpuMsOf(rig.server.pid());
  await sleep(systemClock, IDLE_MS);
  return (cpuMsOf(rig.server.pid()) - before) / IDLE_MS;
}
