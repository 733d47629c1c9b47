import { z } from 'zod';
import { callKeyText, INTERVENTION_STATUSES } from '../runtime/progress.ts';
import { bigRowId, idText4, isoInstant, rowId } from './fields.ts';
import { route } from './route.ts';

const MAX_TAB_ID_LENGTH = 64;

const callKeyParam = z.object({ callKey: callKeyText });

/** Source: D9.1, D9.2 */
export const liveSegmentRow = z.object({
  segmentId: z.string(),
  speaker: z.enum(['bot', 'customer', 'agent']),
  text: z.string(),
  final: z.boolean(),
  startMs: z.int().nullable(),
  endMs: z.int().nullable(),
  nodeId: z.string().nullable(),
  at: isoInstant,
});

/** Source: D9.2 */
export const interventionRow = z.object({
  id: z.string(),
  status: z.enum(INTERVENTION_STATUSES),
  initiatorId: rowId.nullable(),
  requestedAt: isoInstant.nullable(),
  consumedAt: isoInstant.nullable(),
  agentId: rowId.nullable(),
});

export const monitorAssignmentRow = z.object({
  userId: rowId,
  agentId: rowId.nullable(),
  displayName: z.string(),
  assignedAt: isoInstant,
});

/** A live call as its watcher sees it. Source: D9.2 */
export const liveCallRow = z.object({
  callKey: z.string(),
  attemptId: bigRowId,
  requestId: z.string(),
  campaignId: rowId,
  campaignName: z.string(),
  contactId: bigRowId,
  phoneNumber: z.string(),
  customerName: z.string(),
  cellId: z.string(),
  status: z.enum(['dialing', 'ringing', 'live', 'settling', 'ended']),
  startedAt: isoInstant,
  answeredAt: isoInstant.nullable(),
  endedAt: isoInstant.nullable(),
  hangupCause: z.string().nullable(),
  currentNodeId: z.string().nullable(),
  segments: z.array(liveSegmentRow),
  intentHits: z.array(z.object({ keyword: z.string(), segmentId: z.string(), at: isoInstant })),
  monitorAssignment: monitorAssignmentRow.nullable(),
  monitorViewMode: z.enum(['active', 'retained']),
  intervention: interventionRow.nullable(),
  waitingSince: isoInstant.nullable(),
  version: z.int().nonnegative(),
});

export type LiveCallRow = z.input<typeof liveCallRow>;

/** `mine` may be given to the caller; `used` of `total` have a monitor; `waiting` have none. Source: D9.2 */
export const monitorCapacity = z.object({
  mine: z.int().nonnegative(),
  used: z.int().nonnegative(),
  total: z.int().nonnegative(),
  waiting: z.int().nonnegative(),
});

/** Source: OCS 4.12, D9.2 */
export const listLiveCallsRoute = route({
  method: 'GET',
  path: '/api/live-calls',
  access: 'agent:operate',
  summary: '我负责的实时通话：已分配的和只读保留的',
  query: z.object({ campaignId: idText4.optional() }),
  data: z.object({ calls: z.array(liveCallRow), capacity: monitorCapacity, serverTime: isoInstant }),
});

/** Source: OCS 4.12, D9.4 */
export const heartbeatRoute = route({
  method: 'POST',
  path: '/api/live-monitor/heartbeat',
  access: 'agent:operate',
  summary: '监听在线心跳',
  body: z.object({ campaignId: rowId.nullish(), tabId: z.string().trim().min(1).max(MAX_TAB_ID_LENGTH).optional() }),
  /** Keys of the caller's calls; calls without a monitor. */
  data: z.object({ expiresAt: isoInstant, capacity: monitorCapacity, assigned: z.array(z.string()), waiting: z.int().nonnegative() }),
});

export const leaveMonitoringRoute = route({
  method: 'DELETE',
  path: '/api/live-monitor/presence',
  access: 'agent:operate',
  summary: '退出监听',
  data: z.object({ released: z.array(z.string()) }),
});

const interventionAnswer = z.object({ callKey: z.string(), intervention: interventionRow });

export const claimInterventionRoute = route({
  method: 'POST',
  path: '/api/live-calls/:callKey/intervene',
  access: 'agent:operate',
  summary: '申请人工介入',
  params: callKeyParam,
  data: interventionAnswer,
});

export const cancelInterventionRoute = route({
  method: 'POST',
  path: '/api/live-calls/:callKey/intervention/cancel',
  access: 'agent:operate',
  summary: '取消人工介入申请',
  params: callKeyParam,
  data: interventionAnswer,
});

export const releaseLiveCallRoute = route({
  method: 'POST',
  path: '/api/live-calls/:callKey/release',
  access: 'agent:operate',
  summary: '让出通话的监听',
  params: callKeyParam,
  data: z.object({ callKey: z.string() }),
});

/** Source: OCS 4.12, D9.6 */
export const hangUpLiveCallRoute = route({
  method: 'POST',
  path: '/api/live-calls/:callKey/hangup',
  access: 'campaign:dispatch',
  summary: '主管挂断通话',
  params: callKeyParam,
  data: z.object({ callKey: z.string(), hangupCause: z.string() }),
});
