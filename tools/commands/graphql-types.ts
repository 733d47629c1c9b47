import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { type DocumentNode, parse } from 'graphql';
import { ENUMS } from '#graph/enums.ts';
import { PROJECT } from './project.ts';

/** File of the resolver types, relative to the project's folder; not in version control. */
const GRAPHQL_TYPES_FILE = 'src/graph/schema-types.generated.ts';

/** Matches an enum as codegen writes it, with the schema's spelling. */
const ENUM_TYPE = /^export type (\w+) =\n(?:  \| '\w+';?\n?)+/gm;

const HEADER = `/* oxlint-disable */
// Made from schema/*.graphql by \`npm run generate\` and by each \`npm run check\`.
`;

/** Parent types of resolvers, where they differ from the GraphQL type itself; `~` stands for the `#` of an alias. */
const MODELS: Record<string, string> = {
  Agent: '~agents/agent.ts#AgentView',
  AgentGroup: '~agents/agent.ts#AgentGroup as AgentGroupModel',
  SoftphoneCall: '~agent-calls/agent-call.ts#SoftphoneCall as SoftphoneCallModel',
  SoftphoneCallDetail: '~softphones/session-feed.ts#SoftphoneCallDetail as SoftphoneCallDetailModel',
  SoftphoneEvent: '~softphones/session.ts#SoftphoneEvent as SoftphoneEventModel',
  SoftphoneLeg: '~agent-calls/agent-call.ts#SoftphoneLeg as SoftphoneLegModel',
  SoftphoneSession: '~softphones/session.ts#SoftphoneSession as SoftphoneSessionModel',
  Conference: '~conferences/conference.ts#ConferenceSession',
  ConferenceLeg: '~conferences/conference.ts#ConferenceLeg as ConferenceLegModel',
  Overview: '~overview/overview.ts#Overview as OverviewModel',
  RuntimeOverview: '~overview/runtime-overview.ts#RuntimeOverview as RuntimeOverviewModel',
  RuntimeCampaign: '~overview/runtime-overview.ts#CampaignCounts',
  Me: '~users/own-account.ts#Me as MeModel',
  MediaConfig: '~recordings/recording.ts#MediaConfig as MediaConfigModel',
  AuditLog: '~audit/audit.ts#AuditRow',
  CallDisposition: '~attempts/decisions/call-disposition.ts#CallDisposition as CallDispositionModel',
  Callback: '~callbacks/callback.ts#Callback as CallbackModel',
  OutcomeRuleState: '~outcomes/decisions/rule-versions.ts#RuleState',
  OutcomeRuleVersion: '~outcomes/decisions/rule-versions.ts#RuleVersion',
  OutcomeRules: '~outcomes/decisions/outcome-rules.ts#OutcomeRules as OutcomeRulesModel',
  Dial: '~dials/dial.ts#Dial as DialModel',
  Consent: '~consent/consent.ts#Consent as ConsentModel',
  ConsentEvidence: '~consent/record-consents.ts#ConsentEvidence as ConsentEvidenceModel',
  RulePack: '~rule-packs/rule-pack.ts#RulePackView',
  PackRule: '~policies/decisions/rule-packs.ts#PackRuleView',
  PackSwitch: '~rule-packs/rule-pack.ts#PackSwitch as PackSwitchModel',
  RuleChoice: "PackRuleView['choices'][number]",
  Attempt: '~attempts/attempt.ts#Attempt as AttemptModel',
  Batch: '~attempts/batch.ts#Batch as BatchModel',
  BulkChange: '~platform/postgres/bulk-result.ts#BulkResult',
  Business: '~businesses/business.ts#Business as BusinessModel',
  BusinessConfig: '~campaigns/campaign.ts#BusinessConfig as BusinessConfigModel',
  Campaign: '~campaigns/campaign.ts#Campaign as CampaignModel',
  SettingChange: '~campaigns/history.ts#SettingChange as SettingChangeModel',
  CampaignMoment: '~campaigns/history.ts#CampaignMoment as CampaignMomentModel',
  CampaignProgress: '~campaigns/progress.ts#CampaignProgress as CampaignProgressModel',
  Contact: '~contacts/contact.ts#Contact as ContactModel',
  DialingCalendar: '~dialling/evaluate.ts#DialingCalendar as DialingCalendarModel',
  DoNotCallEntry: '~do-not-call/do-not-call.ts#DoNotCallEntry as DoNotCallEntryModel',
  ContactResultField: '~attempts/contact-fields.ts#ContactField',
  ContactImport: '~contacts/import-result.ts#ImportResult',
  ContactImportError: '~contacts/import-result.ts#ImportError',
  DispatchedAttempt: '~dialling/dispatch-manually.ts#DispatchedAttempt as DispatchedAttemptModel',
  PartHealth: '~health/health.ts#WatchedPart',
  RuntimeNow: '~overview/runtime-overview-feed.ts#RuntimeNow as RuntimeNowModel',
  FileImport: '~imports/file-import.ts#FileImport as FileImportModel',
  ContactList: '~lists/contact-list.ts#ContactList as ContactListModel',
  ContactListRow: '~lists/contact-list.ts#ListRow',
  ListImport: '~lists/list-imports.ts#ListImport as ListImportModel',
  Job: '~jobs/job.ts#Job as JobModel',
  JobFailure: '~jobs/job.ts#JobError',
  FollowUpList: '~follow-ups/follow-up.ts#FollowUpList as FollowUpListModel',
  ReportSchedule: '~schedules/report-schedule.ts#ReportSchedule as ReportScheduleModel',
  ReportScheduleRun: '~schedules/schedule.ts#ScheduleRun',
  ReportChannel: '~schedules/schedule.ts#ReportChannel as ReportChannelModel',
  SavedReport: '~reports/saved-report.ts#SavedReport as SavedReportModel',
  Line: '~lines/line.ts#Line as LineModel',
  LinePrice: '~lines/decisions/line-price.ts#LinePrice as LinePriceModel',
  LineGateway: '~lines/gateways.ts#LineGateway as LineGatewayModel',
  CallPerson: '~actors/call/people.ts#CallPerson as CallPersonModel',
  AgentBoardRow: '~agent-board/agent-board.ts#BoardRow',
  PreDialHook: '~pre-dial/pre-dial.ts#PreDialHook as PreDialHookModel',
  Webhook: '~webhooks/webhook.ts#Webhook as WebhookModel',
  WebhookDelivery: '~webhooks/webhook.ts#WebhookDelivery as WebhookDeliveryModel',
  WebhookEvent: '~webhooks/webhook.ts#WebhookEvent as WebhookEventModel',
  AgentMessage: '~desk/desk.ts#AgentMessage as AgentMessageModel',
  MyDay: '~desk/my-desk.ts#MyDay as MyDayModel',
  MyDesk: '~desk/my-desk.ts#MyDesk as MyDeskModel',
  LiveCall: '~calls/live-call.ts#LiveCall as LiveCallModel',
  LiveSegment: '~calls/live-call-store.ts#LiveSegment as LiveSegmentModel',
  IntentAlert: '~monitoring/alerts.ts#IntentAlert as IntentAlertModel',
  IntentHit: '~actors/call/watch.ts#IntentHit as IntentHitModel',
  Intervention: '~calls/publish-call.ts#CallIntervention',
  CallGuidance: '~actors/call/guidance.ts#Guidance',
  MonitorAssignment: '~actors/call/watch.ts#CallMonitor',
  Person: '~privacy/erase-person.ts#Person as PersonModel',
  Policy: '~policies/policy.ts#Policy as PolicyModel',
  PolicyExplanation: '~dialling/evaluate.ts#Evaluation',
  Script: '~scripts/script.ts#ScriptVersion as ScriptModel',
  ScriptVersion: '~scripts/script-store.ts#WrittenVersion',
  ScriptDraft: '~scripts/script-drafts.ts#ScriptDraft as ScriptDraftModel',
  ScriptActivation: '~scripts/script-activations.ts#ScriptActivation as ScriptActivationModel',
  ScriptUtterance: '~scripts/script-utterances.ts#ScriptUtterance as ScriptUtteranceModel',
  ScriptUtteranceCheck: '~scripts/script-utterances.ts#UtteranceCheck',
  ScriptTrial: '~scripts/decisions/trial.ts#Trial',
  ScriptNodeType: '~protocol/script-nodes.ts#NodeTypeForm',
  ScriptFigures: '~scripts/script-figures.ts#ScriptFigures as ScriptFiguresModel',
  Preflight: '~dialling/preflight.ts#Preflight as PreflightModel',
  ResultCorrection: '~results/result.ts#MadeCorrection',
  ResultFieldValue: '~results/decisions/describe-fields.ts#FieldView',
  RuntimeEvent: '~runtime-events/runtime-event.ts#RuntimeEvent as RuntimeEventModel',
  RuntimeEventRun: '~runtime-events/runtime-event-runs.ts#RuntimeEventRun as RuntimeEventRunModel',
  CallStep: '~calls/call-steps.ts#CallStep as CallStepModel',
  CallSteps: '~calls/call-steps.ts#CallSteps as CallStepsModel',
  TranscriptHit: '~attempts/search-transcripts.ts#TranscriptHit as TranscriptHitModel',
  TranscriptHits: '~attempts/search-transcripts.ts#TranscriptHits as TranscriptHitsModel',
  TranscriptSegment: '~attempts/attempt.ts#TranscriptSegment as TranscriptSegmentModel',
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
    Upload: '~platform/graphql/scalars.ts#UploadedFile',
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
      connections.map(([name, model]) => [`${name}Connection`, `~platform/graphql/connection.ts#Connection<${/\w+$/.exec(model)?.[0]}>`]),
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
