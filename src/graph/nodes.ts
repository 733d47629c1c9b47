import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { auditCaptionsRead } from '#calls/audit-watch.ts';
import { EVERY_CALL, shows, viewerIdOf } from '#calls/live-call-scope.ts';
import type { LiveCall } from '#calls/live-call.ts';
import { getConference } from '#conferences/find-conferences.ts';
import { assert } from '#kernel/assert.ts';
import { requireAccess } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { MAX_SLICE } from '#platform/graphql/connection.ts';
import type { FieldAccess } from '#platform/graphql/guard.ts';
import { bigRowIdOf, nodeIdOf, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { getSoftphoneCall } from '#softphones/session-feed.ts';
import type { GraphContext } from './context.ts';
import type { Loaders } from './loaders.ts';
import type { Resolvers } from './schema-types.generated.ts';

/** A live call, if the caller may see it; returning it counts as reading its captions, which is audited (D3.7). */
export async function findLiveCall({ app, caller, loaders }: GraphContext, requestId: string): Promise<LiveCall | null> {
  const call = await loaders.liveCalls.load(requestId);
  const scope = { ...EVERY_CALL, viewerId: viewerIdOf(caller) };
  if (!call || !caller || !shows(scope, call)) return null;
  await auditCaptionsRead(app, caller, scope);
  return call;
}

/** How the objects of a type are identified, and found again. */
interface Kind {
  // The schema passes each function objects of its own type.
  key: (object: never) => string | number;
  /** Absent when the object is only found through the object that contains it. */
  find?: (context: GraphContext, key: string) => Promise<object | null>;
  /** Permission of the REST row that shows such an object. */
  needs?: Exclude<FieldAccess, 'public'>;
}

const rowKey = ({ id }: { id: number }) => id;
const campaignKey = ({ campaignId }: { campaignId: number }) => campaignId;

/** Kinds by type name; a test compares them with the schema. */
const KINDS: Readonly<Record<string, Kind>> = {
  Agent: { key: rowKey, find: row('agents') },
  AgentGroup: { key: rowKey, find: row('agentGroups') },
  Attempt: { key: rowKey, find: row('attempts') },
  AuditLog: { key: rowKey, find: row('auditRows'), needs: 'audit:read' },
  Batch: { key: rowKey, find: row('batches') },
  Business: { key: rowKey },
  Callback: { key: rowKey, find: row('callbacks') },
  CallDisposition: { key: rowKey },
  Campaign: { key: rowKey, find: row('campaigns') },
  CampaignProgress: { key: campaignKey, find: row('progress') },
  CellConcurrency: { key: ({ cellId }: { cellId: string }) => cellId },
  Conference: { key: rowKey, find: ({ app }, key) => getConference(app, rowIdOf('id', key)), needs: 'campaign:dispatch' },
  ConferenceLeg: { key: ({ softphoneCallId }: { softphoneCallId: number }) => softphoneCallId },
  Consent: { key: rowKey, find: row('consents') },
  Contact: { key: rowKey, find: row('contacts') },
  ContactList: { key: rowKey },
  ContactListRow: { key: rowKey },
  DoNotCallEntry: { key: rowKey, find: row('doNotCallEntries') },
  FollowUpList: { key: rowKey },
  IntentAlert: { key: rowKey },
  Job: { key: rowKey },
  Line: { key: rowKey, find: row('lines') },
  LineConcurrency: { key: ({ lineId }: { lineId: number }) => lineId },
  LineNumber: { key: rowKey },
  ListImport: { key: rowKey },
  LiveCall: { key: ({ requestId }: LiveCall) => requestId, find: findLiveCall, needs: 'agent:operate' },
  OutcomeRuleVersion: { key: rowKey },
  Policy: { key: rowKey, find: row('policies') },
  RegisteredRuntime: { key: ({ runtimeId }: { runtimeId: string }) => runtimeId },
  ReportChannel: { key: rowKey },
  ReportSchedule: { key: rowKey },
  ReportScheduleRun: { key: rowKey },
  RuntimeCampaign: { key: campaignKey },
  RuntimeEvent: { key: rowKey, find: row('runtimeEvents') },
  SavedReport: { key: rowKey },
  Script: { key: rowKey, find: row('scripts') },
  ScriptVersion: { key: rowKey },
  LinePrice: { key: rowKey },
  SoftphoneCall: { key: rowKey, find: findSoftphoneCall, needs: 'agent:operate' },
  SoftphoneEvent: { key: rowKey },
  SoftphoneSession: { key: ({ call }: { call: { id: number } }) => call.id },
  User: { key: rowKey, find: row('users') },
  Webhook: { key: rowKey },
};

/**
 * Gives every type that has an `id` a globally unique one, and the row's id as `databaseId`.
 *
 * Errors: Error when a type with an `id` is unknown here, or implements `Node` without `find`
 */
export function attachIds(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const { id, databaseId } = type.getFields();
    if (!id || id.resolve || TYPES_WITH_OWN_IDS.includes(type.name)) continue;
    const kind = KINDS[type.name];
    const isNode = type.getInterfaces().some(({ name }) => name === 'Node');
    assert(kind && isNode === Boolean(kind.find), `${type.name} has an id that nodes.ts does not know`);
    const keyOf: (object: unknown) => string | number = object => Reflect.apply(kind.key, undefined, [object]);
    id.resolve = object => nodeIdOf(type.name, keyOf(object));
    if (databaseId) databaseId.resolve = keyOf;
  }
  const node = schema.getType('Node');
  if (isInterfaceType(node)) node.resolveType = (object: { __typename: string }) => object.__typename;
}

/** Types whose ids the server generates, already globally unique. */
const TYPES_WITH_OWN_IDS = ['Intervention'];

/** Errors: INVALID_ARGUMENT for an invalid id; FORBIDDEN */
export async function findNode(context: GraphContext, id: string): Promise<object | null> {
  const [, typeName = '', key = ''] = /^(\w+):(.+)$/.exec(id) ?? [];
  const kind = KINDS[typeName];
  if (!kind?.find) throw invalidArgument('id', 'id');
  requireAccess(kind.needs ?? 'session', context.caller);
  const found = await nullWhenAbsent(async () => kind.find?.(context, key) ?? null);
  return found && { __typename: typeName, ...found };
}

function row(loader: RowLoader): NonNullable<Kind['find']> {
  return ({ loaders }, key) => loaders[loader].load(bigRowIdOf('id', key));
}

export type RowLoader = {
  [Name in keyof Loaders]: Loaders[Name] extends { load(id: number): Promise<object | null> } ? Name : never;
}[keyof Loaders];

async function findSoftphoneCall({ app, caller }: GraphContext, key: string): Promise<object | null> {
  assert(caller, 'its access was asked for');
  return (await getSoftphoneCall(app, caller, bigRowIdOf('id', key))).call;
}

export const nodeResolvers: Resolvers = {
  Query: {
    // The object carries the name of its type, by which the schema finds its fields.
    node: async (_root, { id }, context) => (await findNode(context, id)) as never,
    nodes: (_root, { ids }, context) => {
      if (ids.length > MAX_SLICE) throw invalidArgument('ids', 'piecesAtMost', { max: MAX_SLICE });
      return ids.map(id => findNode(context, id)) as never;
    },
  },
};
