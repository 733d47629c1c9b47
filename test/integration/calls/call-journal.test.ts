import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { callJournals } from '#calls/call-journals.ts';
import { replayCall } from '#calls/replay-call.ts';
import { systemClock } from '#kernel/clock.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import { callKeys } from '#platform/redis/keys.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { ADMIN, INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from '../../contract/graphql/graphql-client.ts';

const PROJECT = join(import.meta.dirname, '../../..');
/** Customers stay until somebody hangs up. */
const WORLD = everybody('answer', { talkMs: { minMs: 900_000, maxMs: 900_000 } });

let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: WORLD });
}, 120_000);
afterAll(() => rig.close());

const database = () => rig.server.running.context.database;
let from = 13_700_000_000;

/** A call that a runtime has. */
async function liveCall(): Promise<{ id: number; requestId: string; callKey: string; phoneNumber: string }> {
  from += 1_000_000;
  const { id } = await rig.campaign({ contacts: numbers(1, from) });
  await rig.start(id);
  const attempt = await waitUntil('the customer to answer', async () =>
    (await rig.attempts(id)).find(({ status }) => status === 'answered'),
  );
  await waitUntil('the runtime to have the call', async () => (await eventsOf(attempt.id)).includes('runtimeAccepted'));
  return { ...attempt, callKey: `request:${attempt.requestId}` };
}

interface Step {
  event: string;
  actor: string;
  decisions: string[];
  state: string;
  takeOver: string | null;
}

const stepsOf = async (id: number): Promise<Step[]> => (await rig.ask('GET', `/api/call-attempts/${id}/steps?limit=500`)).data.rows;
const eventsOf = async (id: number) => (await stepsOf(id)).map(({ event }) => event);

/** A person takes the call over and gives it back, and a user hangs up. */
async function takenOverAndHungUp() {
  const call = await liveCall();
  const { requestId, callKey, id } = call;
  const { data } = await rig.ask('POST', `/api/live-calls/${callKey}/intervene`, {});
  for (const status of ['transferring', 'active', 'ended'])
    await rig.server.internal('POST', '/api/call-progress', {
      requestId,
      kind: 'intervention',
      intervention: { id: data.intervention.id, status, isOwnLeg: true },
    });
  await rig.ask('POST', `/api/live-calls/${callKey}/hangup`);
  await waitUntil('the call to be over', async () => (await stepsOf(id)).at(-1)?.state === 'ended.closed');
  return call;
}

/** Lets the retention time of the call pass. */
async function passRetention(requestId: string): Promise<void> {
  const { due } = callKeys(requestId);
  await rig.server.running.context.redis.run(async redis => {
    const timers = (await redis.zrange(due, 0, '-1')).filter(member => member.startsWith(`${requestId}|`));
    for (const timer of timers) await redis.zadd(due, 'XX', 1, timer);
  });
}

const kept = async (id: number) =>
  database().first(sql<{ body: string }>`select encode(body, 'base64') as body from call_journal where attempt_id = ${id}`);
const isCached = (requestId: string) =>
  rig.server.running.context.redis.run(async redis => (await redis.exists(callKeys(requestId).actor)) === 1);

async function forgotten(call: { id: number; requestId: string }): Promise<void> {
  await passRetention(call.requestId);
  await waitUntil('the call to be forgotten', async () => !(await isCached(call.requestId)));
}

/** What the command finds, without its process. */
async function walked(requestId: string): Promise<string> {
  const { redis } = rig.server.running.context;
  const db = database();
  const { verdict } = await replayCall({ db, callStore: redisActorStore(redis), journals: callJournals(db, systemClock) }, requestId);
  return verdict;
}

/** Runs the command as a person would, in a process of its own. */
function replay(requestId: string): Promise<{ code: number; output: string }> {
  const {
    database: { url },
    cache,
    bus,
  } = rig.server.config;
  const env = {
    PATH: process.env['PATH'],
    CALLOUT_DATABASE_URL: url,
    CALLOUT_REDIS_URL: cache.url,
    CALLOUT_NATS_URL: bus.url,
    CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    CALLOUT_INTERNAL_TOKEN: INTERNAL_TOKEN,
  };
  return new Promise(resolve => {
    const child = execFile(process.execPath, ['src/main.ts', 'replay', requestId], { cwd: PROJECT, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** Changes the kept journal behind the product's back. */
async function tamper(id: number, edit: (text: string) => string): Promise<void> {
  const text = inflateRawSync(Buffer.from((await kept(id))?.body ?? '', 'base64')).toString();
  expect(edit(text)).not.toBe(text);
  const body = deflateRawSync(edit(text)).toString('base64');
  await database().run(sql`update call_journal set body = decode(${body}, 'base64') where attempt_id = ${id}`);
}

describe('a call step by step [D14.9]', () => {
  test('take-over and hang-up are read while the call lasts and after it was forgotten, and the machines walked again end there', async () => {
    const call = await takenOverAndHungUp();
    const live = await stepsOf(call.id);
    expect(live[0]).toMatchObject({ number: 1, event: 'created', sinceMs: 0, state: 'open.dialing', takeOver: null });
    const events = live.map(({ event }) => event);
    for (const event of ['channelAnswered', 'runtimeAccepted', 'interventionClaimed', 'channelHungUp']) expect(events).toContain(event);
    const takeOver = live.filter(({ actor }) => actor === 'intervention').map(step => step.takeOver);
    expect(takeOver).toEqual(['requested', 'transferring', 'active', 'ended']);
    expect(live.find(({ event }) => event === 'channelHungUp')?.decisions).toContain('notifyHangup');
    expect(await walked(call.requestId)).toBe('same');

    await forgotten(call);
    expect(await kept(call.id)).toBeDefined();
    const after = await stepsOf(call.id);
    expect(after.slice(0, live.length)).toEqual(live);
    expect(after.slice(live.length)).toMatchObject([
      { event: 'retention', isTimer: true, decisions: ['forgetCall'], state: 'ended.forgotten' },
    ]);
    const { attempt } = await askFor(rig.server, rig.token, PAGE, { id: String(call.id), after: 2 });
    expect(attempt.steps).toMatchObject({
      total: after.length,
      missing: 0,
      next: 4,
      rows: [{ number: 3, event: after[2]?.event }, { number: 4 }],
    });
    const replayed = await replay(call.requestId.toUpperCase());
    expect(replayed).toMatchObject({ code: 0, output: expect.stringContaining('→ open.live.served, take-over active') });

    await tamper(call.id, text => text.replace('"interventionClaimed"', '"interventionCancelled"'));
    expect(await replay(call.requestId)).toMatchObject({ code: 1, output: expect.stringContaining('is decided otherwise') });
  }, 120_000);

  test('a journal that could not be moved stays in the cache until its row stands, and erasing the person removes both', async () => {
    const [cached, moved] = [await takenOverAndHungUp(), await takenOverAndHungUp()];
    await forgotten(moved);
    // The database refuses the row, as if the server died between the end and the move.
    await database().run(sql`alter table call_journal rename to call_journal_away`);
    await passRetention(cached.requestId);
    await waitUntil('the call to be about to be forgotten', async () => (await cacheSays(cached.requestId)).includes('"forgotten"'));
    await database().run(sql`alter table call_journal_away rename to call_journal`);
    expect(await isCached(cached.requestId)).toBe(true);
    await waitUntil('the row', async () => (await kept(cached.id)) !== undefined, 30_000);
    await waitUntil('the call to be forgotten', async () => !(await isCached(cached.requestId)));
    expect(await walked(cached.requestId)).toBe('same');

    const again = await takenOverAndHungUp();
    for (const { phoneNumber } of [cached, moved, again]) await rig.ask('DELETE', `/api/contacts/by-number/${phoneNumber}`);
    expect(
      await database().first(sql`select 1 from call_journal where attempt_id = any(${[cached.id, moved.id, again.id]}::bigint[])`),
    ).toBeUndefined();
    expect(await isCached(again.requestId)).toBe(false);
    expect(await walked(again.requestId)).toBe('cannot');
  }, 180_000);
});

const PAGE = `query($id: ID!, $after: Int!) { attempt(id: $id) { steps(after: $after, limit: 2) {
  rows { number event decisions state takeOver } next total missing } } }`;

const cacheSays = (requestId: string) =>
  rig.server.running.context.redis.run(async redis => (await redis.hget(callKeys(requestId).actor, 'snapshot')) ?? '');
