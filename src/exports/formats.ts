import { parquetFormat } from '#platform/files/tables/parquet-format.ts';
import { csvFormat, ndjsonFormat } from '#platform/files/tables/text-formats.ts';
import type { TableFormat } from '#platform/files/tables/table-format.ts';
import { workbookFormat } from '#platform/files/tables/workbook-format.ts';
import type { ExportFormat } from './export.ts';

/** How each format is written. */
export const FORMATS: Readonly<Record<ExportFormat, TableFormat>> = {
  csv: csvFormat,
  xlsx: workbookFormat,
  ndjson: ndjsonFormat,
  parquet: parquetFormat,
};
