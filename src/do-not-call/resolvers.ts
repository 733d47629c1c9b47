import { addDoNotCallRoute, removeDoNotCallRoute } from './routes.ts';
import { addDoNotCall, doNotCallList, removeDoNotCall } from './do-not-call-store.ts';
import { readNumbers } from '#imports/preview.ts';
import { given } from '#platform/graphql/row-id.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import type { GraphQLResolveInfo } from 'graphql';
import { bounded, refusalOf } from '#graph/bulk.ts';
import { type BulkOutcome, callerOf, type GraphContext } from '#graph/context.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { maskedNumber } from '#phone-numbers/phone-number.ts';
import { parseReadingOptions } from '#graph/reading-options.ts';
import { fromRoute, parseAsBody } from '#graph/from-route.ts';
import type { AddDoNotCallInput, DoNotCallSource, Resolvers } from '#graph/schema-types.generated.ts';

export const doNotCallResolvers: Resolvers = {
  Query: {
    doNotCallEntries: (_root, { search, filter, ...args }, { app, caller }) => {
      const q = searchOf(search);
      const wholeNumber = mayReadNumbers(caller) ? undefined : dialKey(q, app.region);
      return connectTo(app, doNotCallList, { q, wholeNumber, ...given(filter) }, args);
    },
  },
  Mutation: {
    readNumbers: (_root, { file, column, ...asked }, context, info) =>
      readNumbers(context.app, callerOf(context, info), {
        ...parseReadingOptions(file, asked, context.app.region),
        column: column ?? undefined,
      }),
    addDoNotCall: async (_root, { input: { expiresAt = null, ...input } }, context, info) => {
      const { phoneNumber, reason, scope } = parseAsBody(addDoNotCallRoute, input);
      return addDoNotCall(context.app, callerOf(context, info), { phoneNumber, reason, scope, expiresAt });
    },
    addDoNotCallEntries: (_root, { inputs, source }, context, info) => addEach(context, info, inputs, source ?? 'manual'),
    removeDoNotCall: fromRoute(removeDoNotCallRoute, removeDoNotCall),
  },
  DoNotCallEntry: {
    phoneNumber: ({ phoneNumber }, _args, { caller }) => (mayReadNumbers(caller) ? phoneNumber : maskedNumber(phoneNumber)),
  },
  DoNotCallEntryConnection: connectionFields(),
};

/** Source: D8.12 */
function mayReadNumbers(caller: Caller | null): boolean {
  return caller?.permissions.has('compliance:write') === true;
}

async function addEach(
  context: GraphContext,
  info: GraphQLResolveInfo,
  inputs: readonly AddDoNotCallInput[],
  source: DoNotCallSource,
): Promise<BulkOutcome[]> {
  // An opt-out during a call is entered only by the result of that call.
  if (source === 'callback') throw invalidArgument('source', 'onlyOneOf', { first: 'MANUAL', second: 'IMPORT' });
  const caller = callerOf(context, info);
  const outcomes: BulkOutcome[] = [];
  for (const { expiresAt = null, ...input } of bounded('inputs', inputs)) {
    let databaseId: number | null = null;
    const refusal = await refusalOf(context, info, async () => {
      const { phoneNumber, reason, scope } = parseAsBody(addDoNotCallRoute, input);
      databaseId = (await addDoNotCall(context.app, caller, { phoneNumber, reason, scope, expiresAt, source })).id;
    });
    outcomes.push({ typeName: 'DoNotCallEntry', databaseId, ...refusal });
  }
  return outcomes;
}
