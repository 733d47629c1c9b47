import { afterEach, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startRuntimeProcess } from './process.ts';
import example from '../../../../examples/spring-visit.script.json' with { type: 'json' };

// A business whose runtime is configured to bring its own flow, with the real runtime, which does not: customers are called and there is
// nothing to say.

const CONTACTS = 40;
const CONCURRENCY = 2;
let rig: DispatchRig;
let stack = new AsyncDisposableStack();

afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

async function startRig({ runtimeBringsFlow = true } = {}): Promise<void> {
  rig = await startDispatchRig({
    world: everybody('answer', { talkMs: { minMs: 60_000, maxMs: 60_000 } }),
    config: { businesses: [{ businessCode: 'spring-visit', businessName: '春季回访', runtimeBringsFlow }] },
    playsRuntime: false,
  });
  stack.defer(() => rig.close());
  const runtime = await startRuntimeProcess(rig.server.nats.url, '--speed', '60', '--voicemail-rate', '0');
  stack.defer(() => runtime.stop());
}

const campaign = () =>
  rig.campaign({
    businessCode: 'spring-visit',
    maxRetries: 0,
    retryIntervalSeconds: 300,
    maxConcurrency: CONCURRENCY,
    contacts: numbers(CONTACTS),
  });

async function untilBlocked(campaignId: number) {
  const blocked = await waitUntil('the campaign to stop', async () => {
    const found = (await rig.detail(campaignId)).data.campaign;
    return found.phase === 'BLOCKED_BY_POLICY' ? found : null;
  });
  await waitUntil('its last calls to end', async () => (await rig.slotsInUse()) === 0);
  return blocked;
}

async function alerts(campaignId: number) {
  const { data } = await rig.ask('GET', '/api/runtime/overview');
  const events = data.recentEvents as { type: string; level: string; campaignId: number; message: string }[];
  return events.filter(event => event.type === 'campaign.blocked' && event.campaignId === campaignId);
}

const contacts = async (campaignId: number) =>
  (await rig.ask('GET', `/api/campaigns/${campaignId}/contacts?pageSize=200`)).data.rows as {
    id: number;
    status: string;
    attemptCount: number;
    lastAttemptId: number | null;
  }[];

test('three consecutive calls that end for want of a script stop the campaign; a script starts it again [D5.6]', async () => {
  await startRig();
  const { id } = await campaign();
  const { checks, canStart } = (await rig.ask('GET', `/api/campaigns/${id}/preflight`)).data;
  expect(canStart).toBe(true);
  expect(checks).toContainEqual(expect.objectContaining({ code: 'SCRIPT', level: 'ok' }));
  await rig.start(id);

  const blocked = await untilBlocked(id);
  expect(blocked).toMatchObject({ status: 'running', phaseReason: expect.stringMatching(/无话术.*没有启用的话术/) });
  expect(await alerts(id)).toEqual([expect.objectContaining({ level: 'error', message: blocked.phaseReason })]);
  const attempts = await rig.attempts(id);
  // Calls dialled before the third report may still come.
  expect(attempts.length).toBeGreaterThanOrEqual(3);
  expect(attempts.length).toBeLessThanOrEqual(3 + 2 * CONCURRENCY);
  for (const attempt of attempts.filter(({ status }) => status !== 'cancelled'))
    expect(attempt).toMatchObject({ status: 'failed', callStatus: 'failed', hangupCause: 'NO_SCRIPT' });
  // Nobody was called twice, and no contact was charged an attempt.
  expect(new Set(attempts.map(({ contactId }) => contactId)).size).toBe(attempts.length);
  for (const contact of await contacts(id)) expect(contact).toMatchObject({ status: 'pending', attemptCount: 0 });

  await rig.ask('POST', '/api/v1/scripts', example);
  await waitUntil('a call with the script', async () => (await rig.attempts(id)).some(({ status }) => status === 'completed'));
  expect((await rig.detail(id)).data.campaign.phase).not.toBe('BLOCKED_BY_POLICY');
  expect(await alerts(id)).toHaveLength(1);
}, 90_000);

test('a running campaign that loses its script dials nobody more, with one alert, until there is one again [D5.6]', async () => {
  await startRig({ runtimeBringsFlow: false });
  const { data } = await rig.ask('POST', '/api/v1/scripts', example);
  const { id } = await campaign();
  await rig.start(id);
  await waitUntil('a call with the script', async () => (await rig.attempts(id)).length > 0);
  await rig.ask('POST', '/api/v1/scripts', { ...example, id: data.script.id, isEnabled: 0 });
  const blocked = await waitUntil('the campaign to stop', async () => {
    const found = (await rig.detail(id)).data.campaign;
    return found.phase === 'BLOCKED_BY_POLICY' ? found : null;
  });
  expect(blocked).toMatchObject({ status: 'running', phaseReason: expect.stringContaining('没有启用的话术') });
  const [alert, ...others] = await waitUntil('its alert', async () => {
    const raised = await alerts(id);
    return raised.length > 0 ? raised : null;
  });
  expect([alert, others]).toEqual([expect.objectContaining({ level: 'error', message: blocked.phaseReason }), []]);
  expect((await rig.attempts(id)).every(({ hangupCause }) => hangupCause !== 'NO_SCRIPT')).toBe(true);

  const before = (await rig.attempts(id)).length;
  await rig.ask('POST', '/api/v1/scripts', { ...example, id: data.script.id, isEnabled: 1 });
  await waitUntil('a further call', async () => (await rig.attempts(id)).length > before);
  expect(await alerts(id)).toHaveLength(1);
}, 90_000);

test('a manual start makes it try once more, and stop with another alert', async () => {
  await startRig();
  const { id } = await campaign();
  await rig.start(id);
  await untilBlocked(id);
  const before = (await rig.attempts(id)).length;
  await rig.start(id);
  await waitUntil('further calls', async () => (await rig.attempts(id)).length > before);
  await waitUntil('the second alert', async () => (await alerts(id)).length === 2);
  await untilBlocked(id);
  expect((await rig.attempts(id)).length).toBeLessThanOrEqual(before + 3 + 2 * CONCURRENCY);
}, 90_000);

test('a report over REST counts alike; a call with its script in between resets the count [D5.6]', async () => {
  // Customers hang up by themselves, and their results are awaited.
  rig = await startDispatchRig({ reportsResults: false });
  stack.defer(() => rig.close());
  const { id } = await rig.campaign({ contacts: numbers(12), maxConcurrency: 1, maxRetries: 0 });
  await rig.start(id);
  const report = async (body: object) => {
    const [open] = await waitUntil('a call', async () => {
      const rows = (await rig.attempts(id)).filter(({ status }) => status === 'answered');
      if (rows.length === 0)
        throw new Error(
          JSON.stringify([
            (await rig.detail(id)).data.campaign.phaseReason,
            (await rig.attempts(id)).map(row => `${row.contactId} ${row.status}`),
          ]),
        );
      return rows;
    });
    const answer = await rig.server.internal('POST', '/api/call-results', { requestId: open?.requestId, ...body });
    expect(answer.status).toBe(200);
  };
  const scriptless = { endReason: 'no_script', callStatus: 'failed' };
  await report(scriptless);
  await report(scriptless);
  await report({ callStatus: 'completed' });
  await report(scriptless);
  await report(scriptless);
  expect(await alerts(id)).toEqual([]);
  await report(scriptless);
  await untilBlocked(id);
  const seen = await contacts(id);
  expect(seen.filter(({ status }) => status === 'completed')).toHaveLength(1);
  expect(seen.filter(({ status }) => status === 'pending')).toHaveLength(11);
}, 90_000);
