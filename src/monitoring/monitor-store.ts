import { assert } from '#kernel/assert.ts';
import type { MonitorRegistry, MonitorCalls, MonitorCapacity, MonitorStep, Placement, ReleaseOutcome } from './monitor-registry.ts';
import { defineScript, type RedisLink } from '#platform/redis/client.ts';
import { MONITOR_PREFIX, SLOT_PREFIX } from '#platform/redis/keys.ts';
import { replied } from '#platform/redis/gathered-eval.ts';

const RUN = defineScript('run-monitors-1.lua', import.meta.url);
const MIRROR = defineScript('mirror-monitors-1.lua', import.meta.url);
const TOLD = defineScript('confirm-watches-1.lua', import.meta.url);
const LIST = defineScript('list-monitors-1.lua', import.meta.url);
const COUNT = defineScript('count-monitors-1.lua', import.meta.url);

/** A call in a step's result; without `user` it is waiting. */
interface Row {
  requestId: string;
  fence: number;
  since: number;
  /** User ids, separated by commas. */
  kept: string;
  user?: number;
  agent?: number;
  name?: string;
  at?: number;
}

interface Answer {
  // Lua encodes an empty list as an object.
  changes: Row[] | Record<string, never>;
  /** A string, because Lua's JSON keeps only 14 digits of a number. */
  rev?: string;
  mirror?: { user: string; room: number; camps: string; untilMs: string }[] | Record<string, never>;
  joined?: boolean;
  expiresAt?: number;
  outcome?: ReleaseOutcome;
}

/** The monitor registry, stored in Redis. */
export function redisMonitorRegistry(redis: RedisLink): MonitorRegistry {
  const run = async (op: string, members: Record<string, unknown> = {}) => {
    const answer = JSON.parse(
      String(await redis.eval(RUN, { keys: [MONITOR_PREFIX], args: [JSON.stringify({ op, ...members })] })),
    ) as Answer;
    await mirror(redis, answer);
    return answer;
  };
  const step = async (op: string, members: Record<string, unknown> = {}) => stepOf(await run(op, members));
  const capacities = async (userIds: readonly (number | null)[]): Promise<MonitorCapacity[]> => {
    const counts = (await redis.eval(COUNT, { keys: [MONITOR_PREFIX], args: userIds.map(userId => userId ?? '') })) as number[];
    const [used = 0, total = 0, waiting = 0, ...shares] = counts;
    return userIds.map((_, index) => ({ mine: shares[index] ?? 0, used, total, waiting }));
  };
  const ofUser = (userId: number, requestId: string) => ({ user: String(userId), call: requestId });

  return {
    async beat({ userId, displayName, agentId, cellId, capacity, capacityAfterClaim: freed = capacity, campaignId, tabId, ttlMs }) {
      const members = {
        user: String(userId),
        name: displayName,
        agent: agentId ?? '',
        cell: cellId ?? '',
        capacity,
        freed,
        tab: tabId,
        ttlMs,
      };
      const answer = await run('beat', { ...members, campaign: campaignId === null ? '' : String(campaignId) });
      return { ...stepOf(answer), expiresAt: answer.expiresAt ?? 0 };
    },
    leave: userId => step('leave', { user: String(userId) }),
    async release(userId, requestId) {
      const answer = await run('release', ofUser(userId, requestId));
      return { ...stepOf(answer), outcome: answer.outcome ?? 'not_assigned' };
    },
    offer: ({ requestId, campaignId, cellId, priority, hasIntent, isStrict }) =>
      step('offer', { call: requestId, campaign: campaignId, cell: cellId, priority, intent: hasIntent ? 1 : 0, strict: isStrict ? 1 : 0 }),
    withdraw: requestId => step('withdraw', { call: requestId }),
    raise: requestId => step('raise', { call: requestId }),
    focus: (userId, requestId) => step('focus', ofUser(userId, requestId)),
    pin: (userId, requestId) => step('pin', ofUser(userId, requestId)),
    free: (userId, requestId) => step('free', ofUser(userId, requestId)),
    tick: limit => step('tick', { limit }),

    async confirm(watches) {
      if (watches.length === 0) return;
      await redis.eval(TOLD, { keys: [MONITOR_PREFIX], args: watches.flatMap(({ requestId, watch }) => [requestId, watch.fence]) });
    },

    async callsOf(userId): Promise<MonitorCalls> {
      const [assigned, retained, focus, past] = await redis.run(async client => {
        const pipeline = client
          .pipeline()
          .zrange(`${MONITOR_PREFIX}has:${userId}`, 0, '-1')
          .smembers(`${MONITOR_PREFIX}keeps:${userId}`)
          .hget(`${MONITOR_PREFIX}user:${userId}`, 'focus')
          .zrange(`${MONITOR_PREFIX}past:${userId}`, 0, '-1');
        return replied(await pipeline.exec()) as [string[], string[], string | null, string[]];
      });
      return { assigned, retained, focus, past };
    },

    async capacity(userId) {
      const [capacity] = await capacities([userId]);
      assert(capacity, 'one capacity for one user');
      return capacity;
    },
    capacities,

    async present() {
      const listed = (await redis.eval(LIST, { keys: [MONITOR_PREFIX], args: [] })) as [string, string, string, number][];
      return listed
        .map(([user, displayName, capacity, watched]) => ({ userId: Number(user), displayName, capacity: Number(capacity), watched }))
        .sort((a, b) => a.userId - b.userId);
    },
  };
}

/** Copies capacities to the slots' shard; a lost write is corrected by the next heartbeat. */
async function mirror(redis: RedisLink, { rev, mirror: rows }: Answer): Promise<void> {
  if (rev === undefined) return;
  const pictures = listed(rows).flatMap(({ user, room, camps, untilMs }) => [user, `${untilMs} ${room} ${camps}`]);
  await redis.eval(MIRROR, { keys: [SLOT_PREFIX], args: [rev, ...pictures] });
}

function stepOf({ changes, joined }: Answer): MonitorStep {
  return { changes: listed(changes).map(placementOf), hasJoined: joined ?? false };
}

function placementOf({ requestId, fence, since, kept, user, agent, name, at }: Row): Placement {
  const retainedBy = kept === '' ? [] : kept.split(',').map(Number);
  const monitor = user === undefined ? null : { userId: user, agentId: agent ?? null, displayName: name ?? '', assignedAt: at ?? since };
  return { requestId, watch: { fence, monitor, retainedBy, waitingSince: monitor ? null : since } };
}

function listed<Item>(items: Item[] | Record<string, never> | undefined): Item[] {
  return Array.isArray(items) ? items : [];
}
