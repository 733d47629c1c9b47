import { z } from 'zod';
import { idText4, idText8, route } from '#platform/http/route.ts';
import { conference, PARTICIPANT_MODES } from './conference.ts';
import { bigRowId, rowId } from '#kernel/fields.ts';
import { endTransferBody, endTransferData, routeTransferBody, routeTransferData } from '#protocol/transfers.ts';
import { conferenceLeg } from '#legs/leg-record.ts';

const MAX_TARGET_LENGTH = 32;

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
