import { Queue, Worker } from 'bullmq';
import { Logger, run, runMigrations } from 'graphile-worker';
import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { timed } from '#bench/support/measure.ts';
import type { DialLoad } from './dial-load.ts';
import type { DialJob } from './job-checks.ts';

/** Dials through a queue: count, duration and CPU of this process from the first to the last job. */
export interface PeerRun {
  dialled: number;
  ms: number;
  cpuMs: number;
}

const CONCURRENCY = 32;
/** Jobs that may start per second: far above any rate reached, so that the limiter runs without limiting. */
const LIMITER = { max: 1_000_000, duration: 1_000 };
const ADD_PAGE = 5_000;
const POLL_MS = 20;

export async function contactIds(database: Database, load: DialLoad, count: number): Promise<number[]> {
  const rows = await database.rows(sql<{ id: number }>`
    select id from contact where campaign_id = ${load.campaignId} and status = 'pending' order by priority desc, id limit ${count}`);
  return rows.map(row => row.id);
}

export async function dialWithBullMq(redisUrl: string, ids: readonly number[], job: DialJob): Promise<PeerRun> {
  const { hostname, port, password } = new URL(redisUrl);
  const connection = { host: hostname, port: Number(port), password: decodeURIComponent(password), maxRetriesPerRequest: null };
  const queue = new Queue('bench-dials', { connection });
  const options = { removeOnComplete: true, removeOnFail: true };
  for (let start = 0; start < ids.length; start += ADD_PAGE)
    await queue.addBulk(ids.slice(start, start + ADD_PAGE).map(id => ({ name: 'dial', data: { id }, opts: options })));
  const outcome = await untilAllDone(ids.length, job, async perform => {
    const worker = new Worker<{ id: number }>('bench-dials', ({ data }) => perform(data.id), {
      connection,
      concurrency: CONCURRENCY,
      limiter: LIMITER,
    });
    return () => worker.close();
  });
  await queue.obliterate({ force: true });
  await queue.close();
  return outcome;
}

export async function dialWithGraphileWorker(
  databaseUrl: string,
  ids: readonly number[],
  job: DialJob,
  database: Database,
): Promise<PeerRun> {
  const silent = new Logger(() => () => undefined);
  const options = { connectionString: databaseUrl, logger: silent, noHandleSignals: true };
  await runMigrations(options);
  await database.run(sql`
    select graphile_worker.add_jobs(array(
      select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'dial', 'payload', json_build_object('id', id), 'max_attempts', 1))
      from unnest(${[...ids]}::bigint[]) as id))`);
  return untilAllDone(ids.length, job, async perform => {
    const runner = await run({
      ...options,
      concurrency: CONCURRENCY,
      maxPoolSize: CONCURRENCY + 2,
      pollInterval: POLL_MS,
      taskList: { dial: payload => perform((payload as { id: number }).id).then(() => undefined) },
    });
    return () => runner.stop();
  });
}

/** Measures from the start of the workers to the end of the last job. */
async function untilAllDone(
  count: number,
  job: DialJob,
  start: (perform: (id: number) => Promise<void>) => Promise<() => Promise<void>>,
): Promise<PeerRun> {
  let [finished, dialled] = [0, 0];
  const done = Promise.withResolvers<void>();
  const perform = async (id: number) => {
    try {
      if ((await job(id)) === 'dialled') dialled += 1;
    } finally {
      finished += 1;
      if (finished === count) done.resolve();
    }
  };
  const {
    value: stop,
    ms,
    cpuMs,
  } = await timed(async () => {
    const stopWorkers = await start(perform);
    await done.promise;
    return stopWorkers;
  });
  await stop();
  return { dialled, ms, cpuMs };
}
