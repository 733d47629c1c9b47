import { type RawBuilder, sql } from 'kysely';

/**
 * A `like` pattern that finds the text anywhere; `%`, `_` and `\` in the text are escaped.
 *
 * Source: D2.4
 */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Whether one of the columns contains the text, ignoring case; an empty text matches everything. */
export function isFound(text: string, columns: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const pattern = anywhere(text);
  return text === ''
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(
        columns.map(column => sql`${column} ilike ${pattern}`),
        sql` or `,
      )})`;
}

/** Conjunction of the conditions; false stands for one that is not requested. */
export function allOf(...conditions: readonly (RawBuilder<unknown> | false)[]): RawBuilder<unknown> {
  return sql.join(
    conditions.filter(condition => condition !== false),
    sql` and `,
  );
}
