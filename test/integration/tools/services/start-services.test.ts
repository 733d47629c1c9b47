import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import { type Services, startServices } from '#tools/services/start-services.ts';
import { isAlive } from '#tools/services/watched-process.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const PATH = process.env['PATH'];
const folder = await mkdtemp(join(tmpdir(), 'callout-test-services-'));
await chmod(folder, 0o755);
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(name: string, profile: 'test' | 'durable', env: NodeJS.ProcessEnv = {}): Promise<Services> {
  return startServices({ dataDir: join(folder, name), profile, env: { PATH, ...env }, log: () => undefined });
}

async function withSql<T>(url: string, work: (sql: (text: string) => Promise<unknown[]>) => Promise<T>): Promise<T> {
  const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
  try {
    return await work(text => orm.em.getConnection().execute(text));
  } finally {
    await orm.close(true);
  }
}

async function withRedis<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await work(client);
  } finally {
    await client.quit();
  }
}

test('starts PostgreSQL, Redis and NATS privately, and stops them without a trace', async () => {
  const services = await start('private', 'test');
  expect(services.started).toEqual(['PostgreSQL', 'Redis', 'NATS']);
  expect(await withSql(services.databaseUrl, sql => sql('select 1 as one'))).toEqual([{ one: 1 }]);
  expect(await withRedis(services.redisUrl, client => client.ping())).toBe('PONG');
  const connection = await connect({ servers: services.natsUrl });
  expect(connection.info?.jetstream).toBe(true);
  await connection.close();
  const pids = Object.values(services.handles).map(service => service.pid() ?? 0);
  await services.stop();
  expect(pids.filter(isAlive)).toEqual([]);
});

test('requires the password that it created', async () => {
  const services = await start('password', 'test');
  try {
    const stranger = new URL(services.databaseUrl);
    stranger.password = 'guess';
    await expect(withSql(stranger.href, sql => sql('select 1'))).rejects.toThrow(/password authentication failed/);
    const client = new Redis(services.redisUrl.replace(/:[^:@]+@/, ''), { retryStrategy: () => null });
    client.on('error', () => undefined);
    await expect(client.ping()).rejects.toThrow(/NOAUTH/);
    client.disconnect();
  } finally {
    await services.stop();
  }
});

test('a service whose address is set is used and not started [D1.2]', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const services = await start('external', 'test', { CALLOUT_REDIS_URL: `redis://127.0.0.1:${port}` });
  try {
    expect(services.started).toEqual(['PostgreSQL', 'NATS']);
    expect(services.redisUrl).toBe(`redis://127.0.0.1:${port}`);
  } finally {
    await services.stop();
    listener.close();
  }
});

test('an address without a listener is reported, with exit code 69', async () => {
  const env = { CALLOUT_NATS_URL: 'nats://someone:secret@127.0.0.1:1' };
  const failure = await start('absent', 'test', env).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    exitCode: 69,
    message: expect.stringMatching(/^callout: nobody listens on nats:\/\/127\.0\.0\.1:1: [^@]*$/),
  });
});

test('a variable without an address is reported without its value, with exit code 78; an empty one counts as unset [D1.1]', async () => {
  const wrong = { CALLOUT_NATS_URL: 'nats://someone:hidden1 hidden2@127.0.0.1:x', CALLOUT_REDIS_URL: '' };
  const failure = await start('wrong', 'test', wrong).catch((error: unknown) => error);
  expect(failure).toMatchObject({ exitCode: 78, message: 'callout: CALLOUT_NATS_URL holds no address' });
});

test('durable data survive a crash and a new start; each folder has one user at a time', async () => {
  const first = await start('durable', 'durable');
  await withSql(first.databaseUrl, sql => sql('create table kept as select 42 as answer'));
  await withRedis(first.redisUrl, client => client.set('kept', '42'));
  await first.handles.PostgreSQL?.kill();
  await first.handles.PostgreSQL?.restart();
  expect(await withSql(first.databaseUrl, sql => sql('select answer from kept'))).toEqual([{ answer: 42 }]);
  await first.stop();
  // State after a machine crash: a process id that belongs to another process by now.
  await writeFile(join(folder, 'durable/postgres/data/postmaster.pid'), `${process.pid}\n`);
  const second = await start('durable', 'durable');
  try {
    expect(await withSql(second.databaseUrl, sql => sql('select answer from kept'))).toEqual([{ answer: 42 }]);
    expect(await withRedis(second.redisUrl, client => client.get('kept'))).toBe('42');
  } finally {
    await second.stop();
  }
});

test('services end when the process that started them is killed; the folder can be used again', async () => {
  const dataDir = join(folder, 'killed');
  const script = join(import.meta.dirname, 'hold-services.ts');
  const holder = spawn(process.execPath, [script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(holder.stdout, 'data')) as [Buffer];
  const pids = JSON.parse(line.toString()) as number[];
  expect(pids.filter(isAlive)).toHaveLength(3);
  const refused = await start('killed', 'test').catch((error: unknown) => error);
  expect(refused).toMatchObject({ exitCode: 75 });
  holder.kill('SIGKILL');
  await waitUntil('the services end', () => !pids.some(isAlive));
  const again = await start('killed', 'test');
  await again.stop();
});
