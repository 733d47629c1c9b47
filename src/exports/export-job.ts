import { sql } from 'kysely';
import { z } from 'zod';
import { type JobKind, jobKind, type StepTools, type StepWrite } from '#jobs/job-kind.ts';
import type { FileStorePart } from '#platform/files/file-store.ts';
import type { TableColumn, TableFormat, TableRow, TableWriter } from '#platform/files/tables/table-format.ts';
import { localText } from '#platform/files/tables/text-formats.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Platform } from '#platform/platform.ts';
import type { Database } from '#platform/postgres/database.ts';
import { type ExportedFile, type ExportInput, exportInput, KINDS, type RowsInput, type StatsInput } from './export.ts';
import { FORMATS } from './formats.ts';
import { findVariables } from './find-variables.ts';
import { chooseColumns, type ColumnPlan, inLanguage, planColumns } from './plan-columns.ts';
import type { ExportSource } from './sources/export-source.ts';
import { resultField } from '#scripts/decisions/result-field.ts';
import { readDeclaredFields, readNumberKeys } from '#scripts/result-fields.ts';
import { sourceOf } from './sources/source-of.ts';
import { createPartBuffers, type PartBuffers, type PartBytes } from './part-bytes.ts';
import { beginWalk, countIds, readSlice, type Slice, type Walk, walk } from './walk-rows.ts';

export const EXPORT_JOB = 'export';

/** How far an export is. The stages follow each other: names of variables, rows, and the end of the file. */
const cursor = z.object({
  stage: z.enum(['variables', 'rows', 'end']),
  upload: z.object({ key: z.string(), uploadId: z.string() }),
  /** Tags of the parts that the store has, in their order. */
  tags: z.array(z.string()),
  scan: walk,
  walk,
  variables: z.array(z.string()),
  fields: z.array(resultField),
  /** Keys of result fields that are phone numbers. */
  numberKeys: z.array(z.string()).optional().default([]),
  /** State from which the writer of the format resumes. */
  format: z.json(),
  ids: z.int(),
  rows: z.int(),
  bytes: z.int(),
  /** Instant as of which the ids were found, UTC ms: whoever is read later has those rows, too. */
  asOf: z.int().optional().default(0),
});

type Cursor = z.output<typeof cursor>;
type Write = StepWrite<Cursor>;

/** Rows that are counted, not read one after the other. */
export interface CountedTable {
  columns: readonly TableColumn[];
  rows: readonly TableRow[];
}

/** Counts the rows of an export by the rights of its owner. The noun whose figures they are stands below this one, so it comes as a parameter. */
export type CountRows = (owner: Caller, input: StatsInput, isForPeople: boolean) => Promise<CountedTable>;

export type ExportApp = FileStorePart & Pick<Platform, 'db' | 'reports' | 'clock' | 'ids'> & { timeZone: string };

/** Writes the rows of an export to the file store, part by part: another server goes on behind the last part. */
export function exportJob(app: ExportApp, countRows: CountRows): JobKind {
  const buffers = createPartBuffers(app.files.partBytes);
  return jobKind<ExportInput, Cursor>({
    kind: EXPORT_JOB,
    input: exportInput,
    cursor,
    step({ cursor: at, input, owner }, tools) {
      if (at?.stage === 'end') return endFile(app, input, at);
      if (input.kind === 'stats') return writeCounted(app, input, isForPeople => countRows(owner, input, isForPeople));
      if (at === null) return begin(app, input);
      return at.stage === 'variables' ? scanVariables(app, input, at) : writeRows(app, { input, at, buffers }, tools);
    },
    async discard({ cursor: at }) {
      if (at === null) return;
      await app.files.abort(at.upload);
      await app.files.remove(at.upload.key);
    },
  });
}

async function begin({ reports, files, ids }: ExportApp, input: RowsInput): Promise<Write> {
  const source = sourceOf(input);
  const { value, asOf } = await reports.read(db => lookAhead(db, source, input));
  const upload = await files.begin(keyOf(ids(), input));
  const isScanned = input.columns === null && source.variables !== undefined;
  const { total, ...found } = value;
  const begun: Cursor = { ...EMPTY, stage: isScanned ? 'variables' : 'rows', upload, ...found, asOf };
  return () => ({ cursor: begun, done: 0, total });
}

async function lookAhead(db: Database, source: ExportSource, { isMasked }: RowsInput) {
  const [rows, scan, fields, numberKeys, total] = await Promise.all([
    beginWalk(db, source),
    beginWalk(db, { table: sql`contact`, createdFrom: undefined }),
    source.results === undefined ? [] : readDeclaredFields({ db }, { campaignId: source.campaignId ?? null }),
    isMasked ? readNumberKeys({ db }) : [],
    source.total && countIds(db, source.total),
  ]);
  return { walk: rows, scan, fields, numberKeys, total };
}

const EMPTY = { tags: [], variables: [], format: null, ids: 0, rows: 0, bytes: 0, asOf: 0 };
const NOTHING: Walk = { after: 0, upTo: 0, width: 1 };

function keyOf(id: string, { format }: ExportInput): string {
  return `exports/${id}.${FORMATS[format].extension}`;
}

/** Writes the whole file as one part: what is counted fits into memory. */
async function writeCounted(
  { files, ids, timeZone }: ExportApp,
  input: StatsInput,
  count: (isForPeople: boolean) => Promise<CountedTable>,
): Promise<Write> {
  const format = FORMATS[input.format];
  const { columns, rows } = await count(format.isForPeople);
  const writer = format.open({ columns, zone: timeZone }, null);
  const bytes = Buffer.concat([writer.header(), writer.rows(rows), writer.end()].map(piece => Buffer.from(piece)));
  const upload = await files.begin(keyOf(ids(), input));
  const tag = await files.putPart(upload, 1, bytes);
  const counted = { ids: rows.length, rows: rows.length, bytes: bytes.length };
  const cursor: Cursor = {
    ...EMPTY,
    ...counted,
    stage: 'end',
    upload,
    tags: [tag],
    scan: NOTHING,
    walk: NOTHING,
    fields: [],
    numberKeys: [],
  };
  return () => ({ cursor, done: rows.length, total: rows.length });
}

async function scanVariables({ reports }: ExportApp, input: RowsInput, at: Cursor): Promise<Write> {
  const asked = { campaignId: sourceOf(input).campaignId ?? null, found: at.variables, at: at.scan };
  const { found, next } = (await reports.read(db => findVariables(db, asked), at.asOf)).value;
  const stage = next.after >= next.upTo ? 'rows' : 'variables';
  return () => ({ cursor: { ...at, stage, variables: found, scan: next } });
}

interface Writing {
  input: RowsInput;
  at: Cursor;
  buffers: PartBuffers;
}

/** Writes rows until a part is full, and keeps the part. */
async function writeRows(app: ExportApp, { input, at, buffers }: Writing, tools: StepTools): Promise<Write> {
  const source = sourceOf(input);
  const format = FORMATS[input.format];
  const plan = planColumns(chooseColumns(source, input.columns, at), { ...input, ...at, isForPeople: format.isForPeople });
  const writer = format.open({ columns: plan.columns, zone: app.timeZone }, at.format);
  return buffers(async bytes => {
    const part = new Part(at, writer, bytes);
    while (bytes.size < app.files.partBytes && !part.isLast) {
      // A part that is not full may not be kept: a store refuses it before the last one.
      tools.signal.throwIfAborted();
      part.add(await readPart(app, { source, plan, format, at: part.walk, asOf: at.asOf }), plan);
      tools.report({ done: part.ids });
    }
    const tag = await app.files.putPart(at.upload, at.tags.length + 1, part.take());
    const cursor = part.cursorWith(tag);
    return () => ({ cursor, done: cursor.ids });
  });
}

interface Reading {
  source: ExportSource;
  plan: ColumnPlan;
  format: TableFormat;
  at: Cursor['walk'];
  asOf: number;
}

async function readPart({ reports }: ExportApp, { source, plan, format, at, asOf }: Reading): Promise<Slice> {
  const limit = Math.max(1, Math.floor(format.rowsAtOnce / (source.rowsPerId ?? 1)));
  return (await reports.read(db => readSlice(db, source, plan.values, { ...at, limit }), asOf)).value;
}

/** A part of the file while it grows. */
class Part {
  readonly #at: Cursor;
  readonly #writer: TableWriter;
  readonly #bytes: PartBytes;
  walk: Cursor['walk'];
  ids: number;
  #rows: number;

  constructor(at: Cursor, writer: TableWriter, bytes: PartBytes) {
    this.#at = at;
    this.#writer = writer;
    this.#bytes = bytes;
    this.walk = at.walk;
    this.ids = at.ids;
    this.#rows = at.rows;
    if (at.tags.length === 0) bytes.add(writer.header());
  }

  /** Whether all rows were read; the end of the file is in the part then. */
  get isLast(): boolean {
    return this.walk.after >= this.walk.upTo;
  }

  add({ rows, ids, next }: Slice, plan: ColumnPlan): void {
    if (rows.length > 0) this.#bytes.add(this.#writer.rows(rows.map(cells => plan.rowOf(cells))));
    this.walk = next;
    this.ids += ids;
    this.#rows += rows.length;
  }

  take(): Uint8Array {
    if (this.isLast) this.#bytes.add(this.#writer.end());
    return this.#bytes.bytes;
  }

  cursorWith(tag: string): Cursor {
    const { tags, bytes } = this.#at;
    return {
      ...this.#at,
      stage: this.isLast ? 'end' : 'rows',
      tags: [...tags, tag],
      walk: this.walk,
      format: this.#writer.save(),
      ids: this.ids,
      rows: this.#rows,
      bytes: bytes + this.#bytes.size,
    };
  }
}

/** Makes one file of the parts; repeating it after a crash is harmless. */
async function endFile(app: ExportApp, input: ExportInput, { upload, tags, bytes, rows, ids }: Cursor): Promise<Write> {
  await app.files.complete(upload, tags);
  const fileName = await fileNameOf(app, input);
  const { mediaType } = FORMATS[input.format];
  const result: ExportedFile = { file: upload.key, fileName, mediaType, bytes, rows };
  return () => ({ result, done: ids, total: ids });
}

/** `通话-春季回访-20261201-0930.csv`: what the file has, and when it was made. */
async function fileNameOf({ db, clock, timeZone }: ExportApp, input: ExportInput): Promise<string> {
  const campaignId = input.kind === 'stats' ? null : (sourceOf(input).campaignId ?? null);
  const campaign =
    campaignId === null ? undefined : await db.first(sql<{ name: string }>`select name from campaign where id = ${campaignId}`);
  const at = localText(clock.now(), timeZone).slice(0, 16).replaceAll('-', '').replace(' ', '-').replace(':', '');
  const parts = [inLanguage(KINDS[input.kind].title, input.language), campaign?.name, at];
  return `${parts.flatMap(part => (part === undefined ? [] : [fit(part)])).join('-')}.${FORMATS[input.format].extension}`;
}

const MAX_NAME_LENGTH = 60;

/** Without what file systems refuse. */
function fit(text: string): string {
  return text
    .replaceAll(/[\\/:*?"<>|\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
}
