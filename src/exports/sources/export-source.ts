import { type RawBuilder, sql } from 'kysely';
import type { JsonValue } from '#kernel/json.ts';
import type { CellType } from '#platform/files/tables/table-format.ts';
import type { List } from '#platform/postgres/listing.ts';
import type { Words } from '../export.ts';

/** A column that a source can give. */
export interface SourceColumn {
  key: string;
  title: Words;
  type: CellType;
  /** SQL of the value over the tables of the source. */
  value: RawBuilder<unknown>;
  /** Display texts by code, in both languages. */
  words?: Readonly<Record<string, Words>>;
  /** Finishes a value that SQL alone cannot; it comes before words and masks. */
  finish?: (value: JsonValue) => JsonValue;
  /** Whether the value is a phone number, or several in one text: masked for readers who may not see whole numbers. */
  isNumber?: boolean;
  /** Masks a structured value before it is finished; result fields with these keys are phone numbers. */
  mask?: (value: JsonValue, numberKeys: ReadonlySet<string>) => JsonValue;
  /** Whether the column is in the file only when the request names it. */
  isRare?: boolean;
}

/** Ids of a walk: after the last one that was read, up to the last that was there at the beginning. */
export interface IdRange {
  after: number;
  upTo: number;
  limit: number;
}

/** Rows of one kind, narrowed by a filter, in the order of an id. */
export interface ExportSource {
  columns: readonly SourceColumn[];
  /** Table whose ids the walk follows. */
  table: RawBuilder<unknown>;
  /** The ids of matching rows within the range, the lowest first, at most `limit`. */
  chosen(range: IdRange): RawBuilder<{ id: number }>;
  /** Joins that give the rows of `chosen`, whose ids are `chosen.id`. */
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  /** How many ids match; null where counting is as much work as reading. */
  total: RawBuilder<number> | null;
  /** Earliest creation of a matching row, UTC ms; undefined: any. Ids follow time. */
  createdFrom: number | undefined;
  /** SQL of the objects whose members become columns of their own. */
  variables?: RawBuilder<unknown>;
  results?: RawBuilder<unknown>;
  /** Campaign that the rows are of; null: any, undefined: they are of none. */
  campaignId?: number | null;
  /** Rows of each id, where it has many. */
  rowsPerId?: number;
}

/** Reads ids through a list of the noun; the range ends the walk. */
export function idsOfList<Row, Filter>(
  list: List<Row, Filter>,
  filter: Filter,
  { after, upTo, limit }: IdRange,
): RawBuilder<{ id: number }> {
  const rows = list.rows(filter, { limit, beyond: after, isAscending: true });
  return sql<{ id: number }>`select r.id from (${rows}) as r where r.id <= ${upTo}::bigint`;
}

/** SQL of an instant as UTC ms. */
export function epoch(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`epoch_ms(${column})`;
}
