import { openAsBlob, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { cpuMsOf, numberOption, residentMibOf } from '#bench/support/measure.ts';
import { ask, countDials, type PacedServer, startPacedCampaign } from '#bench/support/paced-campaign.ts';
import { processFolder } from '#bench/support/server-process.ts';
import type { BenchContext } from '#tools/commands/bench-context.ts';
import type { BenchReport } from '#tools/commands/bench-report.ts';
import { insertCampaign } from '#test/support/rows.ts';
import { gb18030File } from './gb18030-file.ts';

const ROWS = 1_000_000;
const WARM_UP_MS = 3_000;
const CALM_MS = 15_000;
const SAMPLE_MS = 50;
const POLL_MS = 200;
const MAX_IMPORT_MS = 20 * 60_000;
/** Bars are for a million rows. */
const IMPORT_BAR_MS = 60_000;
const MEMORY_BAR_MIB = 300;
const DIALS_BAR = 0.9;

/**
 * Imports a GB18030 file by a job while another campaign rests, again, and a second one while that campaign dials:
 * `npm run bench -- lists --rows N`.
 *
 * Source: D6.9
 */
export async function measureImports(context: BenchContext): Promise<BenchReport> {
  await migrate(context.databaseUrl);
  await using stack = new AsyncDisposableStack();
  const database = await connectDatabase({ entities: ENTITIES, url: context.databaseUrl, poolSize: 2, statementTimeoutMs: 60_000 });
  stack.defer(() => database.close());
  const rows = numberOption(context.args, 'rows', ROWS);
  const folder = await processFolder(stack);
  const file = await writeFileOf(join(folder, 'list.csv'), rows);
  const paced = await startPacedCampaign(context, database, stack);
  await sleep(systemClock, WARM_UP_MS);
  const calm = await dialsPerSecond(database, () => sleep(systemClock, CALM_MS));
  const beside = await dialsPerSecond(database, async () => void (await importFile(database, paced, file)));
  await setStatus(paced, 'paused');
  await sleep(systemClock, WARM_UP_MS);
  const idleMib = residentMibOf(paced.server.pid);
  const first = await importFile(database, paced, file);
  const again = await importFile(database, paced, file, first.campaignId);
  context.print(`lists: ${JSON.stringify({ first: first.counts, again: again.counts, calm, beside })}`);
  return {
    bench: 'lists',
    ratios: [{ what: 'dials/s beside an import / without one', ratio: beside / calm, bar: { atLeast: DIALS_BAR } }],
    figures: [
      { what: `${rows} rows of GB18030 CSV, from the upload to the last row`, value: first.ms, unit: 'ms', bar: { atMost: IMPORT_BAR_MS } },
      { what: 'the same file again', value: again.ms, unit: 'ms' },
      { what: 'CPU of the server per row', value: (first.cpu.server * 1_000) / rows, unit: 'µs' },
      { what: 'CPU of PostgreSQL per row', value: (first.cpu.database * 1_000) / rows, unit: 'µs' },
      { what: 'CPU of the server per row that is there as it is', value: (again.cpu.server * 1_000) / rows, unit: 'µs' },
      { what: 'CPU of PostgreSQL per row that is there as it is', value: (again.cpu.database * 1_000) / rows, unit: 'µs' },
      {
        what: 'rows that the same file again changes',
        value: again.counts.createdRows + again.counts.updatedRows,
        unit: '',
        bar: { atMost: 0 },
      },
      {
        what: 'memory of the server above idle',
        value: Math.max(first.peakMib, again.peakMib) - idleMib,
        unit: 'MiB',
        bar: { atMost: MEMORY_BAR_MIB },
      },
    ],
  };
}

async function writeFileOf(path: string, rows: number): Promise<string> {
  const file = await open(path, 'w');
  for (const chunk of gb18030File(rows)) await file.write(chunk);
  await file.close();
  return path;
}

async function dialsPerSecond(database: Database, meanwhile: () => Promise<void>): Promise<number> {
  const [before, at] = [await countDials(database), systemClock.monotonic()];
  await meanwhile();
  return (((await countDials(database)) - before) * 1_000) / (systemClock.monotonic() - at);
}

async function setStatus({ url, token, campaignId }: PacedServer, status: string): Promise<void> {
  await ask(url, { method: 'PATCH', path: `/api/campaigns/${campaignId}`, token, body: { status } });
}

interface Imported {
  campaignId: number;
  ms: number;
  /** CPU of the server and of PostgreSQL, ms. */
  cpu: { server: number; database: number };
  peakMib: number;
  counts: { totalRows: number; createdRows: number; updatedRows: number };
}

async function importFile(database: Database, { url, token, server }: PacedServer, path: string, into?: number): Promise<Imported> {
  const campaignId = into ?? (await insertCampaign(database));
  const postgres = await postmasterOf(database);
  const before = { server: cpuMsOf(server.pid), database: cpuMsOf(postgres) };
  const startedAt = systemClock.monotonic();
  let peakMib = 0;
  const sampling = setInterval(() => {
    peakMib = Math.max(peakMib, residentMibOf(server.pid));
  }, SAMPLE_MS);
  try {
    const fileId = await upload(`${url}/api/list-files`, token, path);
    const { job } = await ask(url, { method: 'POST', path: '/api/imports', token, body: { fileId, campaignId } });
    const counts = await untilDone(url, token, job.id);
    const ms = systemClock.monotonic() - startedAt;
    const cpu = { server: cpuMsOf(server.pid) - before.server, database: cpuMsOf(postgres) - before.database };
    return { campaignId, ms, cpu, peakMib, counts };
  } finally {
    clearInterval(sampling);
  }
}

/** The process whose children serve the connections. */
async function postmasterOf(database: Database): Promise<number> {
  const row = await database.first(sql<{ pid: number }>`select pg_backend_pid() as pid`);
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${row?.pid}/status`, 'utf8'))?.[1]);
}

async function upload(url: string, token: string, path: string): Promise<string> {
  const form = new FormData();
  form.set('file', await openAsBlob(path), 'list.csv');
  const answer = await fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
  const { data, msg } = (await answer.json()) as { data: { file: { id: string } }; msg: string };
  if (!answer.ok) throw new Error(`upload: ${answer.status} ${msg}`);
  return data.file.id;
}

async function untilDone(url: string, token: string, id: number): Promise<Imported['counts']> {
  const deadline = systemClock.monotonic() + MAX_IMPORT_MS;
  for (;;) {
    const answer = await fetch(`${url}/api/imports/${id}`, { headers: { Authorization: `Bearer ${token}` } });
    const { data } = (await answer.json()) as { data: { import: { state: string; error: unknown; counts: Imported['counts'] } } };
    const { state, error, counts } = data.import;
    if (state === 'done') return counts;
    if (state === 'failed' || systemClock.monotonic() > deadline) throw new Error(`the import is ${state}: ${JSON.stringify(error)}`);
    await sleep(systemClock, POLL_MS);
  }
}
