import type { GraphQLResolveInfo } from 'graphql';
import { endSoftphoneRoute, openSoftphoneRoute, softphoneControlRoute, softphoneMessageRoute, softphoneNoteRoute } from './routes.ts';
import { control, endSoftphoneSession, say, updateNote } from './control.ts';
import { findSession, isOpen } from './session.ts';
import { openSession } from './open-session.ts';
import { nullWhenAbsent, optionalRowIds } from '#platform/graphql/row-id.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { parseAsBody, parseAsParams } from '#platform/graphql/from-route.ts';
import type { OpenSoftphoneSessionInput, Resolvers } from '#graph/schema-types.generated.ts';

const sessionMutations: Resolvers['Mutation'] = {
  openSoftphoneSession: (_root, { input }, context, info) => open(context, info, input),
  sayInSoftphoneSession: (_root, args, context, info) => sayIn(context, info, args),
  holdSoftphoneSession: (_root, { sessionId }, context, info) => carryOut(context, info, sessionId, { type: 'hold' }),
  resumeSoftphoneSession: (_root, { sessionId }, context, info) => carryOut(context, info, sessionId, { type: 'resume' }),
  sendSoftphoneDigits: (_root, { sessionId, digits }, context, info) => carryOut(context, info, sessionId, { type: 'dtmf', digits }),
  transferSoftphoneSession: (_root, { sessionId, targetNumber }, context, info) =>
    carryOut(context, info, sessionId, { type: 'transfer', targetNumber }),
  noteSoftphoneSession: async (_root, args, context, info) => {
    const { note } = parseAsBody(softphoneNoteRoute, args);
    const sessionId = sessionIdOf(args.sessionId);
    await updateNote(context.deps.softphones, callerOf(context, info), sessionId, note);
    return findSession(context.deps.softphones, callerOf(context, info), sessionId);
  },
  endSoftphoneSession: async (_root, args, context, info) => {
    const sessionId = sessionIdOf(args.sessionId);
    return { sessionId, ...(await endSoftphoneSession(context.deps.softphones, callerOf(context, info), sessionId)) };
  },
};

export const softphoneSessionResolvers: Resolvers = {
  Query: {
    softphoneSession: (_root, { sessionId }, context, info) =>
      nullWhenAbsent(() => findSession(context.deps.softphones, callerOf(context, info), sessionIdOf(sessionId))),
  },
  Mutation: sessionMutations,
  SoftphoneSession: {
    sessionId: ({ call }) => call.sessionId ?? '',
    conferenceId: ({ conference }) => conference.id,
    isOpen: ({ call }) => isOpen(call),
  },
};

function sessionIdOf(sessionId: string): string {
  return parseAsParams(endSoftphoneRoute, { sessionId }).sessionId;
}

async function open(
  context: GraphContext,
  info: GraphQLResolveInfo,
  { agentId, contactId, campaignId, ...rest }: OpenSoftphoneSessionInput,
) {
  const request = parseAsBody(openSoftphoneRoute, { ...rest, ...optionalRowIds({ agentId, contactId, campaignId }) });
  const { sipExtraHeaders, ...opened } = await openSession(context.deps.softphones, callerOf(context, info), request);
  return { ...opened, sipExtraHeaders: Object.entries(sipExtraHeaders).map(([name, value]) => ({ name, value })) };
}

async function sayIn(context: GraphContext, info: GraphQLResolveInfo, args: { sessionId: string; text: string }) {
  const { text } = parseAsBody(softphoneMessageRoute, args);
  return { messageId: await say(context.deps.softphones, callerOf(context, info), sessionIdOf(args.sessionId), text) };
}

async function carryOut(context: GraphContext, info: GraphQLResolveInfo, id: string, command: object) {
  const sessionId = sessionIdOf(id);
  const parsed = parseAsBody(softphoneControlRoute, command);
  return { sessionId, softphoneCallId: await control(context.deps.softphones, callerOf(context, info), sessionId, parsed) };
}
