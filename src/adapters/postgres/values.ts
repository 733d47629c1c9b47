import { sql, type RawBuilder } from 'kysely';
import { storableJson } from '#kernel/json.ts';

/** Object ids of PostgreSQL's types whose text form the program reads as a number. */
const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;

/** Where the driver's pool keeps its readers of column texts. */
interface TypeReaders {
  setTypeParser(oid: number, read: (text: string) => unknown): void;
}

export function isTypeReaders(value: unknown): value is TypeReaders {
  return typeof value === 'object' && value !== null && 'setTypeParser' in value && typeof value.setTypeParser === 'function';
}

/**
 * Makes the driver read `bigint` and `numeric` as numbers and `timestamptz` as UTC ms.
 *
 * Why: ids stay far below 2^53, and one form of an instant everywhere leaves nothing to convert (src/README.md)
 */
export function readAsNumbers(types: TypeReaders): void {
  types.setTypeParser(INT8, Number);
  types.setTypeParser(NUMERIC, Number);
  types.setTypeParser(TIMESTAMPTZ, parseInstant);
}

/** `2026-11-21 04:05:06.789+00`, as a session in UTC writes it, to UTC ms. */
export function parseInstant(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}:00`);
}

/** An instant in UTC ms as a parameter of type `timestamptz`. */
export function instant(at: number | null): RawBuilder<number | null> {
  return sql<number | null>`to_timestamp(${at}::float8 / 1000)`;
}

/** Any value of the program as one `jsonb` parameter: also how a statement gets a whole list of rows. */
export function json(value: unknown): RawBuilder<unknown> {
  return sql`${storableJson(value)}::jsonb`;
}

/** A list of ids as one array parameter. */
export function ids(values: readonly number[]): RawBuilder<number[]> {
  return sql<number[]>`${[...values]}::bigint[]`;
}

/** As `ids` for an int column: campaigns, lines and everything else of which there are few. */
export function intIds(values: readonly number[]): RawBuilder<number[]> {
  return sql<number[]>`${[...values]}::int[]`;
}

/** A list of texts as one array parameter. */
export function texts(values: readonly string[]): RawBuilder<string[]> {
  return sql<string[]>`${[...values]}::text[]`;
}

/** A list of UUIDs as one array parameter. */
export function uuids(values: readonly string[]): RawBuilder<string[]> {
  return sql<string[]>`${[...values]}::uuid[]`;
}

/** Start-up option of a connection: the zone in which `business_day` reads instants; its default when undefined. */
export function businessZone(timeZone: string | undefined): string {
  return timeZone === undefined ? '' : `-c callout.zone=${timeZone}`;
}
