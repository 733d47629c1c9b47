import type { Caller } from '#kernel/caller.ts';
import { recogniseColumns } from './column-mapping.ts';
import type { ColumnPlan } from './column-plan.ts';
import { type FileTable, type HeaderSearch, MAX_HEADER_SEARCH_ROWS } from './file-table.ts';
import type { ImportQueue } from './import-queue.ts';
import { likelyColumns } from './likely-numbers.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { type ReadFile, readTable, type ReadTableDeps, type SentFile } from './read-table.ts';

export const IMPORT_MEMBERS = ['phone_number', 'customer_name', 'remark', 'metadata', 'variables', 'ignored'] as const;

/** A column of a file with samples, for the user who maps it. */
export interface SampledColumn {
  /** Name by which a mapping refers to the column. */
  key: string;
  /** Empty when the header does not name the column. */
  name: string;
  /** Cells of the first rows, each cut to 200 characters. */
  samples: string[];
  /** Whether its cells are numbers of the region, with few exceptions. */
  looksLikeNumbers: boolean;
}

/** A column of a file before the import. */
export interface PreviewColumn extends SampledColumn {
  /** How an import without a mapping uses the column. */
  member: (typeof IMPORT_MEMBERS)[number];
}

export interface FilePreview {
  /** Sheets of a workbook in order; empty for a text file. */
  sheets: string[];
  hiddenSheets: string[];
  /** Number of hidden rows, which are skipped. */
  hiddenRows: number;
  /** 0 when the file has no header. */
  headerRow: number;
  /** First rows, from which the user can choose the header. */
  topRows: { row: number; cells: string[] }[];
  columns: PreviewColumn[];
  totalRows: number;
  /** Region by which its numbers were read. */
  region: Region;
}

export interface PreviewFileDeps extends ReadTableDeps {
  importQueue: ImportQueue;
}

const SAMPLE_ROWS = 5;
const MAX_SAMPLE_LENGTH = 200;
const TOP_CELLS = 12;

/**
 * Shows what an import would find in a file, before the columns are mapped. Validates and writes nothing.
 *
 * Errors: INVALID_ARGUMENT when the file cannot be read; RATE_LIMITED
 * Source: D6.3
 */
export function previewFile(
  deps: PreviewFileDeps,
  caller: Caller,
  { file, search }: { file: SentFile; search: HeaderSearch },
): Promise<FilePreview> {
  return deps.importQueue.inTurn(caller, async () => {
    const table = await readTable(deps, file, search);
    const plan = recogniseColumns(table, search.region);
    return {
      ...sheetsOf(table),
      headerRow: table.headerRow,
      topRows: table.rows.slice(0, MAX_HEADER_SEARCH_ROWS).map(({ row, cells }) => ({ row, cells: cells.slice(0, TOP_CELLS).map(sample) })),
      columns: sampledColumns(table, search.region).map((column, index) => ({ ...column, member: memberOf(plan, index) })),
      totalRows: table.records.length,
      region: search.region,
    };
  });
}

/** Returns the columns of a table with the cells of their first rows. */
export function sampledColumns({ names, header, records }: FileTable, region: Region): SampledColumn[] {
  const likely = likelyColumns(records, names.length, region);
  return names.map((key, index) => ({
    key,
    name: header[index] ?? '',
    samples: records.slice(0, SAMPLE_ROWS).map(({ cells }) => sample(cells[index] ?? '')),
    looksLikeNumbers: likely.includes(index),
  }));
}

function sample(cell: string): string {
  return cell.slice(0, MAX_SAMPLE_LENGTH).toWellFormed();
}

function sheetsOf({ sheets, hiddenRows }: ReadFile): Pick<FilePreview, 'sheets' | 'hiddenSheets' | 'hiddenRows'> {
  const hidden = sheets.filter(({ isHidden }) => isHidden);
  return { sheets: sheets.map(({ name }) => name), hiddenSheets: hidden.map(({ name }) => name), hiddenRows };
}

function memberOf({ phoneNumber, customerName, remark, variables, metadata }: ColumnPlan, index: number): PreviewColumn['member'] {
  if (index === phoneNumber) return 'phone_number';
  if (index === customerName) return 'customer_name';
  if (index === remark) return 'remark';
  if (index === variables) return 'variables';
  return metadata.some(column => column.index === index) ? 'metadata' : 'ignored';
}
