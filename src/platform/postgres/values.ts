import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { storableJson } from '#kernel/json.ts';

/** The columns of a record, taken from its codec. `alias` is the table's alias in the statement, if any. */
export function columnsOf<Noun extends z.ZodObject>(noun: Noun, alias?: string): RawBuilder<z.output<Noun>> {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return sql<z.output<Noun>>`${sql.join(Object.keys(noun.shape).map(name => sql.ref(prefix + name)))}`;
}

/** Type OIDs whose text form is read as a number. */
const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;

/** The parser registry of the driver's pool. */
interface TypeReaders {
  setTypeParser(oid: number, read: (text: string) => unknown): void;
}

export function isTypeReaders(value: unknown): value is TypeReaders {
  return typeof value === 'object' && value !== null && 'setTypeParser' in value && typeof value.setTypeParser === 'function';
}

/**
 * Lets the driver parse `bigint` and `numeric` as numbers and `timestamptz` as UTC ms.
 *
 * Why: ids stay far below 2^53, and with one form of instants everywhere no conversion is needed (src/README.md)
 */
export function readAsNumbers(types: TypeReaders): void {
  types.setTypeParser(INT8, Number);
  types.setTypeParser(NUMERIC, Number);
  types.setTypeParser(TIMESTAMPTZ, parseInstant);
}

/** Parses `2026-11-21 04:05:06.789+00`, as a session in UTC prints it, to UTC ms. */
function parseInstant(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}:00`);
}

/** UTC ms as a `timestamptz` parameter. */
export function instant(at: number | null): RawBuilder<number | null> {
  return sql<number | null>`to_timestamp(${at}::float8 / 1000)`;
}

/** Any value as a `jsonb` parameter; also used to pass a whole list of rows to a statement. */
export function json(value: unknown): RawBuilder<unknown> {
  return sql`${storableJson(value)}::jsonb`;
}

/** A list of ids as one array parameter. */
export function ids(values: readonly number[]): RawBuilder<number[]> {
  return sql<number[]>`${[...values]}::bigint[]`;
}

/** Like `ids` for int columns: campaigns, lines and other small tables. */
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

/** The business time zone of the connection, as `business_day` reads it. */
export const BUSINESS_ZONE = sql<string>`coalesce(nullif(current_setting('callout.zone', true), ''), 'Asia/Shanghai')`;

/** Start-up option of a connection: the time zone used by `business_day`; undefined for its default. */
export function businessZone(timeZone: string | undefined): string {
  return timeZone === undefined ? '' : `-c callout.zone=${timeZone}`;
}
