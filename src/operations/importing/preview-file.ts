import type { Caller } from '../access/caller.ts';
import { type ColumnPlan, recogniseColumns, requireHeader } from './column-mapping.ts';
import type { ImportQueue } from './import-queue.ts';
import { readTable, type ReadTableDeps, type SentFile } from './read-table.ts';

export const IMPORT_MEMBERS = ['phone_number', 'customer_name', 'remark', 'metadata'] as const;

/** A column of a file before it is imported. */
export interface PreviewColumn {
  /** Empty where the header has no name for it. */
  name: string;
  /** What an import without a mapping makes of it. */
  member: (typeof IMPORT_MEMBERS)[number];
  /** Its cells in the first rows, each at most 200 characters. */
  samples: string[];
}

/** Shape: sheets of a workbook in their order, none of a text */
export interface FilePreview {
  sheets: string[];
  columns: PreviewColumn[];
  totalRows: number;
}

export interface PreviewFileDeps extends Pick<ReadTableDeps, 'clock'> {
  importQueue: ImportQueue;
  surveyWorkbook: (bytes: Uint8Array, sheet: string | null) => Promise<{ rows: string[][]; sheets: string[] }>;
}

const SAMPLE_ROWS = 5;
const MAX_SAMPLE_LENGTH = 200;

/**
 * What an import would find in a file, before anybody says which column is what. Nothing is judged or written.
 *
 * Errors: INVALID_ARGUMENT when the file cannot be read; RATE_LIMITED
 * Source: D6.3
 */
export function previewFile(deps: PreviewFileDeps, caller: Caller, file: SentFile): Promise<FilePreview> {
  return deps.importQueue.inTurn(caller, async () => {
    let sheets: string[] = [];
    const readWorkbook = async (bytes: Uint8Array, sheet: string | null) => {
      const survey = await deps.surveyWorkbook(bytes, sheet);
      sheets = survey.sheets;
      return survey.rows;
    };
    const { header, records } = await readTable({ clock: deps.clock, readWorkbook }, file);
    requireHeader(header);
    const plan = recogniseColumns(header);
    const columns = header.map((name, index) => ({
      name,
      member: memberOf(plan, index),
      samples: records.slice(0, SAMPLE_ROWS).map(({ cells }) => (cells[index] ?? '').slice(0, MAX_SAMPLE_LENGTH).toWellFormed()),
    }));
    return { sheets, columns, totalRows: records.length };
  });
}

function memberOf({ phoneNumber, customerName, remark }: ColumnPlan, index: number): PreviewColumn['member'] {
  if (index === phoneNumber) return 'phone_number';
  if (index === customerName) return 'customer_name';
  return index === remark ? 'remark' : 'metadata';
}
