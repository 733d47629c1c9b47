import { sql } from 'kysely';
import { ENTITIES } from '#app/connect.ts';
import { EXPORT_FORMATS, type ExportFormat } from '#exports/export.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import type { Figure } from '#tools/commands/bench-report.ts';
import { loadRows } from './lists/load-rows.ts';
import { numberOption, residentMibOf } from './support/measure.ts';
import { type BenchProcess, processFolder, startServe } from './support/server-process.ts';

const CONTACTS = 100_000;
const ATTEMPTS = 1_000_000;
const LOAD_TIMEOUT_MS = 600_000;
/** Bars of the issue, for a million attempts as CSV. */
const SECONDS_PER_MILLION = 60;
const MEMORY_BAR_MIB = 80;
const POLL_MS = 200;
/** Time for a server to come to rest before its idle memory is read, in ms. */
const REST_MS = 5_000;

/**
 * Exports of many attempts by `serve`, with all usual columns and two variables: `npm run bench -- exports [--attempts N] [--contacts N]`.
 *
 * Source: D2.11
 */
export const bench: Bench = async context => {
  await using stack = new AsyncDisposableStack();
  await migrate(context.databaseUrl);
  const database = await connectDatabase({
    entities: ENTITIES,
    url: context.databaseUrl,
    poolSize: 2,
    statementTimeoutMs: LOAD_TIMEOUT_MS,
  });
  stack.defer(() => database.close());
  const attempts = numberOption(context.args, 'attempts', ATTEMPTS);
  await load(context, database, attempts);
  const folder = await processFolder(stack);
  const server = await startServe(folder, context, { files: { folder } });
  stack.defer(() => server.stop());
  await sleep(systemClock, REST_MS);
  const idleMib = residentMibOf(server.pid);
  const figures: Figure[] = [{ what: 'attempts', value: attempts, unit: 'rows' }];
  for (const format of EXPORT_FORMATS) figures.push(...(await measure(context, server, { format, attempts, idleMib })));
  return { bench: 'exports', ratios: [], figures };
};

async function load(context: BenchContext, database: Database, attempts: number): Promise<void> {
  const contacts = numberOption(context.args, 'contacts', CONTACTS);
  await loadRows(database, { contacts, attempts, print: line => context.print(line) });
  await database.run(sql`update contact set metadata = jsonb_build_object('city', '杭州', 'order', id)`);
  await database.run(sql`
    update attempt set classification = (array['A', 'B', 'C'])[1 + id % 3], intent = '有意向', hangup_by = 'customer', started_at = claimed_at`);
  await database.run(sql`vacuum analyze`);
}

interface Measured {
  format: ExportFormat;
  attempts: number;
  idleMib: number;
}

async function measure(context: BenchContext, server: BenchProcess, { format, attempts, idleMib }: Measured): Promise<Figure[]> {
  const startedAt = systemClock.monotonic();
  const { peakMib, mib } = await exportOnce(server, format);
  const seconds = (systemClock.monotonic() - startedAt) / 1_000;
  const isBarred = format === 'csv';
  context.print(`  ${format}: ${seconds.toFixed(1)} s, ${(peakMib - idleMib).toFixed(0)} MiB above idle, a file of ${mib.toFixed(0)} MiB`);
  return [
    {
      what: `${format}: time`,
      value: seconds,
      unit: 's',
      ...(isBarred && { bar: { atMost: (SECONDS_PER_MILLION * attempts) / 1_000_000 } }),
    },
    { what: `${format}: memory above idle`, value: peakMib - idleMib, unit: 'MiB', ...(isBarred && { bar: { atMost: MEMORY_BAR_MIB } }) },
  ];
}

interface Job {
  id: number;
  state: string;
  error: unknown;
  result: { bytes: number } | null;
}

async function exportOnce({ port, pid }: BenchProcess, format: ExportFormat): Promise<{ peakMib: number; mib: number }> {
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return ((await answer.json()) as { data: { job: Job } }).data.job;
  };
  let job = await ask('POST', '/api/exports', { kind: 'attempts', format });
  let peakMib = 0;
  while (job.state === 'queued' || job.state === 'running') {
    await sleep(systemClock, POLL_MS);
    peakMib = Math.max(peakMib, residentMibOf(pid));
    job = await ask('GET', `/api/jobs/${job.id}`);
  }
  if (job.state !== 'done' || job.result === null) throw new Error(`the export ${job.state}: ${JSON.stringify(job.error)}`);
  return { peakMib, mib: job.result.bytes / 1024 ** 2 };
}
