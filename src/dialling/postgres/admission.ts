import { type RawBuilder, sql } from 'kysely';
import type { ClaimRequest, RecentDial } from '#ports/dial-store.ts';

/*
 * What SQL says about whether a number may be dialled; each is said nowhere else. The rest is said in TypeScript (decisions/dial-admission.ts) and,
 * for slots, in Lua.
 */

/** Whether the do-not-call list forbids the number now. Source: D8.7 */
export function isListed(dialKey: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from do_not_call d where d.dial_key = ${dialKey} and (d.expires_at is null or d.expires_at > now()))`;
}

/** Whether the campaign with alias `c` may dispatch: a person also dials for one that does not run yet or is paused. Source: D7.4 */
export function mayDispatch(source: RawBuilder<ClaimRequest['source']>): RawBuilder<boolean> {
  return sql<boolean>`c.deleted_at is null and (c.status = 'running' or (${source} = 'manual' and c.status in ('draft', 'paused')))`;
}

/**
 * Whether the switch refused the dial of the attempt with alias `a`, so that no channel ever was: it is no dial of the number.
 *
 * Why:    a call whose reply was lost has no text of the switch, and somebody's phone may have rung
 * Source: D7.1, D8.4
 */
export const REFUSED: RawBuilder<boolean> = sql`(a.status = 'failed' and a.accepted_at is null and a.reply_text <> '')`;

/** Whether the campaign's breaker has stopped its dials, a try included. */
export function isBreakerOpen(campaignId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((select b.breaker ->> 'kind' from campaign b where b.id = ${campaignId}), 'closed') <> 'closed'`;
}

/** Dials of one number that a decision sees: no frequency limit counts further. */
const MAX_RECENT_DIALS = 10_000;

/** The number's dials after `since`, newest first within each half, as a sub-select. Source: D8.4 */
export function recentDialsOf(dialKey: RawBuilder<unknown>, since: RawBuilder<unknown>): RawBuilder<RecentDial> {
  return sql<RecentDial>`(
    (select a.dialing_at as at, a.campaign_id from attempt a
     where a.dial_key = ${dialKey} and a.dialing_at is not null and a.dialing_at > ${since}
       and not ${REFUSED} and not a.is_line_fault
     order by a.dialing_at desc limit ${MAX_RECENT_DIALS})
    union all
    (select a.claimed_at, a.campaign_id from attempt a where a.dial_key = ${dialKey} and a.status = 'claimed' limit ${MAX_RECENT_DIALS}))`;
}
