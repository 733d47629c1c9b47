import { z } from 'zod';
import { idText4, idText8 } from '#platform/http/fields.ts';
import { conference, conferenceLeg } from './conference.ts';
import { bigRowId, optionalText, rowId } from '#kernel/fields.ts';
import { route } from '#platform/http/route.ts';

export const PARTICIPANT_MODES = ['blind', 'consult', 'listen', 'barge'] as const;
/** Most active conferences in one response: exceeds the number of agents of any installation. */
export const MAX_LISTED_CONFERENCES = 1_000;

const MAX_REASON_LENGTH = 500;
const MAX_CAUSE_LENGTH = 64;
const MAX_INTERVENTION_ID_LENGTH = 64;
const MAX_TARGET_LENGTH = 32;

const requestId = z.uuid().optional();
const attemptId = bigRowId.optional();

/** Request to transfer a customer to an agent, with optional agent, group and intervention. Source: D12.5 */
export const routeTransferBody = z
  .object({
    requestId,
    attemptId,
    customerUuid: z.uuid().meta({ description: '客户通道的 uuid' }),
    cellId: z.string().max(64).optional(),
    groupId: rowId.nullish(),
    agentId: rowId.nullish().meta({ description: '指定坐席；带 interventionId 时为优先坐席，忙时转给他人' }),
    interventionId: z.string().min(1).max(MAX_INTERVENTION_ID_LENGTH).nullish(),
    reason: optionalText(MAX_REASON_LENGTH),
  })
  .superRefine((body, context) => {
    if (body.requestId === undefined && body.attemptId === undefined)
      context.addIssue({ code: 'custom', path: ['requestId'], message: '与 attemptId 不能同时为空' });
  })
  .meta({ id: 'TransferRouteRequest', description: '为客户通道预留一名空闲坐席并将其呼入会议' });

export const routeTransferData = z.object({
  conferenceId: rowId,
  conferenceName: z.string(),
  agent: z.object({ id: rowId, name: z.string(), phoneExtension: z.string() }),
  softphoneCallId: bigRowId,
  agentCallUuid: z.uuid(),
});

export const endTransferBody = z
  .object({ customerUuid: z.uuid(), conferenceId: rowId.optional(), hangupCause: z.string().max(MAX_CAUSE_LENGTH).optional() })
  .meta({ id: 'TransferEndRequest', description: '客户挂断后结束会议，可重复调用' });

export const endTransferData = z.object({
  ended: z.boolean(),
  released: z.array(z.object({ softphoneCallId: bigRowId, agentId: rowId.nullable() })),
});

export const routeTransferRoute = route('POST /api/transfers/route', 'internal', '转人工：预留空闲坐席并呼入会议', {
  body: routeTransferBody,
  data: routeTransferData,
});

export const endTransferRoute = route('POST /api/transfers/end', 'internal', '转人工结束：客户挂断后的收尾', {
  body: endTransferBody,
  data: endTransferData,
});

export const listConferencesRoute = route('GET /api/conference-sessions', 'campaign:dispatch', '进行中的会议', {
  data: z.object({ rows: z.array(conference) }),
});

export const getConferenceRoute = route('GET /api/conference-sessions/:conferenceId', 'campaign:dispatch', '会议详情与成员', {
  params: z.object({ conferenceId: idText4 }),
  data: z.object({ session: conference, legs: z.array(conferenceLeg) }),
});

export const addParticipantBody = z.object({
  mode: z.enum(PARTICIPANT_MODES),
  agentId: rowId.nullish(),
  targetNumber: z.string().trim().min(1).max(MAX_TARGET_LENGTH).nullish(),
});

export const addParticipantRoute = route(
  'POST /api/conference-sessions/:conferenceId/participants',
  'agent:operate',
  '增加会议成员（盲转、咨询转、监听、强插）',
  { params: z.object({ conferenceId: idText4 }), body: addParticipantBody, data: z.object({ leg: conferenceLeg }) },
);

export const removeParticipantRoute = route(
  'DELETE /api/conference-sessions/:conferenceId/participants/:softphoneCallId',
  'agent:operate',
  '移除会议成员',
  {
    params: z.object({ conferenceId: idText4, softphoneCallId: idText8 }),
    body: z.object({ force: z.boolean().optional().default(false) }),
    data: z.object({ softphoneCallId: bigRowId, removed: z.boolean() }),
  },
);
