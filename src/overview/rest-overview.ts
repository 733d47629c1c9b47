import { z } from 'zod';
import { CAMPAIGN_STATUSES } from '#campaigns/decisions/campaign-states.ts';
import { attempt } from '#attempts/attempt.ts';
import { CONTACT_STATUSES } from '#contacts/contact.ts';
import { runtimeEvent } from '#runtime-events/runtime-event.ts';
import { integerText, route } from '#platform/http/route.ts';

/** Source: OCS 4.1, 8 */
export const DEFAULT_TREND_DAYS = 14;
export const MAX_TREND_DAYS = 90;

export const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const byStatus = <Status extends string>(statuses: readonly Status[]) => z.record(z.enum(statuses), count);

/**
 * `attempts` and `ratios` cover the current business day. An attempt counts on the day on which it was claimed, withdrawn claims do not
 * count; `failed` includes calls without an answer and calls with an unknown outcome. Ratios are shares of `today`, 0 without attempts.
 *
 * Source: OCS 4.1, D14.2
 */
export const overviewRoute = route('GET /api/overview', 'session', '总览：活动、联系人、今日通话、坐席与最近动态', {
  data: z.object({
    campaigns: z.object({ total: count, running: count, paused: count, byStatus: byStatus(CAMPAIGN_STATUSES) }),
    contacts: z.object({ total: count, byStatus: byStatus(CONTACT_STATUSES) }),
    attempts: z.object({ today: count, answered: count, completed: count, failed: count }),
    ratios: z.object({ answerRate: share, completionRate: share }),
    activeCalls: count,
    agents: z.object({ idle: count, busy: count, offline: count }),
    recentEvents: z.array(runtimeEvent),
    recentAttempts: z.array(attempt),
  }),
});

/** Source: OCS 4.1, D14.2 */
export const trendRoute = route('GET /api/overview/trend', 'session', '每日通话与结果；days 为天数，含今天', {
  query: z.object({ days: integerText({ min: 1, max: MAX_TREND_DAYS }).optional().default(DEFAULT_TREND_DAYS) }),
  data: z.object({
    rows: z.array(
      z.object({
        date: z.iso.date(),
        attempts: count,
        answered: count,
        completed: count,
        failed: count,
        averageDurationSeconds: z.number().nonnegative(),
      }),
    ),
  }),
});
