import type { GraphQLResolveInfo } from 'graphql';
import { callerOf, type GraphContext } from '#graph/context.ts';
import type { Resolvers, RetrySelection } from '#graph/schema-types.generated.ts';
import type { BulkResult } from '#platform/postgres/bulk-result.ts';
import { parseAsBody } from '#platform/graphql/from-route.ts';
import { rowIdOf, rowIdsOf } from '#platform/graphql/row-id.ts';
import { retryContacts } from './retry-contacts.ts';
import { retryContactsRoute } from './routes.ts';

export const outcomeResolvers: Resolvers = {
  Mutation: {
    retryContacts: (_root, { campaignId, selection }, context, info) => retry(context, info, campaignId, selection),
  },
};

async function retry(context: GraphContext, info: GraphQLResolveInfo, id: string, selection: RetrySelection): Promise<BulkResult> {
  const campaignId = rowIdOf('campaignId', id);
  const { status, contactIds } = parseAsBody(retryContactsRoute, {
    status: selection.status ?? undefined,
    contactIds: selection.contactIds ? rowIdsOf('contactIds', selection.contactIds) : undefined,
  });
  const chosen = status === undefined ? { contactIds: contactIds ?? [] } : { status };
  return retryContacts(context.deps, callerOf(context, info), campaignId, chosen);
}
