import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { startTcpProxy, type TcpProxy } from '#test/chaos/tcp-proxy.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const POOL_SIZE = 4;
/** The server enforces it with its own clock: longer than any stall, in ms. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** Timeout for a connection from the pool or to the server, in ms. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Longest delay of the server's response, in ms. */
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
  db = await connectDatabase({ entities: ENTITIES, url: url.href, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS, clock });
});

afterAll(async () => {
  // First, because it ends what a failed test has left waiting, for which the pool would wait.
  await proxy.close();
  await db.close();
  await fresh.drop();
});

beforeEach(() => {
  isLost = false;
});

/** Server processes behind this many connections, all in use at once. */
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
  // First test: the pool has only the connection that the ORM opened by itself.
  test('are detected by the first statement of the program too', async () => {
    loseConnections();
    const failure = failureOf(db.ping());
    await sent(1);
    await clock.pass(TIMEOUT_MS);
    expect(isUnavailable(await failure)).toBe(true);
  });

  test('cost one statement its timeout; none of them is used again afterwards', async () => {
    const before = await fillPool();
    loseConnections();
    const failure = failureOf(db.ping());
    await sent(1);
    await clock.pass(TIMEOUT_MS);
    expect(isUnavailable(await failure)).toBe(true);
    const after = await fillPool();
    expect(after.filter(pid => before.includes(pid))).toEqual([]);
  });

  test('end every pending statement together with the first', async () => {
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

  test('fail a transaction after one timeout, without a wait for its rollback', async () => {
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

  test('are those without a response since the unanswered statement was sent: the others stay', async () => {
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
  test('ends while others hold the whole pool, and later requests are not lost', async () => {
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

  test('ends when the server is silent; the next request starts again', async () => {
    proxy.reset();
    proxy.cut();
    // One more than the pool still believes in, so that the last one needs a new connection.
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
