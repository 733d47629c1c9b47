import {
  addParticipantRoute,
  endTransferRoute,
  getConferenceRoute,
  listConferencesRoute,
  removeParticipantRoute,
  routeTransferRoute,
} from './conferences.ts';
import { type AccessAuditDeps, auditRecordingRead } from '#audit/access-audit.ts';
import { addParticipant, type ParticipantDeps } from './add-participant.ts';
import { commandEnd, commandRoute } from './command-transfer.ts';
import { getConference, listConferences } from './list-sessions.ts';
import { removeParticipant } from './remove-participant.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';

/** OCS 4.15; transfers over NATS are in conferences/bus.ts. */
export function conferenceHandlers(deps: ParticipantDeps & AccessAuditDeps): RouteHandler[] {
  return [
    handler(routeTransferRoute, ({ body, caller }) => commandRoute(deps, caller, body)),
    handler(endTransferRoute, ({ body, caller }) => commandEnd(deps, caller, body)),
    handler(listConferencesRoute, async () => ({ rows: (await listConferences(deps)).map(withId) })),
    handler(getConferenceRoute, async ({ params, caller }) => {
      const session = await getConference(deps, params.conferenceId);
      if (session.recordingUrl) await auditRecordingRead(deps, caller, { targetType: 'conference', targetId: session.id });
      return { session: withId(session), legs: session.legs.map(withUuid) };
    }),
    handler(addParticipantRoute, async ({ params, body, caller }) => ({
      leg: withUuid(await addParticipant(deps, caller, params.conferenceId, body)),
    })),
    handler(removeParticipantRoute, async ({ params, body, caller }) => ({
      softphoneCallId: params.softphoneCallId,
      removed: await removeParticipant(deps, caller, params, body),
    })),
  ];
}

const withId = (session: ConferenceSession) => ({ ...session, conferenceId: session.id });
/** The documented row has no `whisper`; it is shown as `listen`, because the customer hears neither of them. */
const withUuid = ({ legUuid, mode, ...leg }: ConferenceLeg) =>
  mode === 'whisper' ? { ...leg, callUuid: legUuid, mode: 'listen' as const, canSpeak: false } : { ...leg, callUuid: legUuid, mode };
