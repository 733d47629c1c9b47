import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectRedis, defineScript, type RedisLink } from '#platform/redis/client.ts';
import { systemClock } from '#kernel/clock.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const COMMAND_TIMEOUT_MS = 300;
const checkLogin = defineScript('check-login-2.lua', import.meta.resolve('#access/login-limit.ts'));
const call = { keys: ['{t}a', '{t}b'], args: [5, 1_000, 5, 1_000] };

let service: PrivateService;
let link: RedisLink;
beforeAll(async () => {
  service = await startPrivateService('redis');
  link = await connectRedis({ url: service.url, connectTimeoutMs: 2_000, commandTimeoutMs: COMMAND_TIMEOUT_MS });
});
afterAll(async () => {
  await link.close();
  await service.stop();
});

const ping = () => link.run(redis => redis.ping());
const unavailable = { code: 'CACHE_UNAVAILABLE', retryable: true };

describe('scripts', () => {
  test('run when the server does not know them yet, and after it forgot them', async () => {
    expect(await link.eval(checkLogin, call)).toBe(0);
    await link.run(redis => redis.script('FLUSH'));
    expect(await link.eval(checkLogin, call)).toBe(0);
  });

  test('run several times in one round trip, even when the server does not know them', async () => {
    await link.run(redis => redis.script('FLUSH'));
    expect(await link.evalMany(checkLogin, [call, call, call])).toEqual([0, 0, 0]);
    expect(await link.evalMany(checkLogin, [])).toEqual([]);
  });

  test('fail as a bug when called incorrectly', async () => {
    await expect(link.eval(checkLogin, { keys: ['one'], args: [] })).rejects.toThrow('check-login-2.lua got 1 keys');
    await expect(link.eval(checkLogin, { ...call, args: ['x', 'y', 'z', 0] })).rejects.toMatchObject({ name: 'ReplyError' });
  });
});

describe('a server that does not respond', () => {
  test('fails commands after the timeout, and the connection recovers by itself [A3]', async () => {
    const other = await connectRedis({ url: service.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
    const asleep = other.run(redis => redis.call('CLIENT', 'PAUSE', '5000', 'ALL'));
    await asleep;
    const startedAt = systemClock.monotonic();
    await expect(ping()).rejects.toMatchObject(unavailable);
    expect(systemClock.monotonic() - startedAt).toBeLessThan(4_900);
    expect(await waitUntil('the link', ping)).toBe('PONG');
    await other.close();
  });

  test('fails at once while it is down, queues nothing, and continues after its return [A3]', async () => {
    const told: boolean[] = [];
    const stop = link.onChange(ready => told.push(ready));
    await service.kill();
    await waitUntil('the loss to be noticed', () => !link.isReady());
    await expect(link.run(redis => redis.set('{t}lost', '1'))).rejects.toMatchObject(unavailable);
    await service.restart();
    expect(await waitUntil('the link', ping)).toBe('PONG');
    expect(await link.run(redis => redis.get('{t}lost'))).toBeNull();
    expect(told).toEqual([false, true]);
    stop();
  });

  test('cannot be connected to: CACHE_UNAVAILABLE with the reason', async () => {
    const connecting = connectRedis({ url: 'redis://127.0.0.1:1', connectTimeoutMs: 500, commandTimeoutMs: 500 });
    await expect(connecting).rejects.toMatchObject({ ...unavailable, cause: expect.objectContaining({ code: 'ECONNREFUSED' }) });
  });
});

test('a fault of the program is not reported as one of the cache', async () => {
  await expect(link.run(() => Promise.reject(new TypeError('bug')))).rejects.toBeInstanceOf(TypeError);
});
