import { parseTexts } from '#platform/http/parse.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { requestedRegion } from '#imports/requested-region.ts';
import type { HeaderSearch } from '#imports/file-table.ts';
import type { SentFile } from '#imports/read-table.ts';
import type { UploadedFile } from '#platform/graphql/scalars.ts';
import { importFields } from '#imports/file-import.ts';

/** Arguments that say how a file is to be read. */
interface ReadingOptions {
  sheet?: string | null | undefined;
  headerRow?: number | null | undefined;
  includeHidden?: boolean | null | undefined;
  region?: string | null | undefined;
}

/** A file with its reading options, validated by the rules of REST's form; `home` is the default region. Errors: INVALID_ARGUMENT naming the argument */
export function parseReadingOptions(
  { fileName, bytes }: UploadedFile,
  { sheet, headerRow, includeHidden, region: requested }: ReadingOptions,
  home: Region,
): { file: SentFile; search: HeaderSearch } {
  const fields = parseTexts(importFields, { ...(sheet && { sheet }) }, 'options');
  return {
    file: { fileName, bytes, sheet: fields.sheet, includesHidden: includeHidden ?? false },
    search: parseHeaderSearch({ headerRow, region: requested }, home),
  };
}

/** How the header of a file is found, validated in the same way. Errors: INVALID_ARGUMENT naming the argument */
export function parseHeaderSearch({ headerRow, region: requested }: ReadingOptions, home: Region): HeaderSearch & { region: Region } {
  const texts = { ...(requested && { region: requested }), ...(typeof headerRow === 'number' && { headerRow: String(headerRow) }) };
  const fields = parseTexts(importFields, texts, 'options');
  return { headerRow: fields.headerRow, region: requestedRegion(fields.region, home) };
}
