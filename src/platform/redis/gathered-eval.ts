import type { ChainableCommander } from 'ioredis';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { RedisLink, RedisScript, ScriptCall } from './client.ts';

/**
 * Results of a pipeline's commands. To be called inside `RedisLink.run`.
 *
 * Why:    a pipeline does not reject when its commands fail, even without a connection. A failed command must not look like a missing key,
 *         nor throw where its error is not mapped to CACHE_UNAVAILABLE
 * Errors: the error of the first failed command
 */
export function replied(replies: readonly [error: Error | null, value: unknown][] | null): unknown[] {
  return (replies ?? []).map(([error, value]) => {
    if (error) throw error;
    return value;
  });
}

/** Limit of calls per round trip: the first reply arrives no sooner than the last. */
const MAX_GATHERED = 200;

/**
 * Combines the calls of one event loop turn into one round trip.
 *
 * Why: a write to the socket costs as much as a script; a frequent call waits only for the end of the turn
 */
export function gathered<Question, Reply = void>(
  write: (questions: readonly Question[]) => Promise<readonly Reply[] | void>,
  maxBatch: number = MAX_GATHERED,
): (question: Question) => Promise<Reply> {
  const batcher = new MicroBatcher<Question, Reply>({ maxBatch, linger: setImmediate, write });
  return question => batcher.add(question);
}

/** Runs a script for several callers. Errors: CACHE_UNAVAILABLE, for all calls of the round trip; some may have happened */
export function gatheredEval(redis: RedisLink, script: RedisScript, maxBatch?: number): (call: ScriptCall) => Promise<unknown> {
  return gathered(calls => redis.evalMany(script, calls), maxBatch);
}

/** Reads the same members of several hashes. Errors: CACHE_UNAVAILABLE, for all calls of the round trip */
export function gatheredMembers(redis: RedisLink, members: readonly string[]): (key: string) => Promise<(string | null)[]> {
  return gatheredReads(redis, (pipeline, key) => pipeline.hmget(key, ...members));
}

/** Reads several texts; null when a key is missing. Errors: CACHE_UNAVAILABLE, for all calls of the round trip */
export function gatheredTexts(redis: RedisLink): (key: string) => Promise<string | null> {
  return gatheredReads(redis, (pipeline, key) => pipeline.get(key));
}

/** `Reply` is the reply of Redis to the command that `ask` adds. */
function gatheredReads<Reply>(
  redis: RedisLink,
  ask: (pipeline: ChainableCommander, key: string) => unknown,
): (key: string) => Promise<Reply> {
  return gathered(keys =>
    redis.run(async client => {
      const pipeline = client.pipeline();
      for (const key of keys) ask(pipeline, key);
      return replied(await pipeline.exec()) as Reply[];
    }),
  );
}
