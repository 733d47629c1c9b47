import { afterEach, describe, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { loopStall } from '#test/support/loop-stall.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

/** Longest delay of a dial after its booked instant, in ms; a later one is booked again (slot-registry.ts). */
const SLACK_MS = 20;

/** One real-time proof of each rule; `unit/dialling/send-paced` tries all stalls by the manual clock, `integration/slots/permits` the real script. */
let rig: DispatchRig;
let second: TestServer | null = null;
const stall = loopStall();

afterEach(async () => {
  stall.stop();
  await second?.close();
  second = null;
  await rig.close();
});

async function startTwoInstances(options: Parameters<typeof startDispatchRig>[0]): Promise<void> {
  rig = await startDispatchRig({ world: everybody('busy'), ...options });
  const { cells, businesses } = rig.server.config;
  second = await startTestServer({ beside: rig.server, config: { cells, businesses } });
  stall.start();
}

const instants = () =>
  rig.simulator
    .record()
    .originates.map(originate => originate.at)
    .toSorted((a, b) => a - b);

describe('two instances', () => {
  test('calls of a campaign start its interval apart [D5.3]', async () => {
    await startTwoInstances({});
    const { id } = await rig.campaign({ contacts: numbers(8), callIntervalMs: 150 });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    const at = instants();
    expect(at).toHaveLength(8);
    const gaps = at.slice(1).map((instant, index) => instant - (at[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(150 - SLACK_MS - stall.longestMs());
  });

  test('campaigns that share a cell never send it more originates per second than it admits [esl §5]', async () => {
    await startTwoInstances({ maxOriginatesPerSecond: 30, sessionsPerSecond: 1_000 });
    const campaigns = [];
    for (let index = 0; index < 3; index++) {
      campaigns.push(await rig.campaign({ contacts: numbers(16, 13_900_000_000 + index * 10_000_000), maxConcurrency: 100 }));
    }
    for (const { id } of campaigns) await rig.start(id);
    for (const { id } of campaigns) await rig.untilStatus(id, 'completed');
    const at = instants();
    expect(at).toHaveLength(48);
    const inOneSecond = at.map(from => at.filter(instant => instant >= from && instant < from + 1_000).length);
    // 29 per second leave room for the slack; more jitter at the switch lets that many more into the same second of its record.
    const spaceMs = (1_000 + SLACK_MS) / 29;
    expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(29 + Math.ceil(stall.longestMs() / spaceMs));
    expect(Math.max(...inOneSecond)).toBeGreaterThan(15);
  });
});

test('a switch that counts sessions like FreeSWITCH refuses none [esl §5]', async () => {
  // Three sessions more than configured for the cell: the jitter of the shared loop.
  rig = await startDispatchRig({ world: everybody('busy'), maxOriginatesPerSecond: 20, sessionsPerSecond: 23 });
  const { id } = await rig.campaign({ contacts: numbers(30), maxConcurrency: 30 });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
  expect(rig.simulator.record().originates.filter(({ result }) => result?.includes('DESTINATION_OUT_OF_ORDER'))).toEqual([]);
});
