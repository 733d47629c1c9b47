import type { ChainableCommander } from 'ioredis';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { RedisLink, ScriptCall } from './client.ts';
import { replied } from './replied.ts';
import type { RedisScript } from './script.ts';

/** Most questions in one round trip: beyond, an answer would wait for the last of them. */
const MAX_GATHERED = 200;

/**
 * The questions of one turn of the event loop leave together.
 *
 * Why: a write to the socket costs as much as a script itself; what is asked all the time waits for nothing but company
 */
export function gathered<Question, Reply = void>(
  write: (questions: readonly Question[]) => Promise<readonly Reply[] | void>,
  maxBatch: number = MAX_GATHERED,
): (question: Question) => Promise<Reply> {
  const batcher = new MicroBatcher<Question, Reply>({ maxBatch, linger: setImmediate, write });
  return question => batcher.add(question);
}

/** Runs a script for many callers. Errors: CACHE_UNAVAILABLE, for all that left together; the others may have happened */
export function gatheredEval(redis: RedisLink, script: RedisScript, maxBatch?: number): (call: ScriptCall) => Promise<unknown> {
  return gathered(calls => redis.evalMany(script, calls), maxBatch);
}

/** Reads the same members of many hashes. Errors: CACHE_UNAVAILABLE, for all that left together */
export function gatheredMembers(redis: RedisLink, members: readonly string[]): (key: string) => Promise<(string | null)[]> {
  return gatheredReads(redis, (pipeline, key) => pipeline.hmget(key, ...members));
}

/** Reads many texts; null: there is none. Errors: CACHE_UNAVAILABLE, for all that left together */
export function gatheredTexts(redis: RedisLink): (key: string) => Promise<string | null> {
  return gatheredReads(redis, (pipeline, key) => pipeline.get(key));
}

/** `Reply` is what Redis answers to the command that `ask` adds. */
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
