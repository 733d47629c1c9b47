import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { numbers } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from '../../contract/graphql/graphql-client.ts';
import { startRuntimeProcess } from '../tools/runtime/process.ts';

const SCRIPT = {
  name: '直接转人工',
  businessCode: 'demo',
  entryNodeId: 'start',
  nodes: [
    { id: 'start', type: 'start', name: '开始', config: {}, next: 'agent' },
    { id: 'agent', type: 'transfer', name: '转人工', config: { text: '正在为您转接人工坐席。', reason: '客户要求人工' }, next: null },
  ],
};

const COURSE = 'query($id: ID!) { attempt(id: $id) { timeline { kind text detail } } }';

let rig: ConferenceRig;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  rig = await startConferenceRig({}, { playsRuntime: false });
  stack.defer(() => rig.close());
  const runtime = await startRuntimeProcess(rig.server.nats.url, '--speed', '30', '--voicemail-rate', '0');
  stack.defer(() => runtime.stop());
}, 60_000);

afterAll(() => stack.disposeAsync());

test('the script transfers the call, an agent and the customer talk in captions, the agent leaves, nobody is left [OCS 4.15, D12.5, D9.1]', async () => {
  // The agent hangs up after a while.
  const agent = await rig.agent({ talkMs: 1_500 });
  await rig.ask('POST', '/api/v1/scripts', SCRIPT);
  const { id: campaignId } = await rig.campaign({ contacts: numbers(1), maxConcurrency: 1 });
  await rig.start(campaignId);
  const attempt = await waitUntil('the result of the call', async () =>
    (await rig.attempts(campaignId)).find(({ status }) => status === 'completed'),
  );
  expect(attempt).toMatchObject({ callStatus: 'completed', classification: 'transfer', hangupBy: 'bot' });
  const { data: transcript } = await rig.ask('GET', `/api/call-attempts/${attempt.id}/transcript-segments`);
  const speakers = new Set(transcript.rows.map((segment: { speaker: string }) => segment.speaker));
  expect(speakers.has('agent')).toBe(true);
  const { attempt: call } = await askFor(rig.server, rig.token, COURSE, { id: String(attempt.id) });
  const people = (call.timeline as { kind: string }[]).filter(({ kind }) => kind === 'JOINED' || kind === 'LEFT');
  const { agents } = (await rig.ask('GET', '/api/agents')).data;
  const name = (agents as { id: number; name: string }[]).find(({ id }) => id === agent.id)?.name;
  const person = { text: name, detail: { role: 'agent', mode: 'transfer' } };
  expect(people).toEqual(['JOINED', 'LEFT'].map(kind => ({ kind, ...person })));
  const leg = await rig.server.running.context.database.first(sql<{ status: string; agentId: number; answered: boolean }>`
    select status, agent_id as "agentId", answered_at is not null as answered from softphone_call where direction = 'conference'`);
  expect(leg).toEqual({ status: 'completed', agentId: agent.id, answered: true });
  await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
  await waitUntil('every channel to be gone', () => rig.openChannels().length === 0);
}, 120_000);
