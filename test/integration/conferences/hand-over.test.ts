import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { startSwitchSimulator, type SwitchSimulator } from '#companions/switch/simulator.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { CELL, everybody, numbers } from '#test/support/dispatch-rig.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type RuntimeProcess, startRuntimeProcess } from '../runtime/process.ts';
import { agentHostOf } from './conference-rig.ts';

const EXTENSION = '1005';
const SCRIPT = {
  name: '直接转人工',
  businessCode: 'demo',
  entryNodeId: 'start',
  nodes: [
    { id: 'start', type: 'start', name: '开始', config: {}, next: 'agent' },
    { id: 'agent', type: 'transfer', name: '转人工', config: { text: '正在为您转接人工坐席。', reason: '客户要求人工' }, next: null },
  ],
};

let server: TestServer;
let simulator: SwitchSimulator;
let runtime: RuntimeProcess;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  simulator = await startSwitchSimulator({
    host: '127.0.0.1',
    port: 0,
    password: 'ClueCon',
    random: seededRandom(7),
    clock: systemClock,
    log: silentLog,
    world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } }),
    // The agent hangs up after a while, as agents do.
    phones: [{ extension: EXTENSION, isRegistered: true, manner: 'answers', ringMs: 20, talkMs: 1_500 }],
    eventPollMs: 0,
    showLagMs: 0,
    sessionsPerSecond: 1_001,
  });
  stack.defer(() => simulator.close());
  const cell = { id: CELL, host: '127.0.0.1', port: simulator.port, password: 'ClueCon', maxOriginatesPerSecond: 1_000 };
  server = await startTestServer({ config: { businesses: [{ businessCode: 'demo', businessName: '演示' }], cells: [cell] } });
  stack.defer(() => server.close());
  runtime = await startRuntimeProcess(server.nats.url, '--speed', '30', '--voicemail-rate', '0');
  stack.defer(async () => {
    runtime.signal('SIGTERM');
    await runtime.exitCode();
  });
  await waitUntil('the cell to come up', async () => (await server.api('GET', '/health')).text.includes('"ok":true}]'));
}, 60_000);

afterAll(() => stack.disposeAsync());

test('the script hands over, an agent and the customer talk in captions, the agent leaves, nobody is left [OCS 4.15, D12.5, D9.1]', async () => {
  const token = await server.loginAs('admin');
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.api(method, path, body, token);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const agent = await server.running.context.database.first(sql<{ id: number }>`
    insert into agent (name, phone_extension) values ('李雷', ${EXTENSION}) returning id`);
  const agentId = agent?.id ?? 0;
  const agents = agentHostOf(server);
  await agents.choose(agentId, 'idle');
  await call('POST', '/api/v1/scripts', SCRIPT);
  const { line } = await call('POST', '/api/lines', {
    name: '线路',
    code: 'line-1',
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    maxConcurrency: 10,
    allocationMode: 'single_shared',
    callerIdNumber: '02166660000',
  });
  const { campaign } = await call('POST', '/api/campaigns', {
    name: '转人工',
    businessCode: 'demo',
    lineIds: [line.id],
    maxConcurrency: 1,
  });
  await call('POST', `/api/campaigns/${campaign.id}/contacts`, { contacts: numbers(1).map(phoneNumber => ({ phoneNumber })) });
  await call('PATCH', `/api/campaigns/${campaign.id}`, { status: 'running' });

  const attempt = await waitUntil('the result of the call', async () => {
    const { rows } = await call('GET', `/api/call-attempts?campaignId=${campaign.id}`);
    return rows[0]?.status === 'completed' ? rows[0] : null;
  });
  expect(attempt).toMatchObject({ callStatus: 'completed', classification: 'transfer', hangupBy: 'bot' });
  const transcript = await call('GET', `/api/call-attempts/${attempt.id}/transcript-segments`);
  const speakers = new Set((transcript.rows ?? transcript.segments).map((segment: { speaker: string }) => segment.speaker));
  expect(speakers.has('agent')).toBe(true);
  const leg = await server.running.context.database.first(sql<{ status: string; agentId: number; answered: boolean }>`
    select status, agent_id as "agentId", answered_at is not null as answered from softphone_call where direction = 'conference'`);
  expect(leg).toEqual({ status: 'completed', agentId, answered: true });
  await waitUntil('the agent to be free', async () => (await agents.stageOf(agentId)) === 'idle');
  await waitUntil('every channel to be gone', () => simulator.record().channels.every(channel => channel.endedAt !== null));
}, 120_000);
