import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { listOf } from '../listing.ts';
import { TABLES } from '../tables.ts';

/** The user whose calls alone the caller may see: an ordinary agent its own, whoever may dispatch everybody's. As the detail. */
export function ownCallsOf({ permissions, userId }: Caller): Pick<SoftphoneFilter, 'userId'> {
  return permissions.has('campaign:dispatch') ? {} : { userId: userId ?? NOBODY };
}

/** No user has it. */
const NOBODY = 0;

/** Source: OCS 4.13, 4.14 */
export const softphoneCallList = listOf(TABLES.softphoneCall, ({ userId, agentId, campaignId }: SoftphoneFilter) => {
  const given = { user_id: userId, agent_id: agentId, campaign_id: campaignId };
  const conditions = Object.entries(given).map(([column, id]) => (id === undefined ? sql`true` : sql`${sql.ref(`s.${column}`)} = ${id}`));
  return sql.join(conditions, sql` and `);
});

export interface SoftphoneFilter {
  /** Whose calls alone. */
  userId?: number | undefined;
  agentId?: number | undefined;
  campaignId?: number | undefined;
}
