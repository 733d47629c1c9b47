import type { GraphQLResolveInfo } from 'graphql';
import { z } from 'zod';
import { addParticipantBody, removeParticipantRoute } from './routes.ts';
import { auditRecordingRead } from '#audit/access-audit.ts';
import { addParticipant } from './add-participant.ts';
import { getConference, listConferences } from './send-to-conference.ts';
import { removeParticipant } from './participants.ts';
import { type ConferenceLeg, PARTICIPANT_MODES } from './conference.ts';
import { bigRowIdOf, nullWhenAbsent, optionalRowIds, rowIdOf } from '#platform/graphql/row-id.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { parseAsBody } from '#platform/graphql/from-route.ts';
import { isInList } from '#platform/graphql/guard.ts';
import type { MutationAddParticipantArgs, MutationRemoveParticipantArgs, Resolvers } from '#graph/schema-types.generated.ts';

/** Adds `whisper`, which the REST row lacks. */
const PARTICIPANT = { body: addParticipantBody.extend({ mode: z.enum([...PARTICIPANT_MODES, 'whisper']) }) };

export const conferenceResolvers: Resolvers = {
  Query: {
    conferences: (_root, _args, { deps }) => listConferences(deps.softphones),
    conference: (_root, { id }, { deps }) => nullWhenAbsent(() => getConference(deps.softphones, rowIdOf('id', id, { of: 'Conference' }))),
  },
  Mutation: {
    addParticipant: (_root, args, context, info) => add(context, info, args),
    removeParticipant: (_root, args, context, info) => remove(context, info, args),
  },
  Conference: {
    recordingUrl: async ({ id, recordingUrl }, _args, { deps, caller }, { path }) => {
      if (recordingUrl && caller && !isInList(path)) await auditRecordingRead(deps, caller, { targetType: 'conference', targetId: id });
      return recordingUrl;
    },
  },
  ConferenceLeg: { callUuid: ({ legUuid }) => legUuid },
};

async function add(
  context: GraphContext,
  info: GraphQLResolveInfo,
  { conferenceId, input: { agentId, ...rest } }: MutationAddParticipantArgs,
): Promise<ConferenceLeg> {
  const request = parseAsBody(PARTICIPANT, { ...rest, ...optionalRowIds({ agentId }) });
  return addParticipant(context.deps.softphones, callerOf(context, info), rowIdOf('conferenceId', conferenceId), request);
}

async function remove(
  context: GraphContext,
  info: GraphQLResolveInfo,
  args: MutationRemoveParticipantArgs,
): Promise<{ softphoneCallId: number; removed: boolean }> {
  const softphoneCallId = bigRowIdOf('softphoneCallId', args.softphoneCallId);
  const place = { conferenceId: rowIdOf('conferenceId', args.conferenceId), softphoneCallId };
  const how = parseAsBody(removeParticipantRoute, { force: args.force ?? undefined });
  return { softphoneCallId, removed: await removeParticipant(context.deps.softphones, callerOf(context, info), place, how) };
}
