import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';

/** The columns of a record, taken from its codec. `alias` is the table's alias in the statement, if any. */
export function columnsOf<Noun extends z.ZodObject>(noun: Noun, alias?: string): RawBuilder<z.output<Noun>> {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return sql<z.output<Noun>>`${sql.join(Object.keys(noun.shape).map(name => sql.ref(prefix + name)))}`;
}
