import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { assert } from '#kernel/assert.ts';
import type { GraphContext } from './context.ts';
import { ENUMS } from './enums.ts';
import { guardSchema } from './guard.ts';
import { attachIds } from './nodes.ts';
import { attachOutcomes } from './outcome.ts';
import { accessResolvers } from './resolvers/access.ts';
import { auditLogResolvers } from './resolvers/audit-logs.ts';
import { businessResolvers } from './resolvers/businesses.ts';
import { doNotCallResolvers } from './resolvers/do-not-call.ts';
import { lineResolvers } from './resolvers/lines.ts';
import { policyResolvers } from './resolvers/policies.ts';
import { scriptResolvers } from './resolvers/scripts.ts';
import { userResolvers } from './resolvers/users.ts';
import { attemptResolvers } from './resolvers/attempts.ts';
import { batchResolvers } from './resolvers/batches.ts';
import { campaignResolvers } from './resolvers/campaigns.ts';
import { contactResolvers } from './resolvers/contacts.ts';
import { peopleResolvers } from './resolvers/people.ts';
import { liveCallResolvers, liveCallSources } from './resolvers/live-calls.ts';
import { stateSources } from './resolvers/state-sources.ts';
import { runtimeEventSources } from './resolvers/runtime-events.ts';
import { agentResolvers } from './resolvers/agents.ts';
import { conferenceResolvers } from './resolvers/conferences.ts';
import { monitoringResolvers } from './resolvers/monitoring.ts';
import { overviewResolvers } from './resolvers/overviews.ts';
import { softphoneCallResolvers } from './resolvers/softphone-calls.ts';
import { softphoneSessionResolvers } from './resolvers/softphone-sessions.ts';
import { exportResolvers } from './resolvers/exports.ts';
import { fileImportResolvers } from './resolvers/file-imports.ts';
import { bulkResolvers } from './resolvers/bulk.ts';
import { edgeResolvers } from './resolvers/edges.ts';
import { nodeResolvers } from './resolvers/nodes.ts';
import { SCALARS } from './scalars.ts';
import { readSchemaTexts } from './schema-texts.ts';
import { boundTo } from './state-events.ts';
import type { SubscriptionSource, SubscriptionSources } from './subscription-source.ts';

/** The schema of `schema/` with its resolvers, guarded by its `@access`. */
export function createSchema(): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: readSchemaTexts(),
    resolvers: [
      SCALARS,
      ENUMS,
      accessResolvers,
      businessResolvers,
      lineResolvers,
      campaignResolvers,
      contactResolvers,
      peopleResolvers,
      attemptResolvers,
      exportResolvers,
      batchResolvers,
      liveCallResolvers,
      policyResolvers,
      doNotCallResolvers,
      scriptResolvers,
      auditLogResolvers,
      userResolvers,
      agentResolvers,
      softphoneCallResolvers,
      monitoringResolvers,
      conferenceResolvers,
      softphoneSessionResolvers,
      overviewResolvers,
      nodeResolvers,
      edgeResolvers,
      bulkResolvers,
      fileImportResolvers,
    ],
    inheritResolversFromInterfaces: false,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error', requireResolversForResolveType: 'ignore' },
  });
  attachSources(schema, { ...stateSources, ...liveCallSources, ...runtimeEventSources });
  attachOutcomes(schema);
  attachIds(schema);
  return guardSchema(schema);
}

/** Attaches its source to each field of `Subscription`. */
function attachSources(schema: GraphQLSchema, sources: SubscriptionSources): void {
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  for (const [name, source] of Object.entries(sources) as [string, AnySource][]) {
    const field = fields[name];
    assert(field, `there is a source of Subscription.${name}, which does not exist`);
    // The source takes the arguments of the schema's field: its type is generated from there.
    field.subscribe = async (_root: unknown, args: object, context: GraphContext) => {
      const { channel, ...rest } = await source(args as never, context);
      return { ...rest, channel: boundTo(name, channel) };
    };
  }
}

type AnySource = (args: never, context: GraphContext) => SubscriptionSource | Promise<SubscriptionSource>;
