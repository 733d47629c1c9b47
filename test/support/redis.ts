import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { serviceAddress } from './service-address.ts';

export interface FreshRedis {
  /** URL that includes the logical database. */
  url: string;
  /** Empties the database and ends its lease. */
  release(): Promise<void>;
}

/** Expiry of a lease that a killed worker did not release, s. */
const LEASE_SECONDS = 1_800;

/** Number of databases of a Redis with default settings; database 0 holds the leases. */
const DEFAULT_DATABASES = 16;

/**
 * Leases an empty logical database for one test file.
 *
 * Why: leases in database 0 keep Jest's workers apart; a database with data in it is never leased, so no existing data is lost
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
