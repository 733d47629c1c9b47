import { isAscii, isUtf8 } from 'node:buffer';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { invalidInput } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';
import { type Separator, separatedText } from '#platform/files/read-table.ts';
import type { FileRow } from './file-table.ts';
import { readCountedRecords, unclosed, walkQuotes } from './read-table.ts';

/** Most bytes of a block, and so of one row. */
export const BLOCK_BYTES = 1024 * 1024;
/** Most lines of a block: its rows are written in one transaction of some hundred milliseconds. */
export const BLOCK_LINES = 5_000;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A place between two rows of a text file, from which reading goes on. */
export const textPlace = z.object({
  /** Bytes before the place. */
  offset: z.int().nonnegative(),
  /** Rows before it, blank ones included. */
  rows: z.int().nonnegative(),
  lines: z.int().nonnegative(),
  /** Null until the first byte outside ASCII decides it. */
  encoding: z.enum(['utf-8', 'gb18030']).nullable(),
});

export type TextPlace = z.output<typeof textPlace>;
type Encoding = TextPlace['encoding'];

export const FILE_START: TextPlace = { offset: 0, rows: 0, lines: 0, encoding: null };

/** Some rows of a file, which it counts from 1, and the place behind them. */
export interface TextBlock {
  rows: FileRow[];
  next: TextPlace;
}

interface BlockToRead {
  place: TextPlace;
  separator: Separator;
  fileName: string;
  /** Whether the file ends with these bytes. */
  isLast: boolean;
}

/**
 * Reads whole rows from the bytes that stand at a place of a file in UTF-8 or GB18030.
 *
 * Why:    a file of any length is read in such parts, each alone: a line end is the same byte in both encodings and never a part of a character
 * Errors: INVALID_ARGUMENT for bytes of another encoding, or a quote that nothing closes
 */
export async function readBlock(clock: Clock, bytes: Uint8Array, block: BlockToRead): Promise<TextBlock> {
  const { place, separator, isLast } = block;
  const cut = wholeLines(bytes, isLast);
  const { text: decoded, encoding } = decodeBlock(cut.bytes, place.encoding);
  const end = cut.isLast ? decoded.length : rowsEnd(decoded, block);
  const whole = decoded.slice(0, end);
  const text = place.offset === 0 ? separatedText(block.fileName, whole).text : whole;
  const { rows, records } = await readCountedRecords(clock, text, separator, place.lines);
  return {
    rows: rows.map(({ row, cells }) => ({ row: place.rows + row, cells })),
    next: {
      offset: place.offset + bytesBefore(cut.bytes, lineEnds(decoded, end)),
      rows: place.rows + records,
      lines: place.lines + lineEnds(whole, 0),
      encoding,
    },
  };
}

interface Lines {
  bytes: Uint8Array;
  isLast: boolean;
}

/** The longest beginning that ends with a line and has no more lines than a block. */
export function wholeLines(bytes: Uint8Array, isLast: boolean): Lines {
  const mark = bytes.includes(LINE_FEED) ? LINE_FEED : CARRIAGE_RETURN;
  let end = 0;
  for (let lines = 0; lines < BLOCK_LINES; lines++) {
    const at = bytes.indexOf(mark, end);
    if (at < 0) return isLast ? { bytes, isLast } : { bytes: bytes.subarray(0, end), isLast: false };
    end = at + 1;
  }
  return { bytes: bytes.subarray(0, end), isLast: isLast && end === bytes.length };
}

/** Errors: INVALID_ARGUMENT for a row that is longer than a block, as one with an open quote is */
function rowsEnd(text: string, { place, separator }: BlockToRead): number {
  const { rowsEnd: end, openedAt } = text.includes('"') ? walkQuotes(text, separator) : { rowsEnd: text.length, openedAt: null };
  if (end === 0) throw unclosed(place.lines + (openedAt ?? 1));
  return end;
}

function decodeBlock(bytes: Uint8Array, known: Encoding): { text: string; encoding: Encoding } {
  if (known === null && isAscii(bytes))
    return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), encoding: null };
  const encoding = known ?? (isUtf8(bytes) ? 'utf-8' : 'gb18030');
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
  } catch (error) {
    throw invalidInput([{ field: 'file', problem: problem('unknownEncoding') }], error);
  }
}

/** Counts the line ends of a text from a place on, by the mark that ends the lines of its file. */
function lineEnds(text: string, from: number): number {
  const mark = text.includes('\n') ? '\n' : '\r';
  let count = 0;
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** The number of bytes in front of the last `lines` lines. */
function bytesBefore(bytes: Uint8Array, lines: number): number {
  if (lines === 0) return bytes.length;
  const mark = bytes.includes(LINE_FEED) ? LINE_FEED : CARRIAGE_RETURN;
  let at = bytes.length - 1;
  for (let left = lines; left > 0; left--) at = bytes.lastIndexOf(mark, at - 1);
  return at + 1;
}
