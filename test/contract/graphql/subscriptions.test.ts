import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';
import { askFor, connectClient, follow, socketUrl } from './graphql-client.ts';

let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 1_500, maxMs: 2_000 } }) });
});
afterAll(() => rig.close());

const CALL =
  'callKey attemptId requestId campaignId campaignName contactId phoneNumber customerName cellId lineId callerNumber status startedAt answeredAt endedAt hangupCause currentNodeId version segments { segmentId speaker text final nodeId at }';
const LIVE = `subscription($campaignId: ID) { liveCalls(filter: { campaignId: $campaignId }) { __typename
  ... on LiveCallsSnapshot { at truncated calls { ${CALL} } }
  ... on Resync { reason at }
  ... on LiveCallStarted { at call { ${CALL} } }
  ... on LiveCallChanged { at call { ${CALL} } }
  ... on LiveCallSegment { at segment { segmentId text } call { ${CALL} } }
  ... on LiveCallEnded { at call { ${CALL} } }
  ... on LiveCallResync { at reason call { ${CALL} } } } }`;
const COUNTS = 'progress { status phase total pending submitted completed failed activeCalls fraction }';
const PROGRESS = `subscription($campaignId: ID!, $after: String) { campaignProgress(campaignId: $campaignId, after: $after) { __typename
  ... on CampaignProgressSnapshot { cursor at ${COUNTS} }
  ... on CampaignProgressChanged { cursor at ${COUNTS} }
  ... on Resync { cursor at reason } } }`;

const EVENTS = 400;
const SAID_AT_ONCE = 8;
/** Generous, because a slow machine reads and writes for a while, in ms. */
const WAIT_MS = 60_000;

interface CallView {
  requestId: string;
  status: string;
  version: number;
  segments: { segmentId: string; text: string }[];
  [field: string]: unknown;
}

interface LiveEvent {
  __typename: string;
  at: string;
  reason?: string;
  calls?: CallView[];
  call?: CallView;
  segment?: { segmentId: string; text: string };
}

function endedIn(events: readonly LiveEvent[]): Set<string> {
  const views = events.flatMap(({ calls, call }) => [...(calls ?? []), ...(call ? [call] : [])]);
  return new Set(views.filter(({ status }) => status === 'ENDED').map(({ requestId }) => requestId));
}

/** Calls as a client reconstructs them from the events; an unreported gap fails. */
function believe(events: readonly LiveEvent[]): Map<string, CallView> {
  let known = new Map<string, CallView>();
  for (const { calls, call, __typename } of events) {
    if (__typename === 'LiveCallResync') {
      if (call) known.set(call.requestId, call);
    } else if (calls) known = new Map(calls.map(view => [view.requestId, view]));
    else if (call) {
      expect(call.version).toBe((known.get(call.requestId)?.version ?? 0) + 1);
      known.set(call.requestId, call);
    } else known = new Map();
  }
  return known;
}

describe('liveCalls', () => {
  test('reports each call from its dial to its end, with captions, without a gap [D9.2, D10, I8]', async () => {
    const { server, token } = rig;
    const { id, lineId } = await rig.campaign({ contacts: numbers(3) });
    const { client } = connectClient(server, token);
    const watched = follow<LiveEvent>(client, LIVE, 'liveCalls', { campaignId: String(id) });
    expect(await watched.until('the snapshot', () => true)).toMatchObject({ __typename: 'LiveCallsSnapshot', calls: [], truncated: false });
    await rig.start(id);
    const { call } = await watched.until('an answered call', event => event.call?.status === 'LIVE');
    const requestId = String(call?.requestId);
    const segment = { segmentId: 's1', speaker: 'customer', text: '你好', startMs: 0, endMs: 900 };
    const told = await server.internal('POST', '/api/call-progress', { requestId, kind: 'segment', seq: 1, nodeId: 'greeting', segment });
    expect(told.data).toMatchObject({ accepted: 1 });
    const spoken = await watched.until('the caption', event => event.__typename === 'LiveCallSegment');
    expect(spoken).toMatchObject({ segment: { segmentId: 's1', text: '你好' }, call: { requestId, currentNodeId: 'greeting' } });
    await rig.untilStatus(id, 'completed');
    await waitUntil('every end', () => watched.events.filter(event => event.__typename === 'LiveCallEnded').length === 3);
    const [attempt] = (await rig.attempts(id)).filter(row => row.requestId === requestId);
    expect(believe(watched.events).get(requestId)).toMatchObject({
      callKey: `request:${requestId}`,
      requestId,
      attemptId: String(attempt?.id),
      campaignId: String(id),
      campaignName: '测试活动',
      contactId: String(attempt?.contactId),
      phoneNumber: attempt?.phoneNumber,
      cellId: 'cell-1',
      lineId: String(lineId),
      callerNumber: '02166660000',
      status: 'ENDED',
      hangupCause: 'NORMAL_CLEARING',
      answeredAt: expect.stringMatching(/Z$/),
      endedAt: expect.stringMatching(/Z$/),
      segments: [{ segmentId: 's1', speaker: 'CUSTOMER', text: '你好', final: true, nodeId: 'greeting', at: expect.any(String) }],
    });
    expect(watched.events.filter(event => event.__typename === 'LiveCallStarted')).toHaveLength(3);
    expect(watched.events.some(event => event.__typename === 'Resync')).toBe(false);
    const { liveCalls } = await askFor(server, token, `query($id: ID) { liveCalls(filter: { campaignId: $id }) { calls { ${CALL} } } }`, {
      id,
    });
    expect(new Map(liveCalls.calls.map((view: CallView) => [view.requestId, view.version]))).toEqual(
      new Map([...believe(watched.events)].map(([key, view]) => [key, view.version])),
    );
    await client.dispose();
  });

  test('a client that joins during calls gets all of them, and continues without a gap or a repetition', async () => {
    const { server, token } = rig;
    const { id } = await rig.campaign({ contacts: numbers(30, 13_800_000_000), maxConcurrency: 10 });
    await rig.start(id);
    const joined = [];
    for (let client = 0; client < 4; client++) {
      const connected = connectClient(server, token);
      const watched = follow<LiveEvent>(connected.client, LIVE, 'liveCalls', { campaignId: String(id) });
      await watched.until('the snapshot', () => true);
      joined.push({ ...connected, watched });
    }
    await rig.untilStatus(id, 'completed');
    // On a stalled machine a claim may expire: it is withdrawn, and another attempt calls its contact.
    const dialed = (await rig.attempts(id)).filter(({ status }) => status !== 'cancelled');
    expect(new Set(dialed.map(({ contactId }) => contactId)).size).toBe(30);
    for (const { client, watched } of joined) {
      // A call that ended more than 60 s ago is not in the snapshot after a resync: earlier events count.
      await waitUntil('every call to have ended', () => {
        const ended = endedIn(watched.events);
        return dialed.every(({ requestId }) => ended.has(requestId));
      });
      believe(watched.events);
      await client.dispose();
    }
  });

  test('a client that does not read is bounded, then starts again: resync and a fresh snapshot [D10]', async () => {
    const { server, token } = rig;
    const { context } = server.running;
    const campaignId = 4_242;
    const socket = new WebSocket(socketUrl(server), 'graphql-transport-ws');
    const received: LiveEvent[] = [];
    let isAdmitted = false;
    socket.on('message', data => {
      const { type, payload } = JSON.parse((data as Buffer).toString());
      if (type === 'connection_ack') isAdmitted = true;
      if (type === 'next') received.push(payload.data.liveCalls);
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
    await waitUntil('the admission', () => isAdmitted);
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: LIVE, variables: { campaignId: String(campaignId) } } }));
    await waitUntil('the snapshot', () => received[0]);
    const below = Reflect.get(socket, '_socket') as Socket;
    below.pause();
    const calls = watchedCalls(context.redis, context.bus, campaignId);
    const requestId = randomUUID();
    await calls.start(requestId);
    // About 27 MB on the wire, more than the socket buffers of both ends hold: each event carries the text twice.
    const text = '长'.repeat(11_000);
    let version = 1;
    const taken = new Promise<void>(resolve => {
      const stop = calls.deltas.subscribe(delta => {
        if (delta.requestId !== requestId || delta.version <= EVENTS) return;
        stop();
        resolve();
      });
    });
    for (; version <= EVENTS; version += SAID_AT_ONCE) {
      await Promise.all(Array.from({ length: SAID_AT_ONCE }, (_, index) => calls.say(requestId, 's', `${version + index}${text}`)));
    }
    await taken;
    below.resume();
    const at = await waitUntil('the resync', () => received.findIndex(event => event.reason === 'OVERFLOW') + 1, WAIT_MS);
    const snapshot = await waitUntil('the fresh snapshot', () => received[at], WAIT_MS);
    expect(snapshot.calls?.map(view => [view.requestId, view.version])).toEqual([[requestId, EVENTS + 1]]);
    expect(at).toBeLessThan(EVENTS);
    believe(received.slice(0, at + 1));
    socket.terminate();
  }, 120_000);
});

describe('shared subscriptions', () => {
  test('two clients with the same subscription get the same events, each under its own id; a returning one resumes at its cursor [I8]', async () => {
    const { server, token } = rig;
    const query = `subscription($after: String) { liveCalls(filter: { campaignId: 77 }, after: $after) { __typename
      ... on LiveCallsSnapshot { cursor } ... on Resync { cursor reason } ... on LiveCallStarted { cursor call { requestId version } }
      ... on LiveCallSegment { cursor segment { segmentId } call { version } } } }`;
    interface Shared {
      __typename: string;
      cursor: string;
    }
    const { redis, bus } = server.running.context;
    const calls = watchedCalls(redis, bus, 77);
    const clients = [connectClient(server, token), connectClient(server, token)];
    const [first, second] = clients.map(({ client }) => follow<Shared>(client, query, 'liveCalls'));
    const returning = clients[0]?.client;
    if (!first || !second || !returning) throw new Error('two clients were opened');
    await Promise.all([first, second].map(({ until }) => until('the snapshot', () => true)));
    const requestId = randomUUID();
    await calls.start(requestId);
    for (const { until } of [first, second]) await until('the call', event => event.__typename === 'LiveCallStarted');
    expect(second.events).toEqual(first.events);
    await calls.say(requestId, 's1');
    await first.until('the caption', event => event.__typename === 'LiveCallSegment');
    const again = follow<Shared>(returning, query, 'liveCalls', { after: first.events[1]?.cursor });
    await again.until('what was missed', event => event.__typename === 'LiveCallSegment');
    expect(again.events).toEqual(first.events.slice(2));
    const lost = follow<Shared>(returning, query, 'liveCalls', { after: 'another.1' });
    await lost.until('the snapshot', event => event.__typename === 'LiveCallsSnapshot');
    expect(lost.events.map(({ __typename }) => __typename)).toEqual(['Resync', 'LiveCallsSnapshot']);
    for (const { client } of clients) await client.dispose();
  });

  test('one call can be watched alone', async () => {
    const { server, token } = rig;
    const { redis, bus } = server.running.context;
    const calls = watchedCalls(redis, bus, 78);
    const [requestId, other] = [randomUUID(), randomUUID()];
    await calls.start(requestId);
    const { client } = connectClient(server, token);
    const call = 'call { requestId segments { segmentId } }';
    const query = `subscription($key: ID!) { liveCall(callKey: $key) { __typename
      ... on LiveCallStarted { ${call} } ... on LiveCallSegment { ${call} } ... on LiveCallResync { ${call} } } }`;
    const watched = follow<LiveEvent>(client, query, 'liveCall', { key: `request:${requestId}` });
    await watched.until('the snapshot', () => true);
    await calls.start(other);
    await calls.say(other, 's1');
    await calls.say(requestId, 's1');
    // The start may still be on its way to the shared feed, and a feed compares with the store before a late caption arrives.
    await watched.until('the caption', event => event.call?.segments.length === 1);
    const [snapshot, ...changes] = watched.events;
    expect(snapshot).toEqual({ __typename: 'LiveCallsSnapshot' });
    expect(new Set(changes.map(change => change.call?.requestId))).toEqual(new Set([requestId]));
    await client.dispose();
  });

  test('a key in capitals is the same call, and a malformed one is refused as in REST', async () => {
    const { server, token } = rig;
    const calls = watchedCalls(server.running.context.redis, server.running.context.bus, 79);
    const requestId = randomUUID();
    await calls.start(requestId);
    const { client } = connectClient(server, token);
    const members = '... on LiveCallsSnapshot { calls { requestId } } ... on LiveCallStarted { call { requestId } }';
    const query = `subscription($key: ID!) { liveCall(callKey: $key) { ${members} } }`;
    const watched = follow<LiveEvent>(client, query, 'liveCall', { key: `request:${requestId.toUpperCase()}` });
    // The feed that earlier tests keep open may learn of the start after it has sent the snapshot.
    await watched.until('the call', ({ calls: held = [], call }) => [...held, call].some(each => each?.requestId === requestId));
    for (const key of ['x', 'attempt:0', 'request:x', `REQUEST:${requestId}`, 'attempt:999999']) {
      const refused = follow(client, query, 'liveCall', { key });
      await waitUntil('the refusal', () => refused.isOver());
      const path = `/api/live-calls/${encodeURIComponent(key)}/hangup`;
      const rest = await fetch(`${server.url}${path}`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
      const { msg } = (await rest.json()) as { msg: string };
      const code = rest.status === 400 ? 'INVALID_ARGUMENT' : 'NOT_FOUND';
      expect(refused.failures).toMatchObject([{ message: msg, extensions: { code } }]);
    }
    await client.dispose();
  });
});

describe('runtimeEvents', () => {
  test('sends what is written after a snapshot, and resumes at a cursor [D10]', async () => {
    const { server, token } = rig;
    const query = `subscription($after: String) { runtimeEvents(after: $after) { __typename
      ... on RuntimeEventsSnapshot { cursor } ... on Resync { cursor reason } ... on RuntimeEventRecorded { cursor event { type level title } } } }`;
    interface Told {
      __typename: string;
      cursor: string;
      event?: { type: string };
    }
    const { client } = connectClient(server, token);
    const watched = follow<Told>(client, query, 'runtimeEvents');
    const { cursor } = await watched.until('the snapshot', event => event.__typename === 'RuntimeEventsSnapshot');
    const { id } = await rig.campaign({ contacts: numbers(1, 13_400_000_000) });
    await rig.start(id);
    await watched.until('the start', event => event.event?.type === 'campaign.started');
    const again = follow<Told>(client, query, 'runtimeEvents', { after: cursor });
    await again.until('the start', event => event.event?.type === 'campaign.started');
    expect(again.events[0]).toEqual(watched.events[1]);
    for (const after of ['999999999', 'x']) {
      const lost = follow<Told>(client, query, 'runtimeEvents', { after });
      await lost.until('the snapshot', event => event.__typename === 'RuntimeEventsSnapshot');
      expect(lost.events[0]).toMatchObject({
        __typename: 'Resync',
        reason: 'CURSOR_NOT_HELD',
        cursor: expect.stringMatching(/^[\w-]{8}:\d+$/),
      });
    }
    await client.dispose();
  });
});

interface ProgressEvent {
  __typename: string;
  cursor: string;
  reason?: string;
  progress?: { status: string; phase: string; total: number; pending: number; completed: number; activeCalls: number; fraction: number };
}

describe('campaignProgress', () => {
  test('shows a campaign from its start to its end, the same to all watchers', async () => {
    const { server, token } = rig;
    const { id } = await rig.campaign({ contacts: numbers(6, 13_700_000_000), maxConcurrency: 3 });
    const clients = [connectClient(server, token), connectClient(server, token)];
    const watched = clients.map(({ client }) => follow<ProgressEvent>(client, PROGRESS, 'campaignProgress', { campaignId: String(id) }));
    for (const { until } of watched) {
      expect(await until('the snapshot', () => true)).toMatchObject({
        __typename: 'CampaignProgressSnapshot',
        progress: { status: 'DRAFT', total: 6, pending: 6, completed: 0, activeCalls: 0, fraction: 0 },
      });
    }
    await rig.start(id);
    for (const { until } of watched) {
      await until('calls', ({ progress }) => progress && progress.activeCalls > 0 && progress.phase !== 'IDLE');
      const done = await until('the end', ({ progress }) => progress?.status === 'COMPLETED' && progress.activeCalls === 0);
      expect(done).toMatchObject({ __typename: 'CampaignProgressChanged', progress: { total: 6, pending: 0, completed: 6, fraction: 1 } });
    }
    for (const { client } of clients) await client.dispose();
  });

  test('a returning client gets what it missed; with a cursor that is not held, a resync and a snapshot [I8]', async () => {
    const { server, token } = rig;
    const { id } = await rig.campaign({ contacts: numbers(2, 13_300_000_000) });
    const { client } = connectClient(server, token);
    const variables = { campaignId: String(id) };
    const watched = follow<ProgressEvent>(client, PROGRESS, 'campaignProgress', variables);
    const { cursor } = await watched.until('the snapshot', () => true);
    await rig.start(id);
    await watched.until('the end', ({ progress }) => progress?.status === 'COMPLETED' && progress.activeCalls === 0);
    const again = follow<ProgressEvent>(client, PROGRESS, 'campaignProgress', { ...variables, after: cursor });
    await waitUntil('what was missed', () => again.events.length >= watched.events.length - 1);
    expect(again.events.slice(0, watched.events.length - 1)).toEqual(watched.events.slice(1));
    const lost = follow<ProgressEvent>(client, PROGRESS, 'campaignProgress', { ...variables, after: 'another.1' });
    await lost.until('the snapshot', event => event.__typename === 'CampaignProgressSnapshot');
    expect(lost.events).toMatchObject([
      { __typename: 'Resync', reason: 'CURSOR_NOT_HELD' },
      { __typename: 'CampaignProgressSnapshot', progress: { status: 'COMPLETED' } },
    ]);
    await client.dispose();
  });

  test('ends when the campaign is deleted', async () => {
    const { server, token } = rig;
    const { id } = await rig.campaign();
    const { client } = connectClient(server, token);
    const watched = follow<ProgressEvent>(client, PROGRESS, 'campaignProgress', { campaignId: String(id) });
    await watched.until('the snapshot', () => true);
    expect((await server.api('DELETE', `/api/campaigns/${id}`, undefined, token)).status).toBe(200);
    await waitUntil('the end of the stream', () => watched.isOver());
    expect(watched.failures).toEqual([]);
    await client.dispose();
  });
});

describe('dispatchCampaign [OCS 2.8]', () => {
  test("returns the switch's reply to each dial", async () => {
    const { server, token } = rig;
    const { id } = await rig.campaign({ contacts: numbers(3, 13_600_000_000) });
    const query = `mutation($id: ID!) { dispatchCampaign(id: $id, limit: 2) { __typename
      ... on DispatchedBatch { campaignId batchId requestedLimit effectiveLimit requested submitted failed remainingPending campaignStatus reason attempts { phoneNumber status replyText requestId } }
      ... on Refusal { code message } } }`;
    const { dispatchCampaign } = await askFor(server, token, query, { id });
    expect(dispatchCampaign).toMatchObject({
      __typename: 'DispatchedBatch',
      requestedLimit: 2,
      effectiveLimit: 2,
      requested: 2,
      submitted: 2,
      failed: 0,
      remainingPending: 1,
      reason: null,
      campaignStatus: 'DRAFT',
      attempts: [{ status: 'ACCEPTED' }, { status: 'ACCEPTED' }],
    });
  });

  test('a forbidding policy is a member of the result type [D7.5]', async () => {
    const { server, token } = rig;
    const { id } = await rig.campaign({ contacts: numbers(1, 13_500_000_000), scheduledStartAt: '2040-01-01T00:00:00Z' });
    const query = 'mutation($id: ID!) { dispatchCampaign(id: $id) { __typename ... on Refusal { code message } } }';
    expect((await askFor(server, token, query, { id })).dispatchCampaign).toEqual({
      __typename: 'PolicyForbids',
      code: 'POLICY_FORBIDS',
      message: expect.stringMatching(/^当前外呼策略禁止调度/),
    });
  });
});
