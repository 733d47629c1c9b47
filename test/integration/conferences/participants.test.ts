import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { LegEvent } from '#actors/leg/events.ts';
import { conferenceActorStore } from '#conferences/conference-actor-store.ts';
import { conferenceRepository } from '#conferences/conference-store.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { conferenceHostOver } from '#test/support/conference-host.ts';
import { type ConferenceRig, type LiveCustomer, startConferenceRig } from '#test/support/conference-rig.ts';

let rig: ConferenceRig;
beforeAll(async () => {
  rig = await startConferenceRig();
}, 60_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(() => rig.close());

interface Live {
  agent: TestAgent;
  customer: LiveCustomer;
  conferenceId: number;
  softphoneCallId: number;
  agentCallUuid: string;
  conferenceName: string;
}

async function meeting(): Promise<Live> {
  const [agent, customer] = [await rig.agent(), await rig.customer()];
  const { data } = await rig.route(customer);
  await untilMeeting(data.conferenceId, 2);
  return { ...data, agent, customer };
}

/** The switch lists a member a moment after the command that admitted it. */
async function untilMeeting(conferenceId: number, members: number): Promise<void> {
  await waitUntil(`${members} to be together`, async () => {
    const { customerState, memberCount } = (await rig.session(conferenceId)).session;
    return customerState === 'inside' && memberCount === members;
  });
}

const add = (live: Live, body: object, token: string | null = rig.token) =>
  rig.server.api('POST', `/api/conference-sessions/${live.conferenceId}/participants`, body, token);
const remove = (live: Live, callId: number, body?: object, token: string | null = rig.token) =>
  rig.server.api('DELETE', `/api/conference-sessions/${live.conferenceId}/participants/${callId}`, body, token);
const close = (live: Live) => rig.server.internal('POST', '/api/transfers/end', { customerUuid: live.customer.requestId });
// oxlint-disable-next-line typescript/no-explicit-any
const legOf = async (live: Live, callId: number): Promise<any> =>
  (await rig.session(live.conferenceId)).legs.find((leg: { softphoneCallId: number }) => leg.softphoneCallId === callId);
const untilJoined = (live: Live, callId: number) =>
  waitUntil(`leg ${callId} to join`, async () => (await legOf(live, callId)).status === 'joined');

describe('POST …/participants [OCS 4.15, D12.6]', () => {
  test('a blind transfer: the transferring agent leaves when the other has answered, and the customer stays', async () => {
    const live = await meeting();
    const other = await rig.agent();
    const answer = await add(live, { mode: 'blind', agentId: other.id }, live.agent.token);
    expect(answer.status).toBe(200);
    expect(answer.data.leg).toMatchObject({ mode: 'blind', role: 'agent', agentId: other.id });
    await untilJoined(live, answer.data.leg.softphoneCallId);
    await waitUntil('the first agent to be free', async () => (await rig.stageOf(live.agent.id)) === 'idle');
    expect((await legOf(live, live.softphoneCallId)).status).toBe('ended');
    expect((await rig.session(live.conferenceId)).session).toMatchObject({ status: 'live', customerState: 'inside' });
    await close(live);
  });

  test('an unanswered blind transfer leaves the customer with the first agent', async () => {
    const live = await meeting();
    const other = await rig.agent({ manner: 'rejects' });
    const { data } = await add(live, { mode: 'blind', agentId: other.id }, live.agent.token);
    await waitUntil('the leg to end', async () => (await legOf(live, data.leg.softphoneCallId)).status === 'ended');
    expect((await legOf(live, live.softphoneCallId)).status).toBe('joined');
    expect(await rig.stageOf(live.agent.id)).toBe('talking');
    await close(live);
  });

  test('a consultation puts the customer on hold until it ends', async () => {
    const live = await meeting();
    const other = await rig.agent();
    const { data } = await add(live, { mode: 'consult', agentId: other.id }, live.agent.token);
    expect((await rig.session(live.conferenceId)).session.customerState).toBe('aside');
    await untilJoined(live, data.leg.softphoneCallId);
    expect((await rig.session(live.conferenceId)).session.customerState).toBe('aside');
    expect((await remove(live, live.softphoneCallId, undefined, live.agent.token)).data.removed).toBe(true);
    await waitUntil('the customer to be back', async () => (await rig.session(live.conferenceId)).session.customerState === 'inside');
    expect((await legOf(live, data.leg.softphoneCallId)).status).toBe('joined');
    await close(live);
  });

  test('a cancelled consultation brings the customer back, whether ringing or joined', async () => {
    const live = await meeting();
    for (const ringMs of [60_000, 20]) {
      const other = await rig.agent({ ringMs });
      const { data } = await add(live, { mode: 'consult', agentId: other.id }, live.agent.token);
      if (ringMs === 20) await untilJoined(live, data.leg.softphoneCallId);
      expect((await rig.session(live.conferenceId)).session.customerState).toBe('aside');
      expect((await remove(live, data.leg.softphoneCallId, undefined, live.agent.token)).data.removed).toBe(true);
      expect((await rig.session(live.conferenceId)).session.customerState).toBe('inside');
      await waitUntil('the other to be free', async () => (await rig.stageOf(other.id)) === 'idle', 60_000);
    }
    expect(await rig.stageOf(live.agent.id)).toBe('talking');
    await close(live);
  });

  test('a refused consultation brings the customer back', async () => {
    const live = await meeting();
    const other = await rig.agent({ manner: 'rejects' });
    await add(live, { mode: 'consult', agentId: other.id }, live.agent.token);
    await waitUntil(
      'the customer to be back',
      async () => (await rig.session(live.conferenceId)).session.customerState === 'inside',
      30_000,
    );
    expect((await legOf(live, live.softphoneCallId)).status).toBe('joined');
    await close(live);
  });

  test('a consulting agent who leaves while the other phone rings does not leave the customer on hold', async () => {
    const live = await meeting();
    const other = await rig.agent({ ringMs: 60_000 });
    await add(live, { mode: 'consult', agentId: other.id }, live.agent.token);
    rig.simulator.hangUp(live.agentCallUuid);
    await waitUntil(
      'the customer to be back',
      async () => (await rig.session(live.conferenceId)).session.customerState === 'inside',
      30_000,
    );
    expect((await rig.session(live.conferenceId)).session.status).toBe('live');
    await close(live);
  });

  test('a consultation with an external number becomes a three-way call, and dials it once', async () => {
    const live = await meeting();
    const { data } = await add(live, { mode: 'consult', targetNumber: '13800003250' }, live.agent.token);
    await untilJoined(live, data.leg.softphoneCallId);
    expect((await add(live, { mode: 'blind', targetNumber: '13800003250' }, live.agent.token)).status).toBe(409);
    const joined = await add(live, { mode: 'barge', targetNumber: '138 0000 3250' }, live.agent.token);
    expect([joined.status, joined.data.leg.softphoneCallId]).toEqual([200, data.leg.softphoneCallId]);
    await untilMeeting(live.conferenceId, 3);
    expect(rig.simulator.record().originates.filter(({ dialString }) => dialString?.includes('13800003250'))).toHaveLength(1);
    await close(live);
  });

  test('an agent on the line cannot become a listener: 409', async () => {
    const live = await meeting();
    expect((await add(live, { mode: 'listen', agentId: live.agent.id })).status).toBe(409);
    expect((await legOf(live, live.softphoneCallId)).canSpeak).toBe(true);
    await close(live);
  });

  test('a consultation becomes a three-way call', async () => {
    const live = await meeting();
    const other = await rig.agent();
    const { data } = await add(live, { mode: 'consult', agentId: other.id }, live.agent.token);
    await untilJoined(live, data.leg.softphoneCallId);
    expect((await add(live, { mode: 'barge', agentId: other.id }, live.agent.token)).status).toBe(200);
    await untilMeeting(live.conferenceId, 3);
    await close(live);
  });

  test('a supervisor listens muted, then barges in', async () => {
    const live = await meeting();
    const supervisor = await rig.agent();
    const { data } = await add(live, { mode: 'listen', agentId: supervisor.id });
    expect(data.leg).toMatchObject({ role: 'supervisor', mode: 'listen', canSpeak: false });
    await untilJoined(live, data.leg.softphoneCallId);
    expect((await legOf(live, data.leg.softphoneCallId)).canSpeak).toBe(false);
    await waitUntil('the listener to be in the room', async () => (await rig.isHeard(live.conferenceName, data.leg.callUuid)) === false);
    const answer = await add(live, { mode: 'barge', agentId: supervisor.id });
    expect(answer.data.leg).toMatchObject({ mode: 'barge', canSpeak: true });
    expect(await rig.isHeard(live.conferenceName, data.leg.callUuid)).toBe(true);
    await close(live);
    await waitUntil('the supervisor to be free', async () => (await rig.stageOf(supervisor.id)) === 'idle');
  });

  test('a listener whose phone still rings cannot barge in: 409, and joins in the requested mode', async () => {
    const live = await meeting();
    const supervisor = await rig.agent({ ringMs: 2_000 });
    const { data } = await add(live, { mode: 'listen', agentId: supervisor.id });
    const answer = await add(live, { mode: 'barge', agentId: supervisor.id });
    expect([answer.status, answer.msg]).toEqual([409, '该成员尚未接通，请稍后重试']);
    await untilJoined(live, data.leg.softphoneCallId);
    expect(await legOf(live, data.leg.softphoneCallId)).toMatchObject({ mode: 'listen', canSpeak: false });
    await close(live);
  });

  test('the switch\'s report of a member is kept when its answer arrives later [test/fixtures/esl/README.md §3 "Order is not guaranteed"]', async () => {
    const live = await meeting();
    const supervisor = await rig.agent({ ringMs: 60_000 });
    const { data } = await add(live, { mode: 'listen', agentId: supervisor.id });
    const { database } = rig.server.running.context;
    const conferences = conferenceRepository(database);
    const host = conferenceHostOver(conferenceActorStore(database));
    const legUuid = data.leg.callUuid;
    const send = (event: LegEvent) => host.send(String(live.conferenceId), { type: 'legChanged', legUuid, event }, systemIds());
    await send({ type: 'memberSeen', memberId: 77, canSpeak: false });
    await send({ type: 'legJoined', at: systemClock.now() });
    const session = await conferences.findByLeg(data.leg.callUuid);
    expect(session?.legs.find(leg => leg.legUuid === data.leg.callUuid)).toMatchObject({ status: 'joined', memberId: 77, canSpeak: false });
    await close(live);
  });

  test('an extension selects its agent', async () => {
    const live = await meeting();
    const other = await rig.agent();
    const { data } = await add(live, { mode: 'blind', targetNumber: other.extension }, live.agent.token);
    expect(data.leg.agentId).toBe(other.id);
    await untilJoined(live, data.leg.softphoneCallId);
    await close(live);
  });

  test("an external number is called on the campaign's line and releases its slot", async () => {
    // Calls of the tests before release their slots a little later.
    await waitUntil('every slot to be free', async () => (await rig.slotsInUse()) === 0);
    const live = await meeting();
    const used = await rig.slotsInUse();
    const { data, status, msg } = await add(live, { mode: 'blind', targetNumber: '138 0000 1250' }, live.agent.token);
    expect([status, msg]).toEqual([200, 'ok']);
    expect(data.leg).toMatchObject({ role: 'external', targetNumber: '13800001250', agentId: null });
    expect(await rig.slotsInUse()).toBe(used + 1);
    const channel = rig.simulator.record().channels.find(({ uuid }) => uuid === data.leg.callUuid);
    expect(channel?.dialString).toBe('sofia/gateway/gw1/13800001250');
    await untilJoined(live, data.leg.softphoneCallId);
    await close(live);
    await waitUntil('the slot to be free', async () => (await rig.slotsInUse()) < used);
  });

  test('an external number on the do-not-call list is not called: 409', async () => {
    const live = await meeting();
    await rig.server.api('POST', '/api/dnc', { phoneNumber: '13800002250' }, rig.token);
    const before = rig.simulator.record().totals.originates;
    const answer = await add(live, { mode: 'blind', targetNumber: '13800002250' }, live.agent.token);
    expect([answer.status, answer.msg]).toEqual([409, expect.stringContaining('当前外呼策略禁止调度')]);
    expect(rig.simulator.record().totals.originates).toBe(before);
    await close(live);
  });

  test('an unknown extension and an unknown agent: 404; a busy one, an unregistered phone: 409', async () => {
    const live = await meeting();
    const unregistered = await rig.agent({ registered: false });
    expect((await add(live, { mode: 'blind', targetNumber: '9999' }, live.agent.token)).status).toBe(404);
    expect((await add(live, { mode: 'blind', agentId: 999_999 }, live.agent.token)).status).toBe(404);
    expect((await add(live, { mode: 'blind', agentId: unregistered.id }, live.agent.token)).status).toBe(409);
    expect((await add(live, { mode: 'blind', agentId: live.agent.id }, live.agent.token)).status).toBe(409);
    expect((await rig.session(live.conferenceId)).session.customerState).toBe('inside');
    await close(live);
  });

  test.each([
    ['an unknown mode', { mode: 'whisper', agentId: 1 }, 'mode'],
    ['no target of a transfer', { mode: 'blind' }, 'agentId'],
    ['two targets', { mode: 'blind', agentId: 1, targetNumber: '1001' }, 'targetNumber'],
    ['a target with a command in it', { mode: 'blind', targetNumber: '1001\n\napi hupall' }, 'targetNumber'],
  ])('400 for %s, naming the field [D2.1]', async (_, body, field) => {
    const live = await meeting();
    const answer = await add(live, body);
    expect(answer.status).toBe(400);
    expect(answer.msg).toContain(field);
    await close(live);
  });

  test('listening requires a supervisor; transferring requires a participant', async () => {
    const live = await meeting();
    const stranger = await rig.agent();
    expect((await add(live, { mode: 'listen', agentId: stranger.id }, live.agent.token)).status).toBe(403);
    expect((await add(live, { mode: 'blind', agentId: stranger.id }, stranger.token)).status).toBe(403);
    expect((await remove(live, live.softphoneCallId, { force: true }, stranger.token)).status).toBe(403);
    await close(live);
    expect((await add(live, { mode: 'listen', agentId: stranger.id })).status).toBe(409);
    expect((await rig.server.api('POST', '/api/conference-sessions/999999/participants', { mode: 'listen' }, rig.token)).status).toBe(404);
  });

  test('every change writes an audit row [D3.7]', async () => {
    const live = await meeting();
    const supervisor = await rig.agent();
    const { data } = await add(live, { mode: 'listen', agentId: supervisor.id });
    await remove(live, data.leg.softphoneCallId);
    const audits = await rig.server.api('GET', '/api/audit-logs?pageSize=2', undefined, rig.token);
    expect(audits.data.rows.map((row: { action: string }) => row.action)).toEqual([
      'conference.participant_removed',
      'conference.participant_added',
    ]);
    await close(live);
  });
});

describe('DELETE …/participants/:softphoneCallId [OCS 4.15, D12.6]', () => {
  test('the last agent of a live customer stays without force: 409; with it the session ends and nobody is left', async () => {
    const live = await meeting();
    expect(await remove(live, live.softphoneCallId)).toMatchObject({ status: 409, msg: expect.stringContaining('force') });
    expect((await legOf(live, live.softphoneCallId)).status).toBe('joined');
    expect((await remove(live, live.softphoneCallId, { force: true })).data).toEqual({
      softphoneCallId: live.softphoneCallId,
      removed: true,
    });
    await rig.untilEnded(live.conferenceId);
    await waitUntil('every channel of the meeting to be gone', () => {
      const open = rig.openChannels();
      return !open.includes(live.customer.requestId) && !open.includes(live.agentCallUuid);
    });
    await waitUntil('the agent to be free', async () => (await rig.stageOf(live.agent.id)) === 'idle');
    expect((await remove(live, live.softphoneCallId, { force: true })).data.removed).toBe(false);
  });

  test('a listener may leave at any time; an unknown leg is 404', async () => {
    const live = await meeting();
    const supervisor = await rig.agent();
    const { data } = await add(live, { mode: 'listen', agentId: supervisor.id });
    await untilJoined(live, data.leg.softphoneCallId);
    expect((await remove(live, data.leg.softphoneCallId)).data.removed).toBe(true);
    await waitUntil('the supervisor to be free', async () => (await rig.stageOf(supervisor.id)) === 'idle');
    expect((await legOf(live, live.softphoneCallId)).status).toBe('joined');
    expect((await remove(live, 999_999)).status).toBe(404);
    await close(live);
  });
});
