import { sql } from 'kysely';
import { z } from 'zod';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, invalidArgument, notFound } from '#kernel/errors.ts';
import { instant } from '#kernel/fields.ts';
import { type FilePreview, previewTable } from '#imports/preview.ts';
import { csvLine } from '#platform/files/csv.ts';
import { storeFile } from '#platform/files/file-store.ts';
import { isWorkbook, MAX_FILE_BYTES } from '#platform/files/read-table.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import { readHead, type Reading, type SourceApp, type SourceFile } from './source-file.ts';

/** An uploaded file that waits for its import; it is removed a day later. Source: D6.9 */
export const listFile = z
  .object({ id: z.uuid(), fileName: z.string(), size: z.int().meta({ description: '字节数' }), createdAt: instant })
  .meta({ id: 'ListFile' });

export type ListFile = z.output<typeof listFile>;

export interface ImportLimits {
  /** Largest file of an import, in bytes. */
  maxImportBytes: number;
}

export type FilesApp = SourceApp & ImportLimits & Pick<Platform, 'db' | 'ids'>;

/** Key of an import's file in the file store. */
export function fileKey(fileId: string): string {
  return `imports/${fileId}`;
}

const MAX_FILE_NAME_LENGTH = 200;
/** Files of earlier uploads that one upload clears away. */
const SWEEP_LIMIT = 20;

/**
 * Stores an upload as it arrives; a workbook becomes a CSV file.
 *
 * Errors: PAYLOAD_TOO_LARGE; INVALID_ARGUMENT for a format that is no table
 * Source: D6.9
 */
export async function receiveFile(
  app: FilesApp,
  { userId }: Caller,
  { fileName, bytes }: { fileName: string; bytes: AsyncIterable<Uint8Array> },
): Promise<ListFile> {
  await sweepFiles(app);
  const id = app.ids();
  const size = await storeTable(app, fileKey(id), bytes);
  const name = fileName.slice(-MAX_FILE_NAME_LENGTH).toWellFormed();
  const row = await app.db.first(sql<ListFile>`
    insert into list_file (id, file_name, size, created_by) values (${id}::uuid, ${name}, ${size}, ${userId}) returning ${columnsOf(listFile)}`);
  if (!row) throw new Error('a file was not inserted');
  return row;
}

/** Stores a table as bytes that a line end never cuts: texts in UTF-8 or GB18030. Returns their number. Errors: those of `receiveFile` */
export async function storeTable(app: SourceApp & ImportLimits, key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const { maxImportBytes: max } = app;
  const stored = await storeFile(app.files, key, asTable(app, bounded(bytes, { max, refusal: `文件不能超过 ${mebibytes(max)} MiB` })));
  if (stored === 0) throw invalidArgument('file', 'emptyFile');
  return stored;
}

interface Bound {
  /** Bytes. */
  max: number;
  /** What somebody reads whose file is longer. */
  refusal: string;
}

async function* bounded(bytes: AsyncIterable<Uint8Array>, { max, refusal }: Bound): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > max) throw new CalloutError('PAYLOAD_TOO_LARGE', refusal);
    yield chunk;
  }
}

const mebibytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

/** Bytes by which the format is known. */
const MARK_BYTES = 8;

async function* asTable(app: SourceApp & ImportLimits, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < MARK_BYTES) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  const all = joined(start, chunks);
  const wide = WIDE.find(({ mark }) => start.subarray(0, mark.length).equals(mark));
  if (isWorkbook(start)) yield* sheetAsText(app, all);
  else if (wide) yield* asUtf8(all, wide.encoding);
  else yield* all;
}

async function* joined(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Encodings of two bytes, in which a line end could be a part of a character. */
const WIDE = [
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
] as const;

async function* asUtf8(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** A workbook is unpacked and read as a whole, so it has the bounds of a file that is imported at once; text has no such bound. */
async function* sheetAsText(app: SourceApp & ImportLimits, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const text = `请另存为 CSV 后导入：CSV 与 TSV 可达 ${mebibytes(app.maxImportBytes)} MiB`;
  const bound = { max: MAX_FILE_BYTES, refusal: `XLSX 文件不能超过 ${mebibytes(MAX_FILE_BYTES)} MiB，${text}` };
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(bytes, bound)) chunks.push(chunk);
  const { rows } = await app.readWorkbook(Buffer.concat(chunks), { sheet: null, includesHidden: false });
  for (const row of rows) yield Buffer.from(csvLine(row));
}

/** Removes files that nobody has imported. */
async function sweepFiles(app: FilesApp): Promise<void> {
  const left = await app.db.rows(sql<{ id: string }>`
    delete from list_file where id in (
      select id from list_file where created_at < now() - interval '1 day' order by created_at limit ${SWEEP_LIMIT} for update skip locked)
    returning id`);
  for (const { id } of left) await app.files.remove(fileKey(id));
}

type User = Pick<Caller, 'userId'>;

/** Errors: NOT_FOUND, also for the file of somebody else */
export async function getFile({ db }: { db: Sql }, { userId }: User, fileId: string): Promise<SourceFile> {
  const row = await db.first(sql<ListFile>`
    select ${columnsOf(listFile)} from list_file where id = ${fileId}::uuid and created_by is not distinct from ${userId}::int`);
  if (!row) throw notFound('文件');
  return { key: fileKey(row.id), fileName: row.fileName, size: row.size };
}

/** Gives a file over to its import. Errors: NOT_FOUND when another one has taken it */
export async function takeFile(tx: Sql, fileId: string): Promise<void> {
  if ((await tx.run(sql`delete from list_file where id = ${fileId}::uuid`)) === 0) throw notFound('文件');
}

/**
 * Shows what an import would find in a file, judged by its first 64 KiB.
 *
 * Shape:  `totalRows` is an estimate by the size of the file
 * Errors: NOT_FOUND; INVALID_ARGUMENT when it is no table
 */
export async function previewListFile(
  app: FilesApp,
  caller: User,
  fileId: string,
  reading: Omit<Reading, 'mapping'>,
): Promise<FilePreview> {
  const file = await getFile(app, caller, fileId);
  const { headBytes, ...table } = await readHead(app, file, { ...reading, mapping: null });
  const preview = previewTable(table, reading.region);
  return { ...preview, totalRows: Math.round((preview.totalRows * file.size) / headBytes) };
}
