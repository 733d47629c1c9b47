import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { ENTITIES } from '#app/connect.ts';
import type { Job } from '#jobs/job.ts';
import { type JobDefinition, jobKind } from '#jobs/job-kind.ts';
import { JOB_TABLE, startJob } from '#jobs/job-store.ts';
import { runJobs } from '#jobs/run-jobs.ts';
import { systemCaller } from '#kernel/caller.ts';
import { systemClock } from '#kernel/clock.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { type FreshDatabase, freshDatabase } from '#test/support/database.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const OWNER = systemCaller('trace');

let fresh: FreshDatabase;
let db: Database;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 8, statementTimeoutMs: 20_000 });
  await db.run(sql`create table written (job bigint not null, value int not null)`);
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map(stop => stop()));
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});
beforeEach(async () => {
  await db.run(sql`truncate job, written cascade`);
});

interface Counting {
  upTo: number;
}

type Definition = JobDefinition<Counting, number>;

/** Writes the numbers 1 to `upTo`, one a step. */
function counting(over: Partial<Pick<Definition, 'step' | 'discard'>> = {}): Definition {
  return {
    kind: 'counting',
    input: z.object({ upTo: z.int() }),
    cursor: z.int(),
    step: async ({ id, input, cursor }) => writeNext(id, input, cursor),
    ...over,
  };
}

function writeNext(job: number, { upTo }: Counting, cursor: number | null): ReturnType<Definition['step']> {
  const value = (cursor ?? 0) + 1;
  return Promise.resolve(async tx => {
    await tx.run(sql`insert into written (job, value) values (${job}, ${value})`);
    return value === upTo ? { result: { last: value }, done: value } : { cursor: value, done: value };
  });
}

/** A server that runs jobs until the end of the test, or until the returned function is called. */
function server(definition: Definition, concurrency = 2): () => Promise<void> {
  const stopping = new AbortController();
  const jobs = { concurrency, keptDays: 7, isDialingBehind: () => false };
  const running = runJobs({ db, clock: systemClock, ids: systemIds, log: silentLog, jobs }, [jobKind(definition)], stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  stops.push(stop);
  return stop;
}

const start = (upTo: number, total: number | null = null) =>
  db.transaction(tx => startJob(tx, OWNER, { kind: 'counting', title: '数数', input: { upTo }, total }));

async function read(id: number): Promise<Job> {
  const [row] = await db.rows(sql<Job>`select ${JOB_TABLE.columns} from job where id = ${id}`);
  if (!row) throw new Error('there is no such job');
  return row;
}

const untilIn = (id: number, state: Job['state']) =>
  waitUntil(`the job to be ${state}`, async () => {
    const row = await read(id);
    return row.state === state ? row : null;
  });

const written = async (id: number) =>
  (await db.rows(sql<{ value: number }>`select value from written where job = ${id} order by value`)).map(({ value }) => value);

describe('a job is done step by step [D2.10]', () => {
  test('each step is written once, and the last gives the result', async () => {
    server(counting());
    const { id, state } = await start(4, 4);
    expect(state).toBe('queued');
    expect(await untilIn(id, 'done')).toMatchObject({
      result: { last: 4 },
      done: 4,
      total: 4,
      error: null,
      finishedAt: expect.any(Number),
    });
    expect(await written(id)).toEqual([1, 2, 3, 4]);
  });

  test('several servers share jobs, and none runs one twice', async () => {
    server(counting());
    server(counting());
    const started = await Promise.all(Array.from({ length: 12 }, () => start(5)));
    for (const { id } of started) await untilIn(id, 'done');
    for (const { id } of started) expect(await written(id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('a step whose server lost the lease is refused, and another server goes on from the last kept step', async () => {
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const stuck = counting({
      async step({ id, input, cursor }) {
        if (cursor === 2) {
          reached.resolve();
          await held.promise;
        }
        return writeNext(id, input, cursor);
      },
    });
    const stopStuck = server(stuck);
    const { id } = await start(4);
    await reached.promise;
    // A server that hangs or has died leaves an expired lease.
    await db.run(sql`update job set lease_until = now() - interval '1 second' where id = ${id}`);
    server(counting());
    await untilIn(id, 'done');
    held.resolve();
    await stopStuck();
    expect(await written(id)).toEqual([1, 2, 3, 4]);
  });

  test('a server that stops gives its job back at once', async () => {
    const reached = Promise.withResolvers<void>();
    const stop = server(
      counting({
        step: ({ id, input, cursor }, { signal }) =>
          cursor === 1
            ? new Promise((_resolve, reject) => {
                reached.resolve();
                signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
              })
            : writeNext(id, input, cursor),
      }),
    );
    const { id } = await start(3);
    await reached.promise;
    await stop();
    expect(await read(id)).toMatchObject({ state: 'queued', done: 1 });
    server(counting());
    await untilIn(id, 'done');
    expect(await written(id)).toEqual([1, 2, 3]);
  });
});

describe('a job ends early [D2.10]', () => {
  test('a cancelled job writes no further step, and what it left is removed', async () => {
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const discarded: unknown[] = [];
    server(
      counting({
        async step({ id, input, cursor }) {
          if (cursor === 1) {
            reached.resolve();
            await held.promise;
          }
          return writeNext(id, input, cursor);
        },
        discard: ({ id, cursor }) => Promise.resolve(void discarded.push([id, cursor])),
      }),
    );
    const { id } = await start(9);
    await reached.promise;
    await db.run(sql`update job set state = 'cancelled', finished_at = now(), lease_token = null, lease_until = null where id = ${id}`);
    held.resolve();
    await waitUntil('the job to be discarded', () => discarded.length > 0);
    expect(discarded).toEqual([[id, 1]]);
    expect(await written(id)).toEqual([1]);
  });

  test('one that is cancelled while no server has it is discarded too', async () => {
    const { id } = await start(9);
    await db.run(sql`update job set state = 'cancelled', finished_at = now() where id = ${id}`);
    const discarded: number[] = [];
    server(counting({ discard: job => Promise.resolve(void discarded.push(job.id)) }));
    await waitUntil('the job to be discarded', () => discarded.length > 0);
    expect(discarded).toEqual([id]);
    expect(await written(id)).toEqual([]);
  });

  test('an input that is refused fails the job with its faults', async () => {
    server(counting({ step: () => Promise.reject(invalidArgument('file', 'empty')) }));
    const { id } = await start(1);
    expect((await untilIn(id, 'failed')).error).toEqual({
      code: 'INVALID_ARGUMENT',
      reason: null,
      message: '参数错误：file 不能为空',
      faults: [{ field: 'file', problem: { code: 'empty', parameters: {} } }],
    });
  });

  test('a failure that passes is tried again', async () => {
    let failures = 2;
    server(
      counting({
        step: ({ id, input, cursor }) =>
          failures-- > 0 ? Promise.reject(new CalloutError('DATABASE_UNAVAILABLE', '数据库暂不可用')) : writeNext(id, input, cursor),
      }),
    );
    const { id } = await start(2);
    expect(await untilIn(id, 'done')).toMatchObject({ error: null });
    expect(await written(id)).toEqual([1, 2]);
  });

  test('an ended job is removed with what it left after its days', async () => {
    const { id } = await start(1);
    await db.run(sql`update job set state = 'done', result = 'null', finished_at = now() - interval '8 days' where id = ${id}`);
    const { id: young } = await start(1);
    await db.run(sql`update job set state = 'done', result = 'null', finished_at = now() - interval '6 days' where id = ${young}`);
    const discarded: number[] = [];
    server(counting({ discard: job => Promise.resolve(void discarded.push(job.id)) }));
    await waitUntil('the row to be deleted', async () => (await db.rows(sql`select 1 from job where id = ${id}`)).length === 0);
    expect(discarded).toEqual([id]);
    expect((await read(young)).state).toBe('done');
  });
});

test('a user has at most twenty open jobs', async () => {
  for (let count = 0; count < 20; count += 1) await start(1);
  await expect(start(1)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await db.run(sql`update job set state = 'cancelled', finished_at = now() where id = (select min(id) from job)`);
  await expect(start(1)).resolves.toMatchObject({ state: 'queued' });
});
