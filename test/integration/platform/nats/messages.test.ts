import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { natsActorCarrier } from '#platform/nats/actor-carrier.ts';
import { connectNats } from '#platform/nats/connect.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisServerKey } from '#platform/redis/server-key.ts';
import {
  COMMAND_ID_HEADER,
  type Delivery,
  type Envelope,
  SENT_AT_HEADER,
  SIGNATURE_HEADER,
  signedParts,
} from '#protocol/actor-messages.ts';
import { actorSubject } from '#protocol/subjects.ts';
import { serveActors } from '#serve/engine-part.ts';
import { ActorRouter } from '#platform/actor-host/actor-router.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { sign } from '#kernel/signature.ts';
import { currentTrace, inTrace } from '#kernel/trace.ts';
import { BUS_TIMES, freshNats } from '#test/support/nats.ts';
import { freshRedis } from '#test/support/redis.ts';
import { waitUntil } from '#test/support/wait-until.ts';

// Messages between actors on a real NATS and a real Redis: two instances with connections of their own, and an outsider on the same open
// bus.

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const stack = new AsyncDisposableStack();
let nats: Awaited<ReturnType<typeof freshNats>>;
let redis: RedisLink;
let instances: Awaited<ReturnType<typeof instance>>[];
let heard: { by: number; id: string; commandId: string; trace: string | undefined }[] = [];

async function instance(by: number) {
  const bus = await connectNats({ ...BUS_TIMES, url: nats.url, clientName: `instance ${by}` }, { clock: systemClock, log: silentLog });
  stack.defer(() => bus.close());
  const serverKey = redisServerKey(redis, systemClock);
  const actors = new ActorRouter({
    carrier: natsActorCarrier({ bus, key: serverKey, ids: systemIds, clock: systemClock }),
    clock: systemClock,
    log: silentLog,
  });
  const seen = new Set<string>();
  actors.register('agent', {
    async send(id, _event, commandId): Promise<{ kind: Delivery }> {
      heard.push({ by, id, commandId, trace: currentTrace() });
      const kind = seen.has(commandId) ? 'duplicate' : 'applied';
      seen.add(commandId);
      return { kind };
    },
  });
  // The handler of client commands takes more than this test needs.
  const deps = { actors, serverKey, clock: systemClock, ids: systemIds, log: silentLog } as unknown as Parameters<typeof serveActors>[0];
  stack.defer(serveActors(deps, bus));
  return { bus, actors, serverKey };
}

beforeAll(async () => {
  nats = await freshNats();
  stack.defer(() => nats.stop());
  const fresh = await freshRedis();
  stack.defer(() => fresh.release());
  redis = await connectRedis({ url: fresh.url, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  stack.defer(() => redis.close());
  instances = [await instance(0), await instance(1)];
});
afterAll(() => stack.disposeAsync());
beforeEach(() => {
  heard = [];
});

const envelope = (commandId: string): Envelope => ({
  to: { type: 'agent', id: '7' },
  event: { type: 'released', fence: 'a leg', at: 1 },
  commandId,
});
const sender = () => {
  const [one] = instances;
  if (!one) throw new Error('the instances have started');
  return one;
};

test('any instance handles a message, with its command id and its trace [A1.9, A4]', async () => {
  await inTrace(TRACE, async () => {
    for (let index = 0; index < 40; index++) expect(await sender().actors.send(envelope(`c${index}`))).toBe('applied');
  });
  expect(new Set(heard.map(({ by }) => by))).toEqual(new Set([0, 1]));
  expect(heard.map(({ commandId }) => commandId)).toEqual(Array.from({ length: 40 }, (_, index) => `c${index}`));
  expect(new Set(heard.map(({ trace }) => trace))).toEqual(new Set([TRACE]));
});

describe('an outsider on an open bus', () => {
  const { event, to } = envelope('forged');
  const subject = actorSubject(to.type, to.id, event.type);
  const ask = (headers?: Record<string, string>, body: unknown = event) => sender().bus.request(subject, body, 2_000, headers);

  test('without a signature it sends a client command, which does not exist', async () => {
    expect(await ask()).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    expect(heard).toEqual([]);
  });

  test('with a forged signature, or one made for another message, it is refused', async () => {
    const key = await sender().serverKey.read();
    const sentAt = String(systemClock.now());
    const parts = signedParts({ subject, commandId: 'forged', sentAt, event });
    const headers = { [COMMAND_ID_HEADER]: 'forged', [SENT_AT_HEADER]: sentAt, [SIGNATURE_HEADER]: sign(key, parts) };
    const refused = { ok: false, code: 'UNAUTHENTICATED' };
    expect(await ask({ ...headers, [SIGNATURE_HEADER]: sign('guessed', parts) })).toMatchObject(refused);
    expect(await ask({ ...headers, [COMMAND_ID_HEADER]: 'another' })).toMatchObject(refused);
    expect(await ask(headers, { ...event, fence: 'another leg' })).toMatchObject(refused);
    expect(await ask({ ...headers, [SENT_AT_HEADER]: String(systemClock.now() + 1) })).toMatchObject(refused);
    expect(heard).toEqual([]);
  });

  test('a message signed by a server is still validated', async () => {
    const body = { type: 'released', at: 1 };
    const sentAt = String(systemClock.now());
    const signature = sign(await sender().serverKey.read(), signedParts({ subject, commandId: 'odd', sentAt, event: body }));
    const headers = { [COMMAND_ID_HEADER]: 'odd', [SENT_AT_HEADER]: sentAt, [SIGNATURE_HEADER]: signature };
    expect(await ask(headers, body)).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

test('while the bus is down a message is handled by the sender itself, and over the bus again afterwards [A1.9]', async () => {
  await nats.kill();
  await waitUntil('the bus to be gone', () => !sender().bus.isConnected());
  expect(await sender().actors.send(envelope('alone'))).toBe('applied');
  expect(heard).toEqual([expect.objectContaining({ by: 0, commandId: 'alone' })]);
  await nats.restart();
  await waitUntil('both to be back', () => instances.every(({ bus }) => bus.isConnected()));
  heard = [];
  await waitUntil('the other to take one', async () => {
    await sender().actors.send(envelope(systemIds()));
    return heard.some(({ by }) => by === 1);
  });
}, 60_000);

test('after a wipe of the cache the instances agree on a key again, and no message is lost meanwhile', async () => {
  await redis.run(client => client.flushdb());
  const late = await instance(2);
  await late.serverKey.read();
  for (let index = 0; index < 10; index++) expect(await sender().actors.send(envelope(`w${index}`))).toMatch(/applied|duplicate/);
  heard = [];
  await waitUntil('the new one to take one', async () => {
    await sender().actors.send(envelope(systemIds()));
    return heard.some(({ by }) => by === 2);
  });
  expect(await sender().serverKey.read()).toBe(await late.serverKey.read());
}, 60_000);
