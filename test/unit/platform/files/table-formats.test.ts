import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import { readWorkbook } from '#platform/files/read-workbook.ts';
import { parquetFormat } from '#platform/files/tables/parquet-format.ts';
import type { Table, TableFormat, TableRow } from '#platform/files/tables/table-format.ts';
import { csvFormat, ndjsonFormat } from '#platform/files/tables/text-formats.ts';
import { workbookFormat } from '#platform/files/tables/workbook-format.ts';

const TABLE: Table = {
  zone: 'Asia/Shanghai',
  columns: [
    { key: 'id', title: '编号', type: 'integer' },
    { key: 'name', title: '姓名', type: 'text' },
    { key: 'rate', title: '比率', type: 'number' },
    { key: 'isOpen', title: '进行中', type: 'flag' },
    { key: 'at', title: '时间', type: 'instant' },
    { key: 'detail', title: '详情', type: 'json' },
  ],
};
const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const ROWS: readonly TableRow[] = [
  [1, '=1+1', 0.5, true, AT, { a: ['x'] }],
  [2, '张"三",\n<b>&', null, false, null, null],
  [3, null, 2, null, AT + 1_000, [1]],
];

/** Writes the rows in slices of which each is continued from what the one before saved, as another server would. */
function written(format: TableFormat, rows: readonly TableRow[], slice: number): Buffer {
  const first = format.open(TABLE, null);
  const pieces = [first.header()];
  let saved = first.save();
  for (let from = 0; from < rows.length; from += slice) {
    const writer = format.open(TABLE, JSON.parse(JSON.stringify(saved)));
    pieces.push(writer.rows(rows.slice(from, from + slice)));
    saved = writer.save();
  }
  pieces.push(format.open(TABLE, JSON.parse(JSON.stringify(saved))).end());
  return Buffer.concat(pieces.map(piece => Buffer.from(piece)));
}

describe('CSV', () => {
  test('has a byte order mark, times of the zone, and texts that no spreadsheet evaluates', () => {
    expect(written(csvFormat, ROWS, 2).toString()).toBe(
      [
        '\ufeff编号,姓名,比率,进行中,时间,详情',
        `1,'=1+1,0.5,true,2026-01-02 11:04:05,"{""a"":[""x""]}"`,
        '2,"张""三"",\n<b>&",,false,,',
        '3,,2,,2026-01-02 11:04:06,[1]',
        '',
      ].join('\r\n'),
    );
  });
});

describe('NDJSON', () => {
  test('has an object a line, with instants in ISO 8601', () => {
    const lines = written(ndjsonFormat, ROWS, 1)
      .toString()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as unknown);
    expect(lines).toEqual([
      { id: 1, name: '=1+1', rate: 0.5, isOpen: true, at: '2026-01-02T03:04:05.000Z', detail: { a: ['x'] } },
      { id: 2, name: '张"三",\n<b>&', rate: null, isOpen: false, at: null, detail: null },
      { id: 3, name: null, rate: 2, isOpen: null, at: '2026-01-02T03:04:06.000Z', detail: [1] },
    ]);
  });
});

describe('an Excel workbook', () => {
  test('is read back as the texts that a user sees, whatever the slices', async () => {
    for (const slice of [1, 2, 10]) {
      const { rows } = await readWorkbook(written(workbookFormat, ROWS, slice), { sheet: null, includesHidden: true });
      expect(rows).toEqual([
        ['编号', '姓名', '比率', '进行中', '时间', '详情'],
        ['1', "'=1+1", '0.5', 'true', '2026-01-02 11:04:05', '{"a":["x"]}'],
        ['2', '张"三",\n<b>&', '', 'false', '', ''],
        ['3', '', '2', '', '2026-01-02 11:04:06', '[1]'],
      ]);
    }
  });
});

describe('Parquet', () => {
  test('is read back by hyparquet, group by group', async () => {
    const bytes = written(parquetFormat, ROWS, 2);
    const file = new Uint8Array(bytes).buffer;
    const rows = await parquetReadObjects({ file, compressors: { ZSTD: input => zstdDecompressSync(input) } });
    expect(rows).toEqual([
      { id: 1n, name: '=1+1', rate: 0.5, isOpen: true, at: new Date(AT), detail: '{"a":["x"]}' },
      { id: 2n, name: '张"三",\n<b>&', rate: null, isOpen: false, at: null, detail: null },
      { id: 3n, name: null, rate: 2, isOpen: null, at: new Date(AT + 1_000), detail: '[1]' },
    ]);
  });

  test('of many rows has their values in their order', async () => {
    const many = Array.from(
      { length: 25_000 },
      (_, index): TableRow => [index, `name ${index % 7}`, index / 2, index % 2 === 0, AT + index, { index }],
    );
    const bytes = written(parquetFormat, many, 10_000);
    const file = new Uint8Array(bytes).buffer;
    const rows = await parquetReadObjects({ file, compressors: { ZSTD: input => zstdDecompressSync(input) } });
    expect(rows).toHaveLength(many.length);
    expect(rows.at(-1)).toEqual({
      id: 24_999n,
      name: `name ${24_999 % 7}`,
      rate: 12_499.5,
      isOpen: false,
      at: new Date(AT + 24_999),
      detail: '{"index":24999}',
    });
  });
});
