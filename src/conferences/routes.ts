import { z } from 'zod';
import { auditRecordingRead } from '#audit/access-audit.ts';
import { bigRowId, rowId } from '#kernel/fields.ts';
import { conferenceLeg } from '#legs/leg-record.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { idText4, idText8, route } from '#platform/http/route.ts';
import { endTransferBody, endTransferData, routeTransferBody, routeTransferData } from '#protocol/transfers.ts';
import { addParticipant } from './add-participant.ts';
import { conference, type ConferenceLeg, type ConferenceSession, PARTICIPANT_MODES } from './conference.ts';
import { removeParticipant } from './participants.ts';
import { getConference, listConferences } from './find-conferences.ts';
import { commandEnd, commandRoute } from './transfer.ts';
import type { App } from '#app/app.ts';

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
  groupId: rowId.nullish().meta({ description: '由该组中空闲最久的坐席接听' }),
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

/** OCS 4.15; transfers over NATS are in conferences/bus.ts. */
export function conferenceHandlers(app: App): RouteHandler[] {
  return [
    handler(routeTransferRoute, ({ body, caller }) => commandRoute(app, caller, body)),
    handler(endTransferRoute, ({ body, caller }) => commandEnd(app, caller, body)),
    handler(listConferencesRoute, async () => ({ rows: (await listConferences(app)).map(withId) })),
    handler(getConferenceRoute, async ({ params, caller }) => {
      const session = await getConference(app, params.conferenceId);
      if (session.recordingUrl) await auditRecordingRead(app, caller, { targetType: 'conference', targetId: session.id });
      return { session: withId(session), legs: session.legs.map(withUuid) };
    }),
    handler(addParticipantRoute, async ({ params, body, caller }) => ({
      leg: withUuid(await addParticipant(app, caller, params.conferenceId, body)),
    })),
    handler(removeParticipantRoute, async ({ params, body, caller }) => ({
      softphoneCallId: params.softphoneCallId,
      removed: await removeParticipant(app, caller, params, body),
    })),
  ];
}

const withId = (session: ConferenceSession) => ({ ...session, conferenceId: session.id });
/** The documented row has no `whisper`; it is shown as `listen`, because the customer hears neither of them. */
const withUuid = ({ legUuid, mode, ...leg }: ConferenceLeg) =>
  mode === 'whisper' ? { ...leg, callUuid: legUuid, mode: 'listen' as const, canSpeak: false } : { ...leg, callUuid: legUuid, mode };
