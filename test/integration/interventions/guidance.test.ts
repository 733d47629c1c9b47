import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { numbers } from '#test/support/dispatch-rig.ts';
import { startPoolRuntime } from '#test/support/pool-runtime.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from '../../contract/graphql/graphql-client.ts';

const businesses = ['demo', 'plain'].map(businessCode => ({ businessCode, businessName: businessCode, runtimeBringsFlow: true }));

const SHOWN = `query($id: ID!) { node(id: $id) { ... on LiveCall {
  guidance { guidanceId kind text by user { displayName } } actions { name allowed reason } } } }`;
const HINT = `mutation($callKey: ID!, $text: String!, $guidanceId: ID) { hintLiveCall(callKey: $callKey, text: $text, guidanceId: $guidanceId) {
  __typename ... on GuidedCall { guidance { guidanceId text } } ... on Refusal { reason message } } }`;
const COURSE = 'query($id: ID!) { attempt(id: $id) { timeline { kind text detail } } }';

type Runtime = Awaited<ReturnType<typeof startPoolRuntime>>;

let rig: ConferenceRig;
let able: Runtime;
let plain: Runtime;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  rig = await startConferenceRig({ businesses }, { playsRuntime: false });
  stack.defer(() => rig.close());
  able = await startPoolRuntime(rig, { runtimeId: 'able', commands: ['hint', 'say'], businessCodes: ['demo'] });
  stack.defer(() => able.close());
  plain = await startPoolRuntime(rig, { runtimeId: 'plain', commands: null, businessCodes: ['plain'] });
  stack.defer(() => plain.close());
}, 120_000);
afterAll(() => stack.disposeAsync());

let from = 13_500_000_000;

/** A live call of the business, whose runtime has it. */
async function liveCall(businessCode: string) {
  from += 1_000_000;
  const { id } = await rig.campaign({ businessCode, contacts: numbers(1, from) });
  await rig.start(id);
  const attempt = await waitUntil('the customer to answer', async () =>
    (await rig.attempts(id)).find(({ status }) => status === 'answered'),
  );
  const callKey = `request:${attempt.requestId}`;
  const shown = async (token = rig.token) => (await askFor(rig.server, token, SHOWN, { id: `LiveCall:${attempt.requestId}` })).node;
  await waitUntil('the runtime to have the call', async () => reasonOf(await shown(), 'HINT') !== 'NOT_ANSWERED');
  return { ...attempt, callKey, shown };
}

// oxlint-disable-next-line typescript/no-explicit-any
const reasonOf = (call: any, name: string) => call.actions.find((action: { name: string }) => action.name === name).reason as string | null;

test('a hint reaches the runtime with its author, every watcher sees it, and it is kept; the same id again changes nothing [D9.8]', async () => {
  const { callKey, id, requestId, shown } = await liveCall('demo');
  expect(reasonOf(await shown(), 'HINT')).toBeNull();
  const request = { callKey, text: ' 先说优惠 ', guidanceId: 'g-1' };
  for (const _ of [1, 2])
    expect((await askFor(rig.server, rig.token, HINT, request)).hintLiveCall).toEqual({
      __typename: 'GuidedCall',
      guidance: { guidanceId: 'g-1', text: '先说优惠' },
    });
  expect(able.named('hint')).toEqual([{ name: 'hint', requestId, body: { guidanceId: 'g-1', text: '先说优惠', by: expect.any(String) } }]);
  const watcher = await rig.server.loginAs('supervisor');
  const told = { guidanceId: 'g-1', kind: 'HINT', text: '先说优惠', by: expect.any(String), user: { displayName: expect.any(String) } };
  expect((await shown(watcher)).guidance).toEqual([told]);
  const { timeline } = (await askFor(rig.server, rig.token, COURSE, { id: String(id) })).attempt;
  type Event = { detail: { type?: string; message?: string } | null };
  const kept = (timeline as Event[]).filter(({ detail }) => detail?.type === 'call.hinted');
  expect(kept).toMatchObject([{ kind: 'EVENT', detail: { message: expect.stringContaining('先说优惠') } }]);
  const rows = await rig.server.running.context.database.rows(sql`
    select detail from audit_log where action = 'call.hinted' and target_id = ${requestId}`);
  expect(rows).toMatchObject([{ detail: { text: '先说优惠', guidanceId: 'g-1' } }]);
});

test('text to be spoken is a command of its own; a runtime that is with an agent refuses it, and nothing is recorded [D9.8]', async () => {
  const { callKey, requestId, shown } = await liveCall('demo');
  const say = (text: string) => rig.server.api('POST', `/api/live-calls/${callKey}/say`, { text }, rig.token);
  expect(await say('我们今天有现货。')).toMatchObject({
    status: 200,
    data: { callKey, guidance: { kind: 'say', text: '我们今天有现货。' } },
  });
  able.answers.set('say', { ok: false, code: 'BUSY', msg: '' });
  expect((await say('再说一句')).status).toBe(409);
  able.answers.set('say', { ok: false, code: 'UNKNOWN_COMMAND', msg: '' });
  expect((await say('再说一句')).text).toContain('不支持');
  able.answers.delete('say');
  expect(able.named('say').filter(one => one.requestId === requestId)).toHaveLength(3);
  expect((await shown()).guidance).toHaveLength(1);
  expect((await say('长'.repeat(501))).status).toBe(400);
});

test('a runtime without the command gets none; the action says why before it is pressed [D9.8]', async () => {
  const { callKey, shown } = await liveCall('plain');
  const call = await shown();
  expect([reasonOf(call, 'HINT'), reasonOf(call, 'SAY')]).toEqual(['RUNTIME_LACKS_COMMAND', 'RUNTIME_LACKS_COMMAND']);
  const refused = (await askFor(rig.server, rig.token, HINT, { callKey, text: '先说优惠' })).hintLiveCall;
  expect(refused).toMatchObject({ __typename: 'GuidanceRefused', reason: 'RUNTIME_LACKS_COMMAND' });
  expect(plain.named('hint')).toEqual([]);
});

test('only who watches the call, and supervisors, tell its bot something [D9.8]', async () => {
  const { callKey } = await liveCall('demo');
  const stranger = await rig.agent();
  const answer = await rig.server.api('POST', `/api/live-calls/${callKey}/hint`, { text: '先说优惠' }, stranger.token);
  expect(answer.status).toBe(403);
});
