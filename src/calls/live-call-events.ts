import { z } from 'zod';
import { idText4, route } from '#platform/http/route.ts';

/**
 * Event stream of live calls. A user receives the calls assigned to or retained by that user; with `campaign:dispatch`, all calls.
 *
 * Shape: `snapshot` `{ calls[], truncated, at }` at the start and after `resync`; then, each with `{ callKey, campaignId, version, at }`:
 *        `call-started` (`call`), `call-changed` (`status, answeredAt, endedAt, hangupCause`), `segment` (`segment, currentNodeId`),
 *        `keyword` (`keyword, segmentId`), `intent-alert` (`keywords[], segmentId, text`), `intervention` (`intervention`), `assignment`
 *        (`monitorAssignment, monitorViewMode, waitingSince`; with `call` when the call has come into view; `monitorViewMode` is null when
 *        it has left), `call-ended` (as `call-changed`), `call-resync` (`reason`, and `call`, which replaces what was sent of this call;
 *        null: it is gone).
 *        `capacity` (`capacity { mine, used, total, waiting }` as in GET /api/live-calls; `callKey`, `campaignId` and `version` are null)
 *        once after the snapshot and within 1 s of each change.
 *        `resync` `{ reason }`: discard everything, a `snapshot` follows. `unavailable` `{ code, msg }`: no cache, the stream ends.
 *        The version of a call rises by one with each event, or group of events of one change; its first event is one with `call`.
 * Source: OCS 4.12, 6; D9.2, D10
 */
export const liveCallStreamRoute = route(
  'GET /api/live-calls/events',
  'agent:operate',
  '实时通话事件流（SSE）：字幕、关键词、介入、分配与监听容量变化',
  {
    query: z.object({ campaignId: idText4.optional() }),
    data: z.unknown(),
    stream: true,
  },
);
