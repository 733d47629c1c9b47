import { type RawBuilder, sql } from 'kysely';

/**
 * A `like` pattern that finds the text anywhere; the text's own `%`, `_` and `\` stand for themselves.
 *
 * Source: D2.4
 */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Whether one of the columns holds the text, letter case aside; an empty text is found in all. */
export function isFound(text: string, columns: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const pattern = anywhere(text);
  return text === ''
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(
        columns.map(column => sql`${column} ilike ${pattern}`),
        sql` or `,
      )})`;
}

/** Whether all of the conditions hold; false stands for one that is not asked for. */
export function allOf(...conditions: readonly (RawBuilder<unknown> | false)[]): RawBuilder<unknown> {
  return sql.join(
    conditions.filter(condition => condition !== false),
    sql` and `,
  );
}
