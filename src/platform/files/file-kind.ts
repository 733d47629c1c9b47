import { type CalloutError, invalidArgument } from '#kernel/errors.ts';

/** Leading bytes of binary formats that are refused. */
const BINARY_FILES: readonly (readonly [string, string])[] = [
  ['d0cf11e0a1b11ae1', '旧版 Excel 工作簿（.xls）或加密的工作簿'],
  ...['0908100000', '0908080000', '0904060000', '0902060000', '0900040000'].map(mark => [mark, '旧版 Excel 工作簿（.xls）'] as const),
  ['25504446', 'PDF 文件'],
  ['89504e47', 'PNG 图片'],
  ['ffd8ff', 'JPEG 图片'],
  ['526172211a07', 'RAR 压缩包'],
  ['377abcaf271c', '7z 压缩包'],
  ['1f8b', 'gzip 压缩包'],
  ['7b5c727466', 'RTF 文档'],
];
/** Beginnings of text formats that are not tables, although spreadsheet programs open them. */
const OTHER_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^<\?xml[^>]*>\s*(?:<\?[^>]*>\s*)*<(?:\w+:)?Workbook\b/i, 'XML 表格（.xls）'],
  [
    /^(?:<\?xml[^>]*>\s*|<!--.{0,500}?-->\s*)*<(?:!doctype\s+html|html|head|body|meta|style|table)\b/is,
    '网页表格（HTML，常见于扩展名为 .xls 的文件）',
  ],
  [/^MIME-Version:/i, '网页存档（MHTML，常见于扩展名为 .xls 的文件）'],
];
const LONGEST_START = 4_000;
/** Every XLSX is a ZIP archive. */
const ZIP = '504b0304';
const LONGEST_MARK = 8;

/**
 * Returns whether an uploaded file is a workbook; otherwise it is text.
 *
 * Errors: INVALID_ARGUMENT naming an unsupported format
 * Source: D6.3
 */
export function isWorkbook(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, LONGEST_MARK)).toString('hex');
  const refused = BINARY_FILES.find(([mark]) => start.startsWith(mark));
  if (refused) throw unread(refused[1]);
  return start.startsWith(ZIP);
}

/** Errors: INVALID_ARGUMENT naming a text format that is not a table */
export function requireTable(text: string): void {
  const start = text.slice(0, LONGEST_START).trimStart();
  const refused = OTHER_TEXTS.find(([mark]) => mark.test(start));
  if (refused) throw unread(refused[1]);
}

function unread(kind: string): CalloutError {
  return invalidArgument('file', `是${kind}，请另存为 XLSX 或 CSV 后再上传`);
}
