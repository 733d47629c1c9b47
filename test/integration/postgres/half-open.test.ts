import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#adapters/postgres/database.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { startTcpProxy, type TcpProxy } from '#test/chaos/tcp-proxy.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const POOL_SIZE = 4;
/** The server keeps it by its own clock: longer than any stall. ms */
const STATEMENT_TIMEOUT_MS = 60_000;
/** For a connection of the pool or to the server. ms */
const CONNECT_TIMEOUT_MS = 3_000;
/** The server's answer may be this late. ms */
const MARGIN_MS = 2_000;

const clock = manualClock();
let fresh: FreshDatabase;
let proxy: TcpProxy;
let db: Database;
let isLost: boolean;

beforeAll(async () => {
  fresh = await freshDatabase();
  const url = new URL(fresh.url);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  db = await connectDatabase({ url: url.href, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS, clock });
});

afterAll(async () => {
  // First: it ends what a failed test has left waiting, for which the pool would wait.
  await proxy.close();
  await db.close();
  await fresh.drop();
});

beforeEach(() => {
  isLost = false;
});

/** The server's processes behind this many connections, all used at once. */
async function fillPool(size = POOL_SIZE): Promise<number[]> {
  let met = () => {};
  const meeting = new Promise<void>(resolve => (met = resolve));
  let here = 0;
  return Promise.all(
    Array.from({ length: size }, () =>
      db.transaction(async tx => {
        const row = await tx.first(sql<{ pid: number }>`select pg_backend_pid() as pid`);
        here += 1;
        if (here === size) met();
        await meeting;
        return row?.pid ?? 0;
      }),
    ),
  );
}

const TIMEOUT_MS = STATEMENT_TIMEOUT_MS + MARGIN_MS;

const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);
const isUnavailable = (error: unknown) => isCalloutError(error, 'DATABASE_UNAVAILABLE');
const sent = (statements: number) => waitUntil(`${statements} statements to be sent`, () => clock.pending() === statements);

function loseConnections(): void {
  isLost = true;
  proxy.vanish();
  proxy.heal();
}

describe('connections whose peer has vanished', () => {
  // Run first: the pool has nothing but the connection that the ORM asked for by itself.
  test('are told by the first statement of the program too', async () => {
    loseConnections();
    const failure = failureOf(db.ping());
    await sent(1);
    await clock.pass(TIMEOUT_MS);
    expect(isUnavailable(await failure)).toBe(true);
  });

  test('cost one statement its time-out; after it none of them is used again', async () => {
    const before = await fillPool();
    loseConnections();
    const failure = failureOf(db.ping());
    await sent(1);
    await clock.pass(TIMEOUT_MS);
    expect(isUnavailable(await failure)).toBe(true);
    const after = await fillPool();
    expect(after.filter(pid => before.includes(pid))).toEqual([]);
  });

  test('end every statement under way with the first of them', async () => {
    await fillPool();
    loseConnections();
    const first = failureOf(db.ping());
    await sent(1);
    await clock.pass(TIMEOUT_MS / 2);
    const later = [failureOf(db.ping()), failureOf(db.ping())];
    await sent(3);
    await clock.pass(TIMEOUT_MS / 2);
    expect((await Promise.all([first, ...later])).map(isUnavailable)).toEqual([true, true, true]);
    await expect(db.ping()).resolves.toBeGreaterThan(0);
  });

  test('fail a transaction after one time-out: nobody waits for its rollback too', async () => {
    const failure = failureOf(
      db.transaction(async tx => {
        await tx.first(sql`select 1`);
        loseConnections();
        await tx.first(sql`select 2`);
      }),
    );
    await waitUntil('the transaction to wait', () => isLost && clock.pending() === 1);
    await clock.pass(TIMEOUT_MS);
    expect(isUnavailable(await failure)).toBe(true);
    await expect(db.ping()).resolves.toBeGreaterThan(0);
  });

  test('are those that heard nothing since the unanswered statement was sent: the others stay', async () => {
    const silent = failureOf(db.run(sql`select pg_sleep(600)`));
    await sent(1);
    await clock.pass(1);
    const [heard] = await fillPool(POOL_SIZE - 1);
    await clock.pass(TIMEOUT_MS);
    expect(isUnavailable(await silent)).toBe(true);
    expect(await fillPool(POOL_SIZE)).toContain(heard);
  });
});

describe('waiting for a connection', () => {
  test('ends while others keep all of the pool, and what comes later is not lost', async () => {
    let finish = () => {};
    const finished = new Promise<void>(resolve => (finish = resolve));
    let holding = 0;
    const held = Array.from({ length: POOL_SIZE }, () =>
      db.transaction(async tx => {
        await tx.first(sql`select 1`);
        holding += 1;
        await finished;
      }),
    );
    await waitUntil('the pool to be in use', () => holding === POOL_SIZE);
    const failure = failureOf(db.ping());
    await clock.pass(CONNECT_TIMEOUT_MS);
    expect(isUnavailable(await failure)).toBe(true);
    finish();
    await Promise.all(held);
    expect(await fillPool()).toHaveLength(POOL_SIZE);
    expect(clock.pending()).toBe(0);
  });

  test('ends when the server is silent; the next one begins anew', async () => {
    proxy.reset();
    proxy.cut();
    // One more than the pool may still believe in: the last one wants a new connection.
    const failures = Array.from({ length: POOL_SIZE + 1 }, () => failureOf(db.ping()));
    await waitUntil('a new connection to be asked for', () => clock.pending() > 0);
    let outcome: unknown[] | undefined;
    void Promise.all(failures).then(all => (outcome = all));
    await waitUntil('all to be given up', async () => {
      await clock.pass(CONNECT_TIMEOUT_MS);
      return outcome;
    });
    expect(outcome?.map(isUnavailable)).toEqual(failures.map(() => true));
    proxy.heal();
    await expect(db.ping()).resolves.toBeGreaterThan(0);
  });
});
