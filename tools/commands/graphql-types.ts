import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { type DocumentNode, parse } from 'graphql';
import { PROJECT } from './project.ts';

/** Where the types of resolvers are written, from the project's folder; not kept in the repository. */
const GRAPHQL_TYPES_FILE = 'src/edges/graphql/schema-types.generated.ts';

const HEADER = `/* oxlint-disable */
// Made from schema/*.graphql by \`npm run generate\` and by each \`npm run check\`.
`;

/** Types whose resolvers get something else than the type itself: `<Type>Model` of edges/graphql/models.ts. */
const MODELLED = [
  'Agent',
  'AgentGroup',
  'Attempt',
  'AttemptConnection',
  'AuditLog',
  'AuditLogConnection',
  'Batch',
  'BatchConnection',
  'BusinessConfig',
  'Campaign',
  'CampaignConnection',
  'CampaignProgress',
  'Conference',
  'ConferenceLeg',
  'Contact',
  'ContactConnection',
  'DispatchedAttempt',
  'DoNotCallEntry',
  'DoNotCallEntryConnection',
  'IntentHit',
  'Intervention',
  'Line',
  'LiveCall',
  'LiveSegment',
  'MediaConfig',
  'MonitorAssignment',
  'Overview',
  'Policy',
  'PolicyExplanation',
  'Preflight',
  'PreflightCell',
  'RuntimeCampaign',
  'RuntimeEvent',
  'RuntimeOverview',
  'Script',
  'ScriptConnection',
  'SoftphoneCall',
  'SoftphoneCallConnection',
  'SoftphoneCallDetail',
  'SoftphoneEvent',
  'SoftphoneLeg',
  'SoftphoneSession',
  'TranscriptSegment',
  'UserAccount',
  'UserAccountConnection',
];

/** Enums that the program spells in its own way: `<Enum>Value` of edges/graphql/models.ts. */
const RESPELLED = [
  'AgentStatus',
  'AllocationMode',
  'AttemptStatus',
  'BatchSource',
  'BatchStatus',
  'CallEventKind',
  'CallStatus',
  'CallerIdHeaderMode',
  'CampaignPhase',
  'CampaignStatus',
  'CellState',
  'CheckLevel',
  'ConferenceKind',
  'ConferenceLegMode',
  'ConferenceLegRole',
  'ConferenceLegStatus',
  'ConferenceStatus',
  'ContactStatus',
  'CustomerState',
  'DoNotCallSource',
  'EmotionStatus',
  'ErrorCode',
  'HangupParty',
  'InterventionStatus',
  'LiveCallStatus',
  'MonitorViewMode',
  'MonitoringMode',
  'NotDialedReason',
  'ParticipantMode',
  'PolicyAction',
  'PolicyScope',
  'PolicyType',
  'RegistrationStatus',
  'ResyncReason',
  'RetryableContactStatus',
  'RingbackSource',
  'RingbackStatus',
  'Role',
  'RuntimeEventLevel',
  'RuntimeMode',
  'SoftphoneDirection',
  'SoftphoneEventKind',
  'SoftphoneLegRole',
  'SoftphoneLegStatus',
  'SoftphoneStatus',
  'Speaker',
];

const MODELS = './models.ts';

const CONFIG = {
  contextType: './context.ts#GraphContext',
  mappers: Object.fromEntries(MODELLED.map(name => [name, `${MODELS}#${name}Model`])),
  enumValues: Object.fromEntries(RESPELLED.map(name => [name, `${MODELS}#${name}Value`])),
  scalars: {
    ID: { input: 'string', output: 'string | number' },
    DateTime: 'number',
    JSON: `${MODELS}#JsonModel`,
  },
  strictScalars: true,
  enumsAsTypes: true,
  useTypeImports: true,
  disableDescriptions: true,
};

/** Writes the types of resolvers for `schema/`: nothing but the type checker reads them. */
export async function writeGraphqlTypes(): Promise<void> {
  await writeFile(join(PROJECT, GRAPHQL_TYPES_FILE), await renderGraphqlTypes());
}

async function renderGraphqlTypes(): Promise<string> {
  const code = await codegen({
    filename: GRAPHQL_TYPES_FILE,
    schema: await readGraphqlFiles('schema'),
    documents: [],
    config: CONFIG,
    plugins: [{ typescript: {} }, { resolvers: {} }],
    pluginMap: { typescript, resolvers },
  });
  // The enums' own names are passed on from models.ts: nobody needs them here.
  return `${HEADER}${code.replaceAll(/^export \{ \w+ \};\n+/gm, '')}`;
}

/** Every `.graphql` file of a folder as one document. */
export async function readGraphqlFiles(folder: string): Promise<DocumentNode> {
  const path = join(PROJECT, folder);
  const names = (await readdir(path)).filter(name => name.endsWith('.graphql')).sort();
  const texts = await Promise.all(names.map(name => readFile(join(path, name), 'utf8')));
  return parse(texts.join('\n'));
}
