import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { startTcpProxy, type TcpProxy } from '#test/chaos/tcp-proxy.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ConferenceRig, startConferenceRig, type TestAgent } from '../conferences/conference-rig.ts';
import { launchServe, type ServeProcess } from '../outage/serve-process.ts';

/** Longer than a reservation lasts without an answer (D12.7), on a machine that may stand still, ms. */
const PATIENCE_MS = 120_000;

let rig: ConferenceRig;
let wire: TcpProxy;
let folder: string;
let victim: ServeProcess;

beforeAll(async () => {
  rig = await startConferenceRig();
  folder = await mkdtemp(join(tmpdir(), 'callout-killed-'));
}, 120_000);
afterEach(() => wire.close());
afterAll(async () => {
  if (victim.child.exitCode === null) victim.child.kill('SIGKILL');
  await rm(folder, { recursive: true });
  await rig.close();
}, PATIENCE_MS);

/** A second instance in a process of its own, beside the one that lives on. */
async function startVictim(): Promise<void> {
  wire = await startTcpProxy({ host: '127.0.0.1', port: rig.simulator.port });
  const { server, cache, ...config } = rig.server.config;
  const file = join(folder, 'victim.json');
  const cells = config.cells.map(cell => ({ ...cell, port: wire.port }));
  // What an operator may set at most: the rig is more patient.
  const patient = { ...cache, commandTimeoutMs: 999 };
  await writeFile(file, JSON.stringify({ ...config, server: { ...server, port: 0, instanceId: 'victim' }, cache: patient, cells }));
  victim = await launchServe({ PATH: process.env['PATH'], CALLOUT_CONFIG: file });
  await waitUntil('the phones to be known', async () => {
    const { data } = await victim.api('GET', '/api/agents/phone-statuses');
    return (data['rows'] as { registrationStatus: string }[]).some(row => row.registrationStatus === 'registered');
  });
}

async function kill(): Promise<void> {
  victim.child.kill('SIGKILL');
  await victim.exit;
}

const originatesTo = (destination: string) => {
  const called = new RegExp(`/${destination}(@|$)`);
  return rig.simulator.record().originates.filter(({ dialString }) => called.test(dialString ?? '')).length;
};
const untilStage = (agent: TestAgent, stage: string) =>
  waitUntil(`agent ${agent.id} to be ${stage}`, async () => (await rig.stageOf(agent.id)) === stage, PATIENCE_MS);

test('killed between reservation and originate: the agents are free when the lease ends, and nobody is called twice [D12.7, A6 steps 2-5]', async () => {
  const customer = await rig.customer();
  const [calling, opening, taking] = [await rig.agent(), await rig.agent(), await rig.agent()];
  await startVictim();
  const { database } = rig.server.running.context;
  await database.transaction(async holding => {
    // Whoever has reserved an agent goes on by writing the record of its call.
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
    const answers = Promise.allSettled(asked);
    for (const agent of [calling, opening, taking]) await untilStage(agent, 'reserved');
    await kill();
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
  // The transfer is taken over: the very agent that was reserved, or is free again by then, meets the customer.
  await untilStage(taking, 'talking');
  await untilStage(calling, 'idle');
  await untilStage(opening, 'idle');
  expect([calling.extension, '13800004250', opening.extension, taking.extension].map(originatesTo)).toEqual([0, 0, 0, 1]);
  const { data } = await rig.server.api('GET', '/api/softphone-calls?pageSize=200', undefined, rig.token);
  const open = (data.rows as { agentId: number; status: string }[]).filter(row => ['created', 'ringing', 'dialing'].includes(row.status));
  expect(open).toEqual([]);
  rig.simulator.hangUp(customer.requestId);
  await untilStage(taking, 'idle');
  await waitUntil('every slot to be free', async () => (await rig.slotsInUse()) === 0, PATIENCE_MS);
}, 400_000);

test('killed between the mark and the originate: the phone never rings, and agent and slot are free when the lease ends [A6 step 6, D12.7]', async () => {
  const agent = await rig.agent();
  const { id: campaignId } = await rig.campaign();
  await startVictim();
  wire.cut();
  const placed = await victim.api('POST', `/api/agents/${agent.id}/manual-calls`, { phoneNumber: '13800005250', campaignId });
  expect([placed.status, placed.msg]).toEqual([200, 'ok']);
  const callId = Number(placed.data['softphoneCallId']);
  const { database } = rig.server.running.context;
  const legStatus = async () => {
    const leg = sql<{ status: string }>`select status from softphone_leg where softphone_call_id = ${callId} and role = 'agent'`;
    return (await database.first(leg))?.status;
  };
  await waitUntil('the leg to be marked', async () => (await legStatus()) === 'dialing', PATIENCE_MS);
  await kill();
  await wire.close();
  await waitUntil('the call to be over', async () => (await legStatus()) === 'ended', PATIENCE_MS);
  await untilStage(agent, 'idle');
  await waitUntil('every slot to be free', async () => (await rig.slotsInUse()) === 0, PATIENCE_MS);
  expect([agent.extension, '13800005250'].map(originatesTo)).toEqual([0, 0]);
}, 400_000);
