import { type RawBuilder, sql } from 'kysely';
import { inTime, isFound } from '#platform/postgres/filters.ts';
import { listOf } from '#platform/postgres/listing.ts';
import { AUDIT_TABLE } from './audit-repository.ts';

/** Filters of the list; an undefined filter does not narrow it. */
export interface AuditSearch {
  /** Substring of actor, action, target or summary; '' matches all. */
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
export const auditList = listOf(AUDIT_TABLE, auditMatches);

function auditMatches(search: AuditSearch): RawBuilder<unknown> {
  const { actorId, actorName, action, targetType, targetId } = search;
  const given = [
    ...(actorId === undefined ? [] : [sql`actor_id = ${actorId}`]),
    ...(actorName === undefined ? [] : [sql`actor_name = ${actorName}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(targetType === undefined ? [] : [sql`target_type = ${targetType}`]),
    ...(targetId === undefined ? [] : [sql`target_id = ${targetId}`]),
    ...inTime(sql`audit_log`, search),
    isFound(search.q, [sql`actor_name`, sql`action`, sql`target_type`, sql`target_id`, sql`summary`]),
  ];
  return sql.join(given, sql` and `);
}
