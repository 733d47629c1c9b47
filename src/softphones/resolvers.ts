import type { z } from 'zod';
import { endSoftphoneRoute, openSoftphoneRoute, softphoneControlRoute, softphoneMessageRoute, softphoneNoteRoute } from './routes.ts';
import { control, endSoftphoneSession, say, updateNote } from './control.ts';
import { findSession, isOpen } from './session.ts';
import { openSession } from './open-session.ts';
import { nullWhenAbsent } from '#platform/graphql/row-id.ts';
import { callerOf } from '#graph/context.ts';
import { fromRoute, parseAsParams } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

const sessionMutations: Resolvers['Mutation'] = {
  openSoftphoneSession: fromRoute(openSoftphoneRoute, async (app, caller, body) => {
    const { sipExtraHeaders, ...opened } = await openSession(app, caller, body);
    return { ...opened, sipExtraHeaders: Object.entries(sipExtraHeaders).map(([name, value]) => ({ name, value })) };
  }),
  sayInSoftphoneSession: fromRoute(softphoneMessageRoute, async (app, caller, sessionId, { text }) => ({
    messageId: await say(app, caller, sessionId, text),
  })),
  holdSoftphoneSession: controlling('hold'),
  resumeSoftphoneSession: controlling('resume'),
  sendSoftphoneDigits: controlling('dtmf'),
  transferSoftphoneSession: controlling('transfer'),
  noteSoftphoneSession: fromRoute(softphoneNoteRoute, async (app, caller, sessionId, { note }) => {
    await updateNote(app, caller, sessionId, note);
    return findSession(app, caller, sessionId);
  }),
  endSoftphoneSession: fromRoute(endSoftphoneRoute, async (app, caller, sessionId) => ({
    sessionId,
    ...(await endSoftphoneSession(app, caller, sessionId)),
  })),
};

/** The row has one body for all controls; its `type` is the field here, and `sessionId` is in the path. */
function controlling(type: z.output<NonNullable<typeof softphoneControlRoute.body>>['type']) {
  return fromRoute(
    softphoneControlRoute,
    async (app, caller, sessionId, body) => ({ sessionId, softphoneCallId: await control(app, caller, sessionId, body) }),
    { bodyOf: args => ({ ...args, type }) },
  );
}

export const softphoneSessionResolvers: Resolvers = {
  Query: {
    softphoneSession: (_root, { sessionId }, context, info) =>
      nullWhenAbsent(() => findSession(context.app, callerOf(context, info), sessionIdOf(sessionId))),
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
