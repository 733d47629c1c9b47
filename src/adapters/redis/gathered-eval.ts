import type { ChainableCommander } from 'ioredis';
import type { RedisLink, ScriptCall } from './client.ts';
import { gathered } from './gathered.ts';
import { replied } from './replied.ts';
import type { RedisScript } from './script.ts';

/** Runs a script for many callers. Errors: CACHE_UNAVAILABLE, for all that left together; the others may have happened */
export function gatheredEval(redis: RedisLink, script: RedisScript): (call: ScriptCall) => Promise<unknown> {
  return gathered(calls => redis.evalMany(script, calls));
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
