import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { sql } from 'kysely';
import type { CallContext } from '#actors/call/context.ts';
import { commandsOf, poolSubject, runtimeSubject } from '#protocol/subjects.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig, wipeLiveState } from '#test/support/dispatch-rig.ts';
import { poolMember, poolOf } from '#test/support/pool-members.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { signedBy } from '#test/support/signed.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const CARE = { maxUnansweredStarts: 3, maxSilentCalls: 3, maxUnservedCustomers: 3, firstWordSeconds: 2, silenceSeconds: 30 };
const RUNTIMES = ['runtime-1', 'runtime-2'].map(runtimeId => poolMember({ runtimeId }));

interface Start {
  requestId: string;
  epoch: number;
  /** The runtime that accepted it. */
  runtimeId: string;
}

let rig: DispatchRig;
let bus: NatsConnection;
let starts: Start[];

beforeAll(async () => {
  rig = await startDispatchRig({
    world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } }),
    config: { dispatch: { runtimeCare: CARE } },
    playsRuntime: false,
  });
});
afterEach(() => bus.close());
afterAll(() => rig.close());

async function beat(): Promise<void> {
  await Promise.all(RUNTIMES.map(runtime => poolOf(rig.server).beat(runtime)));
}

async function wipe(): Promise<void> {
  await wipeLiveState(rig.server);
  await beat();
}

/** Registered runtimes that accept calls and answer commands; one reports the start of the first call, or none does. */
async function startRuntimes({ reportsStart }: { reportsStart: boolean }): Promise<void> {
  bus = await connect({ servers: new URL(rig.server.nats.url).host });
  starts = [];
  const here = ({ runtimeId, epoch }: Start) => JSON.stringify({ ok: true, runtimeId, epoch });
  const subscribe = (subject: string, callback: (message: Msg) => void) =>
    bus.subscribe(subject, { callback: (_error, message) => callback(message) });
  const accept = (start: Start) => {
    starts.push(start);
    if (starts.length > 1) return;
    subscribe(commandsOf(start.requestId), command => command.respond(here(starts.at(-1) ?? start)));
    if (reportsStart) reportStart(start);
  };
  for (const { runtimeId } of RUNTIMES)
    subscribe(poolSubject(runtimeId, 'start'), message => {
      const start = { ...message.json<Start>(), runtimeId };
      message.respond(here(start));
      accept(start);
    });
  await bus.flush();
  await beat();
}

function reportStart({ requestId, epoch, runtimeId }: Start): void {
  const subject = runtimeSubject('started', requestId);
  const text = JSON.stringify({ requestId, runtimeId, epoch, kind: 'started', seq: 0 });
  bus.publish(subject, text, signedBy(INTERNAL_TOKEN, { subject, text }));
}

const rows = (campaignId: number) =>
  rig.server.running.context.database.rows(sql<{
    requestId: string;
    status: string;
    hangupCause: string | null;
    heardRuntime: string | null;
  }>`
    select request_id as "requestId", status, hangup_cause as "hangupCause", heard_runtime as "heardRuntime" from attempt
    where campaign_id = ${campaignId} order by id`);

/** A call that the runtime has accepted, with an answer time one minute in the past. */
async function answeredCall(number: number): Promise<{ campaignId: number; requestId: string }> {
  const { id } = await rig.campaign({ contacts: numbers(1, 13_900_000_000 + number), maxRetries: 0 });
  await rig.start(id);
  await waitUntil('the call to be accepted', () => starts.length === 1);
  await waitUntil('the answer to be stored', async () => (await rows(id))[0]?.status === 'answered');
  await rig.server.running.context.database.run(
    sql`update attempt set answered_at = answered_at - interval '1 minute' where campaign_id = ${id}`,
  );
  return { campaignId: id, requestId: (await rows(id))[0]?.requestId ?? '' };
}

async function speechOf(requestId: string): Promise<CallContext['speech']> {
  return rig.server.running.context.redis.run(async redis => {
    const [key = ''] = (await redis.keys(`c:*:${requestId}`)).filter(name => !name.includes('seg'));
    const snapshot = await redis.hget(key, 'snapshot');
    return snapshot === null ? undefined : (JSON.parse(snapshot) as { context: CallContext }).context.speech;
  });
}

test('a mute runtime keeps no customer longer because the cache is lost: the apology follows it, not a second mute runtime [I9, D7.11]', async () => {
  await startRuntimes({ reportsStart: false });
  const { campaignId } = await answeredCall(1_000);
  await wipe();
  const ended = await waitUntil('the apology', async () => (await rows(campaignId)).find(({ status }) => status === 'failed'));
  expect(ended.hangupCause).toBe('RUNTIME_UNAVAILABLE');
  const [first, again, ...others] = starts.map(({ runtimeId }) => runtimeId);
  expect([again, others]).toEqual([first, []]);
});

test('a runtime that was heard before the loss of the cache continues without a sign [D7.11]', async () => {
  await startRuntimes({ reportsStart: true });
  const { campaignId, requestId } = await answeredCall(2_000);
  await waitUntil('the first word to be stored', async () => (await rows(campaignId))[0]?.heardRuntime === starts[0]?.runtimeId);
  await wipe();
  const speech = await waitUntil('the call to be accepted again', async () => (starts.length === 2 ? speechOf(requestId) : null));
  expect(speech).toMatchObject({ hasBegun: true });
  await rig.server.internal('POST', '/api/call-results', { requestId, callStatus: 'completed' });
  await waitUntil('the result', async () => (await rows(campaignId))[0]?.status === 'completed');
});
