import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { preflightCampaign, type PreflightDeps } from './preflight-campaign.ts';
import { z } from 'zod';
import { CAMPAIGN_STATUSES } from '#campaigns/decisions/campaign-states.ts';
import { MONITORING_MODES } from '#campaigns/campaign.ts';
import { flag, instant, rowId } from '#kernel/fields.ts';
import { policy } from '#policies/policy.ts';
import { CHECK_LEVELS } from './decisions/preflight-checks.ts';
import { idParam, route } from '#platform/http/route.ts';

const count = z.int().nonnegative();

/** Source: D5.6 */
export const preflightData = z
  .object({
    canStart: z.boolean(),
    status: z.enum(CAMPAIGN_STATUSES),
    pendingContacts: count,
    retryableContacts: count,
    activeCalls: count,
    window: z.object({ openNow: z.boolean(), nextOpenAt: instant.nullable(), nextCloseAt: instant.nullable() }),
    lines: z.array(z.object({ id: rowId, name: z.string(), isEnabled: flag, maxConcurrency: count, active: count })),
    policies: z.object({ allowed: z.boolean(), reason: z.string().nullable(), matchedPolicies: z.array(policy) }),
    skips: z.object({ dnc: count, blacklist: count, frequency: count, window: count, invalid: count }),
    monitoring: z.object({ mode: z.enum(MONITORING_MODES).nullable(), capacity: count.nullable() }),
    cell: z.object({ id: z.string().nullable(), reachable: z.boolean() }),
    estimatedFinishAt: instant.nullable(),
    checks: z.array(
      z.object({
        code: z.string().meta({
          description:
            '检查项，顺序固定：STATUS、CONTACTS、LINES、BUSINESS、SCRIPT、RUNTIME、WINDOW、POLICIES、CELL、MONITORING、SKIPS、CALLER_ID、VARIABLES、CONCURRENCY、HOURS、NUMBERS',
        }),
        level: z.enum(CHECK_LEVELS),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'Preflight' });

export const preflightCampaignRoute = route('GET /api/campaigns/:id/preflight', 'session', '启动前检查', {
  params: idParam,
  data: preflightData,
});

export function preflightHandlers(deps: PreflightDeps): RouteHandler[] {
  return [handler(preflightCampaignRoute, ({ params }) => preflightCampaign(deps, params.id))];
}
