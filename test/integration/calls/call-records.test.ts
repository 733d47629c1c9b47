import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const TOKEN = INTERNAL_TOKEN;
const PEOPLE = 12;

let rig: DispatchRig;
beforeEach(async () => {
  rig = await startDispatchRig({
    world: everybody('answer', { ringMs: { minMs: 800, maxMs: 900 }, talkMs: { minMs: 300, maxMs: 400 }, impatientShare: 1 }),
    config: { dispatch: { graceMs: 1_000, resultGraceSeconds: 5 } },
  });
  rig.simulator.callRecords.target = { url: `${rig.server.url}/internal/freeswitch/cdr`, token: TOKEN };
});
afterEach(() => rig.close());

const statuses = async (id: number) => (await rig.attempts(id)).map(({ status, callStatus }) => `${status} ${callStatus}`);
const contacts = async (id: number) =>
  rig.server.running.context.database.rows(sql<{ status: string; retryAt: number | null }>`
    select status, retry_at as "retryAt" from contact where campaign_id = ${id} order by id`);

/** Everybody answers and hangs up while the connection to the switch is cut. */
async function missEverything(maxRetries = 3) {
  const { id } = await rig.campaign({ contacts: numbers(PEOPLE), maxConcurrency: PEOPLE, maxRetries, retryIntervalSeconds: 0 });
  await rig.start(id);
  await waitUntil('everybody to be called', () => rig.simulator.record().totals.originates === PEOPLE);
  rig.simulator.faults.cut(5_000);
  return id;
}

describe('calls that were answered and ended while the switch was disconnected', () => {
  test("are completed by the switch's records, and nobody is dialled again [D7.8]", async () => {
    const id = await missEverything();
    await rig.untilStatus(id, 'completed');
    expect(new Set(await statuses(id))).toEqual(new Set(['completed completed']));
    expect(rig.simulator.record().totals.originates).toBe(PEOPLE);
  }, 90_000);

  test('stay unknown without records, and are not dialled again; a record hours later completes each once [D7.8]', async () => {
    const { callRecords } = rig.simulator;
    callRecords.hold(true);
    const id = await missEverything();
    await rig.untilStatus(id, 'completed');
    expect(new Set(await statuses(id))).toEqual(new Set(['outcome_unknown null']));
    expect(new Set((await contacts(id)).map(({ status, retryAt }) => `${status} ${retryAt}`))).toEqual(new Set(['failed null']));
    expect(rig.simulator.record().totals.originates).toBe(PEOPLE);

    callRecords.hold(false);
    await waitUntil(
      'the records to be taken',
      async () => new Set(await statuses(id)).size === 1 && (await statuses(id))[0] === 'completed completed',
    );
    expect(new Set((await contacts(id)).map(({ status }) => status))).toEqual(new Set(['completed']));
  }, 90_000);
});
