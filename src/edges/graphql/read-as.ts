import { importFields } from '#contract/rest/importing.ts';
import { parseTexts } from '#contract/rest/parse.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { isRegion } from '#rules/dial-key.ts';
import type { HeaderSearch } from '#operations/importing/file-table.ts';
import type { SentFile } from '#operations/importing/read-table.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** Arguments that say how a file is to be read. */
interface ReadingAsked {
  sheet?: string | null | undefined;
  headerRow?: number | null | undefined;
  includeHidden?: boolean | null | undefined;
  region?: string | null | undefined;
}

/** A file with its reading options, validated by the rules of REST's form. Errors: INVALID_ARGUMENT naming the argument */
export function readAs(
  { fileName, bytes }: UploadedFile,
  { sheet, headerRow, includeHidden, region: asked }: ReadingAsked,
): { file: SentFile; search: HeaderSearch } {
  const texts = {
    ...(sheet && { sheet }),
    ...(asked && { region: asked }),
    ...(typeof headerRow === 'number' && { headerRow: String(headerRow) }),
  };
  const { region, ...fields } = parseTexts(importFields, texts, 'options');
  if (!isRegion(region)) throw invalidArgument('region', `不支持的国家或地区代码「${region}」`);
  return {
    file: { fileName, bytes, sheet: fields.sheet, includesHidden: includeHidden ?? false },
    search: { headerRow: fields.headerRow, region },
  };
}
