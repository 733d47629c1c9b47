import { z } from 'zod';
import { addParticipantBody, addParticipantRoute, listConferencesRoute, removeParticipantRoute } from './routes.ts';
import { auditRecordingRead } from '#audit/access-audit.ts';
import { addParticipant } from './add-participant.ts';
import { getConference, listConferences } from './find-conferences.ts';
import { removeParticipant } from './participants.ts';
import { PARTICIPANT_MODES } from './conference.ts';
import { nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { fromRoute } from '#graph/from-route.ts';
import { isInList } from '#platform/graphql/guard.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

/** Adds `whisper`, which the REST row lacks. */
const WHISPERING = { ...addParticipantRoute, body: addParticipantBody.extend({ mode: z.enum([...PARTICIPANT_MODES, 'whisper']) }) };

export const conferenceResolvers: Resolvers = {
  Query: {
    conferences: fromRoute(listConferencesRoute, listConferences),
    conference: (_root, { id }, { app }) => nullWhenAbsent(() => getConference(app, rowIdOf('id', id, { of: 'Conference' }))),
  },
  Mutation: {
    addParticipant: fromRoute(WHISPERING, addParticipant),
    removeParticipant: fromRoute(removeParticipantRoute, async (app, caller, place, body) => ({
      softphoneCallId: place.softphoneCallId,
      removed: await removeParticipant(app, caller, place, body),
    })),
  },
  Conference: {
    recordingUrl: async ({ id, recordingUrl }, _args, { app, caller }, { path }) => {
      if (recordingUrl && caller && !isInList(path)) await auditRecordingRead(app, caller, { targetType: 'conference', targetId: id });
      return recordingUrl;
    },
  },
  ConferenceLeg: { callUuid: ({ legUuid }) => legUuid },
};
