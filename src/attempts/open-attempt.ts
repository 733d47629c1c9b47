import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the attempt with alias `a` is open.
 *
 * Why: must match the partial indexes literally (attempt_one_open, attempt_open, attempt_open_campaign), else the planner does not use them
 */
export const OPEN: RawBuilder<boolean> = sql`a.status in ('claimed','dialing','accepted','answered')`;
