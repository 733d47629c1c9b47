import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type RuntimeProcess, startRuntimeProcess } from '../integration/tools/runtime/process.ts';
import example from '../../examples/spring-visit.script.json' with { type: 'json' };

// The real runtime as processes of its own, killed and started beside the real server; only a runtime or the server ends a call.

const CALLS = 30;
/** A runtime is missed after 15 s; moving its calls and the switch's events take the rest. In ms. */
const SILENCE_LIMIT_MS = 20_000;
let rig: DispatchRig;
const stack = new AsyncDisposableStack();
const runtimes: RuntimeProcess[] = [];

beforeAll(async () => {
  rig = await startDispatchRig({
    world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } }),
    config: { businesses: [{ businessCode: 'spring-visit', businessName: '春季回访' }] },
    playsRuntime: false,
  });
  stack.defer(() => rig.close());
  await rig.ask('POST', '/api/v1/scripts', example);
}, 60_000);

afterEach(async () => {
  await Promise.all(runtimes.splice(0).map(runtime => runtime.stop()));
});

afterAll(() => stack.disposeAsync());

async function runtime(...args: string[]): Promise<RuntimeProcess> {
  const started = await startRuntimeProcess(rig.server.nats.url, '--speed', '2', '--voicemail-rate', '0', ...args);
  runtimes.push(started);
  return started;
}

/** Each campaign has numbers of its own, because a customer who has refused once is not dialled again. */
async function campaign(request: object = {}): Promise<number> {
  const { id } = await rig.campaign({
    businessCode: 'spring-visit',
    maxRetries: 0,
    maxConcurrency: CALLS,
    contacts: numbers(CALLS),
    ...request,
  });
  return id;
}

const phaseOf = async (campaignId: number) => (await rig.detail(campaignId)).data.campaign.phase as string;
const started = async (campaignId: number) =>
  rig.server.running.context.database.rows(sql<{
    hangupCause: string | null;
    hangupBy: string | null;
    status: string;
    attemptCount: number;
  }>`
    select a.hangup_cause as "hangupCause", a.hangup_by as "hangupBy", a.status, k.attempt_count as "attemptCount"
    from attempt a join contact k on k.id = a.contact_id where a.campaign_id = ${campaignId} and a.status <> 'cancelled'`);
const channels = () => rig.simulator.record().channels;

describe('a runtime that dies with 30 calls [I9]', () => {
  test('leaves them to another within 20 s: none is ended, none is recorded as hung up by its customer', async () => {
    // The last greeted customer may be late: the first must still be talking.
    const first = await runtime('--speed', '1');
    const campaignId = await campaign();
    await rig.start(campaignId);
    const listed = async () => (await rig.ask('GET', `/api/live-calls?campaignId=${campaignId}`)).data.calls as LiveCall[];
    await waitUntil(
      'every customer to be spoken to',
      async () => {
        // A dial that missed its instant on a busy machine is withdrawn, stays listed for a while, and is booked again.
        const live = (await listed()).filter(({ status }) => status === 'live');
        return live.length === CALLS && live.every(call => call.segments.some(({ speaker }) => speaker === 'bot'));
      },
      60_000,
    );
    // The runtime that takes over may be fast.
    await runtime('--speed', '8');
    first.child.kill('SIGKILL');
    await first.exitCode();
    runtimes.shift();
    const killedAt = Date.now();
    const live = (await listed()).filter(({ status }) => status === 'live');
    expect(live).toHaveLength(CALLS);
    const spoken = new Map(live.map(call => [call.callKey, call.segments.length]));
    const moved = new Map<string, number>();
    await waitUntil(
      'every customer to be spoken to again',
      async () => {
        for (const { callKey, segments } of await listed())
          if (!moved.has(callKey) && segments.length > (spoken.get(callKey) ?? Number.POSITIVE_INFINITY))
            moved.set(callKey, Date.now() - killedAt);
        return moved.size === spoken.size;
      },
      SILENCE_LIMIT_MS + 5_000,
    );
    expect(Math.max(...moved.values())).toBeLessThan(SILENCE_LIMIT_MS);
    await waitUntil(
      'every call to have its result',
      async () => (await started(campaignId)).every(({ status }) => status === 'completed'),
      60_000,
    );
    const ends = await started(campaignId);
    expect(ends).toHaveLength(CALLS);
    expect(new Set(ends.map(({ hangupBy }) => hangupBy))).toEqual(new Set(['bot']));
    await waitUntil('the channels to be gone', async () => channels().every(channel => channel.endedAt !== null));
  }, 180_000);

  test('and no runtime takes over: the customers hear the apology, the calls end as our fault, and no contact loses an attempt', async () => {
    const only = await runtime();
    // A contact that was not served waits for the retry interval.
    const campaignId = await campaign({ contacts: numbers(CALLS + 5).slice(CALLS), retryIntervalSeconds: 0 });
    await rig.start(campaignId);
    await waitUntil(
      'the customers to be spoken to',
      async () => (await started(campaignId)).filter(({ status }) => status === 'answered').length === 5,
    );
    only.child.kill('SIGKILL');
    await only.exitCode();
    runtimes.shift();
    await waitUntil('the calls to end', async () => (await started(campaignId)).every(({ status }) => status === 'failed'), 45_000);
    for (const end of await started(campaignId))
      expect(end).toEqual({ status: 'failed', hangupCause: 'RUNTIME_UNAVAILABLE', hangupBy: 'system', attemptCount: 0 });
    await waitUntil('the campaign to wait for a runtime', async () => (await phaseOf(campaignId)) === 'WAITING_RUNTIME', 45_000);
  }, 180_000);
});

describe('without a runtime', () => {
  test('nothing is dialled, the campaign gives the reason, and continues when a runtime comes; a full one is awaited', async () => {
    const before = channels().length;
    const campaignId = await campaign({ contacts: numbers(CALLS + 13).slice(CALLS + 5) });
    await rig.start(campaignId);
    await waitUntil('the campaign to say why it waits', async () => (await phaseOf(campaignId)) === 'WAITING_RUNTIME');
    expect((await rig.detail(campaignId)).data.campaign.phaseReason).toBe('没有在线的话术引擎');
    expect(channels()).toHaveLength(before);
    await runtime('--max-calls', '3', '--speed', '8');
    await waitUntil(
      'every customer to have been spoken to',
      async () => {
        const live = channels().filter(({ endedAt }) => endedAt === null).length;
        expect(live).toBeLessThanOrEqual(3);
        return (await started(campaignId)).filter(({ status }) => status === 'completed').length === 8;
      },
      90_000,
    );
  }, 150_000);
});

interface LiveCall {
  callKey: string;
  status: string;
  segments: { speaker: string }[];
}
