import { isResolvable } from '#runtime-events/outages.ts';
import { findLiveCall, type RowLoader } from './nodes.ts';
import { callKeyOf } from '#calls/live-call.ts';
import type { GraphContext } from './context.ts';
import type { Loaders } from './loaders.ts';
import type { Resolvers } from './schema-types.generated.ts';

const campaign = edge('campaigns', ({ campaignId }: { campaignId: number | null }) => campaignId);
const contact = edge('contacts', ({ contactId }: { contactId: number | null }) => contactId);
const attempt = edge('attempts', ({ attemptId }: { attemptId: number | null }) => attemptId);
const line = edge('lines', ({ lineId }: { lineId: number | null }) => lineId);
const agent = edge('agents', ({ agentId }: { agentId: number | null }) => agentId);
/** Row id in an object that is not a noun's own record: the schema allows ids as text and as number. */
type RowId = string | number | null | undefined;
const numberOf = (id: RowId) => (id === null || id === undefined ? null : Number(id));
const campaignNamed = edge('campaigns', ({ campaignId }: { campaignId?: RowId }) => numberOf(campaignId));
const agentNamed = edge('agents', ({ agentId }: { agentId?: RowId }) => numberOf(agentId));
const user = edge('users', ({ userId }: { userId: number | null }) => userId);
const createdBy = edge('users', (row: { createdBy: number | null }) => row.createdBy);
const acknowledgedBy = edge('users', (row: { acknowledgedBy: number | null }) => row.acknowledgedBy);

/** Resolves ids to the rows that they refer to; null without an id, or when the row was deleted. All of one answer share a statement. */
export const edgeResolvers: Resolvers = {
  Agent: {
    group: edge('agentGroups', agent => agent.groupId),
    user: edge('users', agent => agent.userId),
    currentCall: async ({ currentCall }, _args, context) => {
      const key = currentCall === null ? null : await requestKey(currentCall, context);
      return key === null ? null : findLiveCall(context, key);
    },
  },
  AgentStateSeconds: { agent: agentNamed },
  Attempt: {
    campaign,
    contact,
    line,
    batch: edge('batches', row => row.batchId),
    script: edge('scripts', row => row.scriptId),
  },
  CallDisposition: { agent, user },
  DispositionCount: { agent: agentNamed, campaign: campaignNamed },
  AuditLog: { actor: edge('users', row => row.actorId) },
  Batch: { campaign, createdBy, createdById: row => row.createdBy },
  Callback: { agent, campaign, contact, createdBy, createdById: row => row.createdBy },
  CallPerson: { agent },
  CampaignProgress: { campaign },
  Conference: { campaign, attempt },
  ConferenceLeg: { agent },
  Consent: { createdBy, createdById: row => row.createdBy },
  ContactList: { createdBy, createdById: row => row.createdBy },
  Contact: { campaign, lastAttempt: edge('attempts', row => row.lastAttemptId) },
  DispatchedBatch: {
    batch: edge('batches', ({ batchId }: { batchId?: RowId }) => numberOf(batchId)),
    campaign: edge('campaigns', ({ campaignId }: { campaignId: RowId }) => numberOf(campaignId)),
  },
  DispatchedAttempt: { attempt, contact },
  DoNotCallEntry: { createdBy, createdById: row => row.createdBy },
  FileImport: { campaign },
  FollowUpList: { createdBy, createdById: row => row.createdBy },
  IntentAlert: { attempt, campaign, acknowledgedBy, acknowledgedById: row => row.acknowledgedBy },
  Intervention: { initiator: edge('users', row => row.initiatorId), agent },
  LineConcurrency: { line },
  LiveCall: {
    attempt,
    campaign,
    contact,
    line,
    retainedBy: async ({ retainedBy }, _args, { loaders }) =>
      (await Promise.all(retainedBy.map(id => loaders.users.load(id)))).filter(found => found !== null),
    retainedByIds: call => [...call.retainedBy],
  },
  CallGuidance: { user },
  MonitorAssignment: { user, agent },
  PackSwitch: { campaign },
  PhoneExtension: { agent: agentNamed },
  PhoneStatus: { agent: agentNamed },
  Policy: { campaign },
  PreflightLine: { line: edge('lines', ({ id }: { id: number }) => id) },
  ResultCorrection: { user, databaseId: row => row.id },
  ResultFieldValue: { user },
  ReportSchedule: { createdBy, createdById: row => row.createdBy },
  SavedReport: { createdBy, createdById: row => row.createdBy },
  RuntimeCampaign: { campaign },
  RuntimeEvent: {
    campaign,
    attempt,
    acknowledgedBy,
    acknowledgedById: row => row.acknowledgedBy,
    overAt: async ({ id, type }, _args, { loaders }) => (isResolvable(type) ? ((await loaders.overEvents.load(id))?.overAt ?? null) : null),
  },
  ScriptActivation: { actedBy: edge('users', row => row.actedBy), databaseId: row => row.id },
  ScriptDraft: { updatedBy: edge('users', row => row.updatedBy) },
  ScriptUtterance: { databaseId: row => row.id },
  ScriptVersion: { createdBy },
  SoftphoneCall: { agent, campaign, contact, user, attempt, line },
  SoftphoneLeg: { agent },
};

type Found<Name extends RowLoader> = ReturnType<Loaders[Name]['load']>;

function edge<Model, Name extends RowLoader>(loader: Name, idOf: (model: Model) => number | null | undefined) {
  return (model: Model, _args: unknown, { loaders }: GraphContext) => {
    const id = idOf(model);
    // TypeScript loses the row type of a loader that is chosen by name.
    return (id === null || id === undefined ? null : loaders[loader].load(id)) as Found<Name> | null;
  };
}

/** The request id of `request:<requestId>` or `attempt:<attemptId>`. Source: OCS 2.13 */
async function requestKey(callKey: string, { loaders }: GraphContext): Promise<string | null> {
  const [kind, id = ''] = callKey.split(':');
  return kind === 'attempt' ? ((await loaders.attempts.load(Number(id)))?.requestId ?? null) : callKey.slice(callKeyOf('').length);
}
