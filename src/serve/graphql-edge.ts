import { createContext, type GraphContext } from '#graph/context.ts';
import type { CreateContext } from '#platform/graphql/context.ts';
import { createGraphHttp, type GraphHttp, type GraphHttpOptions } from '#platform/graphql/http.ts';
import type { GraphSettings } from '#platform/graphql/prepare.ts';
import { createGraphSockets, type GraphSocketOptions, type GraphSockets } from '#platform/graphql/socket-server.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { softphoneCallResolvers } from '#agent-calls/resolvers.ts';
import { agentResolvers } from '#agents/resolvers.ts';
import { attemptResolvers, batchResolvers } from '#attempts/resolvers.ts';
import { auditLogResolvers } from '#audit/resolvers.ts';
import { jobResolvers } from '#jobs/resolvers.ts';
import { listResolvers } from '#lists/resolvers.ts';
import { businessResolvers } from '#businesses/resolvers.ts';
import { liveCallResolvers, liveCallSources } from '#calls/resolvers.ts';
import { campaignResolvers } from '#campaigns/resolvers.ts';
import { conferenceResolvers } from '#conferences/resolvers.ts';
import { contactResolvers } from '#contacts/resolvers.ts';
import { diallingResolvers } from '#dialling/resolvers.ts';
import { callbackResolvers, callbackSources } from '#callbacks/resolvers.ts';
import { dialResolvers } from '#dials/resolvers.ts';
import { agentBoardResolvers } from '#agent-board/resolvers.ts';
import { callStatsResolvers } from '#call-stats/resolvers.ts';
import { savedReportResolvers } from '#reports/resolvers.ts';
import { scheduleResolvers } from '#schedules/resolvers.ts';
import { deskResolvers } from '#desk/resolvers.ts';
import { consentResolvers } from '#consent/resolvers.ts';
import { preDialResolvers } from '#pre-dial/resolvers.ts';
import { webhookResolvers } from '#webhooks/resolvers.ts';
import { rulePackResolvers } from '#rule-packs/resolvers.ts';
import { dispositionResolvers } from '#dispositions/resolvers.ts';
import { followUpResolvers } from '#follow-ups/resolvers.ts';
import { resultResolvers } from '#results/resolvers.ts';
import { doNotCallResolvers } from '#do-not-call/resolvers.ts';
import { exportResolvers } from '#exports/resolvers.ts';
import { bulkResolvers } from '#graph/bulk.ts';
import { ENUMS } from '#graph/enums.ts';
import { attachMasks } from '#graph/mask-numbers.ts';
import { attachIds, nodeResolvers } from '#graph/nodes.ts';
import { edgeResolvers } from '#graph/relations.ts';
import type { SubscriptionSources } from '#graph/subscription-sources.ts';
import { stateSources } from '#graph/subscriptions.ts';
import { fileImportResolvers } from '#imports/resolvers.ts';
import { assert } from '#kernel/assert.ts';
import { lineResolvers } from '#lines/resolvers.ts';
import { monitoringResolvers } from '#monitoring/resolvers.ts';
import { outcomeResolvers } from '#outcomes/resolvers.ts';
import type { ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import { overviewResolvers } from '#overview/resolvers.ts';
import { attachOutcomes } from '#platform/graphql/errors.ts';
import { guardSchema } from '#platform/graphql/guard.ts';
import { SCALARS } from '#platform/graphql/scalars.ts';
import { boundTo, type SubscriptionSource } from '#platform/graphql/subscription-source.ts';
import { policyResolvers } from '#policies/resolvers.ts';
import { peopleResolvers } from '#privacy/resolvers.ts';
import { runtimeEventResolvers, runtimeEventSources } from '#runtime-events/resolvers.ts';
import { recordingResolvers } from '#recordings/resolvers.ts';
import { scriptResolvers } from '#scripts/resolvers.ts';
import { softphoneSessionResolvers } from '#softphones/resolvers.ts';
import { accessResolvers, userResolvers } from '#users/resolvers.ts';
import type { App } from '#app/app.ts';

export interface GraphqlEdge {
  serve: GraphHttp['serve'];
  upgrade: GraphSockets['upgrade'];
  stop(): Promise<void>;
}

type GraphqlEdgeOptions = GraphHttpOptions & GraphSocketOptions & { app: App; settings: GraphSettings };

/** Creates GraphQL over HTTP and over WebSocket, on one schema. */
export async function createGraphqlEdge(options: GraphqlEdgeOptions): Promise<GraphqlEdge> {
  const { app, settings } = options;
  const schema = createSchema(app);
  const create: CreateContext = requester => createContext(app, requester);
  const http = await createGraphHttp(schema, settings, { createContext: create, uploads: app.importQueue, http: options });
  const sockets = createGraphSockets(schema, settings, { ...options, createContext: create, documents: http.documents });
  return {
    serve: http.serve,
    upgrade: (request, socket, head) => sockets.upgrade(request, socket, head),
    async stop() {
      sockets.close();
      await http.stop();
    },
  };
}

const SCHEMA_FOLDER = join(import.meta.dirname, '../../schema');

/** Contents of each file of `schema/`, ordered by name. */
export function readSchemaTexts(): string[] {
  const names = readdirSync(SCHEMA_FOLDER).filter(name => name.endsWith('.graphql'));
  return names.sort().map(name => readFileSync(join(SCHEMA_FOLDER, name), 'utf8'));
}

/** Schemas of this process, by whether agents see numbers. */
const made = new Map<boolean, GraphQLSchema>();

/**
 * The schema of `schema/` with its resolvers, guarded by its `@access`; numbers are masked where agents do not see them.
 *
 * Why: it is made once for several servers of a process, which takes half a second of processor time: all that differs between servers
 *      reaches resolvers in the context of a request
 */
export function createSchema({ agentsSeeNumbers }: ShownNumbersPart = { agentsSeeNumbers: true }): GraphQLSchema {
  const schema = made.get(agentsSeeNumbers) ?? makeSchema(agentsSeeNumbers);
  made.set(agentsSeeNumbers, schema);
  return schema;
}

function makeSchema(agentsSeeNumbers: boolean): GraphQLSchema {
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
      diallingResolvers,
      outcomeResolvers,
      peopleResolvers,
      attemptResolvers,
      recordingResolvers,
      exportResolvers,
      batchResolvers,
      liveCallResolvers,
      policyResolvers,
      callbackResolvers,
      dialResolvers,
      consentResolvers,
      rulePackResolvers,
      webhookResolvers,
      preDialResolvers,
      doNotCallResolvers,
      scriptResolvers,
      auditLogResolvers,
      jobResolvers,
      listResolvers,
      userResolvers,
      agentResolvers,
      softphoneCallResolvers,
      dispositionResolvers,
      resultResolvers,
      followUpResolvers,
      monitoringResolvers,
      conferenceResolvers,
      softphoneSessionResolvers,
      deskResolvers,
      agentBoardResolvers,
      callStatsResolvers,
      savedReportResolvers,
      scheduleResolvers,
      overviewResolvers,
      runtimeEventResolvers,
      nodeResolvers,
      edgeResolvers,
      bulkResolvers,
      fileImportResolvers,
    ],
    inheritResolversFromInterfaces: false,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error', requireResolversForResolveType: 'ignore' },
  });
  attachSources(schema, { ...stateSources, ...callbackSources, ...liveCallSources, ...runtimeEventSources });
  attachOutcomes(schema);
  attachIds(schema);
  if (!agentsSeeNumbers) attachMasks(schema);
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
