import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';

/** The columns of a noun under the names of its record: one list of names, the codec's. `alias` is the table's in the statement, where it has one. */
export function columnsOf<Noun extends z.ZodObject>(noun: Noun, alias?: string): RawBuilder<z.output<Noun>> {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return sql<z.output<Noun>>`${sql.join(Object.keys(noun.shape).map(name => sql.ref(prefix + name)))}`;
}
