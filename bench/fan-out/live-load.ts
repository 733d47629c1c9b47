import { randomUUID } from 'node:crypto';
import { connectNats } from '#platform/nats/connect.ts';
import { connectRedis } from '#platform/redis/client.ts';
import type { BenchContext } from '#tools/commands/bench-context.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';
import { BUS_TIMES } from '#test/support/nats.ts';

export const CAMPAIGN = 1;
/** Occurs once in every event. */
export const MARKER = 'SEGMARK';
const TEXT = '好的，我知道了，您说的这个活动什么时候开始？'.repeat(2);
const HOUR_MS = 3_600_000;

/** Opens calls that stay live for the duration of a bench. */
export async function openLiveCalls(context: BenchContext, count: number): Promise<string[]> {
  const redis = await connectRedis({ url: context.redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  const bus = await connectNats({ ...BUS_TIMES, url: context.natsUrl, clientName: 'bench' }, { clock: systemClock, log: silentLog });
  const calls = watchedCalls(redis, bus, CAMPAIGN, { dialTimeoutMs: HOUR_MS, graceMs: HOUR_MS, resultGraceMs: HOUR_MS });
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) await calls.start(id);
  await bus.close();
  await redis.close();
  return ids;
}

/** Body of `POST /api/call-progress`; every server of the benches accepts it. */
export function segmentBody(calls: readonly string[], index: number, more = ''): string {
  const requestId = calls[index % calls.length];
  const segment = { segmentId: `s${index}`, speaker: 'customer', text: `${MARKER}${index} ${TEXT}${more}` };
  return JSON.stringify({ requestId, kind: 'segment', segment });
}
