import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { serviceAddress } from './service-address.ts';

export interface FreshRedis {
  /** With the logical database in its path. */
  url: string;
  /** Empties it and gives it back. */
  release(): Promise<void>;
}

/** A lease that a killed worker did not give back ends by itself, s. */
const LEASE_SECONDS = 1_800;

/** Databases of a Redis with default settings; database 0 keeps the leases. */
const DEFAULT_DATABASES = 16;

/**
 * An empty logical database of this file's own.
 *
 * Why: leased in database 0, so that jest's workers never share one; a database that is not empty is never taken, so nobody's data are lost
 */
export async function freshRedis(): Promise<FreshRedis> {
  const leases = connect(0);
  try {
    const owner = randomUUID();
    for (let number = 1; number < (await countDatabases(leases)); number++) {
      const leased = await leases.set(leaseKey(number), owner, 'EX', LEASE_SECONDS, 'NX');
      if (leased !== 'OK') continue;
      if (await isEmpty(number)) return { url: urlOf(number), release: () => release(number) };
    }
    throw new Error('no logical database of Redis is free and empty');
  } finally {
    await leases.quit();
  }
}

async function release(number: number): Promise<void> {
  const own = connect(number);
  await own.flushdb();
  await own.quit();
  const leases = connect(0);
  await leases.del(leaseKey(number));
  await leases.quit();
}

async function isEmpty(number: number): Promise<boolean> {
  const client = connect(number);
  try {
    return (await client.dbsize()) === 0;
  } finally {
    await client.quit();
  }
}

async function countDatabases(client: Redis): Promise<number> {
  const [, count] = (await client.config('GET', 'databases')) as [string?, string?];
  return Number(count ?? DEFAULT_DATABASES);
}

function connect(number: number): Redis {
  return new Redis(urlOf(number), { maxRetriesPerRequest: 3 });
}

function urlOf(number: number): string {
  const url = new URL(serviceAddress('CALLOUT_REDIS_URL'));
  url.pathname = `/${number}`;
  return url.href;
}

function leaseKey(number: number): string {
  return `callout-test:database:${number}`;
}
