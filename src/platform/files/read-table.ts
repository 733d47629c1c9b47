import { isUtf8 } from 'node:buffer';
import { invalidArgument, invalidInput } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';

const BYTE_ORDER_MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * Decodes the text of an uploaded file.
 *
 * Why:    spreadsheet programs in China save CSV as GB18030; GB18030 text with Chinese characters is practically never valid UTF-8
 * Errors: INVALID_ARGUMENT when the bytes are valid in none of the encodings
 * Source: D6.4
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = BYTE_ORDER_MARKS.find(mark => mark.bytes.every((byte, index) => bytes[index] === byte));
  const encoding = mark?.encoding ?? (isUtf8(bytes) ? 'utf-8' : 'gb18030');
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidInput([{ field: 'file', problem: problem('unknownEncoding') }], error);
  }
}

type FileRefusal =
  | 'encryptedOrOldWorkbook'
  | 'oldWorkbook'
  | 'pdfFile'
  | 'pngFile'
  | 'jpegFile'
  | 'rarFile'
  | 'sevenZipFile'
  | 'gzipFile'
  | 'rtfFile'
  | 'xmlSpreadsheet'
  | 'webPage'
  | 'webArchive';

/** Leading bytes of binary formats that are refused. */
const BINARY_FILES: readonly (readonly [mark: string, refusal: FileRefusal])[] = [
  ['d0cf11e0a1b11ae1', 'encryptedOrOldWorkbook'],
  ...['0908100000', '0908080000', '0904060000', '0902060000', '0900040000'].map(mark => [mark, 'oldWorkbook'] as const),
  ['25504446', 'pdfFile'],
  ['89504e47', 'pngFile'],
  ['ffd8ff', 'jpegFile'],
  ['526172211a07', 'rarFile'],
  ['377abcaf271c', 'sevenZipFile'],
  ['1f8b', 'gzipFile'],
  ['7b5c727466', 'rtfFile'],
];
/** Beginnings of text formats that are not tables, although spreadsheet programs open them. */
const OTHER_TEXTS: readonly (readonly [mark: RegExp, refusal: FileRefusal])[] = [
  [/^<\?xml[^>]*>\s*(?:<\?[^>]*>\s*)*<(?:\w+:)?Workbook\b/i, 'xmlSpreadsheet'],
  [/^(?:<\?xml[^>]*>\s*|<!--.{0,500}?-->\s*)*<(?:!doctype\s+html|html|head|body|meta|style|table)\b/is, 'webPage'],
  [/^MIME-Version:/i, 'webArchive'],
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
  if (refused) throw invalidArgument('file', refused[1]);
  return start.startsWith(ZIP);
}

/** Errors: INVALID_ARGUMENT naming a text format that is not a table */
export function requireTable(text: string): void {
  const start = text.slice(0, LONGEST_START).trimStart();
  const refused = OTHER_TEXTS.find(([mark]) => mark.test(start));
  if (refused) throw invalidArgument('file', refused[1]);
}

/** Source: OCS §8, D6.5 */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_IMPORT_ROWS = 10_000;
/** Most lines of a file, blank ones included, because spreadsheets append thousands of empty rows. */
export const MAX_FILE_RECORDS = 200_000;
export const MAX_COLUMNS = 100;
/** Longest column name, in characters. */
export const MAX_COLUMN_NAME_LENGTH = 100;
/** Characters parsed before the event loop yields: a few ms. */
export const PARSE_CHUNK_LENGTH = 128 * 1024;
export const PARSE_CHUNK_LINES = 500;
/** Rows validated before the event loop yields: a few ms. */
export const VALIDATE_CHUNK_ROWS = 500;

export type Separator = ',' | '\t' | ';' | '|';

/** In order of preference when several occur equally often. */
const CANDIDATES = [',', '\t', ';'] as const;
type Candidate = (typeof CANDIDATES)[number];
const QUOTE = '"';

/** First line by which a file names its separator to spreadsheets. */
const NAMED = /^\s*"?sep=([,;|\t])"?[ \t]*(?:\r\n|\n|\r|$)/i;

interface SeparatedText {
  separator: Separator;
  /** Text without the line that names the separator; line numbers are preserved. */
  text: string;
}

/** Takes the separator from a line `sep=;`, else detects it. Source: D6.4 */
export function separatedText(fileName: string, text: string): SeparatedText {
  const named = NAMED.exec(text);
  if (!named) return { separator: sniffSeparator(fileName, text), text };
  return { separator: named[1] as Separator, text: `\n${text.slice(named[0].length)}` };
}

const NONE: Readonly<Record<Candidate, number>> = { ',': 0, '\t': 0, ';': 0 };
/** Number of leading lines examined: titles may precede the table. */
const LINES = 20;

/**
 * Detects the separator of a file: a tab for a `.tsv` name, else the candidate that occurs in most of the first lines, and among several the
 * most frequent one in the first line that contains any.
 *
 * Why:    in some locales spreadsheets save `.csv` with tabs or semicolons, so the extension `.csv` is no evidence
 * Shape:  a comma for a file with one column
 * Source: D6.4
 */
function sniffSeparator(fileName: string, text: string): Separator {
  if (/\.(tsv|tab)$/i.test(fileName)) return '\t';
  const lines = countOutsideQuotes(text);
  const first = lines.find(line => CANDIDATES.some(candidate => line[candidate] > 0)) ?? NONE;
  const weigh = (candidate: Candidate) => [lines.filter(line => line[candidate] > 0).length, first[candidate]] as const;
  return CANDIDATES.reduce<Candidate>((best, candidate) => (isMore(weigh(candidate), weigh(best)) ? candidate : best), ',');
}

type Weight = readonly [lines: number, times: number];

function isMore([lines, times]: Weight, [otherLines, otherTimes]: Weight): boolean {
  return lines > otherLines || (lines === otherLines && times > otherTimes);
}

/** Counts the candidates outside quotes in each of the first non-blank lines. */
function countOutsideQuotes(text: string): Record<Candidate, number>[] {
  const lines: Record<Candidate, number>[] = [];
  let counts = { ...NONE };
  let quoted = false;
  let blank = true;
  for (const char of text) {
    if (char === QUOTE) quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) {
      if (!blank && lines.push(counts) === LINES) return lines;
      counts = { ...NONE };
      blank = true;
    } else if (!quoted && (char === ',' || char === '\t' || char === ';')) counts[char] += 1;
    blank &&= char.trim() === '';
  }
  return [...lines, counts];
}
