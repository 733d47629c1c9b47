import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { assert } from '#kernel/assert.ts';
import { systemClock } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import { CalloutError } from '#kernel/errors.ts';

/** A Lua file of a `lua/` folder, prepared for EVALSHA. */
export interface RedisScript {
  name: string;
  /** Null when the number of keys varies. */
  keyCount: number | null;
  source: string;
  sha: string;
}

const FILE_NAME = /^[a-z][a-z-]*-(\d+|n)\.lua$/;

/**
 * Loads `lua/<name>-<number of keys>.lua` (`-n` when the number varies), relative to this folder or to the module `beside`; to be called
 * at module level. `before`: files whose functions the script uses.
 *
 * Why: Lua in separate files gets highlighting, reviews and line counts like other code
 */
export function defineScript(fileName: string, beside: string = import.meta.url, before: readonly string[] = []): RedisScript {
  const match = FILE_NAME.exec(fileName);
  assert(match, `a script is named <name>-<keys>.lua, not ${fileName}`);
  const source = [...before, fileName].map(name => readFileSync(new URL(`./lua/${name}`, beside), 'utf8')).join('\n');
  const sha = createHash('sha1').update(source).digest('hex');
  return { name: fileName, keyCount: match[1] === 'n' ? null : Number(match[1]), source, sha };
}

/** Source: D1.3 section `cache` */
interface RedisConfig {
  url: string;
  connectTimeoutMs: number;
  /** Below 1 s, so that callers notice a cache failure quickly. A write that times out is ambiguous. */
  commandTimeoutMs: number;
}

export interface RedisLink {
  /**
   * Runs commands and maps all server and network failures to one error.
   *
   * Errors: CACHE_UNAVAILABLE when disconnected, timed out (the write may have happened), loading, read-only or out of memory
   */
  run<T>(command: (redis: Redis) => Promise<T>): Promise<T>;
  /**
   * Runs a script of scripts/ atomically.
   *
   * Errors: CACHE_UNAVAILABLE, as for `run`
   */
  eval(script: RedisScript, call: ScriptCall): Promise<unknown>;
  /**
   * Runs a script several times in one round trip, in order.
   *
   * Why:    each call is atomic, the group is not
   * Shape:  one result per call, in the same order
   * Errors: CACHE_UNAVAILABLE when any call failed that way; the others may have happened
   */
  evalMany(script: RedisScript, calls: readonly ScriptCall[]): Promise<unknown[]>;
  isReady(): boolean;
  /** Calls `listener` whenever the server becomes reachable or unreachable; the returned function unsubscribes. */
  onChange(listener: (ready: boolean) => void): () => void;
  close(): Promise<void>;
}

export interface ScriptCall {
  keys: readonly string[];
  args: readonly (string | number)[];
}

const RECONNECT_FIRST_MS = 50;
/** Small enough for the server to resume within 5 s of the cache's return. */
const RECONNECT_MAX_MS = 1_000;
/** A socket without replies for this many command time-outs is replaced. */
const SILENT_SOCKET_FACTOR = 3;
const QUIT_TIMEOUT_MS = 500;

/**
 * Connects; afterwards commands fail fast: nothing is queued while disconnected and nothing is sent twice. Reconnects indefinitely.
 *
 * Errors: CACHE_UNAVAILABLE when the first connection fails
 * Source: A3 "Redis client"
 */
export async function connectRedis(config: RedisConfig): Promise<RedisLink> {
  const redis = new Redis(config.url, {
    lazyConnect: true,
    connectTimeout: config.connectTimeoutMs,
    socketTimeout: config.commandTimeoutMs * SILENT_SOCKET_FACTOR,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // Commands in flight fail with the connection instead of being repeated on the next one.
    maxRetriesPerRequest: 0,
    retryStrategy: times => Math.min(RECONNECT_MAX_MS, RECONNECT_FIRST_MS * 2 ** Math.min(times, 10)),
  });
  const listeners = watchState(redis);
  await open(redis, config);
  const ask = <T>(work: () => Promise<T>) => {
    leaveTogether(redis);
    return guarded(config, work);
  };
  return {
    run: command => ask(() => command(redis)),
    eval: async (script, call) => {
      assertKeys(script, call);
      return ask(() => evalOnce(redis, script, call));
    },
    evalMany: async (script, calls) => {
      for (const call of calls) assertKeys(script, call);
      return ask(() => evalEach(redis, script, calls));
    },
    isReady: () => redis.status === 'ready',
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => close(redis),
  };
}

function watchState(redis: Redis): Set<(ready: boolean) => void> {
  const listeners = new Set<(ready: boolean) => void>();
  let ready = false;
  const notify = (now: boolean) => {
    if (ready === now) return;
    ready = now;
    for (const listener of listeners) listener(now);
  };
  redis.on('ready', () => notify(true));
  redis.on('close', () => notify(false));
  // Without a listener ioredis prints errors to the console; each command reports its own error, and the state change is enough here.
  redis.on('error', () => notify(redis.status === 'ready'));
  return listeners;
}

async function open(redis: Redis, config: RedisConfig): Promise<void> {
  let lastError: unknown;
  const remember = (error: unknown) => {
    lastError = error;
  };
  redis.on('error', remember);
  try {
    await Promise.race([redis.connect(), failAfter(config.connectTimeoutMs + config.commandTimeoutMs)]);
  } catch (error) {
    redis.disconnect();
    throw unavailable(lastError ?? error);
  } finally {
    redis.off('error', remember);
  }
}

async function failAfter(ms: number): Promise<never> {
  await delay(ms, undefined, { ref: false });
  throw new Error(`no answer in ${ms} ms`);
}

function assertKeys(script: RedisScript, call: ScriptCall): void {
  assert(script.keyCount === null || script.keyCount === call.keys.length, `${script.name} got ${call.keys.length} keys`);
}

async function evalOnce(redis: Redis, script: RedisScript, call: ScriptCall): Promise<unknown> {
  return evalSha(redis, script, call).catch((error: unknown) => evalMissing(redis, script, call, error));
}

/** Adds no promise besides the command's own: there are thousands of calls a second. */
async function evalEach(redis: Redis, script: RedisScript, calls: readonly ScriptCall[]): Promise<unknown[]> {
  const replies = calls.map(call => evalSha(redis, script, call));
  try {
    return await Promise.all(replies);
  } catch (error) {
    if (!isMissingScript(error)) throw error;
    const once = (reply: Promise<unknown>, index: number) =>
      reply.catch((missing: unknown) => evalMissing(redis, script, calls[index] as ScriptCall, missing));
    return Promise.all(replies.map(once));
  }
}

function evalSha(redis: Redis, script: RedisScript, { keys, args }: ScriptCall): Promise<unknown> {
  return redis.evalsha(script.sha, keys.length, ...keys, ...args);
}

/** A call that reported a missing script had no effect, so this is its first execution. */
async function evalMissing(redis: Redis, script: RedisScript, { keys, args }: ScriptCall, error: unknown): Promise<unknown> {
  if (!isMissingScript(error)) throw error;
  return redis.eval(script.source, keys.length, ...keys, ...args);
}

/**
 * Sends all commands of one event loop tick in a single write.
 *
 * Why: a write to the socket costs as much as a script; a pipeline would keep a list of replies besides the commands' promises
 */
function leaveTogether(redis: Redis): void {
  const stream = redis.stream as Redis['stream'] | undefined;
  if (!stream || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function close(redis: Redis): Promise<void> {
  try {
    await Promise.race([redis.quit(), failAfter(QUIT_TIMEOUT_MS)]);
  } catch {
    // Already unreachable: only the socket is left to drop.
    redis.disconnect();
  }
}

/** Error replies that mean "not now" rather than "invalid command". */
const TEMPORARY = /^(LOADING|READONLY|OOM|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|UNBLOCKED|NOAUTH)\b/;

async function guarded<T>(config: RedisConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await withDeadline(systemClock, config.commandTimeoutMs, work(), () => new Error(`no answer in ${config.commandTimeoutMs} ms`));
  } catch (error) {
    throw isOwnFault(error) ? error : unavailable(error);
  }
}

/** An error in our command, script or program, not an unreachable or refusing server. */
function isOwnFault(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error.name === 'ReplyError') return !TEMPORARY.test(error.message);
  return error instanceof CalloutError || PROGRAM_FAULTS.has(error.name);
}

const PROGRAM_FAULTS: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);

function unavailable(cause: unknown): CalloutError {
  return new CalloutError('CACHE_UNAVAILABLE', '共享缓存暂不可用，请稍后重试', { cause });
}

function isMissingScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
