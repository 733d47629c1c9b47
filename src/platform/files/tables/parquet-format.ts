import { zstdCompressSync } from 'node:zlib';
import type { CompressionCodec, Encoding, ParquetType, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { z } from 'zod';
import type { JsonValue } from '#kernel/json.ts';
import type { CellType, Table, TableFormat, TableRow } from './table-format.ts';

/** Encodings of the values, by their place in the state. */
const ENCODINGS: readonly Encoding[] = ['PLAIN', 'RLE_DICTIONARY', 'RLE'];
const CODEC: CompressionCodec = 'ZSTD';

/** Columns of a group as numbers: position of the data, of the dictionary (-1 without), compressed and uncompressed size, encodings. */
const chunk = z.tuple([z.int(), z.int(), z.int(), z.int(), z.array(z.int())]);
const state = z.object({ offset: z.int(), groups: z.array(z.object({ rows: z.int(), chunks: z.array(chunk) })) });
type State = z.output<typeof state>;

/**
 * Apache Parquet for programs that analyse: a group of rows at a time, compressed by Zstandard.
 *
 * Why:    the end of the file lists all groups, so the state keeps where each column of each group stands
 * Source: parquet-format 2.11
 */
export const parquetFormat: TableFormat = {
  extension: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  isForPeople: false,
  rowsAtOnce: 10_000,
  open: (table, saved) => writerOf(table, saved === null ? { offset: 0, groups: [] } : state.parse(saved)),
};

function writerOf(table: Table, now: State) {
  const schema = schemaOf(table);
  /** Runs the library's writer behind the bytes that are there; it begins each time as if the file were new. */
  const written = (write: (parquet: ParquetWriter) => unknown): Uint8Array => {
    const bytes = new ByteWriter();
    const parquet = new ParquetWriter({ writer: bytes, schema, codec: CODEC, compressors: { [CODEC]: packed }, statistics: false });
    if (now.offset > 0) {
      bytes.index = 0;
      bytes.offset = now.offset;
    }
    write(parquet);
    now.offset = bytes.offset;
    return bytes.getBytes().slice();
  };
  return {
    header: () => written(() => undefined),
    rows(rows: readonly TableRow[]) {
      return written(parquet => {
        void parquet.write({ columnData: columnsOf(table, rows), rowGroupSize: rows.length });
        now.groups.push(...parquet.row_groups.map(compact));
      });
    },
    end() {
      return written(parquet => {
        parquet.row_groups = now.groups.map(group => expanded(group, schema));
        parquet.num_rows = BigInt(now.groups.reduce((sum, { rows }) => sum + rows, 0));
        void parquet.finish();
      });
    },
    save: (): JsonValue => structuredClone(now),
  };
}

function packed(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes);
}

const TYPES: Readonly<Record<CellType, Pick<SchemaElement, 'converted_type'> & { type: ParquetType }>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

function schemaOf({ columns }: Table): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ key, type }): SchemaElement => ({ name: key, repetition_type: 'OPTIONAL', ...TYPES[type] })),
  ];
}

function columnsOf({ columns }: Table, rows: readonly TableRow[]) {
  return columns.map(({ key, type }, place) => ({
    name: key,
    data: rows.map(row => READ[type](row[place] ?? null)),
    offsetIndex: false,
  }));
}

const READ: Readonly<Record<CellType, (value: JsonValue) => unknown>> = {
  text: value => (value === null ? null : textOf(value)),
  json: value => (value === null ? null : JSON.stringify(value)),
  integer: value => (typeof value === 'number' ? BigInt(Math.round(value)) : null),
  number: value => (typeof value === 'number' ? value : null),
  flag: value => (typeof value === 'boolean' ? value : null),
  instant: value => (typeof value === 'number' ? new Date(value) : null),
};

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function compact({ num_rows, columns }: RowGroup): State['groups'][number] {
  const chunks = columns.map(({ meta_data: data }): z.output<typeof chunk> => {
    if (!data) throw new Error('a column without its description');
    const encodings = data.encodings.map(encoding => ENCODINGS.indexOf(encoding));
    const dictionary = data.dictionary_page_offset === undefined ? -1 : Number(data.dictionary_page_offset);
    return [Number(data.data_page_offset), dictionary, Number(data.total_compressed_size), Number(data.total_uncompressed_size), encodings];
  });
  return { rows: Number(num_rows), chunks };
}

function expanded({ rows, chunks }: State['groups'][number], schema: readonly SchemaElement[]): RowGroup {
  const columns = chunks.map(([data, dictionary, compressed, uncompressed, encodings], place) => ({
    file_offset: BigInt(dictionary < 0 ? data : dictionary),
    meta_data: {
      type: schema[place + 1]?.type ?? 'BYTE_ARRAY',
      encodings: encodings.map(at => ENCODINGS[at] ?? 'PLAIN'),
      path_in_schema: [schema[place + 1]?.name ?? ''],
      codec: CODEC,
      num_values: BigInt(rows),
      total_compressed_size: BigInt(compressed),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(data),
      ...(dictionary < 0 ? {} : { dictionary_page_offset: BigInt(dictionary) }),
    },
  }));
  const sum = (at: 2 | 3) => BigInt(chunks.reduce((total, each) => total + each[at], 0));
  return { columns, num_rows: BigInt(rows), total_byte_size: sum(3), total_compressed_size: sum(2) };
}
