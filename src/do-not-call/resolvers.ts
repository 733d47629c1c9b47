import { addDoNotCallRoute } from './rest-do-not-call.ts';
import { addDoNotCall, doNotCallList, removeDoNotCall } from './do-not-call-store.ts';
import { readNumbers } from '#imports/read-numbers.ts';
import { given } from '#platform/graphql/absent.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import { callerOf } from '#graph/context.ts';
import { parseReadingOptions } from '#graph/reading-options.ts';
import { parseAsBody } from '#platform/graphql/route-body.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const doNotCallResolvers: Resolvers = {
  Query: {
    doNotCallEntries: (_root, { search, filter, ...args }, { deps }) =>
      connectTo(deps, doNotCallList, { q: searchOf(search), ...given(filter) }, args),
  },
  Mutation: {
    readNumbers: (_root, { file, column, ...asked }, context, info) =>
      readNumbers(context.deps, callerOf(context, info), {
        ...parseReadingOptions(file, asked, context.deps.region),
        column: column ?? undefined,
      }),
    addDoNotCall: async (_root, { input: { expiresAt = null, ...input } }, context, info) => {
      const { phoneNumber, reason } = parseAsBody(addDoNotCallRoute, input);
      return addDoNotCall(context.deps, callerOf(context, info), { phoneNumber, reason, expiresAt });
    },
    removeDoNotCall: (_root, { id }, context, info) =>
      removeDoNotCall(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'DoNotCallEntry' })),
  },
  DoNotCallEntryConnection: connectionFields(),
};
