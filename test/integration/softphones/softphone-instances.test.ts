import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { systemIds } from '#kernel/ids.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { wipeLiveState } from '#test/support/dispatch-rig.ts';
import { startTestServer } from '#test/support/server.ts';
import { type SoftphoneRuntime, startSoftphoneRuntime } from '#test/support/softphone-runtime.ts';
import { type SoftphoneTalks, softphoneTalks } from '#test/support/softphone-talks.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: ConferenceRig;
let runtime: SoftphoneRuntime;
let talks: SoftphoneTalks;

beforeAll(async () => {
  rig = await startConferenceRig();
  runtime = await startSoftphoneRuntime(rig.server);
  talks = softphoneTalks(rig);
  await rig.campaign();
}, 60_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(async () => {
  await runtime?.close();
  await rig?.close();
});

describe('two instances [A1.1]', () => {
  test('publish each step of a session once, whichever receives the event', async () => {
    const { cells, conferences } = rig.server.config;
    const second = await startTestServer({ beside: rig.server, config: { cells, conferences } });
    try {
      await waitUntil('the cell to come up there too', async () => (await second.api('GET', '/health')).data.switch[0]?.ok === true);
      const { agent, customerUuid, conferenceId, softphoneCallId } = await talks.talk({});
      rig.simulator.hangUp(customerUuid);
      await rig.untilEnded(conferenceId);
      const steps = () => talks.steps(agent, softphoneCallId);
      await waitUntil('the end to be told', async () => (await steps()).includes('ended'));
      // The slower instance has received it too before it stops.
      await second.close();
      expect(await steps()).toEqual(['created', 'agent_joined', 'calling_customer', 'customer_joined', 'ended']);
    } finally {
      await second.close();
    }
  });
});

describe('an instance that dies during a session [D12.4, A6]', () => {
  test('a conference whose instance died before it was linked to its record is ended', async () => {
    const { database } = rig.server.running.context;
    const row = await database.first(sql<{ id: number }>`
      insert into conference_session (conference_name, kind, status, customer_state, cell_id, created_at)
      values (${`callout-${systemIds()}`}, 'session', 'routing', 'outside', 'cell-1', now() - interval '60 s') returning id`);
    await rig.untilEnded(row?.id ?? 0);
  });

  test('an agent whose customer was never called does not wait for ever: the session ends, the agent is free', async () => {
    const { database } = rig.server.running.context;
    const agent = await rig.agent();
    // Without a number nobody is called: the state that such an instance leaves, once there is one.
    const { data } = await talks.open(agent);
    await rig.dialIn(agent, data.sipExtraHeaders['X-Callout-Conference']);
    await waitUntil('the agent to talk', async () => (await rig.stageOf(agent.id)) === 'talking');
    const conferenceId = Number((await talks.detail(agent, data.softphoneCallId)).call.conferenceId);
    await rig.untilLive(conferenceId);
    await database.run(sql`update softphone_call set phone_number = '13600009950' where id = ${data.softphoneCallId}`);
    await database.run(sql`update conference_session set answered_at = now() - interval '21 s' where id = ${conferenceId}`);
    await rig.untilEnded(conferenceId);
    await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
    expect((await talks.steps(agent, data.softphoneCallId)).at(-1)).toBe('ended');
  });
});

test('an older leg of the agent, whose end was missed, is closed with its record when its browser joins', async () => {
  const { database } = rig.server.running.context;
  const agent = await rig.agent();
  // At no cell, so that nothing checks whether its channel exists.
  const old = await database.first(sql<{ id: number }>`
    insert into conference_session (conference_name, kind, status, customer_state)
    values (${`callout-${systemIds()}`}, 'session', 'live', 'outside') returning id`);
  const legUuid = systemIds();
  const call = await database.first(sql<{ id: number }>`
    insert into softphone_call (request_id, direction, status, agent_id, user_id, conference_id, answered_at)
    values (${legUuid}, 'conference', 'answered', ${agent.id}, ${agent.userId}, ${String(old?.id)}, now()) returning id`);
  await database.run(sql`
    insert into leg (softphone_call_id, conference_id, role, mode, agent_id, leg_uuid, status)
    values (${call?.id}, ${old?.id}, 'agent', 'barge', ${agent.id}, ${legUuid}, 'joined')`);
  const { data } = await talks.open(agent);
  await rig.dialIn(agent, data.sipExtraHeaders['X-Callout-Conference']);
  await waitUntil('the older record to be closed', async () => (await talks.detail(agent, call?.id ?? 0)).call.status === 'completed');
  expect((await talks.api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/end`)).data.ended).toBe(true);
  await database.run(sql`update conference_session set status = 'ended', ended_at = now() where id = ${old?.id}`);
});

test('a wiped cache is rebuilt with the slots of customers in conferences [A6 step 10, I1]', async () => {
  await waitUntil('the slots of earlier tests to be free', async () => (await rig.slotsInUse()) === 0);
  const { id: campaignId, lineId } = await rig.campaign();
  const { agent, path, softphoneCallId, conferenceId } = await talks.talk({ campaignId });
  await wipeLiveState(rig.server);
  const { redis } = rig.server.running.context;
  await waitUntil('the slot registry to open again', () => redis.run(async client => (await client.exists('s:{0}:epoch')) === 1));
  expect(await rig.slotsInUse()).toBe(1);
  const { legs } = await rig.session(conferenceId);
  const customer = legs.find((leg: { role: string }) => leg.role === 'external');
  const { data } = await rig.ask('GET', `/api/softphone-calls?campaignId=${campaignId}`);
  const row = data.rows.find((call: { id: number }) => call.id === customer.softphoneCallId);
  expect([row.lineId, row.callerNumber]).toEqual([lineId, '02166660000']);
  expect((await talks.api(agent, 'POST', `${path}/end`)).data.ended).toBe(true);
  await waitUntil('the slot to be free', async () => (await rig.slotsInUse()) === 0);
  expect((await talks.steps(agent, softphoneCallId)).at(-1)).toBe('ended');
});
