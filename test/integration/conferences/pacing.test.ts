import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { loopStall } from '#test/support/loop-stall.ts';

const PER_SECOND = 5;
/** Allowed delay of an originate after its booked instant (slot-registry.ts), in ms. */
const SLACK_MS = 20;
const SPACE_MS = (1_000 + SLACK_MS) / (PER_SECOND - 1);

let rig: ConferenceRig;
const stall = loopStall();
beforeAll(async () => {
  rig = await startConferenceRig({}, { maxOriginatesPerSecond: PER_SECOND });
}, 60_000);
afterAll(() => rig.close());

/** Shortest time between two matching originates, plus the delay that the shared event loop may have added to their timestamps. */
function shortestGap(dialString: RegExp): number {
  const at = rig.simulator
    .record()
    .originates.filter(originate => dialString.test(originate.dialString ?? ''))
    .map(originate => originate.at)
    .toSorted((a, b) => a - b);
  return Math.min(...at.slice(1).map((instant, index) => instant - (at[index] ?? 0))) + stall.longestMs();
}

test('numbers called into conferences follow the pacing of the cell [D12.6, A10]', async () => {
  const customer = await rig.customer();
  await rig.agent();
  const { data } = await rig.route(customer);
  await waitUntil('both to be in', async () => (await rig.session(data.conferenceId)).session.memberCount === 2);
  stall.start();
  const add = (targetNumber: string) =>
    rig.server.api('POST', `/api/conference-sessions/${data.conferenceId}/participants`, { mode: 'blind', targetNumber }, rig.token);
  const answers = await Promise.all(['13800010050', '13800010150', '13800010250', '13800010350'].map(add));
  stall.stop();
  // An originate without a turn within four seconds is refused, which a stalled machine may cause.
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
  expect(shortestGap(/1380001/)).toBeGreaterThanOrEqual(SPACE_MS - SLACK_MS);
  await rig.server.internal('POST', '/api/transfers/end', { customerUuid: customer.requestId });
});

test('both legs of concurrent agent calls follow the pacing of the cell [D12.3, A10]', async () => {
  await rig.campaign();
  const agents = [await rig.agent(), await rig.agent(), await rig.agent()];
  stall.start();
  const call = (agent: { id: number; token: string }, index: number) =>
    rig.server.api('POST', `/api/agents/${agent.id}/manual-calls`, { phoneNumber: `1380002${index}050` }, agent.token);
  const answers = await Promise.all(agents.map(call));
  expect(answers.map(({ status, msg }) => [status, msg])).toEqual(answers.map(() => [200, 'ok']));
  const joined = () => answers.filter(({ data }) => rig.simulator.isBridged(data.requestId)).length;
  const settled = async () => {
    const { data } = await rig.server.api('GET', '/api/softphone-calls?pageSize=200', undefined, rig.token);
    const rows = data.rows as { direction: string; status: string }[];
    return joined() + rows.filter(row => row.direction === 'manual_call' && row.status === 'failed').length >= agents.length;
  };
  await waitUntil('every call to be joined or given up', settled, 90_000);
  expect(joined()).toBeGreaterThanOrEqual(1);
  stall.stop();
  expect(shortestGap(new RegExp(`1380002|user/(${agents.map(agent => agent.extension).join('|')})`))).toBeGreaterThanOrEqual(
    SPACE_MS - SLACK_MS,
  );
});
