import { z } from 'zod';
import { CALL_STATUSES } from '#protocol/call-status.ts';
import { ATTEMPT_STATUSES, ringbackDetection } from '#attempts/attempt.ts';
import { batch } from '#attempts/batch.ts';
import { idParam, idText4, idText8, route } from '#platform/http/route.ts';
import { bigRowId, rowId } from '#kernel/fields.ts';

/** Source: D7.4, OCS 4.8 */
export const DEFAULT_DISPATCH_LIMIT = 10;
export const MAX_DISPATCH_LIMIT = 100;

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
export const dispatchResult = z.object({
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
  reason: z.string().nullable().meta({ description: '呼出少于请求数的原因，如“没有在线的话术运行时”“线路并发已满”；名额足够时为 null' }),
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
