import { randomUUID } from 'node:crypto';
import { callMachine } from '#actors/call/machine.ts';
import type { CallContext } from '#actors/call/context.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callAggregate, type CallState } from '#calls/call-actor.ts';
import { firstDecision } from '#platform/actor-host/machine-aggregate.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import type { RedisLink } from '#platform/redis/client.ts';

/** An answered call whose runtime serves it. */
const ANSWERED: CallEvent = { type: 'channelAnswered', at: 1 };

/** Creates live calls as the product stores them, each served by the given runtime (null: an unregistered one); resolves to their request ids. */
export async function openCalls(redis: RedisLink, count: number, { runtimeId, epoch }: { runtimeId: string | null; epoch: number }) {
  const store = redisActorStore(redis);
  const snapshot = liveSnapshot([ANSWERED, { type: 'runtimeAccepted', runtimeId, epoch }]);
  const calls = Array.from({ length: count }, () => randomUUID());
  for (const requestId of calls) {
    const meta = JSON.stringify({ requestId, attemptId: 1, campaignId: 1, campaignName: '活动', cellId: 'none', businessConfig: {} });
    await store.commit(requestId, { expectedVersion: 0, commandId: 'open', snapshot, meta, timers: {}, effects: [], effectLeaseMs: 5_000 });
  }
  return calls;
}

const WAITS = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000, epoch: 1 };

function liveSnapshot(life: readonly CallEvent[]): string {
  const calls = callAggregate();
  const state = life.reduce<CallState>(
    (before, event) => calls.decide(before, event)?.state ?? before,
    firstDecision<CallContext>(callMachine, WAITS).state,
  );
  return calls.serialize(state);
}
