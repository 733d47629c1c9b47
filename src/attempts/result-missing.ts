import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the attempt with alias `a` has ended without a result.
 *
 * Why:    must match the partial index attempt_result_missing literally, else the planner does not use it
 * Source: D7.8
 */
export const RESULT_MISSING: RawBuilder<boolean> = sql`a.status = 'completed' and a.result_at is null`;
