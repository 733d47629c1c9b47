import { sql } from 'kysely';
import { DO_NOT_CALL_COLUMNS } from '#adapters/postgres/do-not-call-repository.ts';
import { isFound } from '#adapters/postgres/search.ts';
import type { DoNotCallEntry } from '#ports/records.ts';
import { listOf } from '../listing.ts';

/** Expired entries are listed, though they do not block. Source: OCS 4.10, D8.7 */
export const doNotCallList = listOf<DoNotCallEntry, { q: string }>(
  { columns: DO_NOT_CALL_COLUMNS, from: sql`do_not_call d`, id: sql`d.id`, exists: sql`true` },
  ({ q }) => isFound(q, [sql`d.phone_number`, sql`d.reason`]),
);
