/* oxlint-disable */
// Made from schema/*.graphql by `npm run generate`; a test fails when it is out of date.
import type { AllocationModeValue as AllocationMode } from './models.ts';
import type { AttemptStatusValue as AttemptStatus } from './models.ts';
import type { BatchSourceValue as BatchSource } from './models.ts';
import type { BatchStatusValue as BatchStatus } from './models.ts';
import type { CallEventKindValue as CallEventKind } from './models.ts';
import type { CallStatusValue as CallStatus } from './models.ts';
import type { CallerIdHeaderModeValue as CallerIdHeaderMode } from './models.ts';
import type { CampaignPhaseValue as CampaignPhase } from './models.ts';
import type { CampaignStatusValue as CampaignStatus } from './models.ts';
import type { CheckLevelValue as CheckLevel } from './models.ts';
import type { ContactStatusValue as ContactStatus } from './models.ts';
import type { DoNotCallSourceValue as DoNotCallSource } from './models.ts';
import type { EmotionStatusValue as EmotionStatus } from './models.ts';
import type { ErrorCodeValue as ErrorCode } from './models.ts';
import type { HangupPartyValue as HangupParty } from './models.ts';
import type { InterventionStatusValue as InterventionStatus } from './models.ts';
import type { LiveCallStatusValue as LiveCallStatus } from './models.ts';
import type { MonitoringModeValue as MonitoringMode } from './models.ts';
import type { NotDialedReasonValue as NotDialedReason } from './models.ts';
import type { PolicyActionValue as PolicyAction } from './models.ts';
import type { PolicyScopeValue as PolicyScope } from './models.ts';
import type { PolicyTypeValue as PolicyType } from './models.ts';
import type { ResyncReasonValue as ResyncReason } from './models.ts';
import type { RetryableContactStatusValue as RetryableContactStatus } from './models.ts';
import type { RingbackSourceValue as RingbackSource } from './models.ts';
import type { RingbackStatusValue as RingbackStatus } from './models.ts';
import type { RoleValue as Role } from './models.ts';
import type { RuntimeEventLevelValue as RuntimeEventLevel } from './models.ts';
import type { SpeakerValue as Speaker } from './models.ts';
import type { JsonModel } from './models.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AttemptModel, AttemptConnectionModel, AuditLogModel, AuditLogConnectionModel, BatchModel, BatchConnectionModel, BusinessConfigModel, CampaignModel, CampaignConnectionModel, CampaignProgressModel, ContactModel, ContactConnectionModel, DispatchedAttemptModel, DoNotCallEntryModel, DoNotCallEntryConnectionModel, IntentHitModel, InterventionModel, LineModel, LiveCallModel, LiveSegmentModel, MonitorAssignmentModel, PolicyModel, PolicyExplanationModel, PreflightModel, PreflightCellModel, ScriptModel, ScriptConnectionModel, RuntimeEventModel, TranscriptSegmentModel, UserAccountModel, UserAccountConnectionModel } from './models.ts';
import type { GraphContext } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
export type EnumResolverSignature<T, AllowedValues = any> = { [key in keyof T]?: AllowedValues };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string | number; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  DateTime: { input: number; output: number; }
  JSON: { input: JsonModel; output: JsonModel; }
};

export type Query = {
  __typename?: 'Query';
  me: Me;
  attempt?: Maybe<Attempt>;
  attempts: AttemptConnection;
  auditLogs: AuditLogConnection;
  businesses: Array<Business>;
  campaign?: Maybe<Campaign>;
  campaigns: CampaignConnection;
  contacts: ContactConnection;
  doNotCallEntries: DoNotCallEntryConnection;
  lines: Array<Line>;
  liveCalls: LiveCallList;
  whyNotDialed?: Maybe<NotDialed>;
  policies: Array<Policy>;
  explainPolicy: PolicyExplanation;
  scripts: ScriptConnection;
  users: UserAccountConnection;
  rolePermissions: RolePermissions;
};


export type QueryAttemptArgs = {
  id: Scalars['ID']['input'];
};


export type QueryAttemptsArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AttemptFilter>;
};


export type QueryAuditLogsArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};


export type QueryCampaignArgs = {
  id: Scalars['ID']['input'];
};


export type QueryCampaignsArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};


export type QueryContactsArgs = {
  campaignId: Scalars['ID']['input'];
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  status?: InputMaybe<ContactStatus>;
  search?: InputMaybe<Scalars['String']['input']>;
};


export type QueryDoNotCallEntriesArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};


export type QueryLiveCallsArgs = {
  filter?: InputMaybe<LiveCallFilter>;
};


export type QueryWhyNotDialedArgs = {
  contactId: Scalars['ID']['input'];
};


export type QueryPoliciesArgs = {
  campaignId?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryExplainPolicyArgs = {
  campaignId: Scalars['ID']['input'];
  phoneNumber: Scalars['String']['input'];
  at?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QueryScriptsArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
  businessCode?: InputMaybe<Scalars['String']['input']>;
};


export type QueryUsersArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};

export type Me = {
  __typename?: 'Me';
  authEnabled: Scalars['Boolean']['output'];
  authenticated: Scalars['Boolean']['output'];
  user?: Maybe<User>;
  permissions: Array<Scalars['String']['output']>;
};

export type User = {
  __typename?: 'User';
  id: Scalars['ID']['output'];
  username: Scalars['String']['output'];
  displayName: Scalars['String']['output'];
  role: Role;
};

export type AttemptFilter = {
  campaignId?: InputMaybe<Scalars['ID']['input']>;
  status?: InputMaybe<AttemptStatus>;
  callStatus?: InputMaybe<CallStatus>;
  emotionStatus?: InputMaybe<EmotionStatus>;
};

export type Attempt = {
  __typename?: 'Attempt';
  id: Scalars['ID']['output'];
  requestId: Scalars['ID']['output'];
  campaign?: Maybe<Campaign>;
  campaignId: Scalars['ID']['output'];
  contact?: Maybe<Contact>;
  contactId: Scalars['ID']['output'];
  batchId?: Maybe<Scalars['ID']['output']>;
  line?: Maybe<Line>;
  callerNumber?: Maybe<Scalars['String']['output']>;
  cellId?: Maybe<Scalars['String']['output']>;
  phoneNumber: Scalars['String']['output'];
  status: AttemptStatus;
  callStatus?: Maybe<CallStatus>;
  hangupCause?: Maybe<Scalars['String']['output']>;
  hangupBy?: Maybe<HangupParty>;
  replyText: Scalars['String']['output'];
  ringbackDetection?: Maybe<RingbackDetection>;
  scriptId?: Maybe<Scalars['ID']['output']>;
  scriptVersion?: Maybe<Scalars['Int']['output']>;
  startedAt?: Maybe<Scalars['DateTime']['output']>;
  answeredAt?: Maybe<Scalars['DateTime']['output']>;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  durationSeconds?: Maybe<Scalars['Int']['output']>;
  recordingUrl?: Maybe<Scalars['String']['output']>;
  recognizedText?: Maybe<Scalars['String']['output']>;
  classification?: Maybe<Scalars['String']['output']>;
  intent?: Maybe<Scalars['String']['output']>;
  emotionStatus: EmotionStatus;
  emotion?: Maybe<Scalars['JSON']['output']>;
  direction: Scalars['String']['output'];
  payload?: Maybe<Scalars['JSON']['output']>;
  transcript: Array<TranscriptSegment>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
  timeline: Array<CallEvent>;
};

export type TranscriptSegment = {
  __typename?: 'TranscriptSegment';
  segmentId: Scalars['String']['output'];
  speaker: Speaker;
  text: Scalars['String']['output'];
  startMs?: Maybe<Scalars['Int']['output']>;
  endMs?: Maybe<Scalars['Int']['output']>;
  nodeId?: Maybe<Scalars['String']['output']>;
};

export type RingbackDetection = {
  __typename?: 'RingbackDetection';
  status: RingbackStatus;
  detectionSource: RingbackSource;
  elapsedMs: Scalars['Int']['output'];
};

export type AttemptConnection = {
  __typename?: 'AttemptConnection';
  edges: Array<AttemptEdge>;
  nodes: Array<Attempt>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type AttemptEdge = {
  __typename?: 'AttemptEdge';
  cursor: Scalars['String']['output'];
  node: Attempt;
};

export type Mutation = {
  __typename?: 'Mutation';
  deleteAttempts: BulkChange;
  cancelBatch: CancelBatchResult;
  createCampaign: Campaign;
  updateCampaign: UpdateCampaignResult;
  startCampaign: StartCampaignResult;
  pauseCampaign: PauseCampaignResult;
  archiveCampaign: ArchiveCampaignResult;
  deleteCampaign: DeleteCampaignResult;
  dispatchCampaign: DispatchCampaignResult;
  addContacts: AddContactsResult;
  updateContact: UpdateContactResult;
  pauseContacts: ChangeContactsResult;
  deleteContacts: ChangeContactsResult;
  retryContacts: ChangeContactsResult;
  addDoNotCall: DoNotCallEntry;
  removeDoNotCall: DoNotCallEntry;
  createLine: CreateLineResult;
  updateLine: UpdateLineResult;
  deleteLine: DeleteLineResult;
  createPolicy: Policy;
  updatePolicy: Policy;
  deletePolicy: Policy;
  saveScript: Script;
  deleteScript: Scalars['ID']['output'];
  createUser: CreateUserResult;
  updateUser: UpdateUserResult;
  deleteUser: DeleteUserResult;
};


export type MutationDeleteAttemptsArgs = {
  attemptIds: Array<Scalars['ID']['input']>;
};


export type MutationCancelBatchArgs = {
  campaignId: Scalars['ID']['input'];
  batchId: Scalars['ID']['input'];
};


export type MutationCreateCampaignArgs = {
  input: CreateCampaignInput;
};


export type MutationUpdateCampaignArgs = {
  id: Scalars['ID']['input'];
  input: UpdateCampaignInput;
};


export type MutationStartCampaignArgs = {
  id: Scalars['ID']['input'];
};


export type MutationPauseCampaignArgs = {
  id: Scalars['ID']['input'];
};


export type MutationArchiveCampaignArgs = {
  id: Scalars['ID']['input'];
};


export type MutationDeleteCampaignArgs = {
  id: Scalars['ID']['input'];
};


export type MutationDispatchCampaignArgs = {
  id: Scalars['ID']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationAddContactsArgs = {
  campaignId: Scalars['ID']['input'];
  contacts: Array<ContactInput>;
};


export type MutationUpdateContactArgs = {
  campaignId: Scalars['ID']['input'];
  id: Scalars['ID']['input'];
  input: UpdateContactInput;
};


export type MutationPauseContactsArgs = {
  campaignId: Scalars['ID']['input'];
  contactIds: Array<Scalars['ID']['input']>;
};


export type MutationDeleteContactsArgs = {
  campaignId: Scalars['ID']['input'];
  contactIds: Array<Scalars['ID']['input']>;
};


export type MutationRetryContactsArgs = {
  campaignId: Scalars['ID']['input'];
  selection: RetrySelection;
};


export type MutationAddDoNotCallArgs = {
  input: AddDoNotCallInput;
};


export type MutationRemoveDoNotCallArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreateLineArgs = {
  input: CreateLineInput;
};


export type MutationUpdateLineArgs = {
  id: Scalars['ID']['input'];
  input: UpdateLineInput;
};


export type MutationDeleteLineArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreatePolicyArgs = {
  input: CreatePolicyInput;
};


export type MutationUpdatePolicyArgs = {
  id: Scalars['ID']['input'];
  input: UpdatePolicyInput;
};


export type MutationDeletePolicyArgs = {
  id: Scalars['ID']['input'];
};


export type MutationSaveScriptArgs = {
  input: SaveScriptInput;
};


export type MutationDeleteScriptArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreateUserArgs = {
  input: CreateUserInput;
};


export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  input: UpdateUserInput;
};


export type MutationDeleteUserArgs = {
  id: Scalars['ID']['input'];
};

export type AuditLog = {
  __typename?: 'AuditLog';
  id: Scalars['ID']['output'];
  actorId?: Maybe<Scalars['ID']['output']>;
  actorName: Scalars['String']['output'];
  action: Scalars['String']['output'];
  targetType: Scalars['String']['output'];
  targetId?: Maybe<Scalars['ID']['output']>;
  summary: Scalars['String']['output'];
  detail?: Maybe<Scalars['JSON']['output']>;
  ip?: Maybe<Scalars['String']['output']>;
  requestId?: Maybe<Scalars['ID']['output']>;
  createdAt: Scalars['DateTime']['output'];
};

export type AuditLogConnection = {
  __typename?: 'AuditLogConnection';
  edges: Array<AuditLogEdge>;
  nodes: Array<AuditLog>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type AuditLogEdge = {
  __typename?: 'AuditLogEdge';
  cursor: Scalars['String']['output'];
  node: AuditLog;
};

export type Batch = {
  __typename?: 'Batch';
  id: Scalars['ID']['output'];
  campaignId: Scalars['ID']['output'];
  status: BatchStatus;
  source: BatchSource;
  requestedLimit: Scalars['Int']['output'];
  effectiveLimit: Scalars['Int']['output'];
  requested: Scalars['Int']['output'];
  submitted: Scalars['Int']['output'];
  failed: Scalars['Int']['output'];
  createdBy?: Maybe<Scalars['ID']['output']>;
  finishedAt?: Maybe<Scalars['DateTime']['output']>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type DispatchedBatch = {
  __typename?: 'DispatchedBatch';
  campaignId: Scalars['ID']['output'];
  batchId?: Maybe<Scalars['ID']['output']>;
  requestedLimit: Scalars['Int']['output'];
  effectiveLimit: Scalars['Int']['output'];
  requested: Scalars['Int']['output'];
  submitted: Scalars['Int']['output'];
  failed: Scalars['Int']['output'];
  remainingPending: Scalars['Int']['output'];
  campaignStatus: CampaignStatus;
  attempts: Array<DispatchedAttempt>;
};

export type DispatchedAttempt = {
  __typename?: 'DispatchedAttempt';
  contactId: Scalars['ID']['output'];
  phoneNumber: Scalars['String']['output'];
  attemptId: Scalars['ID']['output'];
  status: AttemptStatus;
  requestId: Scalars['ID']['output'];
  replyText: Scalars['String']['output'];
  callStatus?: Maybe<CallStatus>;
  ringbackDetection?: Maybe<RingbackDetection>;
};

export type BatchConnection = {
  __typename?: 'BatchConnection';
  edges: Array<BatchEdge>;
  nodes: Array<Batch>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type BatchEdge = {
  __typename?: 'BatchEdge';
  cursor: Scalars['String']['output'];
  node: Batch;
};

export type CancelBatchResult = Batch | BatchNotRunning;

export type BatchNotRunning = Refusal & {
  __typename?: 'BatchNotRunning';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type Business = {
  __typename?: 'Business';
  id: Scalars['ID']['output'];
  businessCode: Scalars['String']['output'];
  businessName: Scalars['String']['output'];
  isEnabled: Scalars['Boolean']['output'];
  remark: Scalars['String']['output'];
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type CallEvent = {
  __typename?: 'CallEvent';
  at: Scalars['DateTime']['output'];
  kind: CallEventKind;
  text: Scalars['String']['output'];
  detail?: Maybe<Scalars['JSON']['output']>;
};

export type Subscription = {
  __typename?: 'Subscription';
  campaignProgress: CampaignProgress;
  liveCalls: LiveCallsEvent;
  liveCall: LiveCallsEvent;
  runtimeEvents: RuntimeEventsEvent;
};


export type SubscriptionCampaignProgressArgs = {
  campaignId: Scalars['ID']['input'];
};


export type SubscriptionLiveCallsArgs = {
  filter?: InputMaybe<LiveCallFilter>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionLiveCallArgs = {
  callKey: Scalars['ID']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionRuntimeEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
};

export type CampaignProgress = {
  __typename?: 'CampaignProgress';
  campaignId: Scalars['ID']['output'];
  status: CampaignStatus;
  phase: CampaignPhase;
  phaseReason?: Maybe<Scalars['String']['output']>;
  nextWakeAt?: Maybe<Scalars['DateTime']['output']>;
  total: Scalars['Int']['output'];
  pending: Scalars['Int']['output'];
  submitted: Scalars['Int']['output'];
  completed: Scalars['Int']['output'];
  failed: Scalars['Int']['output'];
  paused: Scalars['Int']['output'];
  awaitingRetry: Scalars['Int']['output'];
  held: Scalars['Int']['output'];
  activeCalls: Scalars['Int']['output'];
  fraction: Scalars['Float']['output'];
};

export type Campaign = {
  __typename?: 'Campaign';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  businessCode: Scalars['String']['output'];
  cellId?: Maybe<Scalars['String']['output']>;
  lines: Array<Line>;
  maxConcurrency: Scalars['Int']['output'];
  maxRetries: Scalars['Int']['output'];
  retryIntervalSeconds: Scalars['Int']['output'];
  callIntervalMs: Scalars['Int']['output'];
  workdayStart?: Maybe<Scalars['String']['output']>;
  workdayEnd?: Maybe<Scalars['String']['output']>;
  scheduledStartAt?: Maybe<Scalars['DateTime']['output']>;
  scheduledEndAt?: Maybe<Scalars['DateTime']['output']>;
  businessConfig: BusinessConfig;
  description: Scalars['String']['output'];
  status: CampaignStatus;
  phase: CampaignPhase;
  phaseReason?: Maybe<Scalars['String']['output']>;
  nextWakeAt?: Maybe<Scalars['DateTime']['output']>;
  progress: CampaignProgress;
  contacts: ContactConnection;
  attempts: AttemptConnection;
  batches: BatchConnection;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
  notDialedReasons: Array<NotDialedCount>;
  preflight: Preflight;
};


export type CampaignContactsArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  status?: InputMaybe<ContactStatus>;
  search?: InputMaybe<Scalars['String']['input']>;
};


export type CampaignAttemptsArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AttemptFilter>;
};


export type CampaignBatchesArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};

export type BusinessConfig = {
  __typename?: 'BusinessConfig';
  variables: Array<BusinessVariable>;
  intentKeywords: Array<Scalars['String']['output']>;
  monitoringMode?: Maybe<MonitoringMode>;
  monitoringPriority?: Maybe<Scalars['Int']['output']>;
};

export type BusinessVariable = {
  __typename?: 'BusinessVariable';
  name: Scalars['String']['output'];
  value: Scalars['String']['output'];
};

export type CreateCampaignInput = {
  name: Scalars['String']['input'];
  businessCode: Scalars['String']['input'];
  lineIds: Array<Scalars['ID']['input']>;
  cellId?: InputMaybe<Scalars['String']['input']>;
  maxConcurrency?: InputMaybe<Scalars['Int']['input']>;
  maxRetries?: InputMaybe<Scalars['Int']['input']>;
  retryIntervalSeconds?: InputMaybe<Scalars['Int']['input']>;
  callIntervalMs?: InputMaybe<Scalars['Int']['input']>;
  workdayStart?: InputMaybe<Scalars['String']['input']>;
  workdayEnd?: InputMaybe<Scalars['String']['input']>;
  scheduledStartAt?: InputMaybe<Scalars['DateTime']['input']>;
  scheduledEndAt?: InputMaybe<Scalars['DateTime']['input']>;
  businessConfig?: InputMaybe<BusinessConfigInput>;
  description?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateCampaignInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  businessCode?: InputMaybe<Scalars['String']['input']>;
  lineIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  cellId?: InputMaybe<Scalars['String']['input']>;
  maxConcurrency?: InputMaybe<Scalars['Int']['input']>;
  maxRetries?: InputMaybe<Scalars['Int']['input']>;
  retryIntervalSeconds?: InputMaybe<Scalars['Int']['input']>;
  callIntervalMs?: InputMaybe<Scalars['Int']['input']>;
  workdayStart?: InputMaybe<Scalars['String']['input']>;
  workdayEnd?: InputMaybe<Scalars['String']['input']>;
  scheduledStartAt?: InputMaybe<Scalars['DateTime']['input']>;
  scheduledEndAt?: InputMaybe<Scalars['DateTime']['input']>;
  businessConfig?: InputMaybe<BusinessConfigInput>;
  description?: InputMaybe<Scalars['String']['input']>;
};

export type BusinessConfigInput = {
  variables?: InputMaybe<Array<BusinessVariableInput>>;
  intentKeywords?: InputMaybe<Array<Scalars['String']['input']>>;
  monitoringMode?: InputMaybe<MonitoringMode>;
  monitoringPriority?: InputMaybe<Scalars['Int']['input']>;
};

export type BusinessVariableInput = {
  name: Scalars['String']['input'];
  value: Scalars['String']['input'];
};

export type CampaignConnection = {
  __typename?: 'CampaignConnection';
  edges: Array<CampaignEdge>;
  nodes: Array<Campaign>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type CampaignEdge = {
  __typename?: 'CampaignEdge';
  cursor: Scalars['String']['output'];
  node: Campaign;
};

export type DeleteCampaignResult = Campaign | CampaignInUse;

export type UpdateCampaignResult = Campaign | CampaignArchived;

export type StartCampaignResult = Campaign | NothingToCall | CampaignArchived | MoveRefused;

export type PauseCampaignResult = Campaign | CampaignArchived | MoveRefused;

export type ArchiveCampaignResult = Campaign | CampaignArchived | MoveRefused;

export type DispatchCampaignResult = DispatchedBatch | CampaignArchived | PolicyForbids | DispatchContended;

export type NothingToCall = Refusal & {
  __typename?: 'NothingToCall';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type MoveRefused = Refusal & {
  __typename?: 'MoveRefused';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type PolicyForbids = Refusal & {
  __typename?: 'PolicyForbids';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type DispatchContended = Refusal & {
  __typename?: 'DispatchContended';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type CampaignInUse = Refusal & {
  __typename?: 'CampaignInUse';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type Contact = {
  __typename?: 'Contact';
  id: Scalars['ID']['output'];
  campaign?: Maybe<Campaign>;
  campaignId: Scalars['ID']['output'];
  phoneNumber: Scalars['String']['output'];
  customerName: Scalars['String']['output'];
  remark: Scalars['String']['output'];
  metadata: Scalars['JSON']['output'];
  priority: Scalars['Int']['output'];
  status: ContactStatus;
  attemptCount: Scalars['Int']['output'];
  retryAt?: Maybe<Scalars['DateTime']['output']>;
  lastAttempt?: Maybe<Attempt>;
  holdReason?: Maybe<Scalars['String']['output']>;
  holdUntil?: Maybe<Scalars['DateTime']['output']>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type ContactInput = {
  phoneNumber: Scalars['String']['input'];
  customerName?: InputMaybe<Scalars['String']['input']>;
  remark?: InputMaybe<Scalars['String']['input']>;
  metadata?: InputMaybe<Scalars['JSON']['input']>;
};

export type RetrySelection = {
  status?: InputMaybe<RetryableContactStatus>;
  contactIds?: InputMaybe<Array<Scalars['ID']['input']>>;
};

export type ContactImport = {
  __typename?: 'ContactImport';
  totalRows: Scalars['Int']['output'];
  createdRows: Scalars['Int']['output'];
  skippedRows: Scalars['Int']['output'];
  duplicateRows: Scalars['Int']['output'];
  failedRows: Scalars['Int']['output'];
  errors: Array<ContactImportError>;
};

export type ContactImportError = {
  __typename?: 'ContactImportError';
  rowNumber: Scalars['Int']['output'];
  phoneNumber: Scalars['String']['output'];
  reason: Scalars['String']['output'];
};

export type ContactConnection = {
  __typename?: 'ContactConnection';
  edges: Array<ContactEdge>;
  nodes: Array<Contact>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type ContactEdge = {
  __typename?: 'ContactEdge';
  cursor: Scalars['String']['output'];
  node: Contact;
};

export type AddContactsResult = ContactImport | CampaignArchived;

export type ChangeContactsResult = BulkChange | CampaignArchived;

export type UpdateContactInput = {
  phoneNumber?: InputMaybe<Scalars['String']['input']>;
  customerName?: InputMaybe<Scalars['String']['input']>;
  remark?: InputMaybe<Scalars['String']['input']>;
  metadata?: InputMaybe<Scalars['JSON']['input']>;
  priority?: InputMaybe<Scalars['Int']['input']>;
  status?: InputMaybe<ContactStatus>;
};

export type ContactChangeRefused = Refusal & {
  __typename?: 'ContactChangeRefused';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type UpdateContactResult = Contact | ContactChangeRefused | CampaignArchived;

export type DoNotCallEntry = {
  __typename?: 'DoNotCallEntry';
  id: Scalars['ID']['output'];
  phoneNumber: Scalars['String']['output'];
  reason: Scalars['String']['output'];
  source: DoNotCallSource;
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  createdBy?: Maybe<Scalars['ID']['output']>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type AddDoNotCallInput = {
  phoneNumber: Scalars['String']['input'];
  reason?: InputMaybe<Scalars['String']['input']>;
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
};

export type DoNotCallEntryConnection = {
  __typename?: 'DoNotCallEntryConnection';
  edges: Array<DoNotCallEntryEdge>;
  nodes: Array<DoNotCallEntry>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type DoNotCallEntryEdge = {
  __typename?: 'DoNotCallEntryEdge';
  cursor: Scalars['String']['output'];
  node: DoNotCallEntry;
};

export type Line = {
  __typename?: 'Line';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  code: Scalars['String']['output'];
  dialStringTemplate: Scalars['String']['output'];
  callerIdNumber?: Maybe<Scalars['String']['output']>;
  callerIdName?: Maybe<Scalars['String']['output']>;
  maxConcurrency: Scalars['Int']['output'];
  allocationMode: AllocationMode;
  callerIdHeaderMode: CallerIdHeaderMode;
  isEnabled: Scalars['Boolean']['output'];
  description: Scalars['String']['output'];
  numbers: Array<LineNumber>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type LineNumber = {
  __typename?: 'LineNumber';
  id: Scalars['ID']['output'];
  number: Scalars['String']['output'];
  weight: Scalars['Int']['output'];
  maxConcurrency: Scalars['Int']['output'];
  isEnabled: Scalars['Boolean']['output'];
};

export type CreateLineInput = {
  name: Scalars['String']['input'];
  code: Scalars['String']['input'];
  dialStringTemplate: Scalars['String']['input'];
  callerIdNumber?: InputMaybe<Scalars['String']['input']>;
  callerIdName?: InputMaybe<Scalars['String']['input']>;
  maxConcurrency: Scalars['Int']['input'];
  allocationMode: AllocationMode;
  callerIdHeaderMode?: InputMaybe<CallerIdHeaderMode>;
  numbers?: InputMaybe<Array<LineNumberInput>>;
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateLineInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  code?: InputMaybe<Scalars['String']['input']>;
  dialStringTemplate?: InputMaybe<Scalars['String']['input']>;
  callerIdNumber?: InputMaybe<Scalars['String']['input']>;
  callerIdName?: InputMaybe<Scalars['String']['input']>;
  maxConcurrency?: InputMaybe<Scalars['Int']['input']>;
  allocationMode?: InputMaybe<AllocationMode>;
  callerIdHeaderMode?: InputMaybe<CallerIdHeaderMode>;
  numbers?: InputMaybe<Array<LineNumberInput>>;
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
};

export type LineNumberInput = {
  number: Scalars['String']['input'];
  weight?: InputMaybe<Scalars['Int']['input']>;
  maxConcurrency?: InputMaybe<Scalars['Int']['input']>;
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
};

export type LineCodeTaken = Refusal & {
  __typename?: 'LineCodeTaken';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type LineInUse = Refusal & {
  __typename?: 'LineInUse';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type CreateLineResult = Line | LineCodeTaken;

export type UpdateLineResult = Line | LineCodeTaken;

export type DeleteLineResult = Line | LineInUse;

export type LiveCallFilter = {
  campaignId?: InputMaybe<Scalars['ID']['input']>;
};

export type LiveCallList = {
  __typename?: 'LiveCallList';
  calls: Array<LiveCall>;
  truncated: Scalars['Boolean']['output'];
  at: Scalars['DateTime']['output'];
};

export type LiveCall = {
  __typename?: 'LiveCall';
  callKey: Scalars['ID']['output'];
  requestId: Scalars['ID']['output'];
  attemptId: Scalars['ID']['output'];
  campaignId: Scalars['ID']['output'];
  campaignName: Scalars['String']['output'];
  contactId: Scalars['ID']['output'];
  phoneNumber: Scalars['String']['output'];
  customerName: Scalars['String']['output'];
  cellId: Scalars['String']['output'];
  lineId?: Maybe<Scalars['ID']['output']>;
  callerNumber?: Maybe<Scalars['String']['output']>;
  status: LiveCallStatus;
  startedAt: Scalars['DateTime']['output'];
  answeredAt?: Maybe<Scalars['DateTime']['output']>;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  hangupCause?: Maybe<Scalars['String']['output']>;
  currentNodeId?: Maybe<Scalars['String']['output']>;
  segments: Array<LiveSegment>;
  intentHits: Array<IntentHit>;
  monitorAssignment?: Maybe<MonitorAssignment>;
  retainedBy: Array<Scalars['ID']['output']>;
  intervention?: Maybe<Intervention>;
  waitingSince?: Maybe<Scalars['DateTime']['output']>;
  version: Scalars['Int']['output'];
};

export type IntentHit = {
  __typename?: 'IntentHit';
  keyword: Scalars['String']['output'];
  segmentId: Scalars['String']['output'];
  at: Scalars['DateTime']['output'];
};

export type MonitorAssignment = {
  __typename?: 'MonitorAssignment';
  userId: Scalars['ID']['output'];
  agentId?: Maybe<Scalars['ID']['output']>;
  displayName: Scalars['String']['output'];
  assignedAt: Scalars['DateTime']['output'];
};

export type Intervention = {
  __typename?: 'Intervention';
  id: Scalars['ID']['output'];
  status: InterventionStatus;
  initiatorId?: Maybe<Scalars['ID']['output']>;
  requestedAt?: Maybe<Scalars['DateTime']['output']>;
  consumedAt?: Maybe<Scalars['DateTime']['output']>;
  agentId?: Maybe<Scalars['ID']['output']>;
};

export type LiveSegment = {
  __typename?: 'LiveSegment';
  segmentId: Scalars['String']['output'];
  speaker: Speaker;
  text: Scalars['String']['output'];
  final: Scalars['Boolean']['output'];
  startMs?: Maybe<Scalars['Int']['output']>;
  endMs?: Maybe<Scalars['Int']['output']>;
  nodeId?: Maybe<Scalars['String']['output']>;
  at: Scalars['DateTime']['output'];
};

export type LiveCallsEvent = LiveCallsSnapshot | LiveCallsResync | LiveCallStarted | LiveCallChanged | LiveCallSegment | LiveCallEnded | LiveCallJoined | LiveCallLeft | LiveCallResync;

export type LiveCallsSnapshot = {
  __typename?: 'LiveCallsSnapshot';
  calls: Array<LiveCall>;
  truncated: Scalars['Boolean']['output'];
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type LiveCallsResync = {
  __typename?: 'LiveCallsResync';
  reason: ResyncReason;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type LiveCallStarted = {
  __typename?: 'LiveCallStarted';
  call: LiveCall;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type LiveCallChanged = {
  __typename?: 'LiveCallChanged';
  call: LiveCall;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type LiveCallSegment = {
  __typename?: 'LiveCallSegment';
  call: LiveCall;
  segment: LiveSegment;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type LiveCallEnded = {
  __typename?: 'LiveCallEnded';
  call: LiveCall;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type LiveCallJoined = {
  __typename?: 'LiveCallJoined';
  call: LiveCall;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type LiveCallLeft = {
  __typename?: 'LiveCallLeft';
  callKey: Scalars['ID']['output'];
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type LiveCallResync = {
  __typename?: 'LiveCallResync';
  callKey: Scalars['ID']['output'];
  call: LiveCall;
  reason: ResyncReason;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type NotDialed = {
  __typename?: 'NotDialed';
  reason: NotDialedReason;
  message: Scalars['String']['output'];
  since?: Maybe<Scalars['DateTime']['output']>;
  nextEligibleAt?: Maybe<Scalars['DateTime']['output']>;
};

export type NotDialedCount = {
  __typename?: 'NotDialedCount';
  reason: NotDialedReason;
  message: Scalars['String']['output'];
  contacts: Scalars['Int']['output'];
};

export type Policy = {
  __typename?: 'Policy';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  scope: PolicyScope;
  campaign?: Maybe<Campaign>;
  campaignId?: Maybe<Scalars['ID']['output']>;
  type: PolicyType;
  action: PolicyAction;
  priority: Scalars['Int']['output'];
  config: Scalars['JSON']['output'];
  isEnabled: Scalars['Boolean']['output'];
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type PolicyExplanation = {
  __typename?: 'PolicyExplanation';
  allowed: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
  matchedPolicies: Array<Policy>;
  effectiveLimits: EffectiveLimits;
};

export type EffectiveLimits = {
  __typename?: 'EffectiveLimits';
  maxConcurrency: Scalars['Int']['output'];
  maxRetries: Scalars['Int']['output'];
  retryIntervalSeconds: Scalars['Int']['output'];
  callIntervalMs: Scalars['Int']['output'];
};

export type CreatePolicyInput = {
  name: Scalars['String']['input'];
  scope: PolicyScope;
  campaignId?: InputMaybe<Scalars['ID']['input']>;
  type: PolicyType;
  action: PolicyAction;
  priority?: InputMaybe<Scalars['Int']['input']>;
  config: Scalars['JSON']['input'];
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
};

export type UpdatePolicyInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  scope?: InputMaybe<PolicyScope>;
  campaignId?: InputMaybe<Scalars['ID']['input']>;
  type?: InputMaybe<PolicyType>;
  action?: InputMaybe<PolicyAction>;
  priority?: InputMaybe<Scalars['Int']['input']>;
  config?: InputMaybe<Scalars['JSON']['input']>;
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
};

export type Preflight = {
  __typename?: 'Preflight';
  canStart: Scalars['Boolean']['output'];
  status: CampaignStatus;
  pendingContacts: Scalars['Int']['output'];
  retryableContacts: Scalars['Int']['output'];
  activeCalls: Scalars['Int']['output'];
  window: PreflightWindow;
  lines: Array<PreflightLine>;
  policies: PreflightPolicies;
  skips: PreflightSkips;
  monitoring: PreflightMonitoring;
  cell: PreflightCell;
  estimatedFinishAt?: Maybe<Scalars['DateTime']['output']>;
  checks: Array<PreflightCheck>;
};

export type PreflightWindow = {
  __typename?: 'PreflightWindow';
  openNow: Scalars['Boolean']['output'];
  nextOpenAt?: Maybe<Scalars['DateTime']['output']>;
  nextCloseAt?: Maybe<Scalars['DateTime']['output']>;
};

export type PreflightLine = {
  __typename?: 'PreflightLine';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  isEnabled: Scalars['Boolean']['output'];
  maxConcurrency: Scalars['Int']['output'];
  active: Scalars['Int']['output'];
};

export type PreflightPolicies = {
  __typename?: 'PreflightPolicies';
  allowed: Scalars['Boolean']['output'];
  reason?: Maybe<Scalars['String']['output']>;
  matchedPolicies: Array<Policy>;
};

export type PreflightSkips = {
  __typename?: 'PreflightSkips';
  dnc: Scalars['Int']['output'];
  blacklist: Scalars['Int']['output'];
  frequency: Scalars['Int']['output'];
  window: Scalars['Int']['output'];
  invalid: Scalars['Int']['output'];
};

export type PreflightMonitoring = {
  __typename?: 'PreflightMonitoring';
  mode?: Maybe<MonitoringMode>;
  capacity?: Maybe<Scalars['Int']['output']>;
};

export type PreflightCell = {
  __typename?: 'PreflightCell';
  cellId?: Maybe<Scalars['String']['output']>;
  reachable: Scalars['Boolean']['output'];
};

export type PreflightCheck = {
  __typename?: 'PreflightCheck';
  code: Scalars['String']['output'];
  level: CheckLevel;
  message: Scalars['String']['output'];
};

export type PageInfo = {
  __typename?: 'PageInfo';
  hasNextPage: Scalars['Boolean']['output'];
  hasPreviousPage: Scalars['Boolean']['output'];
  startCursor?: Maybe<Scalars['String']['output']>;
  endCursor?: Maybe<Scalars['String']['output']>;
};

export type Refusal = {
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type CampaignArchived = Refusal & {
  __typename?: 'CampaignArchived';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type BulkChange = {
  __typename?: 'BulkChange';
  requested: Scalars['Int']['output'];
  affected: Scalars['Int']['output'];
  skipped: Scalars['Int']['output'];
};

export type RuntimeEvent = {
  __typename?: 'RuntimeEvent';
  id: Scalars['ID']['output'];
  level: RuntimeEventLevel;
  type: Scalars['String']['output'];
  title: Scalars['String']['output'];
  message: Scalars['String']['output'];
  campaignId?: Maybe<Scalars['ID']['output']>;
  attemptId?: Maybe<Scalars['ID']['output']>;
  cellId?: Maybe<Scalars['String']['output']>;
  detail?: Maybe<Scalars['JSON']['output']>;
  acknowledgedAt?: Maybe<Scalars['DateTime']['output']>;
  acknowledgedBy?: Maybe<Scalars['ID']['output']>;
  createdAt: Scalars['DateTime']['output'];
};

export type RuntimeEventsEvent = RuntimeEventsSnapshot | RuntimeEventsResync | RuntimeEventRecorded | RuntimeEventAcknowledged;

export type RuntimeEventsSnapshot = {
  __typename?: 'RuntimeEventsSnapshot';
  events: Array<RuntimeEvent>;
  cursor: Scalars['String']['output'];
};

export type RuntimeEventsResync = {
  __typename?: 'RuntimeEventsResync';
  cursor: Scalars['String']['output'];
};

export type RuntimeEventRecorded = {
  __typename?: 'RuntimeEventRecorded';
  event: RuntimeEvent;
  cursor: Scalars['String']['output'];
};

export type RuntimeEventAcknowledged = {
  __typename?: 'RuntimeEventAcknowledged';
  event: RuntimeEvent;
  cursor: Scalars['String']['output'];
};

export type Script = {
  __typename?: 'Script';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  businessCode: Scalars['String']['output'];
  description: Scalars['String']['output'];
  isEnabled: Scalars['Boolean']['output'];
  version: Scalars['Int']['output'];
  hash: Scalars['String']['output'];
  entryNodeId: Scalars['String']['output'];
  nodes: Scalars['JSON']['output'];
  variables: Scalars['JSON']['output'];
  phrases: Scalars['JSON']['output'];
  nlu: Scalars['JSON']['output'];
  resultRules: Scalars['JSON']['output'];
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type SaveScriptInput = {
  id?: InputMaybe<Scalars['ID']['input']>;
  name: Scalars['String']['input'];
  businessCode: Scalars['String']['input'];
  description?: InputMaybe<Scalars['String']['input']>;
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  entryNodeId: Scalars['String']['input'];
  nodes: Scalars['JSON']['input'];
  variables?: InputMaybe<Scalars['JSON']['input']>;
  phrases?: InputMaybe<Scalars['JSON']['input']>;
  nlu?: InputMaybe<Scalars['JSON']['input']>;
  resultRules?: InputMaybe<Scalars['JSON']['input']>;
};

export type ScriptConnection = {
  __typename?: 'ScriptConnection';
  edges: Array<ScriptEdge>;
  nodes: Array<Script>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type ScriptEdge = {
  __typename?: 'ScriptEdge';
  cursor: Scalars['String']['output'];
  node: Script;
};

export type UserAccount = {
  __typename?: 'UserAccount';
  id: Scalars['ID']['output'];
  username: Scalars['String']['output'];
  displayName: Scalars['String']['output'];
  role: Role;
  isEnabled: Scalars['Boolean']['output'];
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type RolePermissions = {
  __typename?: 'RolePermissions';
  permissions: Array<PermissionDefinition>;
  roles: Array<RolePermissionRow>;
};

export type PermissionDefinition = {
  __typename?: 'PermissionDefinition';
  key: Scalars['String']['output'];
  label: Scalars['String']['output'];
  description: Scalars['String']['output'];
};

export type RolePermissionRow = {
  __typename?: 'RolePermissionRow';
  role: Role;
  label: Scalars['String']['output'];
  permissions: Array<Scalars['String']['output']>;
};

export type CreateUserInput = {
  username: Scalars['String']['input'];
  displayName?: InputMaybe<Scalars['String']['input']>;
  role: Role;
  password: Scalars['String']['input'];
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
};

export type UpdateUserInput = {
  displayName?: InputMaybe<Scalars['String']['input']>;
  role?: InputMaybe<Role>;
  password?: InputMaybe<Scalars['String']['input']>;
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
};

export type UsernameTaken = Refusal & {
  __typename?: 'UsernameTaken';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type UserMustStay = Refusal & {
  __typename?: 'UserMustStay';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type CreateUserResult = UserAccount | UsernameTaken;

export type UpdateUserResult = UserAccount | UserMustStay;

export type DeleteUserResult = UserAccount | UserMustStay;

export type UserAccountConnection = {
  __typename?: 'UserAccountConnection';
  edges: Array<UserAccountEdge>;
  nodes: Array<UserAccount>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type UserAccountEdge = {
  __typename?: 'UserAccountEdge';
  cursor: Scalars['String']['output'];
  node: UserAccount;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;



/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  CancelBatchResult:
    | ( BatchModel )
    | ( BatchNotRunning )
  ;
  DeleteCampaignResult:
    | ( CampaignModel )
    | ( CampaignInUse )
  ;
  UpdateCampaignResult:
    | ( CampaignModel )
    | ( CampaignArchived )
  ;
  StartCampaignResult:
    | ( CampaignModel )
    | ( NothingToCall )
    | ( CampaignArchived )
    | ( MoveRefused )
  ;
  PauseCampaignResult:
    | ( CampaignModel )
    | ( CampaignArchived )
    | ( MoveRefused )
  ;
  ArchiveCampaignResult:
    | ( CampaignModel )
    | ( CampaignArchived )
    | ( MoveRefused )
  ;
  DispatchCampaignResult:
    | ( Omit<DispatchedBatch, 'attempts'> & { attempts: Array<_RefType['DispatchedAttempt']> } )
    | ( CampaignArchived )
    | ( PolicyForbids )
    | ( DispatchContended )
  ;
  AddContactsResult:
    | ( ContactImport )
    | ( CampaignArchived )
  ;
  ChangeContactsResult:
    | ( BulkChange )
    | ( CampaignArchived )
  ;
  UpdateContactResult:
    | ( ContactModel )
    | ( ContactChangeRefused )
    | ( CampaignArchived )
  ;
  CreateLineResult:
    | ( LineModel )
    | ( LineCodeTaken )
  ;
  UpdateLineResult:
    | ( LineModel )
    | ( LineCodeTaken )
  ;
  DeleteLineResult:
    | ( LineModel )
    | ( LineInUse )
  ;
  LiveCallsEvent:
    | ( Omit<LiveCallsSnapshot, 'calls'> & { calls: Array<_RefType['LiveCall']> } )
    | ( LiveCallsResync )
    | ( Omit<LiveCallStarted, 'call'> & { call: _RefType['LiveCall'] } )
    | ( Omit<LiveCallChanged, 'call'> & { call: _RefType['LiveCall'] } )
    | ( Omit<LiveCallSegment, 'call' | 'segment'> & { call: _RefType['LiveCall'], segment: _RefType['LiveSegment'] } )
    | ( Omit<LiveCallEnded, 'call'> & { call: _RefType['LiveCall'] } )
    | ( Omit<LiveCallJoined, 'call'> & { call: _RefType['LiveCall'] } )
    | ( LiveCallLeft )
    | ( Omit<LiveCallResync, 'call'> & { call: _RefType['LiveCall'] } )
  ;
  RuntimeEventsEvent:
    | ( Omit<RuntimeEventsSnapshot, 'events'> & { events: Array<_RefType['RuntimeEvent']> } )
    | ( RuntimeEventsResync )
    | ( Omit<RuntimeEventRecorded, 'event'> & { event: _RefType['RuntimeEvent'] } )
    | ( Omit<RuntimeEventAcknowledged, 'event'> & { event: _RefType['RuntimeEvent'] } )
  ;
  CreateUserResult:
    | ( UserAccountModel )
    | ( UsernameTaken )
  ;
  UpdateUserResult:
    | ( UserAccountModel )
    | ( UserMustStay )
  ;
  DeleteUserResult:
    | ( UserAccountModel )
    | ( UserMustStay )
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Refusal:
    | ( BatchNotRunning )
    | ( NothingToCall )
    | ( MoveRefused )
    | ( PolicyForbids )
    | ( DispatchContended )
    | ( CampaignInUse )
    | ( ContactChangeRefused )
    | ( LineCodeTaken )
    | ( LineInUse )
    | ( CampaignArchived )
    | ( UsernameTaken )
    | ( UserMustStay )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Me: ResolverTypeWrapper<Me>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  User: ResolverTypeWrapper<User>;
  Role: Role;
  AttemptFilter: AttemptFilter;
  Attempt: ResolverTypeWrapper<AttemptModel>;
  TranscriptSegment: ResolverTypeWrapper<TranscriptSegmentModel>;
  RingbackDetection: ResolverTypeWrapper<RingbackDetection>;
  RingbackStatus: RingbackStatus;
  RingbackSource: RingbackSource;
  AttemptStatus: AttemptStatus;
  CallStatus: CallStatus;
  HangupParty: HangupParty;
  Speaker: Speaker;
  EmotionStatus: EmotionStatus;
  AttemptConnection: ResolverTypeWrapper<AttemptConnectionModel>;
  AttemptEdge: ResolverTypeWrapper<Omit<AttemptEdge, 'node'> & { node: ResolversTypes['Attempt'] }>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  AuditLog: ResolverTypeWrapper<AuditLogModel>;
  AuditLogConnection: ResolverTypeWrapper<AuditLogConnectionModel>;
  AuditLogEdge: ResolverTypeWrapper<Omit<AuditLogEdge, 'node'> & { node: ResolversTypes['AuditLog'] }>;
  Batch: ResolverTypeWrapper<BatchModel>;
  BatchStatus: BatchStatus;
  BatchSource: BatchSource;
  DispatchedBatch: ResolverTypeWrapper<Omit<DispatchedBatch, 'attempts'> & { attempts: Array<ResolversTypes['DispatchedAttempt']> }>;
  DispatchedAttempt: ResolverTypeWrapper<DispatchedAttemptModel>;
  BatchConnection: ResolverTypeWrapper<BatchConnectionModel>;
  BatchEdge: ResolverTypeWrapper<Omit<BatchEdge, 'node'> & { node: ResolversTypes['Batch'] }>;
  CancelBatchResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CancelBatchResult']>;
  BatchNotRunning: ResolverTypeWrapper<BatchNotRunning>;
  Business: ResolverTypeWrapper<Business>;
  CallEvent: ResolverTypeWrapper<CallEvent>;
  CallEventKind: CallEventKind;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  CampaignProgress: ResolverTypeWrapper<CampaignProgressModel>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Campaign: ResolverTypeWrapper<CampaignModel>;
  BusinessConfig: ResolverTypeWrapper<BusinessConfigModel>;
  BusinessVariable: ResolverTypeWrapper<BusinessVariable>;
  CampaignStatus: CampaignStatus;
  CampaignPhase: CampaignPhase;
  MonitoringMode: MonitoringMode;
  CreateCampaignInput: CreateCampaignInput;
  UpdateCampaignInput: UpdateCampaignInput;
  BusinessConfigInput: BusinessConfigInput;
  BusinessVariableInput: BusinessVariableInput;
  CampaignConnection: ResolverTypeWrapper<CampaignConnectionModel>;
  CampaignEdge: ResolverTypeWrapper<Omit<CampaignEdge, 'node'> & { node: ResolversTypes['Campaign'] }>;
  DeleteCampaignResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['DeleteCampaignResult']>;
  UpdateCampaignResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['UpdateCampaignResult']>;
  StartCampaignResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['StartCampaignResult']>;
  PauseCampaignResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['PauseCampaignResult']>;
  ArchiveCampaignResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ArchiveCampaignResult']>;
  DispatchCampaignResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['DispatchCampaignResult']>;
  NothingToCall: ResolverTypeWrapper<NothingToCall>;
  MoveRefused: ResolverTypeWrapper<MoveRefused>;
  PolicyForbids: ResolverTypeWrapper<PolicyForbids>;
  DispatchContended: ResolverTypeWrapper<DispatchContended>;
  CampaignInUse: ResolverTypeWrapper<CampaignInUse>;
  Contact: ResolverTypeWrapper<ContactModel>;
  ContactStatus: ContactStatus;
  RetryableContactStatus: RetryableContactStatus;
  ContactInput: ContactInput;
  RetrySelection: RetrySelection;
  ContactImport: ResolverTypeWrapper<ContactImport>;
  ContactImportError: ResolverTypeWrapper<ContactImportError>;
  ContactConnection: ResolverTypeWrapper<ContactConnectionModel>;
  ContactEdge: ResolverTypeWrapper<Omit<ContactEdge, 'node'> & { node: ResolversTypes['Contact'] }>;
  AddContactsResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['AddContactsResult']>;
  ChangeContactsResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ChangeContactsResult']>;
  UpdateContactInput: UpdateContactInput;
  ContactChangeRefused: ResolverTypeWrapper<ContactChangeRefused>;
  UpdateContactResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['UpdateContactResult']>;
  DoNotCallEntry: ResolverTypeWrapper<DoNotCallEntryModel>;
  DoNotCallSource: DoNotCallSource;
  AddDoNotCallInput: AddDoNotCallInput;
  DoNotCallEntryConnection: ResolverTypeWrapper<DoNotCallEntryConnectionModel>;
  DoNotCallEntryEdge: ResolverTypeWrapper<Omit<DoNotCallEntryEdge, 'node'> & { node: ResolversTypes['DoNotCallEntry'] }>;
  Line: ResolverTypeWrapper<LineModel>;
  LineNumber: ResolverTypeWrapper<LineNumber>;
  AllocationMode: AllocationMode;
  CallerIdHeaderMode: CallerIdHeaderMode;
  CreateLineInput: CreateLineInput;
  UpdateLineInput: UpdateLineInput;
  LineNumberInput: LineNumberInput;
  LineCodeTaken: ResolverTypeWrapper<LineCodeTaken>;
  LineInUse: ResolverTypeWrapper<LineInUse>;
  CreateLineResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CreateLineResult']>;
  UpdateLineResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['UpdateLineResult']>;
  DeleteLineResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['DeleteLineResult']>;
  LiveCallFilter: LiveCallFilter;
  LiveCallList: ResolverTypeWrapper<Omit<LiveCallList, 'calls'> & { calls: Array<ResolversTypes['LiveCall']> }>;
  LiveCall: ResolverTypeWrapper<LiveCallModel>;
  IntentHit: ResolverTypeWrapper<IntentHitModel>;
  MonitorAssignment: ResolverTypeWrapper<MonitorAssignmentModel>;
  Intervention: ResolverTypeWrapper<InterventionModel>;
  InterventionStatus: InterventionStatus;
  LiveCallStatus: LiveCallStatus;
  LiveSegment: ResolverTypeWrapper<LiveSegmentModel>;
  LiveCallsEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['LiveCallsEvent']>;
  LiveCallsSnapshot: ResolverTypeWrapper<Omit<LiveCallsSnapshot, 'calls'> & { calls: Array<ResolversTypes['LiveCall']> }>;
  LiveCallsResync: ResolverTypeWrapper<LiveCallsResync>;
  ResyncReason: ResyncReason;
  LiveCallStarted: ResolverTypeWrapper<Omit<LiveCallStarted, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  LiveCallChanged: ResolverTypeWrapper<Omit<LiveCallChanged, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  LiveCallSegment: ResolverTypeWrapper<Omit<LiveCallSegment, 'call' | 'segment'> & { call: ResolversTypes['LiveCall'], segment: ResolversTypes['LiveSegment'] }>;
  LiveCallEnded: ResolverTypeWrapper<Omit<LiveCallEnded, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  LiveCallJoined: ResolverTypeWrapper<Omit<LiveCallJoined, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  LiveCallLeft: ResolverTypeWrapper<LiveCallLeft>;
  LiveCallResync: ResolverTypeWrapper<Omit<LiveCallResync, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  NotDialed: ResolverTypeWrapper<NotDialed>;
  NotDialedCount: ResolverTypeWrapper<NotDialedCount>;
  NotDialedReason: NotDialedReason;
  Policy: ResolverTypeWrapper<PolicyModel>;
  PolicyScope: PolicyScope;
  PolicyAction: PolicyAction;
  PolicyType: PolicyType;
  PolicyExplanation: ResolverTypeWrapper<PolicyExplanationModel>;
  EffectiveLimits: ResolverTypeWrapper<EffectiveLimits>;
  CreatePolicyInput: CreatePolicyInput;
  UpdatePolicyInput: UpdatePolicyInput;
  Preflight: ResolverTypeWrapper<PreflightModel>;
  PreflightWindow: ResolverTypeWrapper<PreflightWindow>;
  PreflightLine: ResolverTypeWrapper<PreflightLine>;
  PreflightPolicies: ResolverTypeWrapper<Omit<PreflightPolicies, 'matchedPolicies'> & { matchedPolicies: Array<ResolversTypes['Policy']> }>;
  PreflightSkips: ResolverTypeWrapper<PreflightSkips>;
  PreflightMonitoring: ResolverTypeWrapper<PreflightMonitoring>;
  PreflightCell: ResolverTypeWrapper<PreflightCellModel>;
  PreflightCheck: ResolverTypeWrapper<PreflightCheck>;
  CheckLevel: CheckLevel;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  ErrorCode: ErrorCode;
  Refusal: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Refusal']>;
  CampaignArchived: ResolverTypeWrapper<CampaignArchived>;
  BulkChange: ResolverTypeWrapper<BulkChange>;
  RuntimeEvent: ResolverTypeWrapper<RuntimeEventModel>;
  RuntimeEventLevel: RuntimeEventLevel;
  RuntimeEventsEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['RuntimeEventsEvent']>;
  RuntimeEventsSnapshot: ResolverTypeWrapper<Omit<RuntimeEventsSnapshot, 'events'> & { events: Array<ResolversTypes['RuntimeEvent']> }>;
  RuntimeEventsResync: ResolverTypeWrapper<RuntimeEventsResync>;
  RuntimeEventRecorded: ResolverTypeWrapper<Omit<RuntimeEventRecorded, 'event'> & { event: ResolversTypes['RuntimeEvent'] }>;
  RuntimeEventAcknowledged: ResolverTypeWrapper<Omit<RuntimeEventAcknowledged, 'event'> & { event: ResolversTypes['RuntimeEvent'] }>;
  Script: ResolverTypeWrapper<ScriptModel>;
  SaveScriptInput: SaveScriptInput;
  ScriptConnection: ResolverTypeWrapper<ScriptConnectionModel>;
  ScriptEdge: ResolverTypeWrapper<Omit<ScriptEdge, 'node'> & { node: ResolversTypes['Script'] }>;
  UserAccount: ResolverTypeWrapper<UserAccountModel>;
  RolePermissions: ResolverTypeWrapper<RolePermissions>;
  PermissionDefinition: ResolverTypeWrapper<PermissionDefinition>;
  RolePermissionRow: ResolverTypeWrapper<RolePermissionRow>;
  CreateUserInput: CreateUserInput;
  UpdateUserInput: UpdateUserInput;
  UsernameTaken: ResolverTypeWrapper<UsernameTaken>;
  UserMustStay: ResolverTypeWrapper<UserMustStay>;
  CreateUserResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CreateUserResult']>;
  UpdateUserResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['UpdateUserResult']>;
  DeleteUserResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['DeleteUserResult']>;
  UserAccountConnection: ResolverTypeWrapper<UserAccountConnectionModel>;
  UserAccountEdge: ResolverTypeWrapper<Omit<UserAccountEdge, 'node'> & { node: ResolversTypes['UserAccount'] }>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Query: Record<PropertyKey, never>;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Me: Me;
  Boolean: Scalars['Boolean']['output'];
  User: User;
  AttemptFilter: AttemptFilter;
  Attempt: AttemptModel;
  TranscriptSegment: TranscriptSegmentModel;
  RingbackDetection: RingbackDetection;
  AttemptConnection: AttemptConnectionModel;
  AttemptEdge: Omit<AttemptEdge, 'node'> & { node: ResolversParentTypes['Attempt'] };
  Mutation: Record<PropertyKey, never>;
  AuditLog: AuditLogModel;
  AuditLogConnection: AuditLogConnectionModel;
  AuditLogEdge: Omit<AuditLogEdge, 'node'> & { node: ResolversParentTypes['AuditLog'] };
  Batch: BatchModel;
  DispatchedBatch: Omit<DispatchedBatch, 'attempts'> & { attempts: Array<ResolversParentTypes['DispatchedAttempt']> };
  DispatchedAttempt: DispatchedAttemptModel;
  BatchConnection: BatchConnectionModel;
  BatchEdge: Omit<BatchEdge, 'node'> & { node: ResolversParentTypes['Batch'] };
  CancelBatchResult: ResolversUnionTypes<ResolversParentTypes>['CancelBatchResult'];
  BatchNotRunning: BatchNotRunning;
  Business: Business;
  CallEvent: CallEvent;
  Subscription: Record<PropertyKey, never>;
  CampaignProgress: CampaignProgressModel;
  Float: Scalars['Float']['output'];
  Campaign: CampaignModel;
  BusinessConfig: BusinessConfigModel;
  BusinessVariable: BusinessVariable;
  CreateCampaignInput: CreateCampaignInput;
  UpdateCampaignInput: UpdateCampaignInput;
  BusinessConfigInput: BusinessConfigInput;
  BusinessVariableInput: BusinessVariableInput;
  CampaignConnection: CampaignConnectionModel;
  CampaignEdge: Omit<CampaignEdge, 'node'> & { node: ResolversParentTypes['Campaign'] };
  DeleteCampaignResult: ResolversUnionTypes<ResolversParentTypes>['DeleteCampaignResult'];
  UpdateCampaignResult: ResolversUnionTypes<ResolversParentTypes>['UpdateCampaignResult'];
  StartCampaignResult: ResolversUnionTypes<ResolversParentTypes>['StartCampaignResult'];
  PauseCampaignResult: ResolversUnionTypes<ResolversParentTypes>['PauseCampaignResult'];
  ArchiveCampaignResult: ResolversUnionTypes<ResolversParentTypes>['ArchiveCampaignResult'];
  DispatchCampaignResult: ResolversUnionTypes<ResolversParentTypes>['DispatchCampaignResult'];
  NothingToCall: NothingToCall;
  MoveRefused: MoveRefused;
  PolicyForbids: PolicyForbids;
  DispatchContended: DispatchContended;
  CampaignInUse: CampaignInUse;
  Contact: ContactModel;
  ContactInput: ContactInput;
  RetrySelection: RetrySelection;
  ContactImport: ContactImport;
  ContactImportError: ContactImportError;
  ContactConnection: ContactConnectionModel;
  ContactEdge: Omit<ContactEdge, 'node'> & { node: ResolversParentTypes['Contact'] };
  AddContactsResult: ResolversUnionTypes<ResolversParentTypes>['AddContactsResult'];
  ChangeContactsResult: ResolversUnionTypes<ResolversParentTypes>['ChangeContactsResult'];
  UpdateContactInput: UpdateContactInput;
  ContactChangeRefused: ContactChangeRefused;
  UpdateContactResult: ResolversUnionTypes<ResolversParentTypes>['UpdateContactResult'];
  DoNotCallEntry: DoNotCallEntryModel;
  AddDoNotCallInput: AddDoNotCallInput;
  DoNotCallEntryConnection: DoNotCallEntryConnectionModel;
  DoNotCallEntryEdge: Omit<DoNotCallEntryEdge, 'node'> & { node: ResolversParentTypes['DoNotCallEntry'] };
  Line: LineModel;
  LineNumber: LineNumber;
  CreateLineInput: CreateLineInput;
  UpdateLineInput: UpdateLineInput;
  LineNumberInput: LineNumberInput;
  LineCodeTaken: LineCodeTaken;
  LineInUse: LineInUse;
  CreateLineResult: ResolversUnionTypes<ResolversParentTypes>['CreateLineResult'];
  UpdateLineResult: ResolversUnionTypes<ResolversParentTypes>['UpdateLineResult'];
  DeleteLineResult: ResolversUnionTypes<ResolversParentTypes>['DeleteLineResult'];
  LiveCallFilter: LiveCallFilter;
  LiveCallList: Omit<LiveCallList, 'calls'> & { calls: Array<ResolversParentTypes['LiveCall']> };
  LiveCall: LiveCallModel;
  IntentHit: IntentHitModel;
  MonitorAssignment: MonitorAssignmentModel;
  Intervention: InterventionModel;
  LiveSegment: LiveSegmentModel;
  LiveCallsEvent: ResolversUnionTypes<ResolversParentTypes>['LiveCallsEvent'];
  LiveCallsSnapshot: Omit<LiveCallsSnapshot, 'calls'> & { calls: Array<ResolversParentTypes['LiveCall']> };
  LiveCallsResync: LiveCallsResync;
  LiveCallStarted: Omit<LiveCallStarted, 'call'> & { call: ResolversParentTypes['LiveCall'] };
  LiveCallChanged: Omit<LiveCallChanged, 'call'> & { call: ResolversParentTypes['LiveCall'] };
  LiveCallSegment: Omit<LiveCallSegment, 'call' | 'segment'> & { call: ResolversParentTypes['LiveCall'], segment: ResolversParentTypes['LiveSegment'] };
  LiveCallEnded: Omit<LiveCallEnded, 'call'> & { call: ResolversParentTypes['LiveCall'] };
  LiveCallJoined: Omit<LiveCallJoined, 'call'> & { call: ResolversParentTypes['LiveCall'] };
  LiveCallLeft: LiveCallLeft;
  LiveCallResync: Omit<LiveCallResync, 'call'> & { call: ResolversParentTypes['LiveCall'] };
  NotDialed: NotDialed;
  NotDialedCount: NotDialedCount;
  Policy: PolicyModel;
  PolicyExplanation: PolicyExplanationModel;
  EffectiveLimits: EffectiveLimits;
  CreatePolicyInput: CreatePolicyInput;
  UpdatePolicyInput: UpdatePolicyInput;
  Preflight: PreflightModel;
  PreflightWindow: PreflightWindow;
  PreflightLine: PreflightLine;
  PreflightPolicies: Omit<PreflightPolicies, 'matchedPolicies'> & { matchedPolicies: Array<ResolversParentTypes['Policy']> };
  PreflightSkips: PreflightSkips;
  PreflightMonitoring: PreflightMonitoring;
  PreflightCell: PreflightCellModel;
  PreflightCheck: PreflightCheck;
  DateTime: Scalars['DateTime']['output'];
  JSON: Scalars['JSON']['output'];
  PageInfo: PageInfo;
  Refusal: ResolversInterfaceTypes<ResolversParentTypes>['Refusal'];
  CampaignArchived: CampaignArchived;
  BulkChange: BulkChange;
  RuntimeEvent: RuntimeEventModel;
  RuntimeEventsEvent: ResolversUnionTypes<ResolversParentTypes>['RuntimeEventsEvent'];
  RuntimeEventsSnapshot: Omit<RuntimeEventsSnapshot, 'events'> & { events: Array<ResolversParentTypes['RuntimeEvent']> };
  RuntimeEventsResync: RuntimeEventsResync;
  RuntimeEventRecorded: Omit<RuntimeEventRecorded, 'event'> & { event: ResolversParentTypes['RuntimeEvent'] };
  RuntimeEventAcknowledged: Omit<RuntimeEventAcknowledged, 'event'> & { event: ResolversParentTypes['RuntimeEvent'] };
  Script: ScriptModel;
  SaveScriptInput: SaveScriptInput;
  ScriptConnection: ScriptConnectionModel;
  ScriptEdge: Omit<ScriptEdge, 'node'> & { node: ResolversParentTypes['Script'] };
  UserAccount: UserAccountModel;
  RolePermissions: RolePermissions;
  PermissionDefinition: PermissionDefinition;
  RolePermissionRow: RolePermissionRow;
  CreateUserInput: CreateUserInput;
  UpdateUserInput: UpdateUserInput;
  UsernameTaken: UsernameTaken;
  UserMustStay: UserMustStay;
  CreateUserResult: ResolversUnionTypes<ResolversParentTypes>['CreateUserResult'];
  UpdateUserResult: ResolversUnionTypes<ResolversParentTypes>['UpdateUserResult'];
  DeleteUserResult: ResolversUnionTypes<ResolversParentTypes>['DeleteUserResult'];
  UserAccountConnection: UserAccountConnectionModel;
  UserAccountEdge: Omit<UserAccountEdge, 'node'> & { node: ResolversParentTypes['UserAccount'] };
};

export type QueryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  me?: Resolver<ResolversTypes['Me'], ParentType, ContextType>;
  attempt?: Resolver<Maybe<ResolversTypes['Attempt']>, ParentType, ContextType, RequireFields<QueryAttemptArgs, 'id'>>;
  attempts?: Resolver<ResolversTypes['AttemptConnection'], ParentType, ContextType, RequireFields<QueryAttemptsArgs, 'first'>>;
  auditLogs?: Resolver<ResolversTypes['AuditLogConnection'], ParentType, ContextType, RequireFields<QueryAuditLogsArgs, 'first'>>;
  businesses?: Resolver<Array<ResolversTypes['Business']>, ParentType, ContextType>;
  campaign?: Resolver<Maybe<ResolversTypes['Campaign']>, ParentType, ContextType, RequireFields<QueryCampaignArgs, 'id'>>;
  campaigns?: Resolver<ResolversTypes['CampaignConnection'], ParentType, ContextType, RequireFields<QueryCampaignsArgs, 'first'>>;
  contacts?: Resolver<ResolversTypes['ContactConnection'], ParentType, ContextType, RequireFields<QueryContactsArgs, 'campaignId' | 'first'>>;
  doNotCallEntries?: Resolver<ResolversTypes['DoNotCallEntryConnection'], ParentType, ContextType, RequireFields<QueryDoNotCallEntriesArgs, 'first'>>;
  lines?: Resolver<Array<ResolversTypes['Line']>, ParentType, ContextType>;
  liveCalls?: Resolver<ResolversTypes['LiveCallList'], ParentType, ContextType, Partial<QueryLiveCallsArgs>>;
  whyNotDialed?: Resolver<Maybe<ResolversTypes['NotDialed']>, ParentType, ContextType, RequireFields<QueryWhyNotDialedArgs, 'contactId'>>;
  policies?: Resolver<Array<ResolversTypes['Policy']>, ParentType, ContextType, Partial<QueryPoliciesArgs>>;
  explainPolicy?: Resolver<ResolversTypes['PolicyExplanation'], ParentType, ContextType, RequireFields<QueryExplainPolicyArgs, 'campaignId' | 'phoneNumber'>>;
  scripts?: Resolver<ResolversTypes['ScriptConnection'], ParentType, ContextType, RequireFields<QueryScriptsArgs, 'first'>>;
  users?: Resolver<ResolversTypes['UserAccountConnection'], ParentType, ContextType, RequireFields<QueryUsersArgs, 'first'>>;
  rolePermissions?: Resolver<ResolversTypes['RolePermissions'], ParentType, ContextType>;
};

export type MeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Me'] = ResolversParentTypes['Me']> = {
  authEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  authenticated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  permissions?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UserResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  username?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
};

export type RoleResolvers = EnumResolverSignature<{ ADMIN?: any, SUPERVISOR?: any, AGENT?: any }, ResolversTypes['Role']>;

export type AttemptResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Attempt'] = ResolversParentTypes['Attempt']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  campaign?: Resolver<Maybe<ResolversTypes['Campaign']>, ParentType, ContextType>;
  campaignId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  contact?: Resolver<Maybe<ResolversTypes['Contact']>, ParentType, ContextType>;
  contactId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  batchId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  line?: Resolver<Maybe<ResolversTypes['Line']>, ParentType, ContextType>;
  callerNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cellId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['AttemptStatus'], ParentType, ContextType>;
  callStatus?: Resolver<Maybe<ResolversTypes['CallStatus']>, ParentType, ContextType>;
  hangupCause?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hangupBy?: Resolver<Maybe<ResolversTypes['HangupParty']>, ParentType, ContextType>;
  replyText?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ringbackDetection?: Resolver<Maybe<ResolversTypes['RingbackDetection']>, ParentType, ContextType>;
  scriptId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  scriptVersion?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  durationSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  recordingUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  recognizedText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  classification?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  intent?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  emotionStatus?: Resolver<ResolversTypes['EmotionStatus'], ParentType, ContextType>;
  emotion?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  payload?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  transcript?: Resolver<Array<ResolversTypes['TranscriptSegment']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  timeline?: Resolver<Array<ResolversTypes['CallEvent']>, ParentType, ContextType>;
};

export type TranscriptSegmentResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['TranscriptSegment'] = ResolversParentTypes['TranscriptSegment']> = {
  segmentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  speaker?: Resolver<ResolversTypes['Speaker'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  startMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  endMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  nodeId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RingbackDetectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RingbackDetection'] = ResolversParentTypes['RingbackDetection']> = {
  status?: Resolver<ResolversTypes['RingbackStatus'], ParentType, ContextType>;
  detectionSource?: Resolver<ResolversTypes['RingbackSource'], ParentType, ContextType>;
  elapsedMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RingbackStatusResolvers = EnumResolverSignature<{ RINGBACK?: any, EARLY_MEDIA?: any, ANSWERED?: any, BUSY?: any, NONE?: any, TIMEOUT?: any }, ResolversTypes['RingbackStatus']>;

export type RingbackSourceResolvers = EnumResolverSignature<{ SWITCH_EVENT?: any, RUNTIME?: any }, ResolversTypes['RingbackSource']>;

export type AttemptStatusResolvers = EnumResolverSignature<{ CLAIMED?: any, DIALING?: any, ACCEPTED?: any, ANSWERED?: any, COMPLETED?: any, FAILED?: any, CANCELLED?: any, OUTCOME_UNKNOWN?: any }, ResolversTypes['AttemptStatus']>;

export type CallStatusResolvers = EnumResolverSignature<{ RINGING?: any, ANSWERED?: any, COMPLETED?: any, NO_ANSWER?: any, BUSY?: any, REJECTED?: any, POWER_OFF?: any, OUT_OF_SERVICE?: any, INVALID_NUMBER?: any, NETWORK_BUSY?: any, VOICEMAIL?: any, CANCELLED?: any, FAILED?: any }, ResolversTypes['CallStatus']>;

export type HangupPartyResolvers = EnumResolverSignature<{ CUSTOMER?: any, BOT?: any, AGENT?: any, SYSTEM?: any }, ResolversTypes['HangupParty']>;

export type SpeakerResolvers = EnumResolverSignature<{ BOT?: any, CUSTOMER?: any, AGENT?: any }, ResolversTypes['Speaker']>;

export type EmotionStatusResolvers = EnumResolverSignature<{ NONE?: any, PENDING?: any, DONE?: any, FAILED?: any }, ResolversTypes['EmotionStatus']>;

export type AttemptConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AttemptConnection'] = ResolversParentTypes['AttemptConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AttemptEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Attempt']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AttemptEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AttemptEdge'] = ResolversParentTypes['AttemptEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Attempt'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  deleteAttempts?: Resolver<ResolversTypes['BulkChange'], ParentType, ContextType, RequireFields<MutationDeleteAttemptsArgs, 'attemptIds'>>;
  cancelBatch?: Resolver<ResolversTypes['CancelBatchResult'], ParentType, ContextType, RequireFields<MutationCancelBatchArgs, 'campaignId' | 'batchId'>>;
  createCampaign?: Resolver<ResolversTypes['Campaign'], ParentType, ContextType, RequireFields<MutationCreateCampaignArgs, 'input'>>;
  updateCampaign?: Resolver<ResolversTypes['UpdateCampaignResult'], ParentType, ContextType, RequireFields<MutationUpdateCampaignArgs, 'id' | 'input'>>;
  startCampaign?: Resolver<ResolversTypes['StartCampaignResult'], ParentType, ContextType, RequireFields<MutationStartCampaignArgs, 'id'>>;
  pauseCampaign?: Resolver<ResolversTypes['PauseCampaignResult'], ParentType, ContextType, RequireFields<MutationPauseCampaignArgs, 'id'>>;
  archiveCampaign?: Resolver<ResolversTypes['ArchiveCampaignResult'], ParentType, ContextType, RequireFields<MutationArchiveCampaignArgs, 'id'>>;
  deleteCampaign?: Resolver<ResolversTypes['DeleteCampaignResult'], ParentType, ContextType, RequireFields<MutationDeleteCampaignArgs, 'id'>>;
  dispatchCampaign?: Resolver<ResolversTypes['DispatchCampaignResult'], ParentType, ContextType, RequireFields<MutationDispatchCampaignArgs, 'id'>>;
  addContacts?: Resolver<ResolversTypes['AddContactsResult'], ParentType, ContextType, RequireFields<MutationAddContactsArgs, 'campaignId' | 'contacts'>>;
  updateContact?: Resolver<ResolversTypes['UpdateContactResult'], ParentType, ContextType, RequireFields<MutationUpdateContactArgs, 'campaignId' | 'id' | 'input'>>;
  pauseContacts?: Resolver<ResolversTypes['ChangeContactsResult'], ParentType, ContextType, RequireFields<MutationPauseContactsArgs, 'campaignId' | 'contactIds'>>;
  deleteContacts?: Resolver<ResolversTypes['ChangeContactsResult'], ParentType, ContextType, RequireFields<MutationDeleteContactsArgs, 'campaignId' | 'contactIds'>>;
  retryContacts?: Resolver<ResolversTypes['ChangeContactsResult'], ParentType, ContextType, RequireFields<MutationRetryContactsArgs, 'campaignId' | 'selection'>>;
  addDoNotCall?: Resolver<ResolversTypes['DoNotCallEntry'], ParentType, ContextType, RequireFields<MutationAddDoNotCallArgs, 'input'>>;
  removeDoNotCall?: Resolver<ResolversTypes['DoNotCallEntry'], ParentType, ContextType, RequireFields<MutationRemoveDoNotCallArgs, 'id'>>;
  createLine?: Resolver<ResolversTypes['CreateLineResult'], ParentType, ContextType, RequireFields<MutationCreateLineArgs, 'input'>>;
  updateLine?: Resolver<ResolversTypes['UpdateLineResult'], ParentType, ContextType, RequireFields<MutationUpdateLineArgs, 'id' | 'input'>>;
  deleteLine?: Resolver<ResolversTypes['DeleteLineResult'], ParentType, ContextType, RequireFields<MutationDeleteLineArgs, 'id'>>;
  createPolicy?: Resolver<ResolversTypes['Policy'], ParentType, ContextType, RequireFields<MutationCreatePolicyArgs, 'input'>>;
  updatePolicy?: Resolver<ResolversTypes['Policy'], ParentType, ContextType, RequireFields<MutationUpdatePolicyArgs, 'id' | 'input'>>;
  deletePolicy?: Resolver<ResolversTypes['Policy'], ParentType, ContextType, RequireFields<MutationDeletePolicyArgs, 'id'>>;
  saveScript?: Resolver<ResolversTypes['Script'], ParentType, ContextType, RequireFields<MutationSaveScriptArgs, 'input'>>;
  deleteScript?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteScriptArgs, 'id'>>;
  createUser?: Resolver<ResolversTypes['CreateUserResult'], ParentType, ContextType, RequireFields<MutationCreateUserArgs, 'input'>>;
  updateUser?: Resolver<ResolversTypes['UpdateUserResult'], ParentType, ContextType, RequireFields<MutationUpdateUserArgs, 'id' | 'input'>>;
  deleteUser?: Resolver<ResolversTypes['DeleteUserResult'], ParentType, ContextType, RequireFields<MutationDeleteUserArgs, 'id'>>;
};

export type AuditLogResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AuditLog'] = ResolversParentTypes['AuditLog']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  actorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  actorName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  action?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  targetType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  targetId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ip?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  requestId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type AuditLogConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AuditLogConnection'] = ResolversParentTypes['AuditLogConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AuditLogEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['AuditLog']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AuditLogEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AuditLogEdge'] = ResolversParentTypes['AuditLogEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['AuditLog'], ParentType, ContextType>;
};

export type BatchResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Batch'] = ResolversParentTypes['Batch']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  campaignId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['BatchStatus'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['BatchSource'], ParentType, ContextType>;
  requestedLimit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  effectiveLimit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requested?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  submitted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdBy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BatchStatusResolvers = EnumResolverSignature<{ RUNNING?: any, COMPLETED?: any, CANCELLED?: any, FAILED?: any }, ResolversTypes['BatchStatus']>;

export type BatchSourceResolvers = EnumResolverSignature<{ AUTO?: any, MANUAL?: any }, ResolversTypes['BatchSource']>;

export type DispatchedBatchResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DispatchedBatch'] = ResolversParentTypes['DispatchedBatch']> = {
  campaignId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  batchId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  requestedLimit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  effectiveLimit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requested?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  submitted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  remainingPending?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  campaignStatus?: Resolver<ResolversTypes['CampaignStatus'], ParentType, ContextType>;
  attempts?: Resolver<Array<ResolversTypes['DispatchedAttempt']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DispatchedAttemptResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DispatchedAttempt'] = ResolversParentTypes['DispatchedAttempt']> = {
  contactId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  attemptId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['AttemptStatus'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  replyText?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  callStatus?: Resolver<Maybe<ResolversTypes['CallStatus']>, ParentType, ContextType>;
  ringbackDetection?: Resolver<Maybe<ResolversTypes['RingbackDetection']>, ParentType, ContextType>;
};

export type BatchConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['BatchConnection'] = ResolversParentTypes['BatchConnection']> = {
  edges?: Resolver<Array<ResolversTypes['BatchEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Batch']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type BatchEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['BatchEdge'] = ResolversParentTypes['BatchEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Batch'], ParentType, ContextType>;
};

export type CancelBatchResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CancelBatchResult'] = ResolversParentTypes['CancelBatchResult']> = {
  __resolveType: TypeResolveFn<'Batch' | 'BatchNotRunning', ParentType, ContextType>;
};

export type BatchNotRunningResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['BatchNotRunning'] = ResolversParentTypes['BatchNotRunning']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BusinessResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Business'] = ResolversParentTypes['Business']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  businessCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  businessName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  remark?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CallEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CallEvent'] = ResolversParentTypes['CallEvent']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['CallEventKind'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
};

export type CallEventKindResolvers = EnumResolverSignature<{ CLAIMED?: any, DIALING?: any, ACCEPTED?: any, ANSWERED?: any, SEGMENT?: any, EVENT?: any, ENDED?: any, RESULT?: any }, ResolversTypes['CallEventKind']>;

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  campaignProgress?: SubscriptionResolver<ResolversTypes['CampaignProgress'], "campaignProgress", ParentType, ContextType, RequireFields<SubscriptionCampaignProgressArgs, 'campaignId'>>;
  liveCalls?: SubscriptionResolver<ResolversTypes['LiveCallsEvent'], "liveCalls", ParentType, ContextType, Partial<SubscriptionLiveCallsArgs>>;
  liveCall?: SubscriptionResolver<ResolversTypes['LiveCallsEvent'], "liveCall", ParentType, ContextType, RequireFields<SubscriptionLiveCallArgs, 'callKey'>>;
  runtimeEvents?: SubscriptionResolver<ResolversTypes['RuntimeEventsEvent'], "runtimeEvents", ParentType, ContextType, Partial<SubscriptionRuntimeEventsArgs>>;
};

export type CampaignProgressResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignProgress'] = ResolversParentTypes['CampaignProgress']> = {
  campaignId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['CampaignStatus'], ParentType, ContextType>;
  phase?: Resolver<ResolversTypes['CampaignPhase'], ParentType, ContextType>;
  phaseReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nextWakeAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  submitted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  completed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  paused?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  awaitingRetry?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  held?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  activeCalls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  fraction?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type CampaignResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Campaign'] = ResolversParentTypes['Campaign']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  businessCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  cellId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lines?: Resolver<Array<ResolversTypes['Line']>, ParentType, ContextType>;
  maxConcurrency?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxRetries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  retryIntervalSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  callIntervalMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  workdayStart?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  workdayEnd?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  scheduledStartAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  scheduledEndAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  businessConfig?: Resolver<ResolversTypes['BusinessConfig'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['CampaignStatus'], ParentType, ContextType>;
  phase?: Resolver<ResolversTypes['CampaignPhase'], ParentType, ContextType>;
  phaseReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nextWakeAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['CampaignProgress'], ParentType, ContextType>;
  contacts?: Resolver<ResolversTypes['ContactConnection'], ParentType, ContextType, RequireFields<CampaignContactsArgs, 'first'>>;
  attempts?: Resolver<ResolversTypes['AttemptConnection'], ParentType, ContextType, RequireFields<CampaignAttemptsArgs, 'first'>>;
  batches?: Resolver<ResolversTypes['BatchConnection'], ParentType, ContextType, RequireFields<CampaignBatchesArgs, 'first'>>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  notDialedReasons?: Resolver<Array<ResolversTypes['NotDialedCount']>, ParentType, ContextType>;
  preflight?: Resolver<ResolversTypes['Preflight'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BusinessConfigResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['BusinessConfig'] = ResolversParentTypes['BusinessConfig']> = {
  variables?: Resolver<Array<ResolversTypes['BusinessVariable']>, ParentType, ContextType>;
  intentKeywords?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  monitoringMode?: Resolver<Maybe<ResolversTypes['MonitoringMode']>, ParentType, ContextType>;
  monitoringPriority?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type BusinessVariableResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['BusinessVariable'] = ResolversParentTypes['BusinessVariable']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CampaignStatusResolvers = EnumResolverSignature<{ DRAFT?: any, RUNNING?: any, PAUSED?: any, COMPLETED?: any, ARCHIVED?: any }, ResolversTypes['CampaignStatus']>;

export type CampaignPhaseResolvers = EnumResolverSignature<{ IDLE?: any, DISPATCHING?: any, WAITING_WINDOW?: any, WAITING_INTERVAL?: any, WAITING_RETRY?: any, WAITING_SLOT?: any, WAITING_MONITOR?: any, BLOCKED_BY_POLICY?: any, DRAINING?: any, SWITCH_UNREACHABLE?: any }, ResolversTypes['CampaignPhase']>;

export type MonitoringModeResolvers = EnumResolverSignature<{ STRICT?: any, ELASTIC?: any, UNATTENDED?: any }, ResolversTypes['MonitoringMode']>;

export type CampaignConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignConnection'] = ResolversParentTypes['CampaignConnection']> = {
  edges?: Resolver<Array<ResolversTypes['CampaignEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Campaign']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CampaignEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignEdge'] = ResolversParentTypes['CampaignEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Campaign'], ParentType, ContextType>;
};

export type DeleteCampaignResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DeleteCampaignResult'] = ResolversParentTypes['DeleteCampaignResult']> = {
  __resolveType: TypeResolveFn<'Campaign' | 'CampaignInUse', ParentType, ContextType>;
};

export type UpdateCampaignResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UpdateCampaignResult'] = ResolversParentTypes['UpdateCampaignResult']> = {
  __resolveType: TypeResolveFn<'Campaign' | 'CampaignArchived', ParentType, ContextType>;
};

export type StartCampaignResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['StartCampaignResult'] = ResolversParentTypes['StartCampaignResult']> = {
  __resolveType: TypeResolveFn<'Campaign' | 'NothingToCall' | 'CampaignArchived' | 'MoveRefused', ParentType, ContextType>;
};

export type PauseCampaignResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PauseCampaignResult'] = ResolversParentTypes['PauseCampaignResult']> = {
  __resolveType: TypeResolveFn<'Campaign' | 'CampaignArchived' | 'MoveRefused', ParentType, ContextType>;
};

export type ArchiveCampaignResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ArchiveCampaignResult'] = ResolversParentTypes['ArchiveCampaignResult']> = {
  __resolveType: TypeResolveFn<'Campaign' | 'CampaignArchived' | 'MoveRefused', ParentType, ContextType>;
};

export type DispatchCampaignResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DispatchCampaignResult'] = ResolversParentTypes['DispatchCampaignResult']> = {
  __resolveType: TypeResolveFn<'DispatchedBatch' | 'CampaignArchived' | 'PolicyForbids' | 'DispatchContended', ParentType, ContextType>;
};

export type NothingToCallResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['NothingToCall'] = ResolversParentTypes['NothingToCall']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MoveRefusedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MoveRefused'] = ResolversParentTypes['MoveRefused']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PolicyForbidsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PolicyForbids'] = ResolversParentTypes['PolicyForbids']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DispatchContendedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DispatchContended'] = ResolversParentTypes['DispatchContended']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CampaignInUseResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignInUse'] = ResolversParentTypes['CampaignInUse']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ContactResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Contact'] = ResolversParentTypes['Contact']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  campaign?: Resolver<Maybe<ResolversTypes['Campaign']>, ParentType, ContextType>;
  campaignId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  customerName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  remark?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  metadata?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  priority?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ContactStatus'], ParentType, ContextType>;
  attemptCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  retryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastAttempt?: Resolver<Maybe<ResolversTypes['Attempt']>, ParentType, ContextType>;
  holdReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  holdUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ContactStatusResolvers = EnumResolverSignature<{ PENDING?: any, SUBMITTED?: any, COMPLETED?: any, FAILED?: any, PAUSED?: any }, ResolversTypes['ContactStatus']>;

export type RetryableContactStatusResolvers = EnumResolverSignature<{ FAILED?: any, SUBMITTED?: any, COMPLETED?: any, PAUSED?: any }, ResolversTypes['RetryableContactStatus']>;

export type ContactImportResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ContactImport'] = ResolversParentTypes['ContactImport']> = {
  totalRows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdRows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  skippedRows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  duplicateRows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failedRows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  errors?: Resolver<Array<ResolversTypes['ContactImportError']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ContactImportErrorResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ContactImportError'] = ResolversParentTypes['ContactImportError']> = {
  rowNumber?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ContactConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ContactConnection'] = ResolversParentTypes['ContactConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ContactEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Contact']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ContactEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ContactEdge'] = ResolversParentTypes['ContactEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Contact'], ParentType, ContextType>;
};

export type AddContactsResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AddContactsResult'] = ResolversParentTypes['AddContactsResult']> = {
  __resolveType: TypeResolveFn<'ContactImport' | 'CampaignArchived', ParentType, ContextType>;
};

export type ChangeContactsResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ChangeContactsResult'] = ResolversParentTypes['ChangeContactsResult']> = {
  __resolveType: TypeResolveFn<'BulkChange' | 'CampaignArchived', ParentType, ContextType>;
};

export type ContactChangeRefusedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ContactChangeRefused'] = ResolversParentTypes['ContactChangeRefused']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UpdateContactResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UpdateContactResult'] = ResolversParentTypes['UpdateContactResult']> = {
  __resolveType: TypeResolveFn<'Contact' | 'ContactChangeRefused' | 'CampaignArchived', ParentType, ContextType>;
};

export type DoNotCallEntryResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DoNotCallEntry'] = ResolversParentTypes['DoNotCallEntry']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['DoNotCallSource'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdBy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type DoNotCallSourceResolvers = EnumResolverSignature<{ MANUAL?: any, CALLBACK?: any, IMPORT?: any }, ResolversTypes['DoNotCallSource']>;

export type DoNotCallEntryConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DoNotCallEntryConnection'] = ResolversParentTypes['DoNotCallEntryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['DoNotCallEntryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['DoNotCallEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DoNotCallEntryEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DoNotCallEntryEdge'] = ResolversParentTypes['DoNotCallEntryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['DoNotCallEntry'], ParentType, ContextType>;
};

export type LineResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Line'] = ResolversParentTypes['Line']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  dialStringTemplate?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  callerIdNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  callerIdName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  maxConcurrency?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  allocationMode?: Resolver<ResolversTypes['AllocationMode'], ParentType, ContextType>;
  callerIdHeaderMode?: Resolver<ResolversTypes['CallerIdHeaderMode'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  numbers?: Resolver<Array<ResolversTypes['LineNumber']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LineNumberResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LineNumber'] = ResolversParentTypes['LineNumber']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  weight?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxConcurrency?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type AllocationModeResolvers = EnumResolverSignature<{ SINGLE_SHARED?: any, NUMBER_POOL?: any, BOUND_NUMBERS?: any }, ResolversTypes['AllocationMode']>;

export type CallerIdHeaderModeResolvers = EnumResolverSignature<{ CALLER_ID_ONLY?: any, P_PREFERRED_IDENTITY?: any, FROM_AND_P_PREFERRED_IDENTITY?: any }, ResolversTypes['CallerIdHeaderMode']>;

export type LineCodeTakenResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LineCodeTaken'] = ResolversParentTypes['LineCodeTaken']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LineInUseResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LineInUse'] = ResolversParentTypes['LineInUse']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CreateLineResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CreateLineResult'] = ResolversParentTypes['CreateLineResult']> = {
  __resolveType: TypeResolveFn<'Line' | 'LineCodeTaken', ParentType, ContextType>;
};

export type UpdateLineResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UpdateLineResult'] = ResolversParentTypes['UpdateLineResult']> = {
  __resolveType: TypeResolveFn<'Line' | 'LineCodeTaken', ParentType, ContextType>;
};

export type DeleteLineResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DeleteLineResult'] = ResolversParentTypes['DeleteLineResult']> = {
  __resolveType: TypeResolveFn<'Line' | 'LineInUse', ParentType, ContextType>;
};

export type LiveCallListResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallList'] = ResolversParentTypes['LiveCallList']> = {
  calls?: Resolver<Array<ResolversTypes['LiveCall']>, ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type LiveCallResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCall'] = ResolversParentTypes['LiveCall']> = {
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  attemptId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  campaignId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  campaignName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  contactId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  customerName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  cellId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lineId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  callerNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['LiveCallStatus'], ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  hangupCause?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currentNodeId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  segments?: Resolver<Array<ResolversTypes['LiveSegment']>, ParentType, ContextType>;
  intentHits?: Resolver<Array<ResolversTypes['IntentHit']>, ParentType, ContextType>;
  monitorAssignment?: Resolver<Maybe<ResolversTypes['MonitorAssignment']>, ParentType, ContextType>;
  retainedBy?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  intervention?: Resolver<Maybe<ResolversTypes['Intervention']>, ParentType, ContextType>;
  waitingSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type IntentHitResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['IntentHit'] = ResolversParentTypes['IntentHit']> = {
  keyword?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  segmentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MonitorAssignmentResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorAssignment'] = ResolversParentTypes['MonitorAssignment']> = {
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  assignedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type InterventionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Intervention'] = ResolversParentTypes['Intervention']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['InterventionStatus'], ParentType, ContextType>;
  initiatorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  requestedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  consumedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type InterventionStatusResolvers = EnumResolverSignature<{ REQUESTED?: any, TRANSFERRING?: any, ACTIVE?: any, ENDED?: any, CANCELLED?: any, FAILED?: any, EXPIRED?: any }, ResolversTypes['InterventionStatus']>;

export type LiveCallStatusResolvers = EnumResolverSignature<{ DIALING?: any, RINGING?: any, LIVE?: any, SETTLING?: any, ENDED?: any }, ResolversTypes['LiveCallStatus']>;

export type LiveSegmentResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveSegment'] = ResolversParentTypes['LiveSegment']> = {
  segmentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  speaker?: Resolver<ResolversTypes['Speaker'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  final?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  endMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  nodeId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type LiveCallsEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallsEvent'] = ResolversParentTypes['LiveCallsEvent']> = {
  __resolveType: TypeResolveFn<'LiveCallsSnapshot' | 'LiveCallsResync' | 'LiveCallStarted' | 'LiveCallChanged' | 'LiveCallSegment' | 'LiveCallEnded' | 'LiveCallJoined' | 'LiveCallLeft' | 'LiveCallResync', ParentType, ContextType>;
};

export type LiveCallsSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallsSnapshot'] = ResolversParentTypes['LiveCallsSnapshot']> = {
  calls?: Resolver<Array<ResolversTypes['LiveCall']>, ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LiveCallsResyncResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallsResync'] = ResolversParentTypes['LiveCallsResync']> = {
  reason?: Resolver<ResolversTypes['ResyncReason'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ResyncReasonResolvers = EnumResolverSignature<{ GAP?: any, OVERFLOW?: any, CURSOR_NOT_HELD?: any, DISCONNECTED?: any, SOURCE_UNAVAILABLE?: any }, ResolversTypes['ResyncReason']>;

export type LiveCallStartedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallStarted'] = ResolversParentTypes['LiveCallStarted']> = {
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LiveCallChangedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallChanged'] = ResolversParentTypes['LiveCallChanged']> = {
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LiveCallSegmentResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallSegment'] = ResolversParentTypes['LiveCallSegment']> = {
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  segment?: Resolver<ResolversTypes['LiveSegment'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LiveCallEndedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallEnded'] = ResolversParentTypes['LiveCallEnded']> = {
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LiveCallJoinedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallJoined'] = ResolversParentTypes['LiveCallJoined']> = {
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LiveCallLeftResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallLeft'] = ResolversParentTypes['LiveCallLeft']> = {
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LiveCallResyncResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallResync'] = ResolversParentTypes['LiveCallResync']> = {
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['ResyncReason'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type NotDialedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['NotDialed'] = ResolversParentTypes['NotDialed']> = {
  reason?: Resolver<ResolversTypes['NotDialedReason'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  since?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextEligibleAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type NotDialedCountResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['NotDialedCount'] = ResolversParentTypes['NotDialedCount']> = {
  reason?: Resolver<ResolversTypes['NotDialedReason'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  contacts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type NotDialedReasonResolvers = EnumResolverSignature<{ DNC?: any, BLACKLIST?: any, BLOCKED_DATE?: any, OUTSIDE_WINDOW?: any, FREQUENCY_CAP?: any, INTERVAL?: any, RETRY_WAIT?: any, LINE_FULL?: any, NUMBER_FULL?: any, CELL_FULL?: any, CAMPAIGN_FULL?: any, NO_MONITOR?: any, SWITCH_UNREACHABLE?: any, PAUSED?: any, ATTEMPTS_EXHAUSTED?: any, INVALID_NUMBER?: any }, ResolversTypes['NotDialedReason']>;

export type PolicyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Policy'] = ResolversParentTypes['Policy']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['PolicyScope'], ParentType, ContextType>;
  campaign?: Resolver<Maybe<ResolversTypes['Campaign']>, ParentType, ContextType>;
  campaignId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['PolicyType'], ParentType, ContextType>;
  action?: Resolver<ResolversTypes['PolicyAction'], ParentType, ContextType>;
  priority?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  config?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type PolicyScopeResolvers = EnumResolverSignature<{ GLOBAL?: any, CAMPAIGN?: any }, ResolversTypes['PolicyScope']>;

export type PolicyActionResolvers = EnumResolverSignature<{ BLOCK?: any, ALLOW_WINDOW?: any, LIMIT?: any }, ResolversTypes['PolicyAction']>;

export type PolicyTypeResolvers = EnumResolverSignature<{ BLOCKED_DATES?: any, HOLIDAY_BLOCKLIST?: any, DAILY_WINDOW?: any, WEEKLY_WINDOW?: any, PHONE_BLACKLIST?: any, PHONE_PREFIX_BLOCKLIST?: any, CONTACT_FREQUENCY_LIMIT?: any, RATE_LIMIT?: any, RETRY_RULE?: any, CONCURRENCY_LIMIT?: any }, ResolversTypes['PolicyType']>;

export type PolicyExplanationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PolicyExplanation'] = ResolversParentTypes['PolicyExplanation']> = {
  allowed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  matchedPolicies?: Resolver<Array<ResolversTypes['Policy']>, ParentType, ContextType>;
  effectiveLimits?: Resolver<ResolversTypes['EffectiveLimits'], ParentType, ContextType>;
};

export type EffectiveLimitsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['EffectiveLimits'] = ResolversParentTypes['EffectiveLimits']> = {
  maxConcurrency?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxRetries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  retryIntervalSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  callIntervalMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PreflightResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Preflight'] = ResolversParentTypes['Preflight']> = {
  canStart?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['CampaignStatus'], ParentType, ContextType>;
  pendingContacts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  retryableContacts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  activeCalls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  window?: Resolver<ResolversTypes['PreflightWindow'], ParentType, ContextType>;
  lines?: Resolver<Array<ResolversTypes['PreflightLine']>, ParentType, ContextType>;
  policies?: Resolver<ResolversTypes['PreflightPolicies'], ParentType, ContextType>;
  skips?: Resolver<ResolversTypes['PreflightSkips'], ParentType, ContextType>;
  monitoring?: Resolver<ResolversTypes['PreflightMonitoring'], ParentType, ContextType>;
  cell?: Resolver<ResolversTypes['PreflightCell'], ParentType, ContextType>;
  estimatedFinishAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  checks?: Resolver<Array<ResolversTypes['PreflightCheck']>, ParentType, ContextType>;
};

export type PreflightWindowResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PreflightWindow'] = ResolversParentTypes['PreflightWindow']> = {
  openNow?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextOpenAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextCloseAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type PreflightLineResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PreflightLine'] = ResolversParentTypes['PreflightLine']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  maxConcurrency?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  active?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PreflightPoliciesResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PreflightPolicies'] = ResolversParentTypes['PreflightPolicies']> = {
  allowed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  matchedPolicies?: Resolver<Array<ResolversTypes['Policy']>, ParentType, ContextType>;
};

export type PreflightSkipsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PreflightSkips'] = ResolversParentTypes['PreflightSkips']> = {
  dnc?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  blacklist?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  frequency?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  window?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  invalid?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PreflightMonitoringResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PreflightMonitoring'] = ResolversParentTypes['PreflightMonitoring']> = {
  mode?: Resolver<Maybe<ResolversTypes['MonitoringMode']>, ParentType, ContextType>;
  capacity?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type PreflightCellResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PreflightCell'] = ResolversParentTypes['PreflightCell']> = {
  cellId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reachable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type PreflightCheckResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PreflightCheck'] = ResolversParentTypes['PreflightCheck']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['CheckLevel'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CheckLevelResolvers = EnumResolverSignature<{ OK?: any, WARNING?: any, ERROR?: any }, ResolversTypes['CheckLevel']>;

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type PageInfoResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ErrorCodeResolvers = EnumResolverSignature<{ INVALID_ARGUMENT?: any, UNAUTHENTICATED?: any, FORBIDDEN?: any, NOT_FOUND?: any, METHOD_NOT_ALLOWED?: any, CONFLICT?: any, NOTHING_TO_CALL?: any, CAMPAIGN_ARCHIVED?: any, CAMPAIGN_RUNNING?: any, POLICY_FORBIDS?: any, LOCK_CONTENDED?: any, GONE?: any, PAYLOAD_TOO_LARGE?: any, UNSUPPORTED_MEDIA_TYPE?: any, RATE_LIMITED?: any, SWITCH_UNAVAILABLE?: any, DOWNSTREAM_INVALID?: any, DOWNSTREAM_TIMEOUT?: any, DATABASE_UNAVAILABLE?: any, CACHE_UNAVAILABLE?: any, BUS_UNAVAILABLE?: any, SERVER_STOPPING?: any, INTERNAL?: any }, ResolversTypes['ErrorCode']>;

export type RefusalResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Refusal'] = ResolversParentTypes['Refusal']> = {
  __resolveType: TypeResolveFn<'BatchNotRunning' | 'NothingToCall' | 'MoveRefused' | 'PolicyForbids' | 'DispatchContended' | 'CampaignInUse' | 'ContactChangeRefused' | 'LineCodeTaken' | 'LineInUse' | 'CampaignArchived' | 'UsernameTaken' | 'UserMustStay', ParentType, ContextType>;
};

export type CampaignArchivedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignArchived'] = ResolversParentTypes['CampaignArchived']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BulkChangeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['BulkChange'] = ResolversParentTypes['BulkChange']> = {
  requested?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  affected?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  skipped?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RuntimeEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RuntimeEvent'] = ResolversParentTypes['RuntimeEvent']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['RuntimeEventLevel'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  campaignId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  attemptId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  cellId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  acknowledgedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  acknowledgedBy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type RuntimeEventLevelResolvers = EnumResolverSignature<{ INFO?: any, WARNING?: any, ERROR?: any }, ResolversTypes['RuntimeEventLevel']>;

export type RuntimeEventsEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RuntimeEventsEvent'] = ResolversParentTypes['RuntimeEventsEvent']> = {
  __resolveType: TypeResolveFn<'RuntimeEventsSnapshot' | 'RuntimeEventsResync' | 'RuntimeEventRecorded' | 'RuntimeEventAcknowledged', ParentType, ContextType>;
};

export type RuntimeEventsSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RuntimeEventsSnapshot'] = ResolversParentTypes['RuntimeEventsSnapshot']> = {
  events?: Resolver<Array<ResolversTypes['RuntimeEvent']>, ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RuntimeEventsResyncResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RuntimeEventsResync'] = ResolversParentTypes['RuntimeEventsResync']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RuntimeEventRecordedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RuntimeEventRecorded'] = ResolversParentTypes['RuntimeEventRecorded']> = {
  event?: Resolver<ResolversTypes['RuntimeEvent'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RuntimeEventAcknowledgedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RuntimeEventAcknowledged'] = ResolversParentTypes['RuntimeEventAcknowledged']> = {
  event?: Resolver<ResolversTypes['RuntimeEvent'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ScriptResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Script'] = ResolversParentTypes['Script']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  businessCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  hash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  entryNodeId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  nodes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  variables?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  phrases?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  nlu?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  resultRules?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ScriptConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ScriptConnection'] = ResolversParentTypes['ScriptConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ScriptEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Script']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ScriptEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ScriptEdge'] = ResolversParentTypes['ScriptEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Script'], ParentType, ContextType>;
};

export type UserAccountResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UserAccount'] = ResolversParentTypes['UserAccount']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  username?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RolePermissionsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RolePermissions'] = ResolversParentTypes['RolePermissions']> = {
  permissions?: Resolver<Array<ResolversTypes['PermissionDefinition']>, ParentType, ContextType>;
  roles?: Resolver<Array<ResolversTypes['RolePermissionRow']>, ParentType, ContextType>;
};

export type PermissionDefinitionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PermissionDefinition'] = ResolversParentTypes['PermissionDefinition']> = {
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RolePermissionRowResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RolePermissionRow'] = ResolversParentTypes['RolePermissionRow']> = {
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  permissions?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UsernameTakenResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UsernameTaken'] = ResolversParentTypes['UsernameTaken']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UserMustStayResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UserMustStay'] = ResolversParentTypes['UserMustStay']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CreateUserResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CreateUserResult'] = ResolversParentTypes['CreateUserResult']> = {
  __resolveType: TypeResolveFn<'UserAccount' | 'UsernameTaken', ParentType, ContextType>;
};

export type UpdateUserResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UpdateUserResult'] = ResolversParentTypes['UpdateUserResult']> = {
  __resolveType: TypeResolveFn<'UserAccount' | 'UserMustStay', ParentType, ContextType>;
};

export type DeleteUserResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DeleteUserResult'] = ResolversParentTypes['DeleteUserResult']> = {
  __resolveType: TypeResolveFn<'UserAccount' | 'UserMustStay', ParentType, ContextType>;
};

export type UserAccountConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UserAccountConnection'] = ResolversParentTypes['UserAccountConnection']> = {
  edges?: Resolver<Array<ResolversTypes['UserAccountEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['UserAccount']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type UserAccountEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UserAccountEdge'] = ResolversParentTypes['UserAccountEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['UserAccount'], ParentType, ContextType>;
};

export type Resolvers<ContextType = GraphContext> = {
  Query?: QueryResolvers<ContextType>;
  Me?: MeResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Role?: RoleResolvers;
  Attempt?: AttemptResolvers<ContextType>;
  TranscriptSegment?: TranscriptSegmentResolvers<ContextType>;
  RingbackDetection?: RingbackDetectionResolvers<ContextType>;
  RingbackStatus?: RingbackStatusResolvers;
  RingbackSource?: RingbackSourceResolvers;
  AttemptStatus?: AttemptStatusResolvers;
  CallStatus?: CallStatusResolvers;
  HangupParty?: HangupPartyResolvers;
  Speaker?: SpeakerResolvers;
  EmotionStatus?: EmotionStatusResolvers;
  AttemptConnection?: AttemptConnectionResolvers<ContextType>;
  AttemptEdge?: AttemptEdgeResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  AuditLog?: AuditLogResolvers<ContextType>;
  AuditLogConnection?: AuditLogConnectionResolvers<ContextType>;
  AuditLogEdge?: AuditLogEdgeResolvers<ContextType>;
  Batch?: BatchResolvers<ContextType>;
  BatchStatus?: BatchStatusResolvers;
  BatchSource?: BatchSourceResolvers;
  DispatchedBatch?: DispatchedBatchResolvers<ContextType>;
  DispatchedAttempt?: DispatchedAttemptResolvers<ContextType>;
  BatchConnection?: BatchConnectionResolvers<ContextType>;
  BatchEdge?: BatchEdgeResolvers<ContextType>;
  CancelBatchResult?: CancelBatchResultResolvers<ContextType>;
  BatchNotRunning?: BatchNotRunningResolvers<ContextType>;
  Business?: BusinessResolvers<ContextType>;
  CallEvent?: CallEventResolvers<ContextType>;
  CallEventKind?: CallEventKindResolvers;
  Subscription?: SubscriptionResolvers<ContextType>;
  CampaignProgress?: CampaignProgressResolvers<ContextType>;
  Campaign?: CampaignResolvers<ContextType>;
  BusinessConfig?: BusinessConfigResolvers<ContextType>;
  BusinessVariable?: BusinessVariableResolvers<ContextType>;
  CampaignStatus?: CampaignStatusResolvers;
  CampaignPhase?: CampaignPhaseResolvers;
  MonitoringMode?: MonitoringModeResolvers;
  CampaignConnection?: CampaignConnectionResolvers<ContextType>;
  CampaignEdge?: CampaignEdgeResolvers<ContextType>;
  DeleteCampaignResult?: DeleteCampaignResultResolvers<ContextType>;
  UpdateCampaignResult?: UpdateCampaignResultResolvers<ContextType>;
  StartCampaignResult?: StartCampaignResultResolvers<ContextType>;
  PauseCampaignResult?: PauseCampaignResultResolvers<ContextType>;
  ArchiveCampaignResult?: ArchiveCampaignResultResolvers<ContextType>;
  DispatchCampaignResult?: DispatchCampaignResultResolvers<ContextType>;
  NothingToCall?: NothingToCallResolvers<ContextType>;
  MoveRefused?: MoveRefusedResolvers<ContextType>;
  PolicyForbids?: PolicyForbidsResolvers<ContextType>;
  DispatchContended?: DispatchContendedResolvers<ContextType>;
  CampaignInUse?: CampaignInUseResolvers<ContextType>;
  Contact?: ContactResolvers<ContextType>;
  ContactStatus?: ContactStatusResolvers;
  RetryableContactStatus?: RetryableContactStatusResolvers;
  ContactImport?: ContactImportResolvers<ContextType>;
  ContactImportError?: ContactImportErrorResolvers<ContextType>;
  ContactConnection?: ContactConnectionResolvers<ContextType>;
  ContactEdge?: ContactEdgeResolvers<ContextType>;
  AddContactsResult?: AddContactsResultResolvers<ContextType>;
  ChangeContactsResult?: ChangeContactsResultResolvers<ContextType>;
  ContactChangeRefused?: ContactChangeRefusedResolvers<ContextType>;
  UpdateContactResult?: UpdateContactResultResolvers<ContextType>;
  DoNotCallEntry?: DoNotCallEntryResolvers<ContextType>;
  DoNotCallSource?: DoNotCallSourceResolvers;
  DoNotCallEntryConnection?: DoNotCallEntryConnectionResolvers<ContextType>;
  DoNotCallEntryEdge?: DoNotCallEntryEdgeResolvers<ContextType>;
  Line?: LineResolvers<ContextType>;
  LineNumber?: LineNumberResolvers<ContextType>;
  AllocationMode?: AllocationModeResolvers;
  CallerIdHeaderMode?: CallerIdHeaderModeResolvers;
  LineCodeTaken?: LineCodeTakenResolvers<ContextType>;
  LineInUse?: LineInUseResolvers<ContextType>;
  CreateLineResult?: CreateLineResultResolvers<ContextType>;
  UpdateLineResult?: UpdateLineResultResolvers<ContextType>;
  DeleteLineResult?: DeleteLineResultResolvers<ContextType>;
  LiveCallList?: LiveCallListResolvers<ContextType>;
  LiveCall?: LiveCallResolvers<ContextType>;
  IntentHit?: IntentHitResolvers<ContextType>;
  MonitorAssignment?: MonitorAssignmentResolvers<ContextType>;
  Intervention?: InterventionResolvers<ContextType>;
  InterventionStatus?: InterventionStatusResolvers;
  LiveCallStatus?: LiveCallStatusResolvers;
  LiveSegment?: LiveSegmentResolvers<ContextType>;
  LiveCallsEvent?: LiveCallsEventResolvers<ContextType>;
  LiveCallsSnapshot?: LiveCallsSnapshotResolvers<ContextType>;
  LiveCallsResync?: LiveCallsResyncResolvers<ContextType>;
  ResyncReason?: ResyncReasonResolvers;
  LiveCallStarted?: LiveCallStartedResolvers<ContextType>;
  LiveCallChanged?: LiveCallChangedResolvers<ContextType>;
  LiveCallSegment?: LiveCallSegmentResolvers<ContextType>;
  LiveCallEnded?: LiveCallEndedResolvers<ContextType>;
  LiveCallJoined?: LiveCallJoinedResolvers<ContextType>;
  LiveCallLeft?: LiveCallLeftResolvers<ContextType>;
  LiveCallResync?: LiveCallResyncResolvers<ContextType>;
  NotDialed?: NotDialedResolvers<ContextType>;
  NotDialedCount?: NotDialedCountResolvers<ContextType>;
  NotDialedReason?: NotDialedReasonResolvers;
  Policy?: PolicyResolvers<ContextType>;
  PolicyScope?: PolicyScopeResolvers;
  PolicyAction?: PolicyActionResolvers;
  PolicyType?: PolicyTypeResolvers;
  PolicyExplanation?: PolicyExplanationResolvers<ContextType>;
  EffectiveLimits?: EffectiveLimitsResolvers<ContextType>;
  Preflight?: PreflightResolvers<ContextType>;
  PreflightWindow?: PreflightWindowResolvers<ContextType>;
  PreflightLine?: PreflightLineResolvers<ContextType>;
  PreflightPolicies?: PreflightPoliciesResolvers<ContextType>;
  PreflightSkips?: PreflightSkipsResolvers<ContextType>;
  PreflightMonitoring?: PreflightMonitoringResolvers<ContextType>;
  PreflightCell?: PreflightCellResolvers<ContextType>;
  PreflightCheck?: PreflightCheckResolvers<ContextType>;
  CheckLevel?: CheckLevelResolvers;
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  PageInfo?: PageInfoResolvers<ContextType>;
  ErrorCode?: ErrorCodeResolvers;
  Refusal?: RefusalResolvers<ContextType>;
  CampaignArchived?: CampaignArchivedResolvers<ContextType>;
  BulkChange?: BulkChangeResolvers<ContextType>;
  RuntimeEvent?: RuntimeEventResolvers<ContextType>;
  RuntimeEventLevel?: RuntimeEventLevelResolvers;
  RuntimeEventsEvent?: RuntimeEventsEventResolvers<ContextType>;
  RuntimeEventsSnapshot?: RuntimeEventsSnapshotResolvers<ContextType>;
  RuntimeEventsResync?: RuntimeEventsResyncResolvers<ContextType>;
  RuntimeEventRecorded?: RuntimeEventRecordedResolvers<ContextType>;
  RuntimeEventAcknowledged?: RuntimeEventAcknowledgedResolvers<ContextType>;
  Script?: ScriptResolvers<ContextType>;
  ScriptConnection?: ScriptConnectionResolvers<ContextType>;
  ScriptEdge?: ScriptEdgeResolvers<ContextType>;
  UserAccount?: UserAccountResolvers<ContextType>;
  RolePermissions?: RolePermissionsResolvers<ContextType>;
  PermissionDefinition?: PermissionDefinitionResolvers<ContextType>;
  RolePermissionRow?: RolePermissionRowResolvers<ContextType>;
  UsernameTaken?: UsernameTakenResolvers<ContextType>;
  UserMustStay?: UserMustStayResolvers<ContextType>;
  CreateUserResult?: CreateUserResultResolvers<ContextType>;
  UpdateUserResult?: UpdateUserResultResolvers<ContextType>;
  DeleteUserResult?: DeleteUserResultResolvers<ContextType>;
  UserAccountConnection?: UserAccountConnectionResolvers<ContextType>;
  UserAccountEdge?: UserAccountEdgeResolvers<ContextType>;
};

