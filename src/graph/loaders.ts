import DataLoader from 'dataloader';
import { viewAgent } from '#agents/list-agents.ts';
import { preflightCampaigns } from '#dialling/preflight.ts';
import { explainCampaigns } from '#dialling/explain.ts';
import { ATTEMPT_TABLE, type AttemptFilter, campaignAttempts } from '#attempts/attempt-store.ts';
import { readContactFields } from '#attempts/contact-fields.ts';
import { readNumberFields } from '#attempts/shown-attempts.ts';
import { readDispositions } from '#attempts/call-dispositions.ts';
import { readSpeakers } from '#dispositions/disposed-call.ts';
import { readTimelines, readTranscripts, readUserHangups } from '#attempts/timelines.ts';
import { BATCH_TABLE, campaignBatches } from '#attempts/batch-store.ts';
import { readActivations } from '#scripts/script-activations.ts';
import { readDrafts } from '#scripts/script-drafts.ts';
import { readUtterances } from '#scripts/script-utterances.ts';
import { countCampaigns, readBusinesses } from '#businesses/business-store.ts';
import { readChecks } from '#recordings/read-checks.ts';
import { readCorrections, readLayers } from '#results/read-results.ts';
import { fieldsOfVersions, versionKey, versionOf } from '#scripts/result-fields.ts';
import { readTakenScripts, readVersionBodies, readVersions, SCRIPT_TABLE } from '#scripts/script-store.ts';
import { readLiveCalls } from '#calls/list-live-calls.ts';
import { AUDIT_TABLE, type AuditTarget, readTargetNames } from '#audit/audit-store.ts';
import { readResolved } from '#runtime-events/outages.ts';
import { readHistories } from '#campaigns/history.ts';
import { readProgress } from '#campaigns/progress.ts';
import { type ContactQuery, countContacts, sliceContacts } from '#contacts/list-contacts.ts';
import { countEach, readSlices, rowsById, type SliceRequest, type Table } from '#platform/postgres/listing.ts';
import { CALLBACK_TABLE } from '#callbacks/callback-store.ts';
import { CONSENT_TABLE } from '#consent/consent-store.ts';
import { DO_NOT_CALL_TABLE } from '#do-not-call/do-not-call-store.ts';
import { USER_TABLE } from '#users/user-store.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';
import { AGENT_GROUP_TABLE } from '#agents/agent-groups.ts';
import { RUNTIME_EVENT_TABLE } from '#runtime-events/runtime-event-store.ts';
import { AGENT_TABLE } from '#agents/agent-store.ts';
import { LINE_TABLE } from '#lines/line-store.ts';
import { SOFTPHONE_TABLE } from '#agent-calls/agent-call-store.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import { POLICY_TABLE } from '#policies/policy-store.ts';
import type { App } from '#app/app.ts';

/** Most rows in one statement: more than any answer within the complexity limit needs. */
const MAX_BATCH = 1_000;

/** Most campaigns checked at once: each loads up to 5,000 contacts. */
const MAX_CHECKED = 10;

export type Loaders = ReturnType<typeof createLoaders>;

/** Loads rows by id: requests within one tick share a statement, and a row is read once per operation. Null: there is no such row. */
export function createLoaders(app: App) {
  const byId = <Row extends { id: number }>(table: Table<Row>) =>
    keyed(
      ids => rowsById(app, table, ids),
      row => row.id,
    );
  return {
    campaigns: byId(CAMPAIGN_TABLE),
    lines: byId(LINE_TABLE),
    agents: keyed(
      async ids => Promise.all((await rowsById(app, AGENT_TABLE, ids)).map(agent => viewAgent(app, agent))),
      agent => agent.id,
    ),
    agentGroups: byId(AGENT_GROUP_TABLE),
    auditRows: byId(AUDIT_TABLE),
    batches: byId(BATCH_TABLE),
    callbacks: byId(CALLBACK_TABLE),
    consents: byId(CONSENT_TABLE),
    doNotCallEntries: byId(DO_NOT_CALL_TABLE),
    policies: byId(POLICY_TABLE),
    runtimeEvents: byId(RUNTIME_EVENT_TABLE),
    scripts: byId(SCRIPT_TABLE),
    softphoneCalls: byId(SOFTPHONE_TABLE),
    users: byId(USER_TABLE),
    contacts: byId(CONTACT_TABLE),
    attempts: byId(ATTEMPT_TABLE),
    liveCalls: new DataLoader(
      async (requestIds: readonly string[]) => {
        const calls = await readLiveCalls(app, requestIds);
        return requestIds.map(id => calls.get(id) ?? null);
      },
      { maxBatchSize: MAX_BATCH },
    ),
    conferencesOfCustomers: new DataLoader(
      async (customerUuids: readonly string[]) => {
        const sessions = await app.conferences.findByCustomers(customerUuids);
        const byCustomer = new Map(sessions.map(session => [session.customerUuid, session]));
        return customerUuids.map(uuid => byCustomer.get(uuid) ?? null);
      },
      { maxBatchSize: MAX_BATCH },
    ),
    commandsOfRuntimes: new DataLoader(async (runtimeIds: readonly (string | null)[]) => {
      const members = new Map((await app.pool.list()).map(member => [member.runtimeId, member.commands ?? []]));
      return runtimeIds.map(id => (id === null ? [] : (members.get(id) ?? [])));
    }),
    agentsOfUsers: new DataLoader((userIds: readonly number[]) =>
      Promise.all(userIds.map(userId => app.agentDirectory.findByUser(userId))),
    ),
    progress: keyed(
      ids => readProgress(app, ids),
      row => row.campaignId,
    ),
    notDialedReasons: mapped(ids => explainCampaigns(app, ids), MAX_BATCH),
    histories: mapped(ids => readHistories(app, ids), MAX_BATCH),
    preflights: mapped(ids => preflightCampaigns(app, ids), MAX_CHECKED),
    contactSlices: ofCampaigns((ids, slice: SliceRequest & ContactQuery) => sliceContacts(app, ids, slice)),
    contactCounts: ofCampaigns((ids, query: ContactQuery) => countContacts(app, ids, query)),
    attemptSlices: ofCampaigns((ids, slice: SliceRequest & AttemptFilter) => readSlices(app, campaignAttempts, ids, slice)),
    attemptCounts: ofCampaigns((ids, query: AttemptFilter) => countEach(app, campaignAttempts, ids, query)),
    batchSlices: ofCampaigns((ids, slice: SliceRequest) => readSlices(app, campaignBatches, ids, slice)),
    batchCounts: new DataLoader((ids: readonly number[]) => countEach(app, campaignBatches, ids, {}), { maxBatchSize: MAX_BATCH }),
    scriptVersions: grouped(
      ids => readVersions(app, ids),
      row => row.scriptId,
    ),
    scriptDrafts: keyed(
      ids => readDrafts(app, ids),
      row => row.scriptId,
    ),
    scriptActivations: grouped(
      ids => readActivations(app, ids),
      row => row.scriptId,
    ),
    scriptUtterances: grouped(
      ids => readUtterances(app, ids),
      row => row.scriptId,
    ),
    versionFields: keyed(
      (keys: readonly string[]) => app.db.rows(fieldsOfVersions(keys.map(versionOf))),
      row => versionKey(row),
    ),
    scriptBodies: keyed(
      ids => readVersionBodies(app, ids),
      row => row.id,
    ),
    businesses: keyed(
      (codes: readonly string[]) => readBusinesses(app, codes),
      row => row.businessCode,
    ),
    takenScripts: keyed(
      (codes: readonly string[]) => readTakenScripts(app, codes),
      row => row.businessCode,
    ),
    campaignCounts: keyed(
      (codes: readonly string[]) => countCampaigns(app, codes),
      row => row.businessCode,
    ),
    dispositions: ofAttempts(ids => readDispositions(app, ids)),
    recordingChecks: keyed(
      ids => readChecks(app, ids),
      row => row.attemptId,
    ),
    resultLayers: keyed(
      ids => readLayers(app, ids),
      row => row.id,
    ),
    numberFields: keyed(
      ids => readNumberFields(app, ids),
      row => row.id,
    ),
    contactFields: grouped(
      ids => readContactFields(app, ids),
      row => row.contactId,
    ),
    resultCorrections: ofAttempts(ids => readCorrections(app, ids)),
    speakers: ofAttempts(ids => readSpeakers(app, ids)),
    transcripts: ofAttempts(ids => readTranscripts(app, ids)),
    timelines: ofAttempts(ids => readTimelines(app, ids)),
    targetNames: new DataLoader<AuditTarget, string | null, string>(
      async targets => {
        const names = new Map((await readTargetNames(app, targets)).map(found => [targetKey(found), found.name]));
        return targets.map(target => names.get(targetKey(target)) ?? null);
      },
      { maxBatchSize: MAX_BATCH, cacheKeyFn: targetKey },
    ),
    overEvents: keyed(
      ids => readResolved(app, ids),
      row => row.id,
    ),
    userHangups: keyed(
      ids => readUserHangups(app, ids),
      row => row.attemptId,
    ),
  };
}

function mapped<Found, Key = number>(
  read: (ids: readonly Key[]) => Promise<Map<Key, Found>>,
  maxBatchSize: number,
): DataLoader<Key, Found | null> {
  return new DataLoader(
    async ids => {
      const found = await read(ids);
      return ids.map(id => found.get(id) ?? null);
    },
    { maxBatchSize },
  );
}

/** Loads a list of each campaign, or its length: one statement for all campaigns with the same query. */
function ofCampaigns<Query extends object, Answer>(
  read: (campaignIds: readonly number[], query: Query) => Promise<Answer[]>,
): { load(campaignId: number, query: Query): Promise<Answer> } {
  const loaders = new Map<string, DataLoader<number, Answer>>();
  return {
    load(campaignId, query) {
      const key = JSON.stringify(query);
      const loader = loaders.get(key) ?? new DataLoader<number, Answer>(ids => read(ids, query), { maxBatchSize: MAX_BATCH });
      loaders.set(key, loader);
      return loader.load(campaignId);
    },
  };
}

function ofAttempts<Row extends { attemptId: number }>(read: (ids: readonly number[]) => Promise<Row[]>): DataLoader<number, Row[]> {
  return grouped(read, row => row.attemptId);
}

function grouped<Row>(read: (ids: readonly number[]) => Promise<Row[]>, keyOf: (row: Row) => number): DataLoader<number, Row[]> {
  return new DataLoader(
    async ids => {
      const byKey = Map.groupBy(await read(ids), keyOf);
      return ids.map(id => byKey.get(id) ?? []);
    },
    { maxBatchSize: MAX_BATCH },
  );
}

function keyed<Row, Key extends string | number = number>(
  read: (keys: readonly Key[]) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): DataLoader<Key, Row | null> {
  return mapped(async keys => new Map((await read(keys)).map(row => [keyOf(row), row])), MAX_BATCH);
}

function targetKey({ targetType, targetId }: AuditTarget): string {
  return `${targetType} ${targetId}`;
}
