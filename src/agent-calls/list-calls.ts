import { sql } from 'kysely';
import { instant } from '#platform/postgres/values.ts';
import type { SoftphoneCall } from './agent-call.ts';
import type { Caller } from '#kernel/caller.ts';
import { listOf } from '#platform/postgres/listing.ts';
import { SOFTPHONE_TABLE } from './softphone-columns.ts';

/** Restricts ordinary agents to their own calls; users who may dispatch see all calls. `getSoftphoneCall` has the same rule. */
export function ownCallsOf({ permissions, userId }: Caller): Pick<SoftphoneFilter, 'userId'> {
  return permissions.has('campaign:dispatch') ? {} : { userId: userId ?? NOBODY };
}

/** An id that no user has. */
const NOBODY = 0;

/** Source: OCS 4.13, 4.14 */
export const softphoneCallList = listOf(SOFTPHONE_TABLE, ({ from, to, dialKey, ...filter }: SoftphoneFilter) => {
  const { userId, agentId, campaignId, status, direction } = filter;
  const given = { user_id: userId, agent_id: agentId, campaign_id: campaignId, status, direction };
  const equal = Object.entries(given).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.ref(`s.${column}`)} = ${value}`],
  );
  const others = [
    ...(dialKey === undefined ? [] : [sql`s.dial_key = ${dialKey} and s.dial_key <> ''`]),
    ...(from === undefined ? [] : [sql`s.created_at >= ${instant(from)}`]),
    ...(to === undefined ? [] : [sql`s.created_at < ${instant(to)}`]),
  ];
  return sql.join([sql`true`, ...equal, ...others], sql` and `);
});

export interface SoftphoneFilter {
  /** Only calls of this user. */
  userId?: number | undefined;
  agentId?: number | undefined;
  campaignId?: number | undefined;
  status?: SoftphoneCall['status'] | undefined;
  direction?: SoftphoneCall['direction'] | undefined;
  /** Normalised number (`dialKey`). */
  dialKey?: string | undefined;
  /** Requested at or after `from` and before `to`; UTC ms */
  from?: number | undefined;
  to?: number | undefined;
}
