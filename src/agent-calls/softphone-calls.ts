import { z } from 'zod';
import { CALL_STATUSES, HANGUP_PARTIES } from '#protocol/call-status.ts';
import { idParam, idText4, pageOf, pageQuery, route } from '#platform/http/route.ts';
import { bigRowId, instant, optionalText, rowId, stamps } from '#kernel/fields.ts';
import { SOFTPHONE_DIRECTIONS, SOFTPHONE_LEG_ROLES, SOFTPHONE_LEG_STATUSES, SOFTPHONE_STATUSES } from './agent-call.ts';

const MAX_NUMBER_LENGTH = 64;
const MAX_NOTE_LENGTH = 2_000;

const legRow = z.object({
  role: z.enum(SOFTPHONE_LEG_ROLES),
  agentId: rowId.nullable(),
  callUuid: z.string(),
  status: z.enum(SOFTPHONE_LEG_STATUSES),
  dialingAt: instant.nullable(),
  answeredAt: instant.nullable(),
  endedAt: instant.nullable(),
  hangupCause: z.string().nullable(),
});

/** One call of an agent. Source: OCS 2.13, 4.13 */
export const softphoneCallRow = z
  .object({
    id: bigRowId,
    softphoneCallId: bigRowId,
    requestId: z.string(),
    callKey: z.string(),
    direction: z.enum(SOFTPHONE_DIRECTIONS),
    status: z.enum(SOFTPHONE_STATUSES),
    agentId: rowId.nullable(),
    userId: rowId.nullable(),
    campaignId: rowId.nullable(),
    contactId: bigRowId.nullable(),
    attemptId: bigRowId.nullable(),
    sessionId: z.string().nullable(),
    conferenceId: z.string().nullable(),
    phoneNumber: z.string(),
    lineId: rowId.nullable(),
    callerNumber: z.string().nullable(),
    cellId: z.string().nullable(),
    note: z.string(),
    callStatus: z.enum(CALL_STATUSES).nullable(),
    hangupCause: z.string().nullable(),
    hangupBy: z.enum(HANGUP_PARTIES).nullable(),
    /** Reason of the failure, in Chinese. */
    failureReason: z.string().nullable(),
    answeredAt: instant.nullable(),
    endedAt: instant.nullable(),
    durationSeconds: z.int().nullable(),
    recordingUrl: z.string().nullable(),
    legs: z.array(legRow),
    ...stamps,
  })
  .meta({ id: 'SoftphoneCall' });

/** Source: D12.3 */
const callBody = z.object({
  phoneNumber: z.string().trim().max(MAX_NUMBER_LENGTH).nullish(),
  contactId: bigRowId.nullish(),
  campaignId: rowId.nullish(),
  note: optionalText(MAX_NOTE_LENGTH),
});

const placedCall = z.object({
  softphoneCallId: bigRowId,
  requestId: z.string(),
  direction: z.enum(SOFTPHONE_DIRECTIONS),
  status: z.enum(SOFTPHONE_STATUSES),
});

const callRoute = (path: string, summary: string) =>
  route(`POST ${path}`, 'agent:operate', summary, { params: idParam, body: callBody, data: placedCall });

export const placeCallbackRoute = callRoute('/api/agents/:id/callbacks', '人工回呼：先呼坐席分机，再接通客户');
export const placeManualCallRoute = callRoute('/api/agents/:id/manual-calls', '人工外呼：先呼坐席分机，再接通客户');
export const placeTransferRoute = callRoute('/api/agents/:id/transfers', '工作台转接：坐席与客户桥接通话');

export const listSoftphoneCallsRoute = route('GET /api/softphone-calls', 'agent:operate', '软电话通话记录', {
  query: pageQuery.extend({ agentId: idText4.optional(), campaignId: idText4.optional() }),
  data: pageOf(softphoneCallRow),
});
