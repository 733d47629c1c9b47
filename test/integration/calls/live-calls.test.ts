import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectNats, type NatsBus } from '#platform/nats/connect.ts';
import { natsLiveDeltas } from '#platform/nats/signals.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisLiveCallStore } from '#calls/live-call-store.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { watch } from '#platform/feeds/fan-out.ts';
import { EVERY_CALL } from '#calls/live-call-scope.ts';
import { liveCallsFeed, type LiveCallsEvent } from '#calls/live-calls-feed.ts';
import { BUS_TIMES, freshNats } from '#test/support/nats.ts';
import type { PrivateService } from '#test/support/private-service.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let cache: FreshRedis;
let nats: PrivateService;
let redis: RedisLink;
const buses: NatsBus[] = [];

beforeAll(async () => {
  [cache, nats] = await Promise.all([freshRedis(), freshNats()]);
  redis = await connectRedis({ url: cache.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  for (const clientName of ['first', 'second'])
    buses.push(await connectNats({ ...BUS_TIMES, url: nats.url, clientName }, { clock: systemClock, log: silentLog }));
});

afterAll(async () => {
  for (const bus of buses) await bus.close();
  await redis.close();
  await Promise.all([cache.release(), nats.stop()]);
});

const CAMPAIGN = 7;

function instanceOn(bus: NatsBus) {
  const calls = watchedCalls(redis, bus, CAMPAIGN);
  return { ...calls, feed: () => liveCallsFeed({ ...calls, bus, cache: redis, ids: systemIds, clock: systemClock, log: silentLog }) };
}

/** State of a client that relies on its events; an unreported gap fails. */
function believe(events: readonly LiveCallsEvent[]): Map<string, number> {
  let known = new Map<string, number>();
  for (const event of events) {
    if (event.kind === 'resync') known = new Map();
    else if (event.kind === 'snapshot') known = new Map(event.state.calls.map(call => [call.requestId, call.version]));
    else if (event.change.kind === 'repaired' || event.change.kind === 'forgotten') {
      const { call, callKey } = event.change;
      if (call) known.set(call.requestId, call.version);
      else known.delete(callKey.slice('request:'.length));
    } else {
      const { call } = event.change;
      expect(call.version).toBe((known.get(call.requestId) ?? 0) + 1);
      known.set(call.requestId, call.version);
    }
  }
  return known;
}

async function truth(): Promise<Map<string, number>> {
  const store = redisLiveCallStore(redis);
  return store.versions(await store.listIds(1_000));
}

test('two instances that work on the same calls report everything to a third one’s feed, whenever it joins [I8]', async () => {
  const [firstBus, secondBus] = pair();
  const [first, second] = [instanceOn(firstBus), instanceOn(secondBus)];
  const feed = second.feed();
  const clients: LiveCallsEvent[][] = [];
  const work = Array.from({ length: 60 }, async (_, index) => {
    const requestId = randomUUID();
    const [one, other] = index % 2 === 0 ? [first, second] : [second, first];
    await one.start(requestId);
    if (index % 10 === 0) {
      const events: LiveCallsEvent[] = [];
      clients.push(events);
      watch(feed.channel({ ...EVERY_CALL, campaignId: CAMPAIGN }), event => events.push(event));
    }
    await Promise.all([
      one.send(requestId, { type: 'channelRinging' }),
      other.say(requestId, 's1'),
      other.send(requestId, { type: 'dialAccepted' }),
    ]);
    await Promise.all([other.send(requestId, { type: 'channelAnswered', at: 1 }), one.say(requestId, 's2'), other.say(requestId, 's3')]);
    if (index % 3 === 0) await one.send(requestId, { type: 'resultReported' });
  });
  await Promise.all(work);
  const stored = await truth();
  expect(stored.size).toBe(60);
  await waitUntil('everybody to hold what the store has', () => clients.every(events => sameCalls(believe(events), stored)));
  expect(clients.flat().filter(event => event.kind === 'resync')).toEqual([]);
  feed.close();
});

function sameCalls(a: Map<string, number>, b: Map<string, number>): boolean {
  return a.size === b.size && [...a].every(([id, version]) => b.get(id) === version);
}

test('while the bus is down the store is polled every second; after its return every client starts over and is correct again [A4, I8]', async () => {
  const [firstBus, secondBus] = pair();
  const [first, second] = [instanceOn(firstBus), instanceOn(secondBus)];
  const feed = second.feed();
  const events: LiveCallsEvent[] = [];
  watch(feed.channel(EVERY_CALL), event => events.push(event));
  await waitUntil('the snapshot', () => events.length > 0);
  await nats.kill();
  await waitUntil('both to notice', () => buses.every(bus => !bus.isConnected()));
  const requestId = randomUUID();
  await first.start(requestId);
  await first.say(requestId, 's1');
  await waitUntil('the look that finds the call', () => believe(events).get(requestId) === 2);
  expect(feed.state()).toEqual({ source: 'poll', calls: expect.any(Number) });
  await nats.restart();
  await waitUntil('the new start', () => events.some(event => event.kind === 'resync' && event.reason === 'DISCONNECTED'));
  await waitUntil('both to be back', () => buses.every(bus => bus.isConnected()));
  await first.say(requestId, 's2');
  await waitUntil('the next change', () => believe(events).get(requestId) === 3);
  feed.close();
});

test('an outage of the cache is reported, and nothing is guessed', async () => {
  const [bus] = pair();
  const away = await connectRedis({ url: cache.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  const feed = liveCallsFeed({
    deltas: natsLiveDeltas(bus),
    liveCalls: redisLiveCallStore(away),
    bus,
    cache: away,
    ids: systemIds,
    clock: systemClock,
    log: silentLog,
  });
  await away.close();
  const events: LiveCallsEvent[] = [];
  watch(feed.channel({ ...EVERY_CALL, campaignId: CAMPAIGN }), event => events.push(event));
  await waitUntil('the resync', () => events.some(event => event.kind === 'resync' && event.reason === 'SOURCE_UNAVAILABLE'));
  expect(feed.channel(EVERY_CALL).since(null)).toEqual([expect.objectContaining({ kind: 'resync', reason: 'SOURCE_UNAVAILABLE' })]);
  feed.close();
});

function pair(): [NatsBus, NatsBus] {
  const [first, second] = buses;
  if (!first || !second) throw new Error('the buses are not connected');
  return [first, second];
}
