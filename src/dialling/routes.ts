import { z } from 'zod';
import { ATTEMPT_STATUSES, ringbackDetection } from '#attempts/attempt.ts';
import { batch } from '#attempts/batch.ts';
import { listBatches } from '#campaigns/campaign-store.ts';
import { MONITORING_MODES } from '#campaigns/campaign.ts';
import { CAMPAIGN_STATUSES } from '#campaigns/decisions/campaign-states.ts';
import { bigRowId, flag, instant, rowId } from '#kernel/fields.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { idParam, idText4, idText8, pageOf, pageQuery, route } from '#platform/http/route.ts';
import { policy } from '#policies/policy.ts';
import { CALL_STATUSES } from '#protocol/call-status.ts';
import { CHECK_LEVELS } from './decisions/preflight-checks.ts';
import { cancelBatch, dispatchManually } from './dispatch-manually.ts';
import { preflightCampaign } from './preflight.ts';
import type { App } from '#app/app.ts';

export const listBatchesRoute = route('GET /api/campaigns/:id/batches', 'session', '活动的调度批次', {
  params: idParam,
  query: pageQuery,
  data: pageOf(batch),
});

/** Source: D7.4, OCS 4.8 */
const DEFAULT_DISPATCH_LIMIT = 10;
const MAX_DISPATCH_LIMIT = 100;

const dispatchedAttempt = z.object({
  contactId: bigRowId,
  phoneNumber: z.string(),
  attemptId: bigRowId,
  status: z.enum(ATTEMPT_STATUSES),
  requestId: z.uuid(),
  replyText: z.string(),
  /** Present when ringback detection is enabled (D7.6). */
  callStatus: z.enum(CALL_STATUSES).optional(),
  ringbackDetection: ringbackDetection.optional(),
});

/** Source: OCS 2.8 */
const dispatchResult = z.object({
  campaignId: rowId,
  /** Null when no batch was recorded. */
  batchId: bigRowId.nullable(),
  requestedLimit: z.int(),
  effectiveLimit: z.int(),
  requested: z.int(),
  submitted: z.int(),
  failed: z.int(),
  remainingPending: z.int(),
  campaignStatus: z.string(),
  reason: z.string().nullable().meta({ description: '呼出少于请求数的原因，如“没有在线的话术引擎”“线路并发已满”；名额足够时为 null' }),
  attempts: z.array(dispatchedAttempt),
});

/** Accepts any integer as `limit`; `effectiveDispatchLimit` clamps it. */
export const dispatchRoute = route('POST /api/campaigns/:id/dispatch', 'campaign:dispatch', '手动调度一批外呼', {
  params: idParam,
  body: z.object({
    limit: z
      .int()
      .nullish()
      .transform(limit => limit ?? DEFAULT_DISPATCH_LIMIT)
      .meta({ description: `本批最多呼叫数，默认 ${DEFAULT_DISPATCH_LIMIT}，收敛到 1..${MAX_DISPATCH_LIMIT}` }),
  }),
  data: z.object({ result: dispatchResult }),
});

/** Source: D7.4 */
export function effectiveDispatchLimit(requested: number): number {
  return Math.min(Math.max(requested, 1), MAX_DISPATCH_LIMIT);
}

/** Source: OCS 4.8, D7.3 */
export const cancelBatchRoute = route('POST /api/campaigns/:id/batches/:batchId/cancel', 'campaign:dispatch', '取消仍在运行的批次', {
  params: z.object({ id: idText4, batchId: idText8 }),
  data: z.object({ batch: batch }),
});

/** OCS 4.8: manual dispatch, cancelling its batch, and listing batches. */
export function dispatchHandlers(app: App): RouteHandler[] {
  return [
    handler(dispatchRoute, async ({ params, body, caller }) => ({
      result: await dispatchManually(app, caller, {
        campaignId: params.id,
        requestedLimit: body.limit,
        effectiveLimit: effectiveDispatchLimit(body.limit),
      }),
    })),
    handler(cancelBatchRoute, async ({ params, caller }) => ({
      batch: await cancelBatch(app, caller, params.id, params.batchId),
    })),
    handler(listBatchesRoute, ({ params, query }) => listBatches(app, params.id, query)),
  ];
}

const count = z.int().nonnegative();

/** Source: D5.6 */
const preflightData = z
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

export function preflightHandlers(app: App): RouteHandler[] {
  return [handler(preflightCampaignRoute, ({ params }) => preflightCampaign(app, params.id))];
}
