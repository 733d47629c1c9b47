import { sql } from 'kysely';
import { instant } from '#platform/postgres/values.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Span } from './checks.ts';
import { digestOf } from './import-file.ts';
import type { ExportFinding, ImportFigures, ImportFinding, JobEvidence, RowsDigest } from './job-checks.ts';
import type { StartedImport, StartedJobs } from './job-load.ts';
import type { RestCaller } from './rest-caller.ts';

interface Reading {
  rest: RestCaller;
  database: Database;
}

/** Reads what has become of the jobs of a run. */
export async function readJobs(reading: Reading, started: StartedJobs, unowned: readonly Span[]): Promise<JobEvidence> {
  const imports: ImportFinding[] = [];
  for (const each of started.imports) {
    const found = await readImport(reading, each);
    if (found.jobId !== null || each.isConfirmed) imports.push(found);
  }
  const exports = await readExports(reading);
  return { imports, exports, missed: missedExports(started, exports), unowned, refusals: started.refusals };
}

/** Exports whose start was confirmed and that are not there. */
function missedExports({ exports: confirmed }: StartedJobs, found: readonly ExportFinding[]): number[] {
  const known = new Set(found.map(({ jobId }) => jobId));
  return confirmed.filter(id => !known.has(id));
}

interface JobRow {
  id: number;
  state: string;
  error: string | null;
}

const JOB = sql`id, state, error ->> 'message' as error`;

async function readImport({ rest, database }: Reading, { campaignId, expected }: StartedImport): Promise<ImportFinding> {
  const job = await database.first(sql<JobRow & { counts: ImportFigures | null }>`
    select ${JOB}, result -> 'counts' as counts from job
    where kind = 'import' and (input -> 'target' ->> 'campaignId')::int = ${campaignId}`);
  const { id = null, state = 'absent', error = null, counts = null } = job ?? {};
  return {
    jobId: id,
    campaignId,
    state,
    error,
    expected: { ...expected.contacts, refused: expected.refused, repeated: expected.repeated },
    found: { ...(await readContacts(database, campaignId)), refused: id === null ? [] : await readRefusals(rest, id), counts },
  };
}

async function readContacts(database: Database, campaignId: number): Promise<RowsDigest & { ids: number }> {
  const row = await database.first(sql<RowsDigest & { ids: number }>`
    select count(*)::int as rows, count(distinct external_id)::int as ids,
      md5(coalesce(string_agg(external_id || ':' || phone_number, ',' order by (external_id || ':' || phone_number) collate "C"), '')) as digest
    from contact where campaign_id = ${campaignId} and deleted_at is null`);
  return row ?? { rows: -1, ids: -1, digest: '' };
}

/** The first column says where the row stood. */
async function readRefusals(rest: RestCaller, jobId: number): Promise<number[]> {
  const answer = await rest.open(`/api/imports/${jobId}/refusals`);
  const [, ...rows] = (await answer.text()).trimEnd().split('\r\n');
  return rows.map(row => Number(row.split(',')[0]));
}

interface ExportRow extends JobRow {
  format: string;
  reported: number;
  /** Instant before which the calls began, UTC ms. */
  to: number;
}

async function readExports({ rest, database }: Reading): Promise<ExportFinding[]> {
  const jobs = await database.rows(sql<ExportRow>`
    select ${JOB}, input ->> 'format' as format, coalesce((result ->> 'rows')::int, -1) as reported, (input -> 'filter' ->> 'to')::bigint as "to"
    from job where kind = 'export' order by id`);
  const found: ExportFinding[] = [];
  for (const { id, to, ...job } of jobs) {
    const file = job.state === 'done' ? digestOf(await readExport(rest, id, job.format)) : { rows: -1, digest: '' };
    found.push({ jobId: id, ...job, expected: await readCalls(database, to), found: file });
  }
  return found;
}

/** The rows of a file as `id:requestId`. */
async function readExport(rest: RestCaller, jobId: number, format: string): Promise<string[]> {
  const { data } = await rest.call('POST', `/api/exports/${jobId}/link`, {});
  const lines = (await (await rest.open(data.link.url)).text()).trimEnd().split(/\r?\n/);
  if (format === 'csv') return lines.slice(1).map(line => line.split(',').slice(0, 2).join(':'));
  return lines
    .filter(line => line !== '')
    .map(line => {
      const { id, requestId } = JSON.parse(line);
      return `${id}:${requestId}`;
    });
}

async function readCalls(database: Database, to: number): Promise<RowsDigest> {
  const row = await database.first(sql<RowsDigest>`
    select count(*)::int as rows,
      md5(coalesce(string_agg(id || ':' || request_id, ',' order by (id || ':' || request_id) collate "C"), '')) as digest
    from attempt where created_at < ${instant(to)} and deleted_at is null`);
  return row ?? { rows: -1, digest: '' };
}

/** Jobs that have ended, of whom a subscriber hears. */
export function readEndedJobs(database: Database): Promise<{ id: number; kind: string }[]> {
  return database.rows(sql<{ id: number; kind: string }>`select id, kind from job where state in ('done', 'failed') order by id`);
}
