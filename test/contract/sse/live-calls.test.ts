import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EventSource } from 'eventsource';
import { redisMonitorRegistry } from '#monitoring/monitor-store.ts';
import type { CallChange } from '#calls/publish-call.ts';
import { type EventReader, readEvents } from '#test/support/read-events.ts';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';

const CAMPAIGN = 4_242;

let server: TestServer;
let token: string;
let calls: ReturnType<typeof watchedCalls>;
const readers: EventReader[] = [];
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
  const { redis, bus } = server.running.context;
  calls = watchedCalls(redis, bus, CAMPAIGN);
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(() => server.close());

async function open(options: { token?: string; lastEventId?: string; query?: string } = {}): Promise<EventReader> {
  const reader = await readEvents(`${server.url}/api/live-calls/events${options.query ?? ''}`, { token, ...options });
  readers.push(reader);
  return reader;
}

/** Events without those of the monitors' capacity, whose time varies. */
const ofCalls = (reader: EventReader) => reader.events.filter(({ event }) => event !== 'capacity');
const namesOf = (reader: EventReader) => ofCalls(reader).map(({ event }) => event);

describe('GET /api/live-calls/events [D10, OCS 4.12]', () => {
  test('begins with a snapshot and sends each change of a call with its next version', async () => {
    const reader = await open();
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.headers.get('x-accel-buffering')).toBe('no');
    expect(reader.headers.get('cache-control')).toBe('no-cache');
    await reader.next('snapshot');
    const requestId = randomUUID();
    await calls.start(requestId);
    const started = await reader.next('call-started');
    expect(started.data).toMatchObject({
      callKey: `request:${requestId}`,
      campaignId: CAMPAIGN,
      version: 1,
      at: expect.stringMatching(/Z$/),
      call: { requestId, status: 'dialing', phoneNumber: '13900000001', segments: [], monitorAssignment: null, monitorViewMode: 'active' },
    });
    await calls.send(requestId, { type: 'channelAnswered', at: 1 });
    expect((await reader.next('call-changed')).data).toMatchObject({ version: 2, status: 'live', answeredAt: '1970-01-01T00:00:00.001Z' });
    const segment = { segmentId: 's1', speaker: 'customer', text: '你好' };
    await server.internal('POST', '/api/call-progress', { requestId, kind: 'segment', nodeId: 'greeting', segment });
    expect((await reader.next('segment')).data).toMatchObject({
      callKey: `request:${requestId}`,
      version: 3,
      currentNodeId: 'greeting',
      segment: { segmentId: 's1', speaker: 'customer', text: '你好', final: true },
    });
    await calls.send(requestId, { type: 'resultReported' });
    expect((await reader.next('call-ended')).data).toMatchObject({ version: 4, status: 'ended' });
    expect(reader.events.every(({ id }) => id !== '')).toBe(true);
  });

  test('keywords, alerts, interventions and assignments have their own events', async () => {
    const reader = await open();
    await reader.next('snapshot');
    const requestId = randomUUID();
    await calls.start(requestId);
    await calls.say(requestId, 's1', '我要投诉你们');
    let version = 2;
    // Published like the call's own commits.
    const tell = (watch: Partial<CallChange>) => {
      version += 1;
      const data = { status: 'live', answeredAt: 1, endedAt: null, hangupCause: null, ...watch };
      calls.deltas.publish({ requestId, campaignId: CAMPAIGN, kind: 'call-changed', version, at: 5, data });
    };
    await reader.next('segment');
    tell({});
    tell({ intentHits: [{ keyword: '投诉', segmentId: 's1', at: 4 }] });
    tell({ monitor: { userId: 9, agentId: 3, displayName: '王', assignedAt: 5 } });
    tell({
      intervention: {
        id: 'i1',
        status: 'requested',
        initiatorId: 9,
        requestedAt: 6,
        consumedAt: null,
        when: 'boundary' as const,
        reason: null,
        agentId: 3,
      },
    });
    const shared = { callKey: `request:${requestId}`, campaignId: CAMPAIGN, at: '1970-01-01T00:00:00.005Z' };
    expect((await reader.next('keyword')).data).toEqual({ ...shared, version: 4, keyword: '投诉', segmentId: 's1' });
    expect((await reader.next('intent-alert')).data).toEqual({
      ...shared,
      version: 4,
      segmentId: 's1',
      keywords: ['投诉'],
      text: '我要投诉你们',
    });
    expect((await reader.next('assignment')).data).toMatchObject({
      version: 5,
      monitorAssignment: { userId: 9 },
      monitorViewMode: 'active',
    });
    expect((await reader.next('intervention')).data).toMatchObject({ version: 6, intervention: { id: 'i1', status: 'requested' } });
  });

  test('a client that was disconnected between two frames of one change gets the rest of it', async () => {
    const reader = await open();
    await reader.next('snapshot');
    const requestId = randomUUID();
    await calls.start(requestId);
    await reader.next('call-started');
    const data = {
      status: 'live',
      answeredAt: 1,
      endedAt: null,
      hangupCause: null,
      intentHits: [{ keyword: '投诉', segmentId: 's1', at: 4 }],
    };
    calls.deltas.publish({ requestId, campaignId: CAMPAIGN, kind: 'call-changed', version: 2, at: 5, data });
    const keyword = await reader.next('keyword');
    await reader.next('intent-alert');
    await reader.next('call-changed');
    reader.close();
    const again = await open({ lastEventId: keyword.id });
    await again.next('call-changed');
    expect(namesOf(again)).toEqual(['intent-alert', 'call-changed']);
  });

  test('with campaignId only that campaign’s calls; an invalid one is a 400 that names it', async () => {
    const other = await open({ query: '?campaignId=1' });
    const own = await open({ query: `?campaignId=${CAMPAIGN}` });
    await calls.start(randomUUID());
    await own.next('call-started');
    expect(namesOf(other)).toEqual(['snapshot']);
    const answer = await server.api('GET', '/api/live-calls/events?campaignId=x', undefined, token);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining('campaignId')]);
  });

  test('Last-Event-ID replays what was missed, and nothing twice', async () => {
    const reader = await open();
    await reader.next('snapshot');
    const requestId = randomUUID();
    await calls.start(requestId);
    const { id } = await reader.next('call-started');
    reader.close();
    await calls.say(requestId, 's1');
    await calls.say(requestId, 's2');
    const again = await open({ lastEventId: id });
    await again.next('segment');
    await again.next('segment');
    expect(ofCalls(again).map(({ event, data }) => [event, (data as { version: number }).version])).toEqual([
      ['segment', 2],
      ['segment', 3],
    ]);
  });

  test('the capacity of monitors is sent at first and when it changes, under the id of the event before it [D9.2]', async () => {
    const monitors = redisMonitorRegistry(server.running.context.redis);
    const beat = { userId: 7, displayName: '', agentId: null, cellId: null, campaignId: null, tabId: 't', ttlMs: 600_000 };
    const reader = await open();
    const snapshot = await reader.next('snapshot');
    const first = await reader.next('capacity');
    expect(first.id).toBe(snapshot.id);
    expect(first.data).toEqual({
      callKey: null,
      campaignId: null,
      version: null,
      at: expect.stringMatching(/Z$/),
      capacity: { mine: 0, used: 0, total: 0, waiting: 0 },
    });
    const requestId = randomUUID();
    await calls.start(requestId);
    const started = await reader.next('call-started');
    await monitors.beat({ ...beat, capacity: 4 });
    const second = await reader.next('capacity');
    expect(second).toMatchObject({ id: started.id, data: { capacity: { mine: 0, used: 0, total: 4, waiting: 0 } } });
    reader.close();
    await calls.say(requestId, 's1');
    const again = await open({ lastEventId: second.id });
    expect((await again.next('segment')).data).toMatchObject({ callKey: `request:${requestId}`, version: 2 });
    expect(namesOf(again)).toEqual(['segment']);
    expect((await again.next('capacity')).data).toMatchObject({ capacity: { total: 4 } });
    await monitors.leave(7);
  });

  test.each(['other.1', 'x', '7'])('an id that is not held (%j) causes one resync and a fresh snapshot', async lastEventId => {
    const reader = await open({ lastEventId });
    await reader.next('snapshot');
    expect(namesOf(reader)).toEqual(['resync', 'snapshot']);
    expect(reader.events[0]?.data).toMatchObject({ reason: 'CURSOR_NOT_HELD' });
  });
});

describe('recipients of events [OCS 4.12]', () => {
  test('an agent gets events of a call while it is assigned to them, and of no other', async () => {
    const password = 'test-password';
    const username = `agent-${randomUUID().slice(0, 8)}`;
    const userId = await server.createUser({ username, password, role: 'agent' });
    const login = await server.api('POST', '/api/auth/login', { username, password });
    const reader = await open({ token: login.data.token });
    expect((await reader.next('snapshot')).data).toMatchObject({ calls: [] });
    const requestId = randomUUID();
    await calls.start(requestId);
    const tell = (version: number, watch: Partial<CallChange>) => {
      const data = { status: 'dialing', answeredAt: null, endedAt: null, hangupCause: null, ...watch };
      calls.deltas.publish({ requestId, campaignId: CAMPAIGN, kind: 'call-changed', version, at: 5, data });
    };
    tell(2, { monitor: { userId, agentId: 3, displayName: '王', assignedAt: 5 } });
    const assigned = await reader.next('assignment');
    expect(assigned.data).toMatchObject({ version: 2, monitorViewMode: 'active', call: { requestId, monitorAssignment: { userId } } });
    tell(3, { monitor: { userId: 1, agentId: 4, displayName: '李', assignedAt: 6 }, retainedBy: [userId] });
    expect((await reader.next('assignment')).data).toMatchObject({ version: 3, monitorViewMode: 'retained' });
    tell(4, { retainedBy: [] });
    expect((await reader.next('assignment')).data).toMatchObject({ version: 4, monitorViewMode: null });
    tell(5, {});
    tell(6, { monitor: { userId, agentId: 3, displayName: '王', assignedAt: 7 } });
    expect((await reader.next('assignment')).data).toMatchObject({ version: 6, call: { requestId } });
    expect(namesOf(reader)).toEqual(['snapshot', 'assignment', 'assignment', 'assignment', 'assignment']);
  });

  test('the end of the session ends the stream [D3.2]', async () => {
    const login = await server.api('POST', '/api/auth/login', ADMIN);
    const answer = await fetch(`${server.url}/api/live-calls/events?access_token=${login.data.token}`);
    await server.api('POST', '/api/auth/logout', undefined, login.data.token);
    // Resolves only when the server has ended the body.
    expect(await answer.text()).toContain('event: snapshot');
  });

  test('without a session it is 401', async () => {
    expect((await server.api('GET', '/api/live-calls/events')).status).toBe(401);
  });
});

test('a browser’s EventSource follows it, with its token in the address [D3.5]', async () => {
  const source = new EventSource(`${server.url}/api/live-calls/events?campaignId=${CAMPAIGN}&access_token=${token}`);
  const seen: string[] = [];
  for (const name of ['snapshot', 'call-started', 'segment'])
    source.addEventListener(name, ({ data }) => seen.push(`${name} ${JSON.parse(data).callKey ?? ''}`));
  await waitUntil('the snapshot', () => seen.length === 1);
  const requestId = randomUUID();
  await calls.start(requestId);
  await calls.say(requestId, 's1');
  await waitUntil('the caption', () => seen.includes(`segment request:${requestId}`));
  expect(seen).toEqual(['snapshot ', `call-started request:${requestId}`, `segment request:${requestId}`]);
  source.close();
});
