import { sql } from 'kysely';
import { parse } from 'csv-parse/sync';
import { auditRepository } from '#audit/audit-store.ts';
import { contactRepository } from '#contacts/contact-store.ts';
import { connectDatabase, type Database, type Sql } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { readWorkbook } from '#platform/files/read-workbook.ts';
import type { BenchReport } from '#tools/commands/bench-report.ts';
import { median, numberOption, timed } from '#bench/support/measure.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemCaller } from '#kernel/caller.ts';
import { indexContacts } from '#contacts/contact-counts.ts';
import { importFile } from '#imports/import-file.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { startDurableServices } from '#test/support/durable-services.ts';
import { insertCampaign } from '#test/support/rows.ts';
import { contactsFile } from './contacts-file.ts';

const ROWS = 10_000;
/** The row-by-row import is measured on a part of the file. */
const SINGLE_ROWS = 1_000;
const ROUNDS = 7;
/** Characters of each remark that bring the file to 5 MiB, the most that a file may have. */
const LONG_REMARK = 160;
const LONG_ROUNDS = 3;
const SAMPLE_MS = 3;
const BYTES_PER_MB = 1_048_576;

/**
 * Imports 10,000 rows from the file's bytes to the commit: the product, a bare parse with a set-wise merge, and an insert per row, in
 * alternation.
 */
export const bench: Bench = async context => {
  await using stack = new AsyncDisposableStack();
  const { services } = await startDurableServices(stack, 'bench');
  await migrate(services.databaseUrl);
  const database = await connectDatabase({ entities: ENTITIES, url: services.databaseUrl, poolSize: 4, statementTimeoutMs: 60_000 });
  stack.defer(() => database.close());
  return await measure(context, database);
};

async function measure(context: BenchContext, database: Database): Promise<BenchReport> {
  const file = contactsFile(ROWS);
  const idleBytes = settledMemory();
  const memory = await peakMemory(() => importOurs(database, file));
  const rounds = { ours: [] as number[], bare: [] as number[], single: [] as number[], singleInOne: [] as number[], cpu: [] as number[] };
  await importBare(database, file);
  for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
    const ours = await timed(() => importOurs(database, file));
    rounds.ours.push(ours.ms);
    rounds.cpu.push(ours.cpuMs);
    rounds.bare.push((await timed(() => importBare(database, file))).ms);
    const single = await timed(() => importSingly(database, file, { inOneTransaction: false }));
    const singleInOne = await timed(() => importSingly(database, file, { inOneTransaction: true }));
    rounds.single.push((single.ms * ROWS) / SINGLE_ROWS);
    rounds.singleInOne.push((singleInOne.ms * ROWS) / SINGLE_ROWS);
  }
  const [ours, bare, single, singleInOne] = [median(rounds.ours), median(rounds.bare), median(rounds.single), median(rounds.singleInOne)];
  const long = await measureLongRemarks(database);
  return {
    bench: 'import',
    ratios: [
      { what: 'time with long remarks / the same without the search', ratio: long.withSearch / long.without, bar: { atMost: 2 } },
      { what: 'time of the product / of a bare parse + merge', ratio: ours / bare, bar: { atMost: 1.5 } },
      { what: 'time row by row / of the product', ratio: single / ours, bar: { atLeast: 10 } },
    ],
    figures: [
      { what: 'memory above idle, first import', value: (memory - idleBytes) / BYTES_PER_MB, unit: 'MB', bar: { atMost: 120 } },
      { what: `${ROWS} rows, the product`, value: ours, unit: 'ms' },
      { what: `${ROWS} rows, bare`, value: bare, unit: 'ms' },
      { what: `${ROWS} rows, row by row (of ${SINGLE_ROWS})`, value: single, unit: 'ms' },
      { what: `${ROWS} rows, row by row in one transaction (of ${SINGLE_ROWS})`, value: singleInOne, unit: 'ms' },
      { what: `${ROWS} rows with remarks of ${LONG_REMARK} characters`, value: long.withSearch, unit: 'ms', bar: { atMost: 3_000 } },
      { what: 'CPU of the product per row', value: (median(rounds.cpu) * 1_000) / ROWS, unit: 'µs' },
    ],
  };
}

/** Medians, in ms. The rows are indexed between the rounds, as the server does between imports. */
async function measureLongRemarks(database: Database): Promise<{ withSearch: number; without: number }> {
  const file = contactsFile(ROWS, LONG_REMARK);
  const rounds = { withSearch: [] as number[], without: [] as number[] };
  for (let round = 0; round < LONG_ROUNDS; round++) {
    rounds.withSearch.push((await timed(() => importOurs(database, file))).ms);
    while ((await indexContacts(database, ROWS)) > 0);
    await database.run(sql`alter table contact disable trigger contact_search_insert`);
    rounds.without.push((await timed(() => importOurs(database, file))).ms);
    await database.run(sql`alter table contact enable trigger contact_search_insert`);
  }
  return { withSearch: median(rounds.withSearch), without: median(rounds.without) };
}

async function importOurs(database: Database, bytes: Buffer): Promise<void> {
  const campaignId = await insertCampaign(database);
  const deps = {
    db: database,
    contacts: contactRepository(database),
    audit: auditRepository(database),
    wake: { campaign: () => undefined },
    region: 'CN',
    timeZone: 'Asia/Shanghai',
    clock: systemClock,
    readWorkbook,
  } as const;
  const input = {
    fileName: 'contacts.csv',
    bytes,
    carrier: [],
    landline: 'allow',
    dryRun: false,
  } as const;
  const result = await importFile(deps, systemCaller('bench'), campaignId, input);
  if (result.createdRows !== ROWS) throw new Error(`the product imported ${result.createdRows} rows`);
}

/** The minimum of any import: parse, send the rows in one piece, merge them into the table. No checks, no report. */
async function importBare(database: Database, bytes: Buffer): Promise<void> {
  const campaignId = await insertCampaign(database);
  const staged = JSON.stringify(
    parseRows(bytes).map(([phone, name, remark, city, level]) => ({
      phone,
      key: keyOf(phone),
      name,
      remark,
      metadata: { 城市: city, 等级: level },
    })),
  );
  const created = await database.transaction(async tx => {
    await tx.run(sql`create temp table staged (phone text, key text, name text, remark text, metadata jsonb) on commit drop`);
    await tx.run(sql`
      insert into staged select * from jsonb_to_recordset(${staged}::jsonb) as s(phone text, key text, name text, remark text, metadata jsonb)`);
    return tx.run(sql`
      insert into contact (campaign_id, phone_number, dial_key, customer_name, remark, metadata)
      select ${campaignId}::int, phone, key, name, remark, metadata from staged
      on conflict (campaign_id, dial_key) where deleted_at is null and not is_repeat do nothing`);
  });
  if (created !== ROWS) throw new Error(`the bare import made ${created} rows`);
}

/** A statement per row, each in its own transaction or all in one. */
async function importSingly(database: Database, bytes: Buffer, options: { inOneTransaction: boolean }): Promise<void> {
  const campaignId = await insertCampaign(database);
  const rows = parseRows(bytes).slice(0, SINGLE_ROWS);
  const insertAll = async (into: Sql) => {
    for (const [phone, name, remark, city, level] of rows) {
      await into.run(sql`
        insert into contact (campaign_id, phone_number, dial_key, customer_name, remark, metadata)
        values (${campaignId}, ${phone}, ${keyOf(phone)}, ${name}, ${remark}, ${JSON.stringify({ 城市: city, 等级: level })}::jsonb)
        on conflict (campaign_id, dial_key) where deleted_at is null and not is_repeat do nothing`);
    }
  };
  await (options.inOneTransaction ? database.transaction(insertAll) : insertAll(database));
}

/** The rules compare numbers by this key: without it the next import would find no duplicate. */
const keyOf = (phone = '') => dialKey(phone, 'CN');

function parseRows(bytes: Buffer): string[][] {
  return parse(bytes, { from_line: 2, trim: true });
}

/** Resident memory, after a collection where `--expose-gc` allows one. */
function settledMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

async function peakMemory(work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    await work();
  } finally {
    sample();
    clearInterval(timer);
  }
  return peak;
}
