import { fromRoute } from '#graph/from-route.ts';
import type { MutationRetryContactsArgs, Resolvers } from '#graph/schema-types.generated.ts';
import { given } from '#platform/graphql/row-id.ts';
import { retryContacts } from './retry-contacts.ts';
import { retryContactsRoute, selectionOf } from './routes.ts';

export const outcomeResolvers: Resolvers = {
  Mutation: {
    retryContacts: fromRoute(retryContactsRoute, (app, caller, id, body) => retryContacts(app, caller, id, selectionOf(body)), {
      bodyOf: ({ selection }: MutationRetryContactsArgs) => given(selection),
    }),
  },
};
