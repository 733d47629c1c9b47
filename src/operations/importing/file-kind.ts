import { invalidArgument } from '#kernel/errors.ts';

/** What files begin with that are no text. */
const BINARY_FILES: readonly (readonly [string, string])[] = [
  ['d0cf11e0a1b11ae1', '旧版 Excel 工作簿（.xls）'],
  ['25504446', 'PDF 文件'],
  ['89504e47', 'PNG 图片'],
  ['ffd8ff', 'JPEG 图片'],
  ['526172211a07', 'RAR 压缩包'],
  ['377abcaf271c', '7z 压缩包'],
  ['1f8b', 'gzip 压缩包'],
  ['7b5c727466', 'RTF 文档'],
];
/** Every XLSX is a ZIP archive. */
const ZIP = '504b0304';
const LONGEST_MARK = 8;

/**
 * Whether an uploaded file is a workbook, else it is text.
 *
 * Errors: INVALID_ARGUMENT naming a format that is not read
 * Source: D6.3
 */
export function isWorkbook(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, LONGEST_MARK)).toString('hex');
  const refused = BINARY_FILES.find(([mark]) => start.startsWith(mark));
  if (refused) throw invalidArgument('file', `是${refused[1]}，请另存为 XLSX 或 CSV 后再上传`);
  return start.startsWith(ZIP);
}
