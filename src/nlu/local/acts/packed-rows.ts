/**
 * Rows of small integers, half a byte each.
 *
 * Why:   four columns are added at a time, and half as much memory is read as with bytes
 * Shape: a row has `width` words of eight columns, the first in the lowest half byte, each with LARGEST_HALF added
 */
export interface PackedRows {
  words: Int32Array;
  width: number;
}

/** Greatest absolute value of a column. */
export const LARGEST_HALF = 7;
const COLUMNS_A_WORD = 8;
const HALVES = 0x0f0f0f0f;
const BYTE = 0xff;
/** Number of half bytes whose sum fits into a byte. */
const ROWS_A_SUM = 17;

/** Words per row for a number of columns. */
export function rowWidth(columns: number): number {
  return Math.ceil(columns / COLUMNS_A_WORD);
}

/** Packs rows; unused columns of a row's last word are zero. */
export function packRows(values: Int8Array, columns: number): PackedRows {
  const width = rowWidth(columns);
  const words = new Int32Array((values.length / columns) * width).fill(LARGEST_HALF * 0x11111111);
  values.forEach((value, at) => {
    const column = at % columns;
    const word = Math.floor(at / columns) * width + Math.floor(column / COLUMNS_A_WORD);
    words[word] = (words[word] ?? 0) + (value << (4 * (column % COLUMNS_A_WORD)));
  });
  return { words, width };
}

/** Adds `count` of the rows column by column to `into`, whose length covers whole words. */
export function addRows({ words, width }: PackedRows, rows: Int32Array, count: number, into: Int32Array): void {
  for (let from = 0; from < count; from += ROWS_A_SUM) {
    const to = Math.min(count, from + ROWS_A_SUM);
    const zero = LARGEST_HALF * (to - from);
    for (let word = 0; word < width; word += 1) {
      let even = 0;
      let odd = 0;
      for (let at = from; at < to; at += 1) {
        const packed = words[(rows[at] as number) * width + word] as number;
        even = (even + (packed & HALVES)) | 0;
        odd = (odd + ((packed >>> 4) & HALVES)) | 0;
      }
      for (let column = COLUMNS_A_WORD * word; column < COLUMNS_A_WORD * (word + 1); column += 2) {
        into[column] = (into[column] as number) + (even & BYTE) - zero;
        into[column + 1] = (into[column + 1] as number) + (odd & BYTE) - zero;
        even >>>= 8;
        odd >>>= 8;
      }
    }
  }
}
