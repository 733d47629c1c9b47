import type { ColumnPlan } from '#imports/column-plan.ts';
import { type MappingInput, planColumns } from '#imports/column-mapping.ts';
import type { FileTable } from '#imports/file-table.ts';
import { readTable, type ReadFile, type SheetsPart } from '#imports/read-table.ts';
import { BLOCK_BYTES, readBlock, type TextBlock, type TextPlace, wholeLines } from '#imports/text-block.ts';
import { decodeText, type Separator, separatedText } from '#platform/files/read-table.ts';
import type { FileStorePart } from '#platform/files/file-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { isRefusalColumn } from './refusal-columns.ts';

/** Bytes by which a file is judged: its encoding, separator, header and columns. */
export const HEAD_BYTES = 64 * 1024;

/** A text file in the store, in UTF-8 or GB18030. */
export interface SourceFile {
  key: string;
  fileName: string;
  size: number;
}

export type SourceApp = FileStorePart & SheetsPart & Pick<Platform, 'clock'>;

/** How the columns of a file are found; what is absent the head of the file decides. */
export interface Reading {
  mapping: MappingInput | null;
  headerRow?: number | undefined;
  region: Region;
}

/** The beginning of a file as a table. */
export type TableHead = FileTable & ReadFile & { separator: Separator; headBytes: number };

/** Errors: INVALID_ARGUMENT when it is no table */
export async function readHead(app: SourceApp, file: SourceFile, { mapping, headerRow, region }: Reading): Promise<TableHead> {
  const reader = byteReader(app, file.key, 0);
  const start = await reader.look(HEAD_BYTES);
  await reader.close();
  const head = wholeLines(start, start.length === file.size).bytes;
  const table = await readTable(app, { fileName: file.fileName, bytes: head }, { headerRow, mustHave: mapping?.phoneNumber, region });
  return { ...table, separator: separatedText(file.fileName, decodeText(head)).separator, headBytes: head.length };
}

/** A file whose columns are known. */
export interface OpenFile extends SourceFile {
  table: FileTable;
  plan: ColumnPlan;
  /** Rows above the data. */
  above: number;
  separator: Separator;
}

/** Errors: INVALID_ARGUMENT when it is no table, or its columns do not fit */
export async function openFile(app: SourceApp, file: SourceFile, reading: Reading): Promise<OpenFile> {
  const { records, separator, header, names, headerRow } = await readHead(app, file, reading);
  const plan = planColumns({ header, names, headerRow, records }, reading.mapping, reading.region);
  const metadata = reading.mapping === null ? plan.metadata.filter(({ name }) => !isRefusalColumn(name)) : plan.metadata;
  const [first] = records;
  const above = first === undefined ? headerRow : first.row - first.rowNumber;
  return { ...file, table: { header, names, headerRow, records: [] }, plan: { ...plan, metadata }, above, separator };
}

/** Reads a file block by block, from any place on. */
export function blockReader(app: SourceApp, file: OpenFile): (place: TextPlace) => Promise<TextBlock> {
  let bytes = byteReader(app, file.key, 0);
  return async place => {
    if (place.offset !== bytes.at()) {
      await bytes.close();
      bytes = byteReader(app, file.key, place.offset);
    }
    const wanted = await bytes.look(BLOCK_BYTES);
    const isLast = place.offset + wanted.length >= file.size;
    const block = await readBlock(app.clock, wanted, { place, separator: file.separator, fileName: file.fileName, isLast });
    bytes.skip(block.next.offset - place.offset);
    return block;
  };
}

/** The bytes of a stored file from an offset on, of which some are looked at before they are taken. */
function byteReader({ files }: FileStorePart, key: string, start: number) {
  let offset = start;
  let held: Uint8Array[] = [];
  let size = 0;
  const source = readFrom(files, key, start);
  return {
    at: () => offset,
    /** The next bytes, at most so many; fewer at the end alone. */
    async look(most: number): Promise<Uint8Array> {
      while (size < most) {
        const { done, value } = await source.next();
        if (done === true) break;
        held.push(value);
        size += value.length;
      }
      const joined = Buffer.concat(held);
      held = [joined];
      return joined.subarray(0, most);
    },
    skip(bytes: number): void {
      const joined = Buffer.concat(held);
      held = [joined.subarray(bytes)];
      size = joined.length - bytes;
      offset += bytes;
    },
    close: async () => void (await source.return(undefined)),
  };
}

async function* readFrom(files: FileStorePart['files'], key: string, from: number): AsyncGenerator<Uint8Array, undefined> {
  const file = await files.open(key);
  try {
    yield* file.read(from);
  } finally {
    await file.close();
  }
  return undefined;
}
