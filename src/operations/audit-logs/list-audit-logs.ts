import { type RawBuilder, sql } from 'kysely';
import { isFound } from '#adapters/postgres/search.ts';
import { instant } from '#adapters/postgres/values.ts';
import { listOf } from '../listing.ts';
import { TABLES } from '../tables.ts';

/** Which rows; what is undefined does not narrow. */
export interface AuditSearch {
  /** Found anywhere in actor, action, target and summary; '' matches all. */
  q: string;
  actorId?: number | undefined;
  actorName?: string | undefined;
  action?: string | undefined;
  targetType?: string | undefined;
  targetId?: string | undefined;
  /** UTC ms, inclusive. */
  from?: number | undefined;
  /** UTC ms, exclusive. */
  to?: number | undefined;
}

/** Source: OCS 4.1, D3.7 */
export const auditList = listOf(TABLES.auditRow, auditMatches);

function auditMatches(search: AuditSearch): RawBuilder<unknown> {
  const { actorId, actorName, action, targetType, targetId } = search;
  const given = [
    ...(actorId === undefined ? [] : [sql`actor_id = ${actorId}`]),
    ...(actorName === undefined ? [] : [sql`actor_name = ${actorName}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(targetType === undefined ? [] : [sql`target_type = ${targetType}`]),
    ...(targetId === undefined ? [] : [sql`target_id = ${targetId}`]),
    ...inTime(search),
    isFound(search.q, [sql`actor_name`, sql`action`, sql`target_type`, sql`target_id`, sql`summary`]),
  ];
  return sql.join(given, sql` and `);
}

/** Rows that were written at the same time stand in any order: this much beside an instant its ids are not relied on. */
const UNORDERED = sql`interval '10 minutes'`;

/**
 * Why: ids follow the time, so an instant bounds them, and a page of any filter goes through its own index no farther than the times asked for
 */
function inTime({ from, to }: AuditSearch): RawBuilder<unknown>[] {
  const beginning =
    from === undefined
      ? []
      : [
          sql`created_at >= ${instant(from)}`,
          sql`id >= (select a.id from audit_log a where a.created_at >= ${instant(from)} - ${UNORDERED} order by a.created_at, a.id limit 1)`,
        ];
  const end =
    to === undefined
      ? []
      : [
          sql`created_at < ${instant(to)}`,
          sql`id <= (select a.id from audit_log a where a.created_at < ${instant(to)} + ${UNORDERED} order by a.created_at desc, a.id desc limit 1)`,
        ];
  return [...beginning, ...end];
}
