import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { startSecondInstance } from '#test/support/second-instance.ts';

/** Longer than a reservation lasts without an answer (D12.7), on a machine that may stall, in ms. */
const PATIENCE_MS = 120_000;

let rig: ConferenceRig;
const stack = new AsyncDisposableStack();
let reserved: Awaited<ReturnType<typeof killedWhenReserved>>;
let marked: Awaited<ReturnType<typeof killedWhenMarked>>;

// Both instances die before either test begins, so that their reservations expire at the same time.
beforeAll(async () => {
  rig = await startConferenceRig();
  stack.defer(() => rig.close());
  marked = await killedWhenMarked();
  reserved = await killedWhenReserved();
}, 400_000);
afterAll(() => stack.disposeAsync(), PATIENCE_MS);

const originatesTo = (destination: string) => {
  const called = new RegExp(`/${destination}(@|$)`);
  return rig.simulator.record().originates.filter(({ dialString }) => called.test(dialString ?? '')).length;
};
const untilStage = (agent: TestAgent, stage: string) =>
  waitUntil(`agent ${agent.id} to be ${stage}`, async () => (await rig.stageOf(agent.id)) === stage, PATIENCE_MS);

/** Killed with a call, a session and a transfer between the reservation of their agents and the originate. */
async function killedWhenReserved() {
  const customer = await rig.customer();
  const [calling, opening, taking] = [await rig.agent(), await rig.agent(), await rig.agent()];
  const victim = await startSecondInstance(rig, 'reserving', stack);
  const answers = await rig.server.running.context.database.transaction(async holding => {
    // After reserving an agent the next step is to write the record of its call.
    await holding.run(sql`lock table softphone_call in exclusive mode`);
    const route = fetch(`${victim.url}/api/transfers/route`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Callout-Internal-Token': INTERNAL_TOKEN },
      body: JSON.stringify({ requestId: customer.requestId, customerUuid: customer.requestId, agentId: taking.id }),
    });
    const asked = [
      victim.api('POST', `/api/agents/${calling.id}/manual-calls`, { phoneNumber: '13800004250', campaignId: customer.campaignId }),
      victim.api('POST', '/api/softphone-sessions', { agentId: opening.id }),
      route,
    ];
    const answering = Promise.allSettled(asked);
    for (const agent of [calling, opening, taking]) await untilStage(agent, 'reserved');
    await victim.kill();
    return answering;
  });
  return { customer, calling, opening, taking, answers };
}

/** Killed with a call whose agent leg is marked as dialling and cannot reach the switch. */
async function killedWhenMarked() {
  const agent = await rig.agent();
  const { id: campaignId } = await rig.campaign();
  const victim = await startSecondInstance(rig, 'dialling', stack);
  victim.wire.cut();
  const placed = await victim.api('POST', `/api/agents/${agent.id}/manual-calls`, { phoneNumber: '13800005250', campaignId });
  const { database } = rig.server.running.context;
  const legStatus = async () => {
    const leg = sql<{ status: string }>`
      select status from leg where softphone_call_id = ${Number(placed.data['softphoneCallId'])} and role = 'agent'`;
    return (await database.first(leg))?.status;
  };
  await waitUntil('the leg to be marked', async () => (await legStatus()) === 'dialing', PATIENCE_MS);
  await victim.kill();
  await victim.wire.close();
  return { agent, placed, legStatus };
}

test('killed between reservation and originate: the agents are free when the lease ends, and nobody is called twice [D12.7, A6 steps 2-5]', async () => {
  const { customer, calling, opening, taking, answers } = reserved;
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  // The transfer is taken over: the reserved agent, or one that is free by then, meets the customer.
  await untilStage(taking, 'talking');
  await untilStage(calling, 'idle');
  await untilStage(opening, 'idle');
  expect([calling.extension, '13800004250', opening.extension, taking.extension].map(originatesTo)).toEqual([0, 0, 0, 1]);
  const { data } = await rig.server.api('GET', '/api/softphone-calls?pageSize=200', undefined, rig.token);
  const theirs = (data.rows as { agentId: number; status: string }[]).filter(row => row.agentId !== marked.agent.id);
  expect(theirs.filter(row => ['created', 'ringing', 'dialing'].includes(row.status))).toEqual([]);
  rig.simulator.hangUp(customer.requestId);
  await untilStage(taking, 'idle');
}, 400_000);

test('killed between the mark and the originate: the phone never rings, and agent and slot are free when the lease ends [A6 step 6, D12.7]', async () => {
  const { agent, placed, legStatus } = marked;
  expect([placed.status, placed.msg]).toEqual([200, 'ok']);
  await waitUntil('the call to be over', async () => (await legStatus()) === 'ended', PATIENCE_MS);
  await untilStage(agent, 'idle');
  expect([agent.extension, '13800005250'].map(originatesTo)).toEqual([0, 0]);
}, 400_000);

test('no slot is left in use', async () => {
  await waitUntil('every slot to be free', async () => (await rig.slotsInUse()) === 0, PATIENCE_MS);
}, 200_000);
