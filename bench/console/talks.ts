import { randomUUID } from 'node:crypto';
import { connectNats } from '#platform/nats/connect.ts';
import { connectRedis } from '#platform/redis/client.ts';
import { INTERNAL_TOKEN } from '#bench/support/server-process.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { BUS_TIMES } from '#test/support/nats.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';
import type { BenchContext } from '#tools/commands/bench-context.ts';

const CAMPAIGN = 1;
const HOUR_MS = 3_600_000;
const WAITS = { dialTimeoutMs: HOUR_MS, graceMs: HOUR_MS, resultGraceMs: HOUR_MS };

/** Opens answered calls that last as long as the bench, in the state that their actors leave in the cache; nothing is dialled. */
export async function openTalks(context: BenchContext, clock: Clock, count: number): Promise<string[]> {
  const redis = await connectRedis({ url: context.redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  const bus = await connectNats({ ...BUS_TIMES, url: context.natsUrl, clientName: 'bench' }, { clock, log: silentLog });
  const calls = watchedCalls(redis, bus, CAMPAIGN, WAITS);
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    await calls.start(id);
    await calls.send(id, { type: 'channelAnswered', at: clock.now() });
  }
  await bus.close();
  await redis.close();
  return ids;
}

/** Number of captions by which a sentence becomes complete. */
const PARTS = 3;
const SENTENCES = [
  '您好，这里是示例营业厅，给您做一个简短的春季回访。',
  '好的，我知道了，您说的这个活动什么时候开始？',
  '续约后每月比现在少二十元，没有别的费用。',
  '我得跟家里人商量一下，能不能下周再打过来？',
];
const ROUND_MS = 100;
/** Most events of one request: a backlog takes several. */
const MAX_EVENTS = 500;
const TIMEOUT_MS = 10_000;
/** Consecutive refusals before the bench fails: a single refusal only lowers the rate, and must not cost half an hour of measurements. */
const MOST_REFUSED = 20;

/** Sends captions at a steady rate through `POST /api/call-progress`, each sentence growing, until `signal` aborts. */
export async function speak(
  url: string,
  calls: readonly string[],
  perSecond: number,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
) {
  const startedAt = clock.monotonic();
  let said = 0;
  let refused = 0;
  while (!signal.aborted) {
    const due = Math.floor(((clock.monotonic() - startedAt) / 1_000) * perSecond);
    const events = Array.from({ length: Math.min(due - said, MAX_EVENTS) }, (_, index) => captionOf(calls, said + index));
    const problem = events.length === 0 ? null : await problemOf(post(url, events));
    refused = problem === null ? 0 : refused + 1;
    if (problem !== null && refused > MOST_REFUSED) throw problem;
    if (problem === null) said += events.length;
    await sleep(clock, ROUND_MS, signal);
  }
  return said;
}

/** Caption number `index`: calls take turns, and each sentence grows part by part. */
function captionOf(calls: readonly string[], index: number) {
  const turn = Math.floor(index / calls.length);
  const sentence = Math.floor(turn / PARTS);
  const part = (turn % PARTS) + 1;
  const text = SENTENCES[(sentence + index) % SENTENCES.length] ?? '';
  const segment = {
    segmentId: `s${sentence}`,
    speaker: sentence % 2 === 0 ? 'bot' : 'customer',
    text: text.slice(0, Math.ceil((text.length * part) / PARTS)),
    final: part === PARTS,
  };
  return { requestId: calls[index % calls.length], kind: 'segment', nodeId: 'offer', segment };
}

function problemOf(work: Promise<void>): Promise<Error | null> {
  return work.then(
    () => null,
    (error: Error) => error,
  );
}

async function post(url: string, events: readonly object[]): Promise<void> {
  const answer = await fetch(`${url}/api/call-progress`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Callout-Internal-Token': INTERNAL_TOKEN },
    body: JSON.stringify({ events }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`captions were not taken: ${answer.status} ${await answer.text()}`);
}
