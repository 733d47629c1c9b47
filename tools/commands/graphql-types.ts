import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { type DocumentNode, parse } from 'graphql';
import { ENUMS } from '#edges/graphql/enums.ts';
import { PROJECT } from './project.ts';

/** File of the resolver types, relative to the project's folder; not in version control. */
const GRAPHQL_TYPES_FILE = 'src/edges/graphql/schema-types.generated.ts';

/** Matches an enum as codegen writes it, with the schema's spelling. */
const ENUM_TYPE = /^export type (\w+) =\n(?:  \| '\w+';?\n?)+/gm;

const HEADER = `/* oxlint-disable */
// Made from schema/*.graphql by \`npm run generate\` and by each \`npm run check\`.
`;

/** Parent types of resolvers, where they differ from the GraphQL type itself; `~` stands for the `#` of an alias. */
const MODELS: Record<string, string> = {
  Agent: '~model/agent.ts#AgentView',
  AgentGroup: '~model/agent-group.ts#AgentGroup as AgentGroupModel',
  SoftphoneCall: '~ports/softphone-store.ts#SoftphoneCall as SoftphoneCallModel',
  SoftphoneCallDetail: '~operations/softphone-sessions/get-call.ts#SoftphoneCallDetail as SoftphoneCallDetailModel',
  SoftphoneEvent: '~ports/softphone-session-store.ts#SoftphoneEvent as SoftphoneEventModel',
  SoftphoneLeg: '~ports/softphone-store.ts#SoftphoneLeg as SoftphoneLegModel',
  SoftphoneSession: '~operations/softphone-sessions/find-session.ts#SoftphoneSession as SoftphoneSessionModel',
  Conference: '~model/conference.ts#ConferenceSession',
  ConferenceLeg: '~model/conference.ts#ConferenceLeg as ConferenceLegModel',
  Overview: '~operations/overview/get-overview.ts#Overview as OverviewModel',
  RuntimeOverview: '~operations/overview/get-runtime-overview.ts#RuntimeOverview as RuntimeOverviewModel',
  RuntimeCampaign: '~operations/overview/runtime-counts.ts#CampaignCounts',
  Me: '~operations/access/who-am-i.ts#Me as MeModel',
  MediaConfig: '~contract/rest/media.ts#MediaConfig as MediaConfigModel',
  AuditLog: '~model/audit-row.ts#AuditRow',
  Attempt: '~model/attempt.ts#Attempt as AttemptModel',
  Batch: '~model/batch.ts#Batch as BatchModel',
  BulkChange: '~operations/bulk-result.ts#BulkResult',
  Business: '~model/business.ts#Business as BusinessModel',
  BusinessConfig: '~model/business-config.ts#BusinessConfig as BusinessConfigModel',
  Campaign: '~model/campaign.ts#Campaign as CampaignModel',
  SettingChange: '~operations/campaigns/read-history.ts#SettingChange as SettingChangeModel',
  CampaignMoment: '~operations/campaigns/read-history.ts#CampaignMoment as CampaignMomentModel',
  CampaignProgress: '~operations/campaigns/read-progress.ts#CampaignProgress as CampaignProgressModel',
  Contact: '~model/contact.ts#Contact as ContactModel',
  DialingCalendar: '~dialling/list-dialing-days.ts#DialingCalendar as DialingCalendarModel',
  DoNotCallEntry: '~model/do-not-call.ts#DoNotCallEntry as DoNotCallEntryModel',
  ContactImport: '~operations/contacts/import-result.ts#ImportResult',
  ContactImportError: '~operations/contacts/import-result.ts#ImportError',
  DispatchedAttempt: '~dialling/dispatch-manually.ts#DispatchedAttempt as DispatchedAttemptModel',
  PartHealth: '~operations/health/watch-health.ts#WatchedPart',
  RuntimeNow: '~feeds/runtime-overview-state.ts#RuntimeNow as RuntimeNowModel',
  FileImport: '~contract/rest/importing.ts#FileImport as FileImportModel',
  Line: '~model/line.ts#Line as LineModel',
  LineGateway: '~operations/lines/read-line-gateways.ts#LineGateway as LineGatewayModel',
  LiveCall: '~feeds/live-call.ts#LiveCall as LiveCallModel',
  LiveSegment: '~ports/live-call-store.ts#LiveSegment as LiveSegmentModel',
  IntentAlert: '~feeds/intent-alert-state.ts#IntentAlert as IntentAlertModel',
  IntentHit: '~model/live-call.ts#IntentHit as IntentHitModel',
  Intervention: '~operations/calls/publish-call.ts#CallIntervention',
  MonitorAssignment: '~model/live-call.ts#CallMonitor',
  Person: '~operations/people/get-person.ts#Person as PersonModel',
  Policy: '~model/policy.ts#Policy as PolicyModel',
  PolicyExplanation: '~dialling/evaluate-dial.ts#Evaluation',
  Script: '~model/script.ts#ScriptVersion as ScriptModel',
  ScriptVersion: '~management/script-versions.ts#WrittenVersion',
  Preflight: '~operations/campaigns/preflight-campaign.ts#Preflight as PreflightModel',
  RuntimeEvent: '~model/runtime-event.ts#RuntimeEvent as RuntimeEventModel',
  TranscriptSegment: '~model/attempt.ts#TranscriptSegment as TranscriptSegmentModel',
  BulkOutcome: './context.ts#BulkOutcome as BulkOutcomeModel',
  User: './context.ts#UserModel',
  LineConcurrency: "RuntimeOverviewModel['lines'][number]",
  PreflightLine: "PreflightModel['lines'][number]",
  PreflightCell: "PreflightModel['cell']",
};

const CONFIG = {
  contextType: './context.ts#GraphContext',
  scalars: {
    ID: { input: 'string', output: 'string | number' },
    DateTime: 'number',
    JSON: '~kernel/json.ts#JsonValue',
    Upload: './uploaded-file.ts#UploadedFile',
  },
  strictScalars: true,
  enumsAsTypes: true,
  useTypeImports: true,
  disableDescriptions: true,
};

/** Writes the resolver types of `schema/`; only the type checker reads them. */
export async function writeGraphqlTypes(): Promise<void> {
  await writeFile(join(PROJECT, GRAPHQL_TYPES_FILE), await renderGraphqlTypes());
}

async function renderGraphqlTypes(): Promise<string> {
  const schema = await readGraphqlFiles('schema');
  const code = await codegen({
    filename: GRAPHQL_TYPES_FILE,
    schema,
    documents: [],
    config: { ...CONFIG, mappers: mappersOf(schema) },
    plugins: [{ typescript: {} }, { resolvers: {} }],
    pluginMap: { typescript, resolvers },
  });
  const enums = code.replaceAll(ENUM_TYPE, (text, name) => (name in ENUMS ? `export type ${name} = Spelled<'${name}'>;` : text));
  return `${HEADER}import type { Spelled } from './enums.ts';\n${enums.replaceAll("'~", "'#")}`;
}

/** Models by type, including the connections of such types, which the program builds. */
function mappersOf({ definitions }: DocumentNode): Record<string, string> {
  const types = new Set(definitions.map(definition => ('name' in definition ? definition.name?.value : undefined)));
  const connections = Object.entries(MODELS).filter(([name]) => types.has(`${name}Connection`));
  return {
    ...MODELS,
    ...Object.fromEntries(
      connections.map(([name, model]) => [`${name}Connection`, `./connection.ts#Connection<${/\w+$/.exec(model)?.[0]}>`]),
    ),
  };
}

/** Merges all `.graphql` files of a folder into one document. */
export async function readGraphqlFiles(folder: string): Promise<DocumentNode> {
  const path = join(PROJECT, folder);
  const names = (await readdir(path)).filter(name => name.endsWith('.graphql')).sort();
  const texts = await Promise.all(names.map(name => readFile(join(path, name), 'utf8')));
  return parse(texts.join('\n'));
}
