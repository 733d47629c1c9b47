import { sql } from 'kysely';
import { type AttemptFilter, attemptList } from '#attempts/attempt-store.ts';
import { listContacts } from '#contacts/list-contacts.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { contactRepository } from '#contacts/contact-store.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { getTrend, readCounts } from '#overview/counts.ts';
import { numberOption, timed } from '#bench/support/measure.ts';
import type { BenchReport, Figure } from '#tools/commands/bench-report.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import { measureImports } from './import-list.ts';
import { loadRows, type LoadedRows } from './load-rows.ts';

const CONTACTS = 100_000;
const ATTEMPTS = 300_000;
const ROUNDS = 60;
const WARM_UP_ROUNDS = 3;
const LOAD_TIMEOUT_MS = 600_000;
const LIST_BAR_MS = 50;
const OVERVIEW_BAR = 3;
const TREND_DAYS = 14;

type Read = (round: number) => Promise<unknown>;

/**
 * Lists and totals over many rows: `npm run bench -- lists [--contacts N] [--attempts N] [--rounds N]`; the bars are meant for
 * 1,000,000 contacts and 10,000,000 attempts. With `--rows N` it measures imports of so many rows instead.
 *
 * Source: OCS 2.2, D2.4, D14.2
 */
export const bench: Bench = async context => {
  if (context.args.includes('--rows')) return measureImports(context);
  await migrate(context.databaseUrl);
  const database = await connectDatabase({
    entities: ENTITIES,
    url: context.databaseUrl,
    poolSize: 2,
    statementTimeoutMs: LOAD_TIMEOUT_MS,
  });
  try {
    const contacts = numberOption(context.args, 'contacts', CONTACTS);
    const attempts = numberOption(context.args, 'attempts', ATTEMPTS);
    return await measure(context, database, await loadRows(database, { contacts, attempts, print: line => context.print(line) }));
  } finally {
    await database.close();
  }
};

async function measure(context: BenchContext, database: Database, loaded: LoadedRows): Promise<BenchReport> {
  const rounds = numberOption(context.args, 'rounds', ROUNDS);
  const figures: Figure[] = [];
  for (const [what, read] of Object.entries(listsOf(database, loaded))) {
    figures.push({ what: `p95 of ${what}`, value: quantile(await times(rounds, read), 0.95), unit: 'ms', bar: { atMost: LIST_BAR_MS } });
  }
  const deps = { db: database };
  const byKey = quantile(await times(rounds, round => byPrimaryKey(database, loaded, round)), 0.99);
  const counts = quantile(await times(rounds, () => readCounts(deps)), 0.99);
  const trend = quantile(await times(rounds, () => getTrend(deps, TREND_DAYS)), 0.99);
  const ratios = [
    { what: 'p99 of the overview / of a read by primary key', ratio: counts / byKey, bar: { atMost: OVERVIEW_BAR } },
    { what: `p99 of ${TREND_DAYS} days of trend / of a read by primary key`, ratio: trend / byKey, bar: { atMost: OVERVIEW_BAR } },
  ];
  figures.push({ what: 'p99 of a read by primary key', value: byKey, unit: 'ms' });
  figures.push({ what: 'contacts', value: loaded.contacts, unit: 'rows' }, { what: 'attempts', value: loaded.attempts, unit: 'rows' });
  return { bench: 'lists', ratios, figures };
}

/** Each list with its total, as a page requests them. */
function listsOf(database: Database, { campaignId }: LoadedRows): Record<string, Read> {
  const contacts = contactRepository(database);
  const page = { page: 1, pageSize: 50 };
  const attempts = (filter: AttemptFilter) => readPage({ db: database }, attemptList, { ...page, ...filter });
  const found = (q: string, status: 'pending' | 'completed' | null = null, number = 1) =>
    listContacts({ db: database, contacts }, campaignId, { ...page, page: number, q, status });
  return {
    'contacts, no filter': () => found(''),
    'contacts by status': () => found('', 'pending'),
    'contacts, three-digit prefix': round => found(['138', '139', '150', '186'][round % 4] ?? ''),
    'contacts, one surname': round => found(['王', '张', '李', '赵'][round % 4] ?? ''),
    'contacts, a remark of one in 25': () => found('重点客户'),
    'contacts, a whole number': round => found(`138${String((round * 10 * 48_271) % 100_000_000).padStart(8, '0')}`),
    'contacts, one surname and a status': () => found('王', 'pending'),
    'contacts, one digit, which finds all': () => found('1'),
    'contacts, two digits': round => found(['13', '38', '86', '05'][round % 4] ?? ''),
    'contacts, two digits and a status': round => found(['13', '38', '86', '05'][round % 4] ?? '', 'pending'),
    'contacts, two digits never asked for before': round => found(fresh(round, 10)),
    'contacts, two digits never asked for before and a status': round => found(fresh(round, 10), 'completed'),
    'contacts, two digits and a status, when one has moved': async round => {
      await database.run(
        sql`update contact set status = case status when 'failed' then 'completed' else 'failed' end where id = ${1 + 4 * round}`,
      );
      return found(['13', '38', '86', '05'][round % 4] ?? '', 'pending');
    },
    'contacts, one digit and a status, page 50': () => found('1', 'completed', 50),
    'contacts, a whole number and a status': round =>
      found(`138${String((round * 10 * 48_271) % 100_000_000).padStart(8, '0')}`, 'pending'),
    'contacts, two digits, a page in the middle': round => found(['13', '38', '86', '05'][round % 4] ?? '', null, 500),
    'attempts, no filter': () => attempts({}),
    'attempts of a campaign': () => attempts({ campaignId }),
    'attempts by status': () => attempts({ status: 'failed' }),
    'attempts of a campaign by call status': () => attempts({ campaignId, callStatus: 'busy' }),
    'attempts by emotion status': () => attempts({ emotionStatus: 'done' }),
  };
}

/** Another pair of digits each round, so that nothing is cached. */
function fresh(round: number, from: number): string {
  return String(from + ((round * 7) % 90));
}

function byPrimaryKey(database: Database, { contacts }: LoadedRows, round: number): Promise<unknown> {
  return database.first(sql`select * from contact where id = ${1 + ((round * 7_919) % contacts)}`);
}

async function times(rounds: number, read: Read): Promise<number[]> {
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await read(round);
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) taken.push((await timed(() => read(round))).ms);
  return taken;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
