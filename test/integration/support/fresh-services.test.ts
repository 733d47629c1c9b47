import { afterAll, expect, test } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import { emptyDatabase, freshDatabase } from '#test/support/database.ts';
import { freshNats } from '#test/support/nats.ts';
import { freshRedis } from '#test/support/redis.ts';
import { serviceAddress } from '#test/support/service-address.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

async function namesFrom(url: string, query: string): Promise<string[]> {
  const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
  try {
    const rows: { name: string }[] = await orm.em.getConnection().execute(query);
    return rows.map(row => row.name);
  } finally {
    await orm.close(true);
  }
}

const TABLES = `select tablename as name from pg_tables where schemaname = 'public'`;
const DATABASES = 'select datname as name from pg_database';

test('a fresh database is migrated, an empty one has no tables, and dropping removes it', async () => {
  const [migrated, empty] = await Promise.all([freshDatabase(), emptyDatabase()]);
  cleanups.push(() => empty.drop());
  expect(await namesFrom(migrated.url, TABLES)).toContain('campaign');
  expect(await namesFrom(empty.url, TABLES)).toEqual([]);
  await migrated.drop();
  const left = await namesFrom(serviceAddress('CALLOUT_DATABASE_URL'), DATABASES);
  expect(left).not.toContain(new URL(migrated.url).pathname.slice(1));
});

test('two files never get the same logical database of Redis, and a released one is empty', async () => {
  const [one, other] = await Promise.all([freshRedis(), freshRedis()]);
  cleanups.push(() => other.release());
  expect(one.url).not.toBe(other.url);
  const client = new Redis(one.url);
  cleanups.push(() => client.quit());
  await client.set('left', 'behind');
  await one.release();
  expect(await client.dbsize()).toBe(0);
});

test("a file's NATS server keeps its address over a crash and is gone after stop", async () => {
  const nats = await freshNats();
  await nats.kill();
  expect(nats.pid()).toBeUndefined();
  await nats.restart();
  const connection = await connect({ servers: nats.url });
  await connection.flush();
  await connection.close();
  await nats.stop();
  await expect(connect({ servers: nats.url, reconnect: false, timeout: 1_000 })).rejects.toThrow();
});
