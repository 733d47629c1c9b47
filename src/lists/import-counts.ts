import { z } from 'zod';

const rows = z.int().nonnegative();

/** Rows that make no contact because their person is there already: repeated in the file, in the campaign or list, in another campaign of the business, dialled lately. */
const leftOut = z.object({ repeated: rows, known: rows, business: rows, contacted: rows });

/**
 * Rows of an import so far, counted by their outcome.
 *
 * Shape: totalRows is the sum of the others but `keptRows`, which are part of `updatedRows`, with all members of `leftOut`
 */
export const importCounts = z
  .object({
    totalRows: rows,
    createdRows: rows,
    updatedRows: rows.meta({ description: '按外部编号更新的行数' }),
    keptRows: rows.meta({ description: '其中正在通话或已有结果、状态保持不变的联系人数' }),
    unchangedRows: rows.meta({ description: '与已有内容相同、未写入的行数' }),
    failedRows: rows.meta({ description: '有误而未导入的行数，可下载修正' }),
    leftOut: leftOut.meta({ description: '已有此人而略去的行数，按原因' }),
  })
  .meta({ id: 'ListImportCounts' });

export type ImportCounts = z.output<typeof importCounts>;

export const NO_ROWS: ImportCounts = {
  totalRows: 0,
  createdRows: 0,
  updatedRows: 0,
  keptRows: 0,
  unchangedRows: 0,
  failedRows: 0,
  leftOut: { repeated: 0, known: 0, business: 0, contacted: 0 },
};

export function sumOf(a: ImportCounts, b: ImportCounts): ImportCounts {
  const sum = <Counts extends Readonly<Record<string, number>>>(x: Counts, y: Counts) =>
    Object.entries(x).map(([name, value]) => [name, value + (y[name] ?? 0)] as const);
  const { leftOut: leftA, ...countsA } = a;
  const { leftOut: leftB, ...countsB } = b;
  return importCounts.parse({ ...Object.fromEntries(sum(countsA, countsB)), leftOut: Object.fromEntries(sum(leftA, leftB)) });
}
