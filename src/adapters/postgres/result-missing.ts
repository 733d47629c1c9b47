import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the attempt with alias `a` is over without its result.
 *
 * Why:    spelled as the partial index attempt_result_missing spells it, else the planner does not use it
 * Source: D7.8
 */
export const RESULT_MISSING: RawBuilder<boolean> = sql`a.status = 'completed' and a.result_at is null`;
