import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { systemIds } from '#kernel/ids.ts';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { type EventReader, readEvents } from '#test/support/read-events.ts';
import { type SoftphoneRuntime, startSoftphoneRuntime } from '#test/support/softphone-runtime.ts';
import { type SoftphoneTalks, softphoneTalks } from '#test/support/softphone-talks.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: ConferenceRig;
let runtime: SoftphoneRuntime;
let talks: SoftphoneTalks;
let campaignId: number;

beforeAll(async () => {
  rig = await startConferenceRig();
  runtime = await startSoftphoneRuntime(rig.server);
  talks = softphoneTalks(rig);
  campaignId = (await rig.campaign()).id;
}, 60_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(async () => {
  await runtime?.close();
  await rig?.close();
});

const api: SoftphoneTalks['api'] = (...request) => talks.api(...request);
const open: SoftphoneTalks['open'] = (...request) => talks.open(...request);
const detail: SoftphoneTalks['detail'] = (...request) => talks.detail(...request);
const talk = (request: object = { campaignId }) => talks.talk(request);

describe('POST /api/softphone-sessions [OCS 4.14, D12.4]', () => {
  test('creates the record first, then the runtime session: number and headers for the browser', async () => {
    const agent = await rig.agent();
    const answer = await open(agent, { note: '试用' });
    expect([answer.status, answer.msg]).toEqual([200, 'ok']);
    expect(answer.data).toEqual({
      sessionId: expect.any(String),
      softphoneCallId: expect.any(Number),
      serviceNumber: '8800',
      sipExtraHeaders: {
        'X-Callout-Session': answer.data.sessionId,
        'X-Callout-Conference': expect.stringMatching(/^callout-.*@default$/),
      },
    });
    expect((await detail(agent, answer.data.softphoneCallId)).call).toMatchObject({
      direction: 'session',
      status: 'created',
      note: '试用',
    });
    expect((await open(agent)).status).toBe(409);
    expect((await api(agent, 'POST', `/api/softphone-sessions/${answer.data.sessionId}/end`)).data.ended).toBe(true);
  });

  test('without a campaign the customer is called on any enabled line', async () => {
    const { agent, path, conferenceId, softphoneCallId } = await talk({});
    expect((await detail(agent, softphoneCallId)).call).toMatchObject({ campaignId: null, phoneNumber: expect.stringMatching(/^136/) });
    expect((await rig.session(conferenceId)).session).toMatchObject({ campaignId: null, memberCount: 2 });
    expect((await api(agent, 'POST', `${path}/end`)).data.ended).toBe(true);
  });

  test('no runtime: 502, the record stays and is marked failed', async () => {
    await runtime.pause();
    const agent = await rig.agent();
    const answer = await open(agent);
    await runtime.resume();
    expect([answer.status, answer.msg]).toEqual([502, expect.stringContaining('话术引擎')]);
    const calls = await rig.server.running.context.database.rows<{ id: number }>(
      sql<{ id: number }>`select id from softphone_call where agent_id = ${agent.id}`,
    );
    expect(calls).toHaveLength(1);
    expect((await detail(agent, calls[0]?.id ?? 0)).call).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('话术引擎'),
    });
  });

  test('an offline agent, an unregistered phone, a user without an agent: 409; a number on the do-not-call list: 409; no number: 400', async () => {
    expect((await open(await rig.agent({ status: 'offline' }))).status).toBe(409);
    expect((await open(await rig.agent({ registered: false }))).status).toBe(409);
    expect((await rig.server.api('POST', '/api/softphone-sessions', {}, rig.token)).status).toBe(409);
    const agent = await rig.agent();
    await rig.server.api('POST', '/api/dnc', { phoneNumber: '13511110050' }, rig.token);
    expect((await open(agent, { phoneNumber: '13511110050', campaignId })).status).toBe(409);
    expect((await open(agent, { phoneNumber: 'abc', campaignId })).status).toBe(400);
    expect((await open(agent, { phoneNumber: '13511110050' })).status).toBe(409);
    expect((await open(agent, { contactId: 999_999 })).status).toBe(404);
    expect((await open(agent, { agentId: (await rig.agent()).id })).status).toBe(403);
  });
});

describe('the agent of a session [D12.4, D12.7]', () => {
  const rowOf = async (agent: TestAgent) =>
    (await rig.server.api('GET', '/api/agents', undefined, rig.token)).data.agents.find((row: { id: number }) => row.id === agent.id);
  const untilFree = (agent: TestAgent) => waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle', 60_000);

  test('is busy from the first moment: no transfer, other call or second session reaches it', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const { data } = await open(agent);
    const { requestId } = (await detail(agent, data.softphoneCallId)).call;
    expect(await rowOf(agent)).toMatchObject({ status: 'busy', currentCall: `request:${requestId}` });
    expect((await rig.route(customer)).status).toBe(409);
    expect((await api(agent, 'POST', `/api/agents/${agent.id}/manual-calls`, { phoneNumber: '13511110052', campaignId })).status).toBe(409);
    expect((await open(agent)).status).toBe(409);
    await rig.dialIn(agent, data.sipExtraHeaders['X-Callout-Conference']);
    await waitUntil('the agent to talk', async () => (await rig.stageOf(agent.id)) === 'talking', 30_000);
    expect((await rig.route(customer)).status).toBe(409);
    await api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/end`);
    await untilFree(agent);
  });

  test('nobody enters the room of an ended or unknown session [D12.4]', async () => {
    const agent = await rig.agent();
    const { data } = await open(agent);
    await api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/end`);
    await untilFree(agent);
    const before = rig.openChannels().length;
    const profile = data.sipExtraHeaders['X-Callout-Conference'].split('@')[1];
    for (const room of [data.sipExtraHeaders['X-Callout-Conference'], `callout-${randomUUID()}@${profile}`]) {
      await rig.dialIn(agent, room);
      await waitUntil('the browser to be let go', () => rig.openChannels().length === before);
    }
  });

  test('of two concurrent sessions one wins, and nothing is left of the other', async () => {
    const agent = await rig.agent();
    const answers = await Promise.all([open(agent), open(agent), open(agent)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const winner = answers.find(({ status }) => status === 200);
    await api(agent, 'POST', `/api/softphone-sessions/${winner?.data.sessionId}/end`);
    await untilFree(agent);
  });

  test('is free again when the customer leaves', async () => {
    const { agent, customerUuid } = await talk();
    rig.simulator.hangUp(customerUuid);
    await untilFree(agent);
  });

  test('is free again when its browser hangs up, and when it has transferred the customer', async () => {
    const { agent, conferenceId, path } = await talk();
    const own = (await rig.session(conferenceId)).legs.find((leg: { role: string }) => leg.role === 'agent');
    rig.simulator.hangUp(own.callUuid);
    await untilFree(agent);
    // The agent is freed first, so that no later step can keep it busy.
    await rig.untilEnded(conferenceId);
    expect((await api(agent, 'POST', `${path}/end`)).data.ended).toBe(false);
    const handing = await talk();
    const other = await rig.agent();
    await api(handing.agent, 'POST', `${handing.path}/controls`, { type: 'transfer', targetNumber: other.extension });
    await untilFree(handing.agent);
    expect(rig.openChannels()).toContain(handing.customerUuid);
    await api(handing.agent, 'POST', `${handing.path}/end`);
    await untilFree(other);
  });

  test('is free again when its browser never dials, and when it dials too late', async () => {
    const { database } = rig.server.running.context;
    const agent = await rig.agent();
    const { data } = await open(agent);
    const { conferenceId } = (await detail(agent, data.softphoneCallId)).call;
    await database.run(sql`update conference_session set created_at = now() - interval '31 s' where id = ${Number(conferenceId)}`);
    await untilFree(agent);
    await waitUntil(
      'the record to be closed',
      async () => (await detail(agent, data.softphoneCallId)).call.hangupCause === 'NO_ANSWER',
      30_000,
    );
    await rig.dialIn(agent, data.sipExtraHeaders['X-Callout-Conference']);
    expect((await rig.session(Number(conferenceId))).session.status).toBe('ended');
    expect(await rig.stageOf(agent.id)).toBe('idle');
  });

  test('is free again when the events of its end are lost', async () => {
    const { agent, customerUuid, conferenceId } = await talk();
    rig.simulator.faults.loseEvents(8);
    rig.simulator.hangUp(customerUuid);
    await rig.untilEnded(conferenceId);
    rig.simulator.faults.loseEvents(0);
    await untilFree(agent);
  });

  test('is free again when the session lasts too long', async () => {
    const { agent, softphoneCallId, conferenceId } = await talk();
    const { database } = rig.server.running.context;
    await database.run(sql`update conference_session set created_at = now() - interval '1 day' where id = ${conferenceId}`);
    await untilFree(agent);
    await waitUntil(
      'the session to be told over',
      async () => (await detail(agent, softphoneCallId)).timeline.at(-1).data.cause === 'ALLOTTED_TIMEOUT',
      30_000,
    );
  });

  test('a record whose instance died before the conference fails, and its agent is free [A6 step 3]', async () => {
    const agent = await rig.agent();
    const { database } = rig.server.running.context;
    const row = await database.first(sql<{ id: number }>`
      insert into softphone_call (request_id, session_id, direction, status, agent_id, user_id, created_at)
      values (${systemIds()}, ${systemIds()}, 'session', 'created', ${agent.id}, ${agent.userId}, now() - interval '60 s') returning id`);
    await waitUntil('the record to be given up', async () => (await detail(agent, row?.id ?? 0)).call.status === 'failed', 30_000);
    const { data } = await open(agent);
    expect((await api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/end`)).data.ended).toBe(true);
  });
});

describe('a session of a browser phone [OCS 4.14]', () => {
  test('typed text is spoken to the customer; the timeline, speech and transcript are stored', async () => {
    const { agent, path, softphoneCallId } = await talk();
    const { data } = await api(agent, 'POST', `${path}/messages`, { text: '您好，请稍等。' });
    // Reports are written concurrently: the reply may be there before the end of the speech.
    const seen = await waitUntil('the customer to reply', async () => {
      const found = await detail(agent, softphoneCallId);
      return found.transcript.length === 2 && found.ttsEvents.length === 2 ? found : null;
    });
    expect(seen.transcript).toMatchObject([{ speaker: 'agent', text: '您好，请稍等。' }, { speaker: 'customer' }]);
    expect(seen.ttsEvents.map((event: { data: object }) => event.data)).toEqual([
      { messageId: data.messageId, status: 'started' },
      { messageId: data.messageId, status: 'finished' },
    ]);
    expect(seen.recording.recordingUrl).toMatch(/^callout-.*\.wav$/);
    await api(agent, 'POST', `${path}/end`);
  });

  test('hold, resume, digits and a transfer apply to the customer leg', async () => {
    const { agent, path, customerUuid, conferenceId } = await talk();
    const canSpeak = async () =>
      (await rig.session(conferenceId)).legs.find((leg: { callUuid: string }) => leg.callUuid === customerUuid).canSpeak;
    expect((await api(agent, 'POST', `${path}/controls`, { type: 'hold' })).status).toBe(200);
    await waitUntil('the customer to be held', async () => !(await canSpeak()));
    expect((await api(agent, 'POST', `${path}/controls`, { type: 'resume' })).status).toBe(200);
    await waitUntil('the customer to be back', canSpeak);
    expect((await api(agent, 'POST', `${path}/controls`, { type: 'dtmf', digits: '12#' })).data).toEqual({
      type: 'dtmf',
      softphoneCallId: null,
    });
    expect(rig.simulator.record().channels.find(({ uuid }) => uuid === customerUuid)?.digits).toBe('12#');
    const other = await rig.agent();
    const made = await api(agent, 'POST', `${path}/controls`, { type: 'transfer', targetNumber: other.extension });
    expect(made.data).toEqual({ type: 'transfer', softphoneCallId: expect.any(Number) });
    await waitUntil('the other agent to talk', async () => (await rig.stageOf(other.id)) === 'talking');
    expect(rig.openChannels()).toContain(customerUuid);
    await api(agent, 'POST', `${path}/end`);
    await waitUntil('the customer to be gone', () => !rig.openChannels().includes(customerUuid));
  });

  test('a customer outside the conference is neither held nor transferred: 409, and nobody is called', async () => {
    const { agent, path, customerUuid } = await talk();
    const other = await rig.agent();
    await rig.takeOut(customerUuid);
    const before = rig.simulator.record().totals.originates;
    for (const command of [{ type: 'hold' }, { type: 'resume' }, { type: 'transfer', targetNumber: other.extension }]) {
      const answer = await api(agent, 'POST', `${path}/controls`, command);
      expect([command.type, answer.status, answer.msg]).toEqual([command.type, 409, '客户不在会议中']);
    }
    expect(rig.simulator.record().totals.originates).toBe(before);
    rig.simulator.faults.loseEvents(4);
    rig.simulator.hangUp(customerUuid);
    // Whether polling the switch has found it by now or not.
    expect((await api(agent, 'POST', `${path}/controls`, { type: 'dtmf', digits: '1' })).status).toBe(409);
    rig.simulator.faults.loseEvents(0);
    await api(agent, 'POST', `${path}/end`);
  });

  test('a consultation puts the customer on hold, and cancelling it brings the customer back [D12.6]', async () => {
    const { agent, path, customerUuid, conferenceId } = await talk();
    const canSpeak = async () =>
      (await rig.session(conferenceId)).legs.find((leg: { callUuid: string }) => leg.callUuid === customerUuid).canSpeak;
    const other = await rig.agent({ ringMs: 60_000 });
    const participants = `/api/conference-sessions/${conferenceId}/participants`;
    const { data } = await api(agent, 'POST', participants, { mode: 'consult', agentId: other.id });
    await waitUntil('the customer to be aside', async () => !(await canSpeak()), 30_000);
    expect((await api(agent, 'DELETE', `${participants}/${data.leg.softphoneCallId}`)).data.removed).toBe(true);
    await waitUntil('the customer to be back', canSpeak, 30_000);
    await api(agent, 'POST', `${path}/end`);
  });

  test('its agent is not removed from a live customer without force: 409 [D12.6]', async () => {
    const { agent, conferenceId, softphoneCallId, customerUuid } = await talk();
    const leg = `/api/conference-sessions/${conferenceId}/participants/${softphoneCallId}`;
    expect(await api(agent, 'DELETE', leg)).toMatchObject({ status: 409, msg: expect.stringContaining('force') });
    expect(rig.openChannels()).toContain(customerUuid);
    expect((await api(agent, 'DELETE', leg, { force: true })).data.removed).toBe(true);
    await rig.untilEnded(conferenceId);
    await waitUntil('the customer to be gone', () => !rig.openChannels().includes(customerUuid));
  });

  test.each([
    ['an unknown control', 'controls', { type: 'sing' }, 'type'],
    ['digits that are none', 'controls', { type: 'dtmf', digits: '1\n2' }, 'digits'],
    ['a transfer without a target', 'controls', { type: 'transfer' }, 'targetNumber'],
    ['an empty text', 'messages', { text: '  ' }, 'text'],
    ['a note that is none', 'notes', { note: 5 }, 'note'],
  ])('400 for %s, naming the field [D2.1]', async (_, row, body, field) => {
    const agent = await rig.agent();
    const { data } = await open(agent);
    const answer = await api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/${row}`, body);
    expect(answer.status).toBe(400);
    expect(answer.msg).toContain(field);
    await api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/end`);
  });

  test('without a customer on the line speech is refused: 409; another agent: 403; an unknown session: 404', async () => {
    const [agent, stranger] = [await rig.agent(), await rig.agent()];
    const { data } = await open(agent);
    const path = `/api/softphone-sessions/${data.sessionId}`;
    expect((await api(agent, 'POST', `${path}/messages`, { text: '您好' })).status).toBe(409);
    expect((await api(agent, 'POST', `${path}/controls`, { type: 'hold' })).status).toBe(409);
    expect((await api(stranger, 'POST', `${path}/end`)).status).toBe(403);
    expect((await api(stranger, 'GET', `/api/softphone-calls/${data.softphoneCallId}`)).status).toBe(403);
    expect((await api(agent, 'POST', `/api/softphone-sessions/${systemIds()}/end`)).status).toBe(404);
    expect((await api(agent, 'GET', '/api/softphone-calls/999999')).status).toBe(404);
    expect((await api(agent, 'POST', `${path}/notes`, { note: '改天再打' })).data).toEqual({ sessionId: data.sessionId, note: '改天再打' });
    expect((await detail(agent, data.softphoneCallId)).call.note).toBe('改天再打');
    await api(agent, 'POST', `${path}/end`);
  });

  test('the end removes conference, legs and recording; again: false', async () => {
    const { agent, path, conferenceId, customerUuid, softphoneCallId } = await talk();
    const answer = await api(agent, 'POST', `${path}/end`);
    expect(answer.data).toMatchObject({ ended: true, recordingUrl: expect.stringMatching(/\.wav$/) });
    expect((await api(agent, 'POST', `${path}/end`)).data.ended).toBe(false);
    expect((await rig.session(conferenceId)).session.status).toBe('ended');
    await waitUntil('the customer to be gone', () => !rig.openChannels().includes(customerUuid));
    expect((await detail(agent, softphoneCallId)).call).toMatchObject({ status: 'completed', durationSeconds: expect.any(Number) });
  });
});

describe('GET …/events [OCS 4.14, 6, D10]', () => {
  const stream = (session: { sessionId: string }, agent: TestAgent, lastEventId?: string): Promise<EventReader> =>
    readEvents(
      `${rig.server.url}/api/softphone-sessions/${session.sessionId}/events?access_token=${agent.token}`,
      lastEventId === undefined ? {} : { lastEventId },
    );

  test('sends session, message and tts in order and ends with the session; afterwards 410 [D2.7]', async () => {
    const session = await talk();
    const events = await stream(session, session.agent);
    await api(session.agent, 'POST', `${session.path}/messages`, { text: '请稍等。' });
    await waitUntil('the speech', () => events.events.filter(({ event }) => event === 'tts').length === 2);
    await api(session.agent, 'POST', `${session.path}/end`);
    await waitUntil('the stream to end', () => events.isClosed());
    const kinds = events.events.map(({ event, data }) => `${event} ${String(Object(data)['status'] ?? Object(data)['speaker'])}`);
    expect(kinds.slice(0, 4)).toEqual(['session created', 'session agent_joined', 'session calling_customer', 'session customer_joined']);
    expect(kinds.at(-1)).toBe('session ended');
    const gone = await api(session.agent, 'GET', `${session.path}/events`);
    expect([gone.status, gone.code]).toEqual([410, '410']);
  });

  test('a returning client gets what it missed', async () => {
    const agent = await rig.agent();
    const { data } = await open(agent);
    const first = await stream(data, agent);
    const created = await first.next('session');
    first.close();
    await rig.dialIn(agent, data.sipExtraHeaders['X-Callout-Conference']);
    const again = await stream(data, agent, created.id);
    expect((await again.next('session')).data).toMatchObject({ status: 'agent_joined' });
    expect(again.events.map(({ event }) => event)).not.toContain('resync');
    await api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/end`);
    await waitUntil('the stream to end', () => again.isClosed());
  });

  test.each(['999999999', 'no-position', '0'])(
    'a client whose position is not held (%s) gets one resync and a snapshot, then what follows [D10]',
    async position => {
      const agent = await rig.agent();
      const { data } = await open(agent);
      const reader = await stream(data, agent, position);
      const snapshot = await reader.next('snapshot');
      expect(reader.events.map(({ event }) => event)).toEqual(['resync', 'snapshot']);
      expect(snapshot.data.events).toEqual([
        { id: Number(snapshot.id), kind: 'session', data: expect.objectContaining({ status: 'created' }) },
      ]);
      await api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/end`);
      await waitUntil('the stream to end', () => reader.isClosed());
      expect(reader.events.slice(2).map(({ event }) => event)).toEqual(['session']);
    },
  );
});
