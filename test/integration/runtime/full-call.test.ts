import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSwitchSimulator, type SwitchSimulator } from '#companions/switch/simulator.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { CELL, everybody, numbers } from '../../support/dispatch-rig.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type RuntimeProcess, startRuntimeProcess } from './process.ts';
import example from '../../../examples/spring-visit.script.json' with { type: 'json' };

const CALLS = 6;
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
    // Nobody hangs up before the script is done.
    world: everybody('answer', { talkMs: { minMs: 60_000, maxMs: 60_000 } }),
    eventPollMs: 0,
    showLagMs: 0,
    sessionsPerSecond: 1_001,
  });
  stack.defer(() => simulator.close());
  const cell = { id: CELL, host: '127.0.0.1', port: simulator.port, password: 'ClueCon', maxOriginatesPerSecond: 1_000 };
  server = await startTestServer({
    config: { businesses: [{ businessCode: 'spring-visit', businessName: '春季回访' }], cells: [cell] },
  });
  stack.defer(() => server.close());
  runtime = await startRuntimeProcess(server.nats.url, '--speed', '60', '--voicemail-rate', '0');
  stack.defer(async () => {
    runtime.signal('SIGTERM');
    await runtime.exitCode();
  });
  await waitUntil('the cell to come up', async () => (await server.api('GET', '/health')).text.includes('"ok":true}]'));
}, 60_000);

afterAll(() => stack.disposeAsync());

test('a campaign of the demo: every customer is called, talked to and classified [OCS 4.11, D7.7]', async () => {
  const token = await server.loginAs('admin');
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.api(method, path, body, token);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const { script } = await call('POST', '/api/v1/scripts', example);
  const { line } = await call('POST', '/api/lines', {
    name: '线路',
    code: 'line-1',
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    maxConcurrency: 10,
    allocationMode: 'single_shared',
    callerIdNumber: '02166660000',
  });
  const { campaign } = await call('POST', '/api/campaigns', {
    name: '回访',
    businessCode: 'spring-visit',
    lineIds: [line.id],
    maxConcurrency: 10,
    maxRetries: 0,
    businessConfig: { variables: { shop: '城南营业厅' } },
  });
  await call('POST', `/api/campaigns/${campaign.id}/contacts`, { contacts: numbers(CALLS).map(phoneNumber => ({ phoneNumber })) });
  await call('PATCH', `/api/campaigns/${campaign.id}`, { status: 'running' });

  const attempts = await waitUntil(
    'every call to have its result',
    async () => {
      const { rows } = await call('GET', `/api/call-attempts?campaignId=${campaign.id}&pageSize=50`);
      return rows.length === CALLS && rows.every((row: { status: string }) => row.status === 'completed') ? rows : null;
    },
    60_000,
  );
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ callStatus: 'completed', hangupBy: 'bot', scriptId: script.id, scriptVersion: script.version });
    expect(['A', 'B', 'C', 'D']).toContain(attempt.classification);
  }
  const { rows } = await call('GET', `/api/call-attempts/${attempts[0].id}/transcript-segments`);
  expect(rows.map((segment: { text: string }) => segment.text).join('\n')).toContain('这里是城南营业厅');
  await waitUntil('the channels to be gone', async () => {
    const overview = await call('GET', '/api/runtime/overview');
    return overview.cellConcurrency[0].active === 0;
  });
  expect(simulator.record().channels.every(channel => channel.endedAt !== null)).toBe(true);
}, 60_000);
