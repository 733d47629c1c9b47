import { natsLiveDeltas } from '#platform/nats/signals.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import { redisLiveCallStore } from '#calls/live-call-store.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { type CallActorEvent, callAggregate, type CallHost, type CallMeta, type CallState, openCall } from '#calls/call-actor.ts';
import { publishCall } from '#calls/publish-call.ts';
import type { Bus } from '#platform/nats/bus.ts';

const WAITS = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 };

/** The live-call part of an instance: it commits to the cache and publishes to other instances over the bus, but dials nothing. */
export function watchedCalls(redis: RedisLink, bus: Bus, campaignId: number, waits = WAITS) {
  const clock = systemClock;
  // Publishes at once: the test watches the calls and expects each delta without delay.
  const deltas = natsLiveDeltas({ ...bus, publishCalmly: (subject, delta) => bus.publish(subject, delta) });
  const liveCalls = redisLiveCallStore(redis);
  const aggregate = callAggregate();
  const noEffects = new Proxy<Record<string, () => Promise<void>>>({}, { get: () => () => Promise.resolve() });
  const host: CallHost = new ActorHost<CallState, CallActorEvent>(
    { store: redisActorStore(redis), clock, random: seededRandom(1), ids: systemIds, log: silentLog },
    { aggregate, executors: noEffects, committed: (requestId, committed) => publishCall({ deltas, clock }, requestId, committed) },
  );
  return {
    deltas,
    liveCalls,
    start: (requestId: string) => openCall(host, metaOf(requestId, campaignId), waits),
    send: (requestId: string, event: CallActorEvent) => host.send(requestId, event, systemIds()),
    async say(requestId: string, segmentId: string, text = segmentId) {
      const at = clock.now();
      const segment = {
        segmentId,
        speaker: 'customer',
        text,
        final: true,
        startMs: null,
        endMs: null,
        nodeId: null,
        at,
        seq: null,
      } as const;
      const appended = await liveCalls.appendSegments(requestId, [segment]);
      if (!appended) throw new Error('no such call');
      deltas.publish({ requestId, campaignId, kind: 'segment', version: appended.version, at, data: { segment } });
    },
  };
}

function metaOf(requestId: string, campaignId: number): CallMeta {
  return {
    requestId,
    attemptId: 1,
    batchId: null,
    campaignId,
    campaignName: '活动',
    businessCode: 'retail',
    contactId: 1,
    phoneNumber: '13900000001',
    customerName: '',
    cellId: 'cell-1',
    scriptId: null,
    scriptVersion: null,
    businessConfig: {},
    metadata: {},
    lineId: 1,
    callerNumber: null,
    startedAt: systemClock.now(),
  };
}
