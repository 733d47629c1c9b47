import { describe, expect, test } from '@jest/globals';
import { addRows, LARGEST_HALF, packRows } from '#nlu/local/acts/packed-rows.ts';
import { randomInt, seededRandom } from '#kernel/random.ts';

const random = seededRandom(3);

/** Column sums of the rows, computed one by one. */
function plainSums(values: Int8Array, columns: number, rows: readonly number[]): number[] {
  return Array.from({ length: columns }, (_, column) => rows.reduce((sum, row) => sum + (values[row * columns + column] ?? 0), 0));
}

describe('rows packed into half bytes [issue 21]', () => {
  test.each([
    { columns: 64, count: 0 },
    { columns: 64, count: 17 },
    { columns: 64, count: 200 },
    { columns: 169, count: 18 },
    { columns: 3, count: 51 },
  ])('$count rows of $columns columns have the same sums as their unpacked values', ({ columns, count }) => {
    const values = Int8Array.from({ length: 60 * columns }, () => randomInt(random, -LARGEST_HALF, LARGEST_HALF));
    const rows = Array.from({ length: count }, () => randomInt(random, 0, 59));
    const into = new Int32Array(256);
    addRows(packRows(values, columns), Int32Array.from(rows), count, into);
    expect(Array.from(into.subarray(0, columns))).toEqual(plainSums(values, columns, rows));
    expect(into.subarray(columns).every(value => value === 0)).toBe(true);
  });

  test.each([LARGEST_HALF, -LARGEST_HALF])('sums of extreme values do not overflow into the next column: %d', extreme => {
    const into = new Int32Array(8);
    addRows(packRows(new Int8Array(8).fill(extreme), 8), new Int32Array(100), 100, into);
    expect(Array.from(into)).toEqual(Array<number>(8).fill(100 * extreme));
  });
});
