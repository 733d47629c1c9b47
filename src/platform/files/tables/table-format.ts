import type { JsonValue } from '#kernel/json.ts';

/** Kind of a column's values; an `instant` is UTC ms. */
export const CELL_TYPES = ['text', 'integer', 'number', 'flag', 'instant', 'json'] as const;
export type CellType = (typeof CELL_TYPES)[number];

export interface TableColumn {
  /** Name in formats that programs read. */
  key: string;
  /** Heading in formats that people read. */
  title: string;
  type: CellType;
}

export interface Table {
  columns: readonly TableColumn[];
  /** Time zone in which people read instants. */
  zone: string;
}

/** Values of the columns, in their order. */
export type TableRow = readonly JsonValue[];

/** Bytes of a file, or text that becomes bytes in UTF-8 where it is kept. */
export type Piece = Uint8Array | string;

/**
 * Writes a table as the bytes of a file, piece by piece.
 *
 * Why: `save` returns what another process needs to go on behind the bytes that were written so far, so a file outlives its writer
 */
export interface TableWriter {
  /** Writes the part before the first row; called once. */
  header(): Piece;
  rows(rows: readonly TableRow[]): Piece;
  /** Writes the part after the last row. */
  end(): Piece;
  save(): JsonValue;
}

export interface TableFormat {
  extension: string;
  mediaType: string;
  /** People read it: in their language, with instants in their zone. */
  isForPeople: boolean;
  /** Rows that are written together; they are in memory at the same time. */
  rowsAtOnce: number;
  /** `saved` is null for a new file. */
  open(table: Table, saved: JsonValue): TableWriter;
}
