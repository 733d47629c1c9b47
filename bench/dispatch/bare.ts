import type { Database } from '#platform/postgres/database.ts';
import { dialStore } from '#dialling/dial-statements.ts';
import { defineScript, type RedisLink } from '#platform/redis/client.ts';
import { callKeys } from '#platform/redis/keys.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { systemIds } from '#kernel/ids.ts';
import { BATCH_SIZE, CELL_COUNT, SETTINGS } from './product.ts';
import type { DialLoad } from './dial-load.ts';

const COMMIT = defineScript('commit-actor-n.lua');
const FREQUENCY_DAYS = 7;
const MAX_CONCURRENCY = 10_000;
const UNPACED = 1_000_000_000;
/** Concurrent batches, as many as the product has. */
const LANES = 8;

/** The SQL and the Lua of a dispatch in batches, without rules, machines or host: the upper bound of the design. */
export async function dialBare(
  stores: { database: Database; redis: RedisLink },
  load: DialLoad,
  count: number,
): Promise<{ dialled: number }> {
  const dials = dialStore(stores.database);
  const slots = redisSlotRegistry(stores.redis, { leaseMs: SETTINGS.reservationLeaseMs });
  let [claimed, dialled] = [0, 0];
  const finish = async (requestIds: readonly string[]) => {
    await slots.confirm(requestIds);
    await dials.markDialing(requestIds);
    await commit(stores.redis, requestIds, 0);
    await slots.permit(requestIds.map(requestId => ({ requestId, withinMs: 1_000, missed: 0 })));
    await dials.recordProgress(requestIds.map(requestId => ({ requestId, replyText: '+OK' })));
    await commit(stores.redis, requestIds, 1);
    await commit(stores.redis, requestIds, 2);
    await dials.settle(
      requestIds.map(requestId => ({
        requestId,
        status: 'failed',
        callStatus: 'busy',
        hangupCause: 'USER_BUSY',
        hangupBy: 'customer',
        replyText: null,
        endedAt: null,
        answeredAt: null,
      })),
    );
    await slots.release(requestIds);
    await clear(stores.redis, requestIds);
    dialled += requestIds.length;
  };
  const underWay = new Set<Promise<void>>();
  while (claimed < count) {
    const requestIds = await claimBatch(dials, slots, load);
    claimed += requestIds.length;
    const work = finish(requestIds).finally(() => underWay.delete(work));
    underWay.add(work);
    if (underWay.size >= LANES) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return { dialled };
}

async function claimBatch(
  dials: ReturnType<typeof dialStore>,
  slots: ReturnType<typeof redisSlotRegistry>,
  load: DialLoad,
): Promise<string[]> {
  const plan = await dials.loadPlan(load.campaignId);
  const { grants } = await slots.reserve({
    campaignId: load.campaignId,
    weight: 1,
    campaignMax: MAX_CONCURRENCY,
    callIntervalMs: 0,
    lines: [{ lineId: load.lineId, max: MAX_CONCURRENCY, mode: 'single_shared', numbers: [], sharedNumber: '02160000001' }],
    cells: Array.from({ length: CELL_COUNT }, (_, index) => ({ cellId: `cell-${index}`, max: 0, maxPerSecond: UNPACED })),
    requestIds: Array.from({ length: BATCH_SIZE }, () => systemIds()),
  });
  const outcome = await dials.claim({
    campaignId: load.campaignId,
    grants,
    source: 'auto',
    requestedLimit: BATCH_SIZE,
    effectiveLimit: BATCH_SIZE,
    createdBy: null,
    instanceId: 'bare',
    campaignUpdatedAt: plan?.campaign.updatedAt ?? 0,
    policyVersion: plan?.policyVersion ?? 0,
    frequencyDays: FREQUENCY_DAYS,
    validUntil: null,
    admit: candidate => (candidate.doNotCall ? { kind: 'hold', reason: 'dnc', until: null } : { kind: 'admit' }),
    script: null,
  });
  if (outcome.kind !== 'claimed') throw new Error(`the claim is ${outcome.kind}`);
  await slots.release(outcome.unusedRequestIds);
  return outcome.dials.map(dial => dial.requestId);
}

const SNAPSHOT = JSON.stringify({ v: 1, value: { open: 'dialing' }, context: { channelSeen: false, ringing: false, answeredAt: null } });
const META = JSON.stringify({ campaignName: '活动', phoneNumber: '13900000000', customerName: '王先生', businessConfig: {}, metadata: {} });

/** The commits of a batch of call actors in one round trip: the opening with a timer, the reply, and the end with two effects. */
async function commit(redis: RedisLink, requestIds: readonly string[], expectedVersion: 0 | 1 | 2): Promise<void> {
  const effects = ['settleAttempt', 'releaseSlot'].map((type, index) => ({
    effectId: `reply#${index}`,
    body: JSON.stringify({ type, params: {} }),
  }));
  await redis.evalMany(
    COMMIT,
    requestIds.map(id => {
      const keys = callKeys(id);
      const body = {
        id,
        snapshot: SNAPSHOT,
        ...(expectedVersion === 0 ? { meta: META } : {}),
        timers: { timer: 40_000 },
        effects: expectedVersion === 2 ? effects : [],
        effectLeaseMs: 5_000,
      };
      return {
        keys: [keys.actor, keys.due, keys.outboxOrder, keys.outboxBodies, keys.live],
        args: [expectedVersion, `command-${expectedVersion}`, JSON.stringify(body)],
      };
    }),
  );
}

async function clear(redis: RedisLink, requestIds: readonly string[]): Promise<void> {
  await redis.run(async client => {
    const pipeline = client.pipeline();
    for (const id of requestIds) {
      const keys = callKeys(id);
      const members = ['reply#0', 'reply#1'].map(effectId => `${id}|${effectId}`);
      pipeline.zrem(keys.outboxOrder, ...members).hdel(keys.outboxBodies, ...members);
    }
    await pipeline.exec();
  });
}
