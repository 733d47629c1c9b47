import type { RedisLink, ScriptCall } from './client.ts';
import { gathered } from './gathered.ts';
import type { RedisScript } from './script.ts';

/** Runs a script for many callers. Errors: CACHE_UNAVAILABLE, for all that left together; the others may have happened */
export function gatheredEval(redis: RedisLink, script: RedisScript): (call: ScriptCall) => Promise<unknown> {
  return gathered(calls => redis.evalMany(script, calls));
}

/** Reads the same members of many hashes. Errors: CACHE_UNAVAILABLE, for all that left together */
export function gatheredMembers(redis: RedisLink, members: readonly string[]): (key: string) => Promise<(string | null)[]> {
  return gathered(keys =>
    redis.run(async client => {
      const pipeline = client.pipeline();
      for (const key of keys) pipeline.hmget(key, ...members);
      const replies = (await pipeline.exec()) ?? [];
      return replies.map(([error, values]) => {
        // One that failed must not look like an actor that is gone.
        if (error) throw error;
        return values as (string | null)[];
      });
    }),
  );
}
