import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type AgentRig, startAgentRig } from '#test/support/agent-rig.ts';
import { readEvents } from '#test/support/read-events.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';
import { askFor, connectClient, follow } from '../graphql/graphql-client.ts';

let rig: AgentRig;
let supervisor: string;
let supervisorId: number;
beforeAll(async () => {
  rig = await startAgentRig({ config: { server: { trustedProxies: ['loopback'] } } });
  supervisor = await rig.server.loginAs('supervisor');
  supervisorId = Number((await rig.api('GET', '/api/auth/me', undefined, supervisor)).data.user.id);
});
afterAll(() => rig.close());

interface Row {
  actorId: number | null;
  actorName: string;
  action: string;
  targetType: string;
  targetId: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any
  detail: any;
  ip: string | null;
}

const database = () => rig.server.running.context.database;

/** Oldest first. */
async function rowsOf(filter: Record<string, string | number>): Promise<Row[]> {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  return (await rig.api('GET', `/api/audit-logs?pageSize=200&${query.toString()}`)).data.rows.toReversed();
}

describe('logins [D3.7]', () => {
  const tryFrom = (address: string, username: string, password = 'wrong-secret') =>
    fetch(`${rig.server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ username, password }),
    });
  const failuresOf = (address: string) =>
    database().rows(sql<Row>`
      select actor_id as "actorId", actor_name as "actorName", action, target_type as "targetType", target_id as "targetId", detail, ip
      from audit_log where action like 'login.%' and ip = ${address} order by id`);

  test('a failure stores the tried name, truncated, and never the password', async () => {
    await tryFrom('192.0.2.50', 'n'.repeat(100));
    const [row, ...others] = await failuresOf('192.0.2.50');
    expect(row).toMatchObject({ actorId: null, actorName: 'anonymous', action: 'login.failed', detail: { username: 'n'.repeat(64) } });
    expect([JSON.stringify(row).includes('wrong-secret'), others]).toEqual([false, []]);
  });

  test('a failure of an existing user names them', async () => {
    await tryFrom('192.0.2.51', 'Admin');
    expect(await failuresOf('192.0.2.51')).toEqual([
      expect.objectContaining({ targetType: 'user', targetId: expect.stringMatching(/^\d+$/) }),
    ]);
  });

  test('a flood leaves as many rows as the limit counts, and one row when the block begins', async () => {
    for (let round = 0; round < 40; round++) await tryFrom('192.0.2.52', 'admin');
    const rows = await failuresOf('192.0.2.52');
    expect(rows.map(({ action }) => action)).toEqual([...Array.from({ length: 5 }, () => 'login.failed'), 'login.blocked']);
    expect(rows.at(-1)).toMatchObject({
      targetType: 'address',
      targetId: '192.0.2.52',
      detail: { username: 'admin', blockedSeconds: expect.any(Number) },
    });
  });

  test('a flood with a new name for each attempt is bounded by its address', async () => {
    for (let round = 0; round < 60; round++) await tryFrom('192.0.2.53', `somebody-${round}`);
    const rows = await failuresOf('192.0.2.53');
    expect(rows.map(({ action }) => action)).toEqual([...Array.from({ length: 30 }, () => 'login.failed'), 'login.blocked']);
  });
});

describe('reads [D3.7]', () => {
  test("the SIP password of the user's own agent: in REST and GraphQL, once within minutes, and no row where there is no password", async () => {
    const agent = await rig.agent();
    await rig.api('GET', '/api/agents/me/sip-config', undefined, agent.token);
    expect(await rowsOf({ action: 'sip_password.read', targetId: agent.id })).toEqual([]);
    await rig.api('PATCH', `/api/agents/${agent.id}`, { sipPassword: 'a-sip-password' });
    await rig.api('GET', '/api/agents/me/sip-config', undefined, agent.token);
    await askFor(rig.server, agent.token, '{ mySipConfig { password } }');
    const rows = await rowsOf({ action: 'sip_password.read', targetId: agent.id });
    expect(rows).toEqual([expect.objectContaining({ actorId: agent.userId, targetType: 'agent' })]);
    expect(JSON.stringify(rows)).not.toContain('a-sip-password');
  });

  const attempt = async () => {
    const campaignId = await insertCampaign(database());
    const contactId = await insertContact(database(), { campaignId });
    const id = await insertAttempt(database(), { campaignId, contactId, recordingUrl: 'a.wav' });
    await database().run(sql`
      insert into transcript_segment (attempt_id, segment_id, position, speaker, text) values (${id}, '0', 0, 'bot', '您好')`);
    return id;
  };

  test('a transcript: one row per reader, however often they read it', async () => {
    const id = await attempt();
    const read = (token: string) => rig.api('GET', `/api/call-attempts/${id}/transcript-segments`, undefined, token);
    await Promise.all(Array.from({ length: 5 }, () => read(supervisor)));
    await read(await rig.server.loginAs('agent'));
    const rows = await rowsOf({ action: 'transcript.read', targetType: 'attempt', targetId: id });
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(expect.objectContaining({ actorId: supervisorId, ip: expect.stringContaining('127.0.0.1') }));
  });

  test.each([
    ['transcript', 'transcript { text }'],
    ['timeline', 'timeline { kind text }'],
  ])("a transcript in GraphQL, by an attempt's %s", async (_name, field) => {
    const id = await attempt();
    await askFor(rig.server, supervisor, `query ($id: ID!) { attempt(id: $id) { ${field} } }`, { id });
    expect(await rowsOf({ action: 'transcript.read', targetId: id })).toHaveLength(1);
  });

  test('another instance adds no row, but some minutes later it does', async () => {
    const id = await attempt();
    await using others = new AsyncDisposableStack();
    const readAt = ({ api }: Pick<TestServer, 'api'>) => api('GET', `/api/call-attempts/${id}/transcript-segments`, undefined, supervisor);
    const beside = async () => {
      const other = await startTestServer({ beside: rig.server });
      others.defer(() => other.close());
      return other;
    };
    await readAt(rig.server);
    await readAt(await beside());
    expect(await rowsOf({ action: 'transcript.read', targetId: id })).toHaveLength(1);
    await database().run(sql`update audit_log set created_at = created_at - interval '6 minutes' where target_id = ${String(id)}`);
    await readAt(await beside());
    expect(await rowsOf({ action: 'transcript.read', targetId: id })).toHaveLength(2);
  });

  test('the name of a recording, for one call and not for a list', async () => {
    const id = await attempt();
    await rig.api('GET', '/api/call-attempts', undefined, supervisor);
    await askFor(rig.server, supervisor, '{ attempts(first: 50) { nodes { recordingUrl } } }');
    expect(await rowsOf({ action: 'recording.read', targetId: id })).toEqual([]);
    await rig.api('GET', `/api/call-attempts/${id}`, undefined, supervisor);
    expect(await rowsOf({ action: 'recording.read', targetId: id })).toHaveLength(1);
    const other = await attempt();
    await askFor(rig.server, supervisor, 'query ($id: ID!) { attempt(id: $id) { recordingUrl } }', { id: other });
    expect(await rowsOf({ action: 'recording.read', targetId: other })).toHaveLength(1);
  });

  test('captions of live calls requested again and again: one row', async () => {
    const campaignId = await insertCampaign(database());
    for (let round = 0; round < 3; round++) await rig.api('GET', `/api/live-calls?campaignId=${campaignId}`, undefined, supervisor);
    await askFor(rig.server, supervisor, 'query ($id: ID) { liveCalls(filter: { campaignId: $id }) { at } }', { id: campaignId });
    expect(await rowsOf({ action: 'captions.read', targetType: 'campaign', targetId: campaignId })).toHaveLength(1);
  });
});

describe('watching [D3.7]', () => {
  const ended = (filter: Record<string, string | number>) =>
    waitUntil('the end of watching', async () =>
      (await rowsOf({ action: 'call.watched', ...filter })).find(({ detail }) => detail.to !== null),
    );

  test('a campaign through the event stream: its beginning, and its end once it has ended', async () => {
    const campaignId = await insertCampaign(database());
    const reader = await readEvents(`${rig.server.url}/api/live-calls/events?campaignId=${campaignId}`, { token: supervisor });
    await reader.next('snapshot');
    const open = await waitUntil('the row', async () => (await rowsOf({ action: 'call.watched', targetId: campaignId }))[0]);
    expect(open).toMatchObject({ actorId: supervisorId, targetType: 'campaign', detail: { from: expect.stringMatching(/Z$/), to: null } });
    reader.close();
    const { detail } = await ended({ targetId: campaignId });
    expect(Date.parse(detail.to)).toBeGreaterThanOrEqual(Date.parse(detail.from));
    expect(await rowsOf({ action: 'call.watched', targetId: campaignId })).toHaveLength(1);
  });

  test('one call by a subscription', async () => {
    const requestId = randomUUID();
    const { client } = connectClient(rig.server, supervisor);
    const watched = follow<{ __typename: string }>(
      client,
      'subscription ($key: ID!) { liveCall(callKey: $key) { __typename } }',
      'liveCall',
      {
        key: `request:${requestId}`,
      },
    );
    await watched.until('the beginning', () => true);
    watched.stop();
    expect(await ended({ targetId: requestId })).toMatchObject({ actorId: supervisorId, targetType: 'call' });
    await client.dispose();
  });

  test('an agent: the calls assigned to them', async () => {
    const { redis, bus } = rig.server.running.context;
    const calls = watchedCalls(redis, bus, 4_242);
    const agent = await rig.agent();
    const reader = await readEvents(`${rig.server.url}/api/live-calls/events`, { token: agent.token });
    await reader.next('snapshot');
    const requestId = randomUUID();
    await calls.start(requestId);
    await calls.send(requestId, { type: 'channelAnswered', at: Date.now() });
    const monitor = { userId: agent.userId, agentId: agent.id, displayName: '王', assignedAt: 5 };
    calls.deltas.publish({ requestId, campaignId: 4_242, kind: 'assignment', version: 3, at: 1, data: { monitor } });
    await reader.next('assignment');
    reader.close();
    const { detail, actorId } = await ended({ targetType: 'live_calls', actorId: agent.userId });
    expect([actorId, detail.calls]).toEqual([agent.userId, [requestId]]);
  });
});
