import { redisActorStore } from '#platform/redis/actor-store.ts';
import { connectRedis } from '#platform/redis/client.ts';
import { SLOT_PREFIX } from '#platform/redis/keys.ts';
import { redisLiveCallStore } from '#calls/live-call-store.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callAggregate, callJournal, type CallMeta, openCall } from '#calls/call-actor.ts';

const CALLS = 1_000;
const SEGMENTS = 30;
/** Thirty words, about one breath. */
const TEXT = '您好，这里是客户服务中心，请问您今天下午方便接听一个简短的回访电话吗？';
const MAX_CONCURRENCY = 10_000;
const UNPACED = 1_000_000_000;

/** Bytes in Redis for one live call with its slot, its actor, its journal, its timers and 30 captions. */
export async function redisBytesPerCall(redisUrl: string): Promise<number> {
  const redis = await connectRedis({ url: redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 999 });
  const usedMemory = async () => Number(/used_memory:(\d+)/.exec(await redis.run(client => client.info('memory')))?.[1]);
  const slots = redisSlotRegistry(redis, { leaseMs: 30_000 });
  const liveCalls = redisLiveCallStore(redis);
  const host = new ActorHost(
    { store: redisActorStore(redis), clock: systemClock, random: systemRandom, ids: systemIds, log: silentLog },
    { aggregate: callAggregate(), journal: callJournal(), executors: NOTHING_FOLLOWS },
  );
  await redis.run(client => client.set(`${SLOT_PREFIX}epoch`, '1'));
  const before = await usedMemory();
  for (let index = 0; index < CALLS; index++) {
    const requestId = systemIds();
    await holdSlot(slots, requestId);
    await openCall(host, metaOf(requestId, index), { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 });
    for (const [at, event] of SO_FAR.entries()) await host.send(requestId, event, `${event.type}:${at}`);
    await host.idle();
    await liveCalls.appendSegments(requestId, segments());
  }
  const after = await usedMemory();
  await redis.run(client => client.flushdb());
  await redis.close();
  return (after - before) / CALLS;
}

/** What has happened to a call in its first minute; each is a commit here, although most come together. */
const SO_FAR: readonly CallEvent[] = [
  { type: 'channelCreated' },
  { type: 'channelRinging' },
  { type: 'channelAnswered', at: 1_800_000_000_000 },
  { type: 'runtimeAccepted', runtimeId: 'runtime-1', epoch: 1 },
  { type: 'runtimeStarted', at: 1_800_000_000_000, runtimeId: 'runtime-1', epoch: 1 },
];

/** The effects of these events are done as soon as they are due. */
const NOTHING_FOLLOWS = Object.fromEntries(['recordAnswered', 'startRuntime', 'noteSpoke'].map(type => [type, () => Promise.resolve()]));

async function holdSlot(slots: ReturnType<typeof redisSlotRegistry>, requestId: string): Promise<void> {
  await slots.reserve({
    campaignId: 1,
    weight: 1,
    campaignMax: MAX_CONCURRENCY,
    callIntervalMs: 0,
    lines: [{ lineId: 1, max: MAX_CONCURRENCY, mode: 'single_shared', numbers: [], sharedNumber: '02160000001' }],
    cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: UNPACED }],
    requestIds: [requestId],
  });
  await slots.confirm([requestId]);
}

function metaOf(requestId: string, index: number): CallMeta {
  return {
    requestId,
    attemptId: index,
    batchId: 1,
    campaignId: 1,
    campaignName: '春季回访',
    businessCode: 'retail',
    contactId: index,
    phoneNumber: '13900000000',
    customerName: '王先生',
    cellId: 'cell-1',
    lineId: 1,
    callerNumber: '02160000001',
    scriptId: 1,
    scriptVersion: 1,
    businessConfig: { variables: { company: '示例公司', product: '春季套餐' } },
    metadata: { 城市: '上海', 等级: '3' },
    startedAt: systemClock.now(),
  };
}

function segments() {
  return Array.from({ length: SEGMENTS }, (_, index) => ({
    segmentId: `s${index}`,
    speaker: index % 2 === 0 ? ('bot' as const) : ('customer' as const),
    text: TEXT,
    final: true,
    startMs: index * 2_000,
    endMs: index * 2_000 + 1_800,
    nodeId: `node-${index % 7}`,
    at: systemClock.now(),
    seq: index,
  }));
}
