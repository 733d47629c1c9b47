import { type RawBuilder, sql } from 'kysely';
import type { LeftRows } from '#platform/postgres/bulk-result.ts';
import { ids } from '#platform/postgres/values.ts';

/**
 * Whether the attempt with alias `a` is open.
 *
 * Why: must match the partial indexes literally (attempt_one_open, attempt_open, attempt_open_campaign), else the planner does not use them
 */
export const OPEN: RawBuilder<boolean> = sql`a.status in ('claimed','dialing','accepted','answered')`;

export const attemptsLeft = ({ ids: left }: LeftRows) => sql<{ id: number; isBusy: boolean }>`
  select a.id, (${OPEN}) as is_busy from attempt a where a.id = any(${ids(left)}) and a.deleted_at is null`;
