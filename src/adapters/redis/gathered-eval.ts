import type { RedisLink, ScriptCall } from './client.ts';
import type { RedisScript } from './script.ts';

/** Most calls in one round trip: beyond, an answer would wait for the last of them. */
const MAX_GATHERED = 200;

/**
 * Runs a script for many callers: the calls of one turn of the event loop leave together.
 *
 * Why:    a write to the socket costs as much as the script itself; a script that is called for every caption waits for nothing but company
 * Errors: CACHE_UNAVAILABLE, for all that left together; the others may have happened
 */
export function gatheredEval(redis: RedisLink, script: RedisScript): (call: ScriptCall) => Promise<unknown> {
  let waiting: { call: ScriptCall; resolve: (reply: unknown) => void; reject: (error: unknown) => void }[] = [];
  const leave = () => {
    const leaving = waiting;
    waiting = [];
    redis
      .evalMany(
        script,
        leaving.map(({ call }) => call),
      )
      .then(
        replies => leaving.forEach(({ resolve }, index) => resolve(replies[index])),
        (error: unknown) => leaving.forEach(({ reject }) => reject(error)),
      );
  };
  return call =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (waiting.length === 1) setImmediate(() => (waiting.length > 0 ? leave() : undefined));
      else if (waiting.length === MAX_GATHERED) leave();
    });
}
