import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectLink, type NatsLink } from '#companions/runtime/nats-link.ts';
import { serveSoftphones } from '#companions/runtime/softphones.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { type EventReader, readEvents } from '#test/support/read-events.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { connectTo } from '../switch/rig.ts';
import { type ConferenceRig, startConferenceRig, type TestAgent } from './conference-rig.ts';

let rig: ConferenceRig;
let link: NatsLink;
let stopRuntime: () => void = () => undefined;
let campaignId: number;

const startRuntime = async () => {
  stopRuntime = serveSoftphones({ link, clock: systemClock, speed: 100, runtimeId: 'test' });
  await link.flush();
};

beforeAll(async () => {
  rig = await startConferenceRig();
  link = await connectLink({ url: rig.server.nats.url, name: 'test' }, silentLog);
  await startRuntime();
  campaignId = (await rig.campaign()).id;
}, 60_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(async () => {
  stopRuntime();
  await link.close();
  await rig.close();
});

const api = (agent: TestAgent, method: string, path: string, body?: unknown) => rig.server.api(method, path, body, agent.token);
const open = (agent: TestAgent, body: object = {}) => api(agent, 'POST', '/api/softphone-sessions', body);
// oxlint-disable-next-line typescript/no-explicit-any
const detail = async (agent: TestAgent, callId: number): Promise<any> => (await api(agent, 'GET', `/api/softphone-calls/${callId}`)).data;

/** The browser dials the service number: the switch puts it into the conference that the header names. */
async function dialIn(agent: TestAgent, place: string): Promise<void> {
  const [name = '', profile = ''] = place.split('@');
  const phone = await connectTo(rig.simulator.port, { password: 'ClueCon' });
  await phone.port.originate({
    cellId: 'cell-1',
    requestId: systemIds(),
    dialStringTemplate: 'user/{{destinationNumber}}',
    destinationNumber: agent.extension,
    callerIdNumber: null,
    callerIdName: null,
    callerIdHeaderMode: 'caller_id_only',
    timeoutSeconds: 30,
    variables: {},
    conference: { name, profile },
    sendBefore: systemClock.monotonic() + 10_000,
  });
  await phone.port.close();
}

let next = 0;

async function talk() {
  const agent = await rig.agent();
  next += 1;
  const { data } = await open(agent, { phoneNumber: String(13_600_000_050 + next * 100), campaignId, note: '回访' });
  await dialIn(agent, data.sipExtraHeaders['X-Callout-Conference']);
  await waitUntil('the customer to join', async () =>
    (await detail(agent, data.softphoneCallId)).timeline.some(
      (event: { data: { status?: string } }) => event.data.status === 'customer_joined',
    ),
  );
  const conferenceId = Number((await detail(agent, data.softphoneCallId)).call.conferenceId);
  await waitUntil('both to be in', async () => (await rig.session(conferenceId)).session.memberCount === 2);
  const { legs } = await rig.session(conferenceId);
  const customer = legs.find((leg: { role: string }) => leg.role === 'external');
  return { agent, conferenceId, customerUuid: String(customer.callUuid), ...data, path: `/api/softphone-sessions/${data.sessionId}` };
}

describe('POST /api/softphone-sessions [OCS 4.14, D12.4]', () => {
  test('the record first, then the runtime: number and headers for the browser', async () => {
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

  test('no runtime: 502, the record stays and is marked failed', async () => {
    stopRuntime();
    await link.flush();
    const agent = await rig.agent();
    const answer = await open(agent);
    await startRuntime();
    expect([answer.status, answer.msg]).toEqual([502, expect.stringContaining('话术运行时')]);
    const calls = await rig.server.running.context.database.rows<{ id: number }>(
      sql<{ id: number }>`select id from softphone_call where agent_id = ${agent.id}`,
    );
    expect(calls).toHaveLength(1);
    expect((await detail(agent, calls[0]?.id ?? 0)).call).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('话术运行时'),
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
    expect((await open(agent, { phoneNumber: '13511110051' })).status).toBe(400);
    expect((await open(agent, { contactId: 999_999 })).status).toBe(404);
    expect((await open(agent, { agentId: (await rig.agent()).id })).status).toBe(403);
  });
});

describe('a session of a browser phone [OCS 4.14]', () => {
  test('typed text is spoken to the customer; the timeline, speech and transcript are kept', async () => {
    const { agent, path, softphoneCallId } = await talk();
    const { data } = await api(agent, 'POST', `${path}/messages`, { text: '您好，请稍等。' });
    const seen = await waitUntil('the customer to reply', async () => {
      const found = await detail(agent, softphoneCallId);
      return found.transcript.length === 2 ? found : null;
    });
    expect(seen.transcript).toMatchObject([{ speaker: 'agent', text: '您好，请稍等。' }, { speaker: 'customer' }]);
    expect(seen.ttsEvents.map((event: { data: object }) => event.data)).toEqual([
      { messageId: data.messageId, status: 'started' },
      { messageId: data.messageId, status: 'finished' },
    ]);
    expect(seen.recording.recordingUrl).toMatch(/^callout-.*\.wav$/);
    await api(agent, 'POST', `${path}/end`);
  });

  test('hold, resume, digits and a transfer reach the customer leg', async () => {
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

  test('without a customer on the line there is nobody to speak to: 409; another agent: 403; an unknown session: 404', async () => {
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

  test('the end takes conference, legs and recording with it; again: false', async () => {
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
  const stream = (session: { sessionId: string }, agent: TestAgent): Promise<EventReader> =>
    readEvents(`${rig.server.url}/api/softphone-sessions/${session.sessionId}/events?access_token=${agent.token}`);

  test('tells session, message and tts in order and ends with the session; afterwards 410 [D2.7]', async () => {
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
});
