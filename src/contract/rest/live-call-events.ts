import { z } from 'zod';
import { idText4 } from './fields.ts';
import { route } from './route.ts';

/**
 * Live calls as they happen. A user gets the calls that are assigned to them or retained by them; with `campaign:dispatch` all.
 *
 * Shape: `snapshot` `{ calls[], truncated, at }` on a first visit and after `resync`; then, each with `{ callKey, campaignId, version, at }`:
 *        `call-started` (`call`), `call-changed` (`status, answeredAt, endedAt, hangupCause`), `segment` (`segment, currentNodeId`),
 *        `keyword` (`keyword, segmentId`), `intent-alert` (`keywords[], segmentId, text`), `intervention` (`intervention`), `assignment`
 *        (`monitorAssignment, monitorViewMode, waitingSince`; with `call` when the call has come into view, `monitorViewMode` null when it has left),
 *        `call-ended` (as `call-changed`), `call-resync` (`reason`, `call` that replaces what was sent of this one; null: it is gone).
 *        `capacity` (`capacity { mine, used, total, waiting }` as GET /api/live-calls answers it; it is of no call: the other three are null) once after
 *        the beginning and within 1 s of each change.
 *        `resync` `{ reason }`: forget everything, a `snapshot` follows. `unavailable` `{ code, msg }`: the shared cache is away, the stream ends.
 *        Versions of a call go up by one with each event or group of events of one change; the first event with `call` begins.
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
