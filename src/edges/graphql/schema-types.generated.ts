/* oxlint-disable */
// Made from schema/*.graphql by `npm run generate`; a test fails when it is out of date.
import type { AgentStatusValue as AgentStatus } from './models.ts';
import type { AllocationModeValue as AllocationMode } from './models.ts';
import type { AttemptStatusValue as AttemptStatus } from './models.ts';
import type { BatchSourceValue as BatchSource } from './models.ts';
import type { BatchStatusValue as BatchStatus } from './models.ts';
import type { CallEventKindValue as CallEventKind } from './models.ts';
import type { CallStatusValue as CallStatus } from './models.ts';
import type { CallerIdHeaderModeValue as CallerIdHeaderMode } from './models.ts';
import type { CampaignPhaseValue as CampaignPhase } from './models.ts';
import type { CampaignStatusValue as CampaignStatus } from './models.ts';
import type { CellStateValue as CellState } from './models.ts';
import type { CheckLevelValue as CheckLevel } from './models.ts';
import type { ConferenceKindValue as ConferenceKind } from './models.ts';
import type { ConferenceLegModeValue as ConferenceLegMode } from './models.ts';
import type { ConferenceLegRoleValue as ConferenceLegRole } from './models.ts';
import type { ConferenceLegStatusValue as ConferenceLegStatus } from './models.ts';
import type { ConferenceStatusValue as ConferenceStatus } from './models.ts';
import type { ContactStatusValue as ContactStatus } from './models.ts';
import type { CustomerStateValue as CustomerState } from './models.ts';
import type { DoNotCallSourceValue as DoNotCallSource } from './models.ts';
import type { EmotionStatusValue as EmotionStatus } from './models.ts';
import type { ErrorCodeValue as ErrorCode } from './models.ts';
import type { HangupPartyValue as HangupParty } from './models.ts';
import type { InterventionStatusValue as InterventionStatus } from './models.ts';
import type { LiveCallStatusValue as LiveCallStatus } from './models.ts';
import type { MonitorViewModeValue as MonitorViewMode } from './models.ts';
import type { MonitoringModeValue as MonitoringMode } from './models.ts';
import type { NotDialedReasonValue as NotDialedReason } from './models.ts';
import type { ParticipantModeValue as ParticipantMode } from './models.ts';
import type { PolicyActionValue as PolicyAction } from './models.ts';
import type { PolicyScopeValue as PolicyScope } from './models.ts';
import type { PolicyTypeValue as PolicyType } from './models.ts';
import type { RegistrationStatusValue as RegistrationStatus } from './models.ts';
import type { ResyncReasonValue as ResyncReason } from './models.ts';
import type { RetryableContactStatusValue as RetryableContactStatus } from './models.ts';
import type { RingbackSourceValue as RingbackSource } from './models.ts';
import type { RingbackStatusValue as RingbackStatus } from './models.ts';
import type { RoleValue as Role } from './models.ts';
import type { RuntimeEventLevelValue as RuntimeEventLevel } from './models.ts';
import type { RuntimeModeValue as RuntimeMode } from './models.ts';
import type { SoftphoneDirectionValue as SoftphoneDirection } from './models.ts';
import type { SoftphoneEventKindValue as SoftphoneEventKind } from './models.ts';
import type { SoftphoneLegRoleValue as SoftphoneLegRole } from './models.ts';
import type { SoftphoneLegStatusValue as SoftphoneLegStatus } from './models.ts';
import type { SoftphoneStatusValue as SoftphoneStatus } from './models.ts';
import type { SpeakerValue as Speaker } from './models.ts';
import type { JsonModel } from './models.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AgentModel, AgentGroupModel, AttemptModel, AttemptConnectionModel, AuditLogModel, AuditLogConnectionModel, BatchModel, BatchConnectionModel, BusinessConfigModel, CampaignModel, CampaignConnectionModel, CampaignProgressModel, ConferenceModel, ConferenceLegModel, ContactModel, ContactConnectionModel, DispatchedAttemptModel, DoNotCallEntryModel, DoNotCallEntryConnectionModel, IntentHitModel, InterventionModel, LineModel, LiveCallModel, LiveSegmentModel, MediaConfigModel, MonitorAssignmentModel, OverviewModel, PolicyModel, PolicyExplanationModel, PreflightModel, PreflightCellModel, RuntimeCampaignModel, RuntimeEventModel, RuntimeOverviewModel, ScriptModel, ScriptConnectionModel, SoftphoneCallModel, SoftphoneCallConnectionModel, SoftphoneCallDetailModel, SoftphoneEventModel, SoftphoneLegModel, SoftphoneSessionModel, TranscriptSegmentModel, UserAccountModel, UserAccountConnectionModel } from './models.ts';
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
  agents: Array<Agent>;
  agentGroups: Array<AgentGroup>;
  myAgent?: Maybe<Agent>;
  phoneExtensions: Array<PhoneExtension>;
  phoneStatuses: Array<PhoneStatus>;
  mySipConfig: OwnSipConfig;
  sipConfigs: Array<SipConfig>;
  attempt?: Maybe<Attempt>;
  attempts: AttemptConnection;
  auditLogs: AuditLogConnection;
  businesses: Array<Business>;
  campaign?: Maybe<Campaign>;
  campaigns: CampaignConnection;
  conferences: Array<Conference>;
  conference?: Maybe<Conference>;
  contacts: ContactConnection;
  doNotCallEntries: DoNotCallEntryConnection;
  lines: Array<Line>;
  liveCalls: LiveCallList;
  mediaConfig: MediaConfig;
  monitorDesk: MonitorDesk;
  nluCapabilities: NluCapabilities;
  whyNotDialed?: Maybe<NotDialed>;
  overview: Overview;
  trend: Array<TrendDay>;
  policies: Array<Policy>;
  explainPolicy: PolicyExplanation;
  runtimeOverview: RuntimeOverview;
  scripts: ScriptConnection;
  softphoneCalls: SoftphoneCallConnection;
  softphoneCall?: Maybe<SoftphoneCallDetail>;
  softphoneSession?: Maybe<SoftphoneSession>;
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
  filter?: InputMaybe<AuditLogFilter>;
};


export type QueryCampaignArgs = {
  id: Scalars['ID']['input'];
};


export type QueryCampaignsArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};


export type QueryConferenceArgs = {
  id: Scalars['ID']['input'];
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


export type QueryMonitorDeskArgs = {
  filter?: InputMaybe<LiveCallFilter>;
};


export type QueryWhyNotDialedArgs = {
  contactId: Scalars['ID']['input'];
};


export type QueryTrendArgs = {
  days?: InputMaybe<Scalars['Int']['input']>;
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


export type QuerySoftphoneCallsArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  agentId?: InputMaybe<Scalars['ID']['input']>;
  campaignId?: InputMaybe<Scalars['ID']['input']>;
};


export type QuerySoftphoneCallArgs = {
  id: Scalars['ID']['input'];
};


export type QuerySoftphoneSessionArgs = {
  sessionId: Scalars['ID']['input'];
};


export type QueryUsersArgs = {
  first: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
};

export type Mutation = {
  __typename?: 'Mutation';
  changeOwnPassword: Me;
  createAgent: CreateAgentResult;
  updateAgent: UpdateAgentResult;
  deleteAgent: DeleteAgentResult;
  createAgentGroup: CreateAgentGroupResult;
  updateAgentGroup: UpdateAgentGroupResult;
  deleteAgentGroup: DeleteAgentGroupResult;
  setMyStatus: SetAgentStatusResult;
  setAgentStatus: SetAgentStatusResult;
  deleteAttempts: BulkChange;
  cancelBatch: CancelBatchResult;
  createCampaign: Campaign;
  updateCampaign: UpdateCampaignResult;
  startCampaign: StartCampaignResult;
  pauseCampaign: PauseCampaignResult;
  archiveCampaign: ArchiveCampaignResult;
  deleteCampaign: DeleteCampaignResult;
  dispatchCampaign: DispatchCampaignResult;
  addParticipant: AddParticipantResult;
  removeParticipant: RemoveParticipantResult;
  addContacts: AddContactsResult;
  updateContact: UpdateContactResult;
  pauseContacts: ChangeContactsResult;
  deleteContacts: ChangeContactsResult;
  retryContacts: ChangeContactsResult;
  eraseContact: EraseContactResult;
  addDoNotCall: DoNotCallEntry;
  removeDoNotCall: DoNotCallEntry;
  createLine: CreateLineResult;
  updateLine: UpdateLineResult;
  deleteLine: DeleteLineResult;
  monitorHeartbeat: MonitorPresence;
  leaveMonitoring: MonitorDeparture;
  claimIntervention: ClaimInterventionResult;
  cancelIntervention: CancelInterventionResult;
  releaseLiveCall: ReleaseLiveCallResult;
  hangUpLiveCall: HangUpLiveCallResult;
  createPolicy: Policy;
  updatePolicy: Policy;
  deletePolicy: Policy;
  acknowledgeRuntimeEvent: RuntimeEvent;
  saveScript: Script;
  deleteScript: Scalars['ID']['output'];
  placeManualCall: PlaceCallResult;
  placeCallback: PlaceCallResult;
  placeTransfer: PlaceCallResult;
  openSoftphoneSession: OpenSoftphoneSessionResult;
  sayInSoftphoneSession: SayInSoftphoneSessionResult;
  holdSoftphoneSession: ControlSoftphoneSessionResult;
  resumeSoftphoneSession: ControlSoftphoneSessionResult;
  sendSoftphoneDigits: ControlSoftphoneSessionResult;
  transferSoftphoneSession: ControlSoftphoneSessionResult;
  noteSoftphoneSession: SoftphoneSession;
  endSoftphoneSession: EndedSoftphoneSession;
  createUser: CreateUserResult;
  updateUser: UpdateUserResult;
  deleteUser: DeleteUserResult;
};


export type MutationChangeOwnPasswordArgs = {
  oldPassword: Scalars['String']['input'];
  newPassword: Scalars['String']['input'];
};


export type MutationCreateAgentArgs = {
  input: CreateAgentInput;
};


export type MutationUpdateAgentArgs = {
  id: Scalars['ID']['input'];
  input: UpdateAgentInput;
};


export type MutationDeleteAgentArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreateAgentGroupArgs = {
  input: CreateAgentGroupInput;
};


export type MutationUpdateAgentGroupArgs = {
  id: Scalars['ID']['input'];
  input: UpdateAgentGroupInput;
};


export type MutationDeleteAgentGroupArgs = {
  id: Scalars['ID']['input'];
};


export type MutationSetMyStatusArgs = {
  status: AgentStatus;
};


export type MutationSetAgentStatusArgs = {
  id: Scalars['ID']['input'];
  status: AgentStatus;
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


export type MutationAddParticipantArgs = {
  conferenceId: Scalars['ID']['input'];
  input: AddParticipantInput;
};


export type MutationRemoveParticipantArgs = {
  conferenceId: Scalars['ID']['input'];
  softphoneCallId: Scalars['ID']['input'];
  force?: InputMaybe<Scalars['Boolean']['input']>;
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


export type MutationEraseContactArgs = {
  number: Scalars['String']['input'];
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


export type MutationMonitorHeartbeatArgs = {
  campaignId?: InputMaybe<Scalars['ID']['input']>;
  tabId?: InputMaybe<Scalars['String']['input']>;
};


export type MutationClaimInterventionArgs = {
  callKey: Scalars['ID']['input'];
  when?: InputMaybe<InterventionTiming>;
};


export type MutationCancelInterventionArgs = {
  callKey: Scalars['ID']['input'];
};


export type MutationReleaseLiveCallArgs = {
  callKey: Scalars['ID']['input'];
};


export type MutationHangUpLiveCallArgs = {
  callKey: Scalars['ID']['input'];
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


export type MutationAcknowledgeRuntimeEventArgs = {
  id: Scalars['ID']['input'];
};


export type MutationSaveScriptArgs = {
  input: SaveScriptInput;
};


export type MutationDeleteScriptArgs = {
  id: Scalars['ID']['input'];
};


export type MutationPlaceManualCallArgs = {
  agentId: Scalars['ID']['input'];
  input: AgentCallInput;
};


export type MutationPlaceCallbackArgs = {
  agentId: Scalars['ID']['input'];
  input: AgentCallInput;
};


export type MutationPlaceTransferArgs = {
  agentId: Scalars['ID']['input'];
  input: AgentCallInput;
};


export type MutationOpenSoftphoneSessionArgs = {
  input: OpenSoftphoneSessionInput;
};


export type MutationSayInSoftphoneSessionArgs = {
  sessionId: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationHoldSoftphoneSessionArgs = {
  sessionId: Scalars['ID']['input'];
};


export type MutationResumeSoftphoneSessionArgs = {
  sessionId: Scalars['ID']['input'];
};


export type MutationSendSoftphoneDigitsArgs = {
  sessionId: Scalars['ID']['input'];
  digits: Scalars['String']['input'];
};


export type MutationTransferSoftphoneSessionArgs = {
  sessionId: Scalars['ID']['input'];
  targetNumber: Scalars['String']['input'];
};


export type MutationNoteSoftphoneSessionArgs = {
  sessionId: Scalars['ID']['input'];
  note: Scalars['String']['input'];
};


export type MutationEndSoftphoneSessionArgs = {
  sessionId: Scalars['ID']['input'];
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

export type Subscription = {
  __typename?: 'Subscription';
  agentStatuses: AgentStatusesEvent;
  campaignProgress: CampaignProgressEvent;
  conference: ConferenceEvent;
  intentAlerts: IntentAlertsEvent;
  liveCalls: LiveCallsEvent;
  liveCall: LiveCallsEvent;
  monitorDesk: MonitorDeskEvent;
  overview: OverviewEvent;
  runtimeEvents: RuntimeEventsEvent;
  softphoneSession: SoftphoneSessionEvent;
};


export type SubscriptionAgentStatusesArgs = {
  filter?: InputMaybe<AgentFilter>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionCampaignProgressArgs = {
  campaignId: Scalars['ID']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionConferenceArgs = {
  id: Scalars['ID']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionIntentAlertsArgs = {
  filter?: InputMaybe<LiveCallFilter>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionLiveCallsArgs = {
  filter?: InputMaybe<LiveCallFilter>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionLiveCallArgs = {
  callKey: Scalars['ID']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionMonitorDeskArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionOverviewArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionRuntimeEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
};


export type SubscriptionSoftphoneSessionArgs = {
  sessionId: Scalars['ID']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};

export type AgentFilter = {
  groupId?: InputMaybe<Scalars['ID']['input']>;
};

export type AgentStatusesEvent = AgentStatusesSnapshot | AgentStatusChanged | AgentLeft | Resync;

export type AgentStatusesSnapshot = {
  __typename?: 'AgentStatusesSnapshot';
  agents: Array<Agent>;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type AgentStatusChanged = {
  __typename?: 'AgentStatusChanged';
  agent: Agent;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type AgentLeft = {
  __typename?: 'AgentLeft';
  agentId: Scalars['ID']['output'];
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type Agent = {
  __typename?: 'Agent';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  phoneExtension: Scalars['String']['output'];
  groupId?: Maybe<Scalars['ID']['output']>;
  group?: Maybe<AgentGroup>;
  userId?: Maybe<Scalars['ID']['output']>;
  cellId?: Maybe<Scalars['String']['output']>;
  isEnabled: Scalars['Boolean']['output'];
  status: AgentStatus;
  registrationStatus: RegistrationStatus;
  currentCallKey?: Maybe<Scalars['ID']['output']>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type AgentGroup = {
  __typename?: 'AgentGroup';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  description: Scalars['String']['output'];
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type PhoneExtension = {
  __typename?: 'PhoneExtension';
  phoneExtension: Scalars['String']['output'];
  cellId?: Maybe<Scalars['String']['output']>;
  switchReachable: Scalars['Boolean']['output'];
  registrationStatus: RegistrationStatus;
  agentId?: Maybe<Scalars['ID']['output']>;
};

export type PhoneStatus = {
  __typename?: 'PhoneStatus';
  agentId: Scalars['ID']['output'];
  phoneExtension: Scalars['String']['output'];
  registrationStatus: RegistrationStatus;
};

export type SipConfig = {
  __typename?: 'SipConfig';
  agentId: Scalars['ID']['output'];
  phoneExtension: Scalars['String']['output'];
  displayName: Scalars['String']['output'];
  sipUri: Scalars['String']['output'];
  authUsername: Scalars['String']['output'];
  wsServers: Array<Scalars['String']['output']>;
  realm: Scalars['String']['output'];
  iceServers: Array<IceServer>;
};

export type IceServer = {
  __typename?: 'IceServer';
  urls: Scalars['String']['output'];
};

export type OwnSipConfig = {
  __typename?: 'OwnSipConfig';
  agentId: Scalars['ID']['output'];
  phoneExtension: Scalars['String']['output'];
  displayName: Scalars['String']['output'];
  sipUri: Scalars['String']['output'];
  authUsername: Scalars['String']['output'];
  password?: Maybe<Scalars['String']['output']>;
  wsServers: Array<Scalars['String']['output']>;
  realm: Scalars['String']['output'];
  iceServers: Array<OwnIceServer>;
};

export type OwnIceServer = {
  __typename?: 'OwnIceServer';
  urls: Scalars['String']['output'];
  username?: Maybe<Scalars['String']['output']>;
  credential?: Maybe<Scalars['String']['output']>;
};

export type CreateAgentInput = {
  name: Scalars['String']['input'];
  phoneExtension?: InputMaybe<Scalars['String']['input']>;
  groupId?: InputMaybe<Scalars['ID']['input']>;
  userId?: InputMaybe<Scalars['ID']['input']>;
  cellId?: InputMaybe<Scalars['String']['input']>;
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  authUsername?: InputMaybe<Scalars['String']['input']>;
  sipPassword?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateAgentInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  phoneExtension?: InputMaybe<Scalars['String']['input']>;
  groupId?: InputMaybe<Scalars['ID']['input']>;
  userId?: InputMaybe<Scalars['ID']['input']>;
  cellId?: InputMaybe<Scalars['String']['input']>;
  isEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  authUsername?: InputMaybe<Scalars['String']['input']>;
  sipPassword?: InputMaybe<Scalars['String']['input']>;
};

export type CreateAgentGroupInput = {
  name: Scalars['String']['input'];
  description?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateAgentGroupInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
};

export type AgentTaken = Refusal & {
  __typename?: 'AgentTaken';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type AgentBusy = Refusal & {
  __typename?: 'AgentBusy';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type AgentStatusRefused = Refusal & {
  __typename?: 'AgentStatusRefused';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type AgentGroupNameTaken = Refusal & {
  __typename?: 'AgentGroupNameTaken';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type AgentGroupInUse = Refusal & {
  __typename?: 'AgentGroupInUse';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type CreateAgentResult = Agent | AgentTaken;

export type UpdateAgentResult = Agent | AgentTaken;

export type DeleteAgentResult = Agent | AgentBusy;

export type SetAgentStatusResult = Agent | AgentStatusRefused;

export type CreateAgentGroupResult = AgentGroup | AgentGroupNameTaken;

export type UpdateAgentGroupResult = AgentGroup | AgentGroupNameTaken;

export type DeleteAgentGroupResult = AgentGroup | AgentGroupInUse;

export type AttemptFilter = {
  campaignId?: InputMaybe<Scalars['ID']['input']>;
  status?: InputMaybe<AttemptStatus>;
  callStatus?: InputMaybe<CallStatus>;
  emotionStatus?: InputMaybe<EmotionStatus>;
  resultMissing?: InputMaybe<Scalars['Boolean']['input']>;
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
  reportedTimes?: Maybe<ReportedTimes>;
  resultMissing: Scalars['Boolean']['output'];
  transcript: Array<TranscriptSegment>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
  timeline: Array<CallEvent>;
};

export type ReportedTimes = {
  __typename?: 'ReportedTimes';
  startedAt?: Maybe<Scalars['DateTime']['output']>;
  answeredAt?: Maybe<Scalars['DateTime']['output']>;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
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

export type AuditLogFilter = {
  actorId?: InputMaybe<Scalars['ID']['input']>;
  actorName?: InputMaybe<Scalars['String']['input']>;
  action?: InputMaybe<Scalars['String']['input']>;
  targetType?: InputMaybe<Scalars['String']['input']>;
  targetId?: InputMaybe<Scalars['ID']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
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
  reason?: Maybe<Scalars['String']['output']>;
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

export type CampaignProgressEvent = CampaignProgressSnapshot | CampaignProgressChanged | Resync;

export type CampaignProgressSnapshot = {
  __typename?: 'CampaignProgressSnapshot';
  progress: CampaignProgress;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type CampaignProgressChanged = {
  __typename?: 'CampaignProgressChanged';
  progress: CampaignProgress;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
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
  retryAnsweredWithoutResult: Scalars['Boolean']['output'];
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
  retryAnsweredWithoutResult?: InputMaybe<Scalars['Boolean']['input']>;
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
  retryAnsweredWithoutResult?: InputMaybe<Scalars['Boolean']['input']>;
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

export type ConferenceEvent = ConferenceSnapshot | ConferenceChanged | Resync;

export type ConferenceSnapshot = {
  __typename?: 'ConferenceSnapshot';
  conference: Conference;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type ConferenceChanged = {
  __typename?: 'ConferenceChanged';
  conference: Conference;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type Conference = {
  __typename?: 'Conference';
  id: Scalars['ID']['output'];
  conferenceName: Scalars['String']['output'];
  kind: ConferenceKind;
  status: ConferenceStatus;
  requestId?: Maybe<Scalars['ID']['output']>;
  attemptId?: Maybe<Scalars['ID']['output']>;
  attempt?: Maybe<Attempt>;
  campaignId?: Maybe<Scalars['ID']['output']>;
  campaign?: Maybe<Campaign>;
  customerUuid?: Maybe<Scalars['ID']['output']>;
  customerState: CustomerState;
  cellId?: Maybe<Scalars['String']['output']>;
  memberCount: Scalars['Int']['output'];
  interventionId?: Maybe<Scalars['ID']['output']>;
  reason: Scalars['String']['output'];
  recordingUrl?: Maybe<Scalars['String']['output']>;
  answeredAt?: Maybe<Scalars['DateTime']['output']>;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  endCause?: Maybe<Scalars['String']['output']>;
  legs: Array<ConferenceLeg>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type ConferenceLeg = {
  __typename?: 'ConferenceLeg';
  softphoneCallId: Scalars['ID']['output'];
  role: ConferenceLegRole;
  mode: ConferenceLegMode;
  agentId?: Maybe<Scalars['ID']['output']>;
  agentName?: Maybe<Scalars['String']['output']>;
  targetNumber: Scalars['String']['output'];
  callUuid: Scalars['ID']['output'];
  status: ConferenceLegStatus;
  canSpeak: Scalars['Boolean']['output'];
  joinedAt?: Maybe<Scalars['DateTime']['output']>;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  endCause?: Maybe<Scalars['String']['output']>;
};

export type AddParticipantInput = {
  mode: ParticipantMode;
  agentId?: InputMaybe<Scalars['ID']['input']>;
  targetNumber?: InputMaybe<Scalars['String']['input']>;
};

export type RemovedParticipant = {
  __typename?: 'RemovedParticipant';
  softphoneCallId: Scalars['ID']['output'];
  removed: Scalars['Boolean']['output'];
};

export type ParticipantRefused = Refusal & {
  __typename?: 'ParticipantRefused';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type AddParticipantResult = ConferenceLeg | ParticipantRefused | PolicyForbids;

export type RemoveParticipantResult = RemovedParticipant | ParticipantRefused;

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

export type ErasedPerson = {
  __typename?: 'ErasedPerson';
  erased: ErasedCounts;
  remaining: Scalars['Boolean']['output'];
};

export type ErasedCounts = {
  __typename?: 'ErasedCounts';
  contacts: Scalars['Int']['output'];
  attempts: Scalars['Int']['output'];
  transcripts: Scalars['Int']['output'];
  recordings: Scalars['Int']['output'];
  agentCalls: Scalars['Int']['output'];
  conferences: Scalars['Int']['output'];
  events: Scalars['Int']['output'];
  auditRows: Scalars['Int']['output'];
};

export type PersonInCall = Refusal & {
  __typename?: 'PersonInCall';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type EraseContactResult = ErasedPerson | PersonInCall;

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

export type IntentAlertsEvent = IntentAlertsSnapshot | IntentAlertRaised | IntentAlertAcknowledged | Resync;

export type IntentAlertsSnapshot = {
  __typename?: 'IntentAlertsSnapshot';
  alerts: Array<IntentAlert>;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type IntentAlertRaised = {
  __typename?: 'IntentAlertRaised';
  alert: IntentAlert;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type IntentAlertAcknowledged = {
  __typename?: 'IntentAlertAcknowledged';
  alert: IntentAlert;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
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
  monitorViewMode: MonitorViewMode;
  timeline: Array<CallEvent>;
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
  when: InterventionTiming;
  reason?: Maybe<Scalars['String']['output']>;
};

export type InterventionTiming =
  | 'BOUNDARY'
  | 'NOW';

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

export type MediaConfig = {
  __typename?: 'MediaConfig';
  baseUrl: Scalars['String']['output'];
  switchRecordingBaseUrl: Scalars['String']['output'];
  switchRecordingBaseUrlsByCell: Array<CellRecordingBaseUrl>;
  emotionAudioBaseUrl: Scalars['String']['output'];
};

export type CellRecordingBaseUrl = {
  __typename?: 'CellRecordingBaseUrl';
  cellId: Scalars['String']['output'];
  baseUrl: Scalars['String']['output'];
};

export type MonitorDeskEvent = MonitorDeskSnapshot | MonitorDeskCallJoined | MonitorDeskCallChanged | MonitorDeskCallLeft | MonitorCapacityChanged | Resync;

export type WatchedCall = {
  __typename?: 'WatchedCall';
  call: LiveCall;
  viewMode: MonitorViewMode;
};

export type MonitorDeskSnapshot = {
  __typename?: 'MonitorDeskSnapshot';
  calls: Array<WatchedCall>;
  capacity: MonitorCapacity;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type MonitorDeskCallJoined = {
  __typename?: 'MonitorDeskCallJoined';
  watched: WatchedCall;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type MonitorDeskCallChanged = {
  __typename?: 'MonitorDeskCallChanged';
  watched: WatchedCall;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type MonitorDeskCallLeft = {
  __typename?: 'MonitorDeskCallLeft';
  callKey: Scalars['ID']['output'];
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type MonitorCapacityChanged = {
  __typename?: 'MonitorCapacityChanged';
  capacity: MonitorCapacity;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type MonitorDesk = {
  __typename?: 'MonitorDesk';
  calls: Array<LiveCall>;
  truncated: Scalars['Boolean']['output'];
  capacity: MonitorCapacity;
  at: Scalars['DateTime']['output'];
};

export type MonitorCapacity = {
  __typename?: 'MonitorCapacity';
  mine: Scalars['Int']['output'];
  used: Scalars['Int']['output'];
  total: Scalars['Int']['output'];
  waiting: Scalars['Int']['output'];
};

export type MonitorPresence = {
  __typename?: 'MonitorPresence';
  expiresAt: Scalars['DateTime']['output'];
  capacity: MonitorCapacity;
  assigned: Array<Scalars['ID']['output']>;
};

export type MonitorDeparture = {
  __typename?: 'MonitorDeparture';
  released: Array<Scalars['ID']['output']>;
};

export type IntentAlert = {
  __typename?: 'IntentAlert';
  id: Scalars['ID']['output'];
  callKey: Scalars['ID']['output'];
  attemptId: Scalars['ID']['output'];
  campaignId: Scalars['ID']['output'];
  keyword: Scalars['String']['output'];
  segmentId: Scalars['String']['output'];
  at: Scalars['DateTime']['output'];
  acknowledgedAt?: Maybe<Scalars['DateTime']['output']>;
  acknowledgedBy?: Maybe<Scalars['ID']['output']>;
};

export type InterventionChange = {
  __typename?: 'InterventionChange';
  callKey: Scalars['ID']['output'];
  intervention: Intervention;
};

export type ReleasedCall = {
  __typename?: 'ReleasedCall';
  callKey: Scalars['ID']['output'];
};

export type HungUpCall = {
  __typename?: 'HungUpCall';
  callKey: Scalars['ID']['output'];
  hangupCause: Scalars['String']['output'];
};

export type InterventionRefused = Refusal & {
  __typename?: 'InterventionRefused';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type ReleaseRefused = Refusal & {
  __typename?: 'ReleaseRefused';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type LiveCallOver = Refusal & {
  __typename?: 'LiveCallOver';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type ClaimInterventionResult = InterventionChange | InterventionRefused | LiveCallOver;

export type CancelInterventionResult = InterventionChange | InterventionRefused | LiveCallOver;

export type ReleaseLiveCallResult = ReleasedCall | ReleaseRefused | LiveCallOver;

export type HangUpLiveCallResult = HungUpCall | LiveCallOver;

export type NluCapabilities = {
  __typename?: 'NluCapabilities';
  decision: NluAction;
  extract: NluAction;
};

export type NluAction = {
  __typename?: 'NluAction';
  defaultProfile: Scalars['String']['output'];
  profiles: Array<NluProfile>;
};

export type NluProfile = {
  __typename?: 'NluProfile';
  key: Scalars['ID']['output'];
  labelZh: Scalars['String']['output'];
  descriptionZh: Scalars['String']['output'];
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

export type OverviewEvent = OverviewSnapshot | OverviewChanged | Resync;

export type OverviewSnapshot = {
  __typename?: 'OverviewSnapshot';
  overview: Overview;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type OverviewChanged = {
  __typename?: 'OverviewChanged';
  overview: Overview;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type Overview = {
  __typename?: 'Overview';
  campaigns: OverviewCampaigns;
  contacts: OverviewContacts;
  attempts: OverviewAttempts;
  ratios: OverviewRatios;
  activeCalls: Scalars['Int']['output'];
  agents: OverviewAgents;
  recentEvents: Array<RuntimeEvent>;
  recentAttempts: Array<Attempt>;
};

export type OverviewCampaigns = {
  __typename?: 'OverviewCampaigns';
  total: Scalars['Int']['output'];
  running: Scalars['Int']['output'];
  paused: Scalars['Int']['output'];
  byStatus: Array<CampaignStatusCount>;
};

export type CampaignStatusCount = {
  __typename?: 'CampaignStatusCount';
  status: CampaignStatus;
  count: Scalars['Int']['output'];
};

export type OverviewContacts = {
  __typename?: 'OverviewContacts';
  total: Scalars['Int']['output'];
  byStatus: Array<ContactStatusCount>;
};

export type ContactStatusCount = {
  __typename?: 'ContactStatusCount';
  status: ContactStatus;
  count: Scalars['Int']['output'];
};

export type OverviewAttempts = {
  __typename?: 'OverviewAttempts';
  today: Scalars['Int']['output'];
  answered: Scalars['Int']['output'];
  completed: Scalars['Int']['output'];
  failed: Scalars['Int']['output'];
};

export type OverviewRatios = {
  __typename?: 'OverviewRatios';
  answerRate: Scalars['Float']['output'];
  completionRate: Scalars['Float']['output'];
};

export type OverviewAgents = {
  __typename?: 'OverviewAgents';
  idle: Scalars['Int']['output'];
  busy: Scalars['Int']['output'];
  offline: Scalars['Int']['output'];
};

export type TrendDay = {
  __typename?: 'TrendDay';
  date: Scalars['String']['output'];
  attempts: Scalars['Int']['output'];
  answered: Scalars['Int']['output'];
  completed: Scalars['Int']['output'];
  failed: Scalars['Int']['output'];
  averageDurationSeconds: Scalars['Float']['output'];
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

export type Resync = {
  __typename?: 'Resync';
  reason: ResyncReason;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
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
  reason: ResyncReason;
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

export type RuntimeOverview = {
  __typename?: 'RuntimeOverview';
  activeContacts: Scalars['Int']['output'];
  stuckContacts: Scalars['Int']['output'];
  runningBatches: Scalars['Int']['output'];
  scheduler: SchedulerCounters;
  campaigns: Array<RuntimeCampaign>;
  lines: Array<LineConcurrency>;
  cells: Array<CellConcurrency>;
  stuckBatches: Array<Batch>;
  recentEvents: Array<RuntimeEvent>;
  runtimeMode: RuntimeMode;
  hasUnregistered: Scalars['Boolean']['output'];
  runtimes: Array<RegisteredRuntime>;
};

export type SchedulerCounters = {
  __typename?: 'SchedulerCounters';
  submittedLastMinute: Scalars['Int']['output'];
  failedLastMinute: Scalars['Int']['output'];
  completedBatchesLastMinute: Scalars['Int']['output'];
};

export type RuntimeCampaign = {
  __typename?: 'RuntimeCampaign';
  campaignId: Scalars['ID']['output'];
  name: Scalars['String']['output'];
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
  fraction: Scalars['Float']['output'];
};

export type LineConcurrency = {
  __typename?: 'LineConcurrency';
  lineId: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  code: Scalars['String']['output'];
  isEnabled: Scalars['Boolean']['output'];
  maxConcurrency: Scalars['Int']['output'];
  active: Scalars['Int']['output'];
};

export type CellConcurrency = {
  __typename?: 'CellConcurrency';
  cellId: Scalars['String']['output'];
  maxConcurrency: Scalars['Int']['output'];
  active: Scalars['Int']['output'];
  isEnabled: Scalars['Boolean']['output'];
  state: CellState;
};

export type RegisteredRuntime = {
  __typename?: 'RegisteredRuntime';
  runtimeId: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  version: Scalars['String']['output'];
  contract: Scalars['Int']['output'];
  maxCalls: Scalars['Int']['output'];
  calls: Scalars['Int']['output'];
  active: Scalars['Int']['output'];
  isDraining: Scalars['Boolean']['output'];
  isGone: Scalars['Boolean']['output'];
  resumes: Scalars['Boolean']['output'];
  businessCodes?: Maybe<Array<Scalars['String']['output']>>;
  lastSeenAt: Scalars['DateTime']['output'];
  ageSeconds: Scalars['Int']['output'];
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

export type SoftphoneCall = {
  __typename?: 'SoftphoneCall';
  id: Scalars['ID']['output'];
  requestId: Scalars['ID']['output'];
  callKey: Scalars['ID']['output'];
  direction: SoftphoneDirection;
  status: SoftphoneStatus;
  agentId?: Maybe<Scalars['ID']['output']>;
  agent?: Maybe<Agent>;
  userId?: Maybe<Scalars['ID']['output']>;
  campaignId?: Maybe<Scalars['ID']['output']>;
  campaign?: Maybe<Campaign>;
  contactId?: Maybe<Scalars['ID']['output']>;
  contact?: Maybe<Contact>;
  attemptId?: Maybe<Scalars['ID']['output']>;
  sessionId?: Maybe<Scalars['ID']['output']>;
  conferenceId?: Maybe<Scalars['ID']['output']>;
  phoneNumber: Scalars['String']['output'];
  lineId?: Maybe<Scalars['ID']['output']>;
  callerNumber?: Maybe<Scalars['String']['output']>;
  cellId?: Maybe<Scalars['String']['output']>;
  note: Scalars['String']['output'];
  callStatus?: Maybe<CallStatus>;
  hangupCause?: Maybe<Scalars['String']['output']>;
  hangupBy?: Maybe<HangupParty>;
  failureReason?: Maybe<Scalars['String']['output']>;
  answeredAt?: Maybe<Scalars['DateTime']['output']>;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  durationSeconds?: Maybe<Scalars['Int']['output']>;
  recordingUrl?: Maybe<Scalars['String']['output']>;
  legs: Array<SoftphoneLeg>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type SoftphoneLeg = {
  __typename?: 'SoftphoneLeg';
  role: SoftphoneLegRole;
  agentId?: Maybe<Scalars['ID']['output']>;
  callUuid: Scalars['ID']['output'];
  status: SoftphoneLegStatus;
  dialingAt?: Maybe<Scalars['DateTime']['output']>;
  answeredAt?: Maybe<Scalars['DateTime']['output']>;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  hangupCause?: Maybe<Scalars['String']['output']>;
};

export type AgentCallInput = {
  phoneNumber?: InputMaybe<Scalars['String']['input']>;
  contactId?: InputMaybe<Scalars['ID']['input']>;
  campaignId?: InputMaybe<Scalars['ID']['input']>;
  note?: InputMaybe<Scalars['String']['input']>;
};

export type SoftphoneCallDetail = {
  __typename?: 'SoftphoneCallDetail';
  call: SoftphoneCall;
  timeline: Array<SoftphoneEvent>;
  ttsEvents: Array<SoftphoneEvent>;
  transcript: Array<SoftphoneUtterance>;
};

export type SoftphoneEvent = {
  __typename?: 'SoftphoneEvent';
  id: Scalars['ID']['output'];
  kind: SoftphoneEventKind;
  data: Scalars['JSON']['output'];
  at: Scalars['DateTime']['output'];
};

export type SoftphoneUtterance = {
  __typename?: 'SoftphoneUtterance';
  speaker: Speaker;
  text: Scalars['String']['output'];
  at: Scalars['DateTime']['output'];
};

export type SoftphoneCallConnection = {
  __typename?: 'SoftphoneCallConnection';
  edges: Array<SoftphoneCallEdge>;
  nodes: Array<SoftphoneCall>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type SoftphoneCallEdge = {
  __typename?: 'SoftphoneCallEdge';
  cursor: Scalars['String']['output'];
  node: SoftphoneCall;
};

export type CallRefused = Refusal & {
  __typename?: 'CallRefused';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type PlaceCallResult = SoftphoneCall | CallRefused | PolicyForbids;

export type SoftphoneSessionEvent = SoftphoneSessionSnapshot | SoftphoneSessionTold | SoftphoneSessionChanged | Resync;

export type SoftphoneSessionSnapshot = {
  __typename?: 'SoftphoneSessionSnapshot';
  session: SoftphoneSession;
  events: Array<SoftphoneEvent>;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type SoftphoneSessionTold = {
  __typename?: 'SoftphoneSessionTold';
  event: SoftphoneEvent;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type SoftphoneSessionChanged = {
  __typename?: 'SoftphoneSessionChanged';
  session: SoftphoneSession;
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
};

export type SoftphoneSession = {
  __typename?: 'SoftphoneSession';
  sessionId: Scalars['ID']['output'];
  call: SoftphoneCall;
  conferenceId: Scalars['ID']['output'];
  customer?: Maybe<ConferenceLeg>;
  isOpen: Scalars['Boolean']['output'];
};

export type OpenSoftphoneSessionInput = {
  agentId?: InputMaybe<Scalars['ID']['input']>;
  phoneNumber?: InputMaybe<Scalars['String']['input']>;
  contactId?: InputMaybe<Scalars['ID']['input']>;
  campaignId?: InputMaybe<Scalars['ID']['input']>;
  note?: InputMaybe<Scalars['String']['input']>;
};

export type OpenedSoftphoneSession = {
  __typename?: 'OpenedSoftphoneSession';
  sessionId: Scalars['ID']['output'];
  softphoneCallId: Scalars['ID']['output'];
  serviceNumber: Scalars['String']['output'];
  sipExtraHeaders: Array<SipHeader>;
};

export type SipHeader = {
  __typename?: 'SipHeader';
  name: Scalars['String']['output'];
  value: Scalars['String']['output'];
};

export type SoftphoneMessage = {
  __typename?: 'SoftphoneMessage';
  messageId: Scalars['ID']['output'];
};

export type SoftphoneControl = {
  __typename?: 'SoftphoneControl';
  sessionId: Scalars['ID']['output'];
  softphoneCallId?: Maybe<Scalars['ID']['output']>;
};

export type EndedSoftphoneSession = {
  __typename?: 'EndedSoftphoneSession';
  sessionId: Scalars['ID']['output'];
  ended: Scalars['Boolean']['output'];
  recordingUrl?: Maybe<Scalars['String']['output']>;
};

export type SoftphoneSessionRefused = Refusal & {
  __typename?: 'SoftphoneSessionRefused';
  code: ErrorCode;
  message: Scalars['String']['output'];
};

export type OpenSoftphoneSessionResult = OpenedSoftphoneSession | SoftphoneSessionRefused | PolicyForbids;

export type SayInSoftphoneSessionResult = SoftphoneMessage | SoftphoneSessionRefused;

export type ControlSoftphoneSessionResult = SoftphoneControl | SoftphoneSessionRefused | PolicyForbids;

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
  AgentStatusesEvent:
    | ( Omit<AgentStatusesSnapshot, 'agents'> & { agents: Array<_RefType['Agent']> } )
    | ( Omit<AgentStatusChanged, 'agent'> & { agent: _RefType['Agent'] } )
    | ( AgentLeft )
    | ( Resync )
  ;
  CreateAgentResult:
    | ( AgentModel )
    | ( AgentTaken )
  ;
  UpdateAgentResult:
    | ( AgentModel )
    | ( AgentTaken )
  ;
  DeleteAgentResult:
    | ( AgentModel )
    | ( AgentBusy )
  ;
  SetAgentStatusResult:
    | ( AgentModel )
    | ( AgentStatusRefused )
  ;
  CreateAgentGroupResult:
    | ( AgentGroupModel )
    | ( AgentGroupNameTaken )
  ;
  UpdateAgentGroupResult:
    | ( AgentGroupModel )
    | ( AgentGroupNameTaken )
  ;
  DeleteAgentGroupResult:
    | ( AgentGroupModel )
    | ( AgentGroupInUse )
  ;
  CancelBatchResult:
    | ( BatchModel )
    | ( BatchNotRunning )
  ;
  CampaignProgressEvent:
    | ( Omit<CampaignProgressSnapshot, 'progress'> & { progress: _RefType['CampaignProgress'] } )
    | ( Omit<CampaignProgressChanged, 'progress'> & { progress: _RefType['CampaignProgress'] } )
    | ( Resync )
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
  ConferenceEvent:
    | ( Omit<ConferenceSnapshot, 'conference'> & { conference: _RefType['Conference'] } )
    | ( Omit<ConferenceChanged, 'conference'> & { conference: _RefType['Conference'] } )
    | ( Resync )
  ;
  AddParticipantResult:
    | ( ConferenceLegModel )
    | ( ParticipantRefused )
    | ( PolicyForbids )
  ;
  RemoveParticipantResult:
    | ( RemovedParticipant )
    | ( ParticipantRefused )
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
  EraseContactResult:
    | ( ErasedPerson )
    | ( PersonInCall )
  ;
  IntentAlertsEvent:
    | ( IntentAlertsSnapshot )
    | ( IntentAlertRaised )
    | ( IntentAlertAcknowledged )
    | ( Resync )
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
  MonitorDeskEvent:
    | ( Omit<MonitorDeskSnapshot, 'calls'> & { calls: Array<_RefType['WatchedCall']> } )
    | ( Omit<MonitorDeskCallJoined, 'watched'> & { watched: _RefType['WatchedCall'] } )
    | ( Omit<MonitorDeskCallChanged, 'watched'> & { watched: _RefType['WatchedCall'] } )
    | ( MonitorDeskCallLeft )
    | ( MonitorCapacityChanged )
    | ( Resync )
  ;
  ClaimInterventionResult:
    | ( Omit<InterventionChange, 'intervention'> & { intervention: _RefType['Intervention'] } )
    | ( InterventionRefused )
    | ( LiveCallOver )
  ;
  CancelInterventionResult:
    | ( Omit<InterventionChange, 'intervention'> & { intervention: _RefType['Intervention'] } )
    | ( InterventionRefused )
    | ( LiveCallOver )
  ;
  ReleaseLiveCallResult:
    | ( ReleasedCall )
    | ( ReleaseRefused )
    | ( LiveCallOver )
  ;
  HangUpLiveCallResult:
    | ( HungUpCall )
    | ( LiveCallOver )
  ;
  OverviewEvent:
    | ( Omit<OverviewSnapshot, 'overview'> & { overview: _RefType['Overview'] } )
    | ( Omit<OverviewChanged, 'overview'> & { overview: _RefType['Overview'] } )
    | ( Resync )
  ;
  RuntimeEventsEvent:
    | ( Omit<RuntimeEventsSnapshot, 'events'> & { events: Array<_RefType['RuntimeEvent']> } )
    | ( RuntimeEventsResync )
    | ( Omit<RuntimeEventRecorded, 'event'> & { event: _RefType['RuntimeEvent'] } )
    | ( Omit<RuntimeEventAcknowledged, 'event'> & { event: _RefType['RuntimeEvent'] } )
  ;
  PlaceCallResult:
    | ( SoftphoneCallModel )
    | ( CallRefused )
    | ( PolicyForbids )
  ;
  SoftphoneSessionEvent:
    | ( Omit<SoftphoneSessionSnapshot, 'session' | 'events'> & { session: _RefType['SoftphoneSession'], events: Array<_RefType['SoftphoneEvent']> } )
    | ( Omit<SoftphoneSessionTold, 'event'> & { event: _RefType['SoftphoneEvent'] } )
    | ( Omit<SoftphoneSessionChanged, 'session'> & { session: _RefType['SoftphoneSession'] } )
    | ( Resync )
  ;
  OpenSoftphoneSessionResult:
    | ( OpenedSoftphoneSession )
    | ( SoftphoneSessionRefused )
    | ( PolicyForbids )
  ;
  SayInSoftphoneSessionResult:
    | ( SoftphoneMessage )
    | ( SoftphoneSessionRefused )
  ;
  ControlSoftphoneSessionResult:
    | ( SoftphoneControl )
    | ( SoftphoneSessionRefused )
    | ( PolicyForbids )
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
    | ( AgentTaken )
    | ( AgentBusy )
    | ( AgentStatusRefused )
    | ( AgentGroupNameTaken )
    | ( AgentGroupInUse )
    | ( BatchNotRunning )
    | ( NothingToCall )
    | ( MoveRefused )
    | ( PolicyForbids )
    | ( DispatchContended )
    | ( CampaignInUse )
    | ( ParticipantRefused )
    | ( ContactChangeRefused )
    | ( PersonInCall )
    | ( LineCodeTaken )
    | ( LineInUse )
    | ( InterventionRefused )
    | ( ReleaseRefused )
    | ( LiveCallOver )
    | ( CampaignArchived )
    | ( CallRefused )
    | ( SoftphoneSessionRefused )
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
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Me: ResolverTypeWrapper<Me>;
  User: ResolverTypeWrapper<User>;
  Role: Role;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  AgentFilter: AgentFilter;
  AgentStatusesEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['AgentStatusesEvent']>;
  AgentStatusesSnapshot: ResolverTypeWrapper<Omit<AgentStatusesSnapshot, 'agents'> & { agents: Array<ResolversTypes['Agent']> }>;
  AgentStatusChanged: ResolverTypeWrapper<Omit<AgentStatusChanged, 'agent'> & { agent: ResolversTypes['Agent'] }>;
  AgentLeft: ResolverTypeWrapper<AgentLeft>;
  Agent: ResolverTypeWrapper<AgentModel>;
  AgentStatus: AgentStatus;
  RegistrationStatus: RegistrationStatus;
  AgentGroup: ResolverTypeWrapper<AgentGroupModel>;
  PhoneExtension: ResolverTypeWrapper<PhoneExtension>;
  PhoneStatus: ResolverTypeWrapper<PhoneStatus>;
  SipConfig: ResolverTypeWrapper<SipConfig>;
  IceServer: ResolverTypeWrapper<IceServer>;
  OwnSipConfig: ResolverTypeWrapper<OwnSipConfig>;
  OwnIceServer: ResolverTypeWrapper<OwnIceServer>;
  CreateAgentInput: CreateAgentInput;
  UpdateAgentInput: UpdateAgentInput;
  CreateAgentGroupInput: CreateAgentGroupInput;
  UpdateAgentGroupInput: UpdateAgentGroupInput;
  AgentTaken: ResolverTypeWrapper<AgentTaken>;
  AgentBusy: ResolverTypeWrapper<AgentBusy>;
  AgentStatusRefused: ResolverTypeWrapper<AgentStatusRefused>;
  AgentGroupNameTaken: ResolverTypeWrapper<AgentGroupNameTaken>;
  AgentGroupInUse: ResolverTypeWrapper<AgentGroupInUse>;
  CreateAgentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CreateAgentResult']>;
  UpdateAgentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['UpdateAgentResult']>;
  DeleteAgentResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['DeleteAgentResult']>;
  SetAgentStatusResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['SetAgentStatusResult']>;
  CreateAgentGroupResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CreateAgentGroupResult']>;
  UpdateAgentGroupResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['UpdateAgentGroupResult']>;
  DeleteAgentGroupResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['DeleteAgentGroupResult']>;
  AttemptFilter: AttemptFilter;
  Attempt: ResolverTypeWrapper<AttemptModel>;
  ReportedTimes: ResolverTypeWrapper<ReportedTimes>;
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
  AuditLogFilter: AuditLogFilter;
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
  CampaignProgressEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CampaignProgressEvent']>;
  CampaignProgressSnapshot: ResolverTypeWrapper<Omit<CampaignProgressSnapshot, 'progress'> & { progress: ResolversTypes['CampaignProgress'] }>;
  CampaignProgressChanged: ResolverTypeWrapper<Omit<CampaignProgressChanged, 'progress'> & { progress: ResolversTypes['CampaignProgress'] }>;
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
  ConferenceEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ConferenceEvent']>;
  ConferenceSnapshot: ResolverTypeWrapper<Omit<ConferenceSnapshot, 'conference'> & { conference: ResolversTypes['Conference'] }>;
  ConferenceChanged: ResolverTypeWrapper<Omit<ConferenceChanged, 'conference'> & { conference: ResolversTypes['Conference'] }>;
  Conference: ResolverTypeWrapper<ConferenceModel>;
  ConferenceKind: ConferenceKind;
  ConferenceStatus: ConferenceStatus;
  CustomerState: CustomerState;
  ConferenceLeg: ResolverTypeWrapper<ConferenceLegModel>;
  ConferenceLegRole: ConferenceLegRole;
  ConferenceLegMode: ConferenceLegMode;
  ConferenceLegStatus: ConferenceLegStatus;
  ParticipantMode: ParticipantMode;
  AddParticipantInput: AddParticipantInput;
  RemovedParticipant: ResolverTypeWrapper<RemovedParticipant>;
  ParticipantRefused: ResolverTypeWrapper<ParticipantRefused>;
  AddParticipantResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['AddParticipantResult']>;
  RemoveParticipantResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['RemoveParticipantResult']>;
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
  ErasedPerson: ResolverTypeWrapper<ErasedPerson>;
  ErasedCounts: ResolverTypeWrapper<ErasedCounts>;
  PersonInCall: ResolverTypeWrapper<PersonInCall>;
  EraseContactResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['EraseContactResult']>;
  DoNotCallEntry: ResolverTypeWrapper<DoNotCallEntryModel>;
  DoNotCallSource: DoNotCallSource;
  AddDoNotCallInput: AddDoNotCallInput;
  DoNotCallEntryConnection: ResolverTypeWrapper<DoNotCallEntryConnectionModel>;
  DoNotCallEntryEdge: ResolverTypeWrapper<Omit<DoNotCallEntryEdge, 'node'> & { node: ResolversTypes['DoNotCallEntry'] }>;
  IntentAlertsEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['IntentAlertsEvent']>;
  IntentAlertsSnapshot: ResolverTypeWrapper<IntentAlertsSnapshot>;
  IntentAlertRaised: ResolverTypeWrapper<IntentAlertRaised>;
  IntentAlertAcknowledged: ResolverTypeWrapper<IntentAlertAcknowledged>;
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
  InterventionTiming: InterventionTiming;
  InterventionStatus: InterventionStatus;
  LiveCallStatus: LiveCallStatus;
  LiveSegment: ResolverTypeWrapper<LiveSegmentModel>;
  LiveCallsEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['LiveCallsEvent']>;
  LiveCallsSnapshot: ResolverTypeWrapper<Omit<LiveCallsSnapshot, 'calls'> & { calls: Array<ResolversTypes['LiveCall']> }>;
  LiveCallsResync: ResolverTypeWrapper<LiveCallsResync>;
  LiveCallStarted: ResolverTypeWrapper<Omit<LiveCallStarted, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  LiveCallChanged: ResolverTypeWrapper<Omit<LiveCallChanged, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  LiveCallSegment: ResolverTypeWrapper<Omit<LiveCallSegment, 'call' | 'segment'> & { call: ResolversTypes['LiveCall'], segment: ResolversTypes['LiveSegment'] }>;
  LiveCallEnded: ResolverTypeWrapper<Omit<LiveCallEnded, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  LiveCallJoined: ResolverTypeWrapper<Omit<LiveCallJoined, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  LiveCallLeft: ResolverTypeWrapper<LiveCallLeft>;
  LiveCallResync: ResolverTypeWrapper<Omit<LiveCallResync, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  MediaConfig: ResolverTypeWrapper<MediaConfigModel>;
  CellRecordingBaseUrl: ResolverTypeWrapper<CellRecordingBaseUrl>;
  MonitorDeskEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['MonitorDeskEvent']>;
  WatchedCall: ResolverTypeWrapper<Omit<WatchedCall, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  MonitorDeskSnapshot: ResolverTypeWrapper<Omit<MonitorDeskSnapshot, 'calls'> & { calls: Array<ResolversTypes['WatchedCall']> }>;
  MonitorDeskCallJoined: ResolverTypeWrapper<Omit<MonitorDeskCallJoined, 'watched'> & { watched: ResolversTypes['WatchedCall'] }>;
  MonitorDeskCallChanged: ResolverTypeWrapper<Omit<MonitorDeskCallChanged, 'watched'> & { watched: ResolversTypes['WatchedCall'] }>;
  MonitorDeskCallLeft: ResolverTypeWrapper<MonitorDeskCallLeft>;
  MonitorCapacityChanged: ResolverTypeWrapper<MonitorCapacityChanged>;
  MonitorViewMode: MonitorViewMode;
  MonitorDesk: ResolverTypeWrapper<Omit<MonitorDesk, 'calls'> & { calls: Array<ResolversTypes['LiveCall']> }>;
  MonitorCapacity: ResolverTypeWrapper<MonitorCapacity>;
  MonitorPresence: ResolverTypeWrapper<MonitorPresence>;
  MonitorDeparture: ResolverTypeWrapper<MonitorDeparture>;
  IntentAlert: ResolverTypeWrapper<IntentAlert>;
  InterventionChange: ResolverTypeWrapper<Omit<InterventionChange, 'intervention'> & { intervention: ResolversTypes['Intervention'] }>;
  ReleasedCall: ResolverTypeWrapper<ReleasedCall>;
  HungUpCall: ResolverTypeWrapper<HungUpCall>;
  InterventionRefused: ResolverTypeWrapper<InterventionRefused>;
  ReleaseRefused: ResolverTypeWrapper<ReleaseRefused>;
  LiveCallOver: ResolverTypeWrapper<LiveCallOver>;
  ClaimInterventionResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ClaimInterventionResult']>;
  CancelInterventionResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['CancelInterventionResult']>;
  ReleaseLiveCallResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ReleaseLiveCallResult']>;
  HangUpLiveCallResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['HangUpLiveCallResult']>;
  NluCapabilities: ResolverTypeWrapper<NluCapabilities>;
  NluAction: ResolverTypeWrapper<NluAction>;
  NluProfile: ResolverTypeWrapper<NluProfile>;
  NotDialed: ResolverTypeWrapper<NotDialed>;
  NotDialedCount: ResolverTypeWrapper<NotDialedCount>;
  NotDialedReason: NotDialedReason;
  OverviewEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['OverviewEvent']>;
  OverviewSnapshot: ResolverTypeWrapper<Omit<OverviewSnapshot, 'overview'> & { overview: ResolversTypes['Overview'] }>;
  OverviewChanged: ResolverTypeWrapper<Omit<OverviewChanged, 'overview'> & { overview: ResolversTypes['Overview'] }>;
  Overview: ResolverTypeWrapper<OverviewModel>;
  OverviewCampaigns: ResolverTypeWrapper<OverviewCampaigns>;
  CampaignStatusCount: ResolverTypeWrapper<CampaignStatusCount>;
  OverviewContacts: ResolverTypeWrapper<OverviewContacts>;
  ContactStatusCount: ResolverTypeWrapper<ContactStatusCount>;
  OverviewAttempts: ResolverTypeWrapper<OverviewAttempts>;
  OverviewRatios: ResolverTypeWrapper<OverviewRatios>;
  OverviewAgents: ResolverTypeWrapper<OverviewAgents>;
  TrendDay: ResolverTypeWrapper<TrendDay>;
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
  Resync: ResolverTypeWrapper<Resync>;
  ResyncReason: ResyncReason;
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
  RuntimeOverview: ResolverTypeWrapper<RuntimeOverviewModel>;
  SchedulerCounters: ResolverTypeWrapper<SchedulerCounters>;
  RuntimeCampaign: ResolverTypeWrapper<RuntimeCampaignModel>;
  LineConcurrency: ResolverTypeWrapper<LineConcurrency>;
  CellConcurrency: ResolverTypeWrapper<CellConcurrency>;
  CellState: CellState;
  RegisteredRuntime: ResolverTypeWrapper<RegisteredRuntime>;
  RuntimeMode: RuntimeMode;
  Script: ResolverTypeWrapper<ScriptModel>;
  SaveScriptInput: SaveScriptInput;
  ScriptConnection: ResolverTypeWrapper<ScriptConnectionModel>;
  ScriptEdge: ResolverTypeWrapper<Omit<ScriptEdge, 'node'> & { node: ResolversTypes['Script'] }>;
  SoftphoneCall: ResolverTypeWrapper<SoftphoneCallModel>;
  SoftphoneLeg: ResolverTypeWrapper<SoftphoneLegModel>;
  SoftphoneDirection: SoftphoneDirection;
  SoftphoneStatus: SoftphoneStatus;
  SoftphoneLegRole: SoftphoneLegRole;
  SoftphoneLegStatus: SoftphoneLegStatus;
  AgentCallInput: AgentCallInput;
  SoftphoneCallDetail: ResolverTypeWrapper<SoftphoneCallDetailModel>;
  SoftphoneEvent: ResolverTypeWrapper<SoftphoneEventModel>;
  SoftphoneEventKind: SoftphoneEventKind;
  SoftphoneUtterance: ResolverTypeWrapper<SoftphoneUtterance>;
  SoftphoneCallConnection: ResolverTypeWrapper<SoftphoneCallConnectionModel>;
  SoftphoneCallEdge: ResolverTypeWrapper<Omit<SoftphoneCallEdge, 'node'> & { node: ResolversTypes['SoftphoneCall'] }>;
  CallRefused: ResolverTypeWrapper<CallRefused>;
  PlaceCallResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['PlaceCallResult']>;
  SoftphoneSessionEvent: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['SoftphoneSessionEvent']>;
  SoftphoneSessionSnapshot: ResolverTypeWrapper<Omit<SoftphoneSessionSnapshot, 'session' | 'events'> & { session: ResolversTypes['SoftphoneSession'], events: Array<ResolversTypes['SoftphoneEvent']> }>;
  SoftphoneSessionTold: ResolverTypeWrapper<Omit<SoftphoneSessionTold, 'event'> & { event: ResolversTypes['SoftphoneEvent'] }>;
  SoftphoneSessionChanged: ResolverTypeWrapper<Omit<SoftphoneSessionChanged, 'session'> & { session: ResolversTypes['SoftphoneSession'] }>;
  SoftphoneSession: ResolverTypeWrapper<SoftphoneSessionModel>;
  OpenSoftphoneSessionInput: OpenSoftphoneSessionInput;
  OpenedSoftphoneSession: ResolverTypeWrapper<OpenedSoftphoneSession>;
  SipHeader: ResolverTypeWrapper<SipHeader>;
  SoftphoneMessage: ResolverTypeWrapper<SoftphoneMessage>;
  SoftphoneControl: ResolverTypeWrapper<SoftphoneControl>;
  EndedSoftphoneSession: ResolverTypeWrapper<EndedSoftphoneSession>;
  SoftphoneSessionRefused: ResolverTypeWrapper<SoftphoneSessionRefused>;
  OpenSoftphoneSessionResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['OpenSoftphoneSessionResult']>;
  SayInSoftphoneSessionResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['SayInSoftphoneSessionResult']>;
  ControlSoftphoneSessionResult: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ControlSoftphoneSessionResult']>;
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
  Mutation: Record<PropertyKey, never>;
  Boolean: Scalars['Boolean']['output'];
  Me: Me;
  User: User;
  Subscription: Record<PropertyKey, never>;
  AgentFilter: AgentFilter;
  AgentStatusesEvent: ResolversUnionTypes<ResolversParentTypes>['AgentStatusesEvent'];
  AgentStatusesSnapshot: Omit<AgentStatusesSnapshot, 'agents'> & { agents: Array<ResolversParentTypes['Agent']> };
  AgentStatusChanged: Omit<AgentStatusChanged, 'agent'> & { agent: ResolversParentTypes['Agent'] };
  AgentLeft: AgentLeft;
  Agent: AgentModel;
  AgentGroup: AgentGroupModel;
  PhoneExtension: PhoneExtension;
  PhoneStatus: PhoneStatus;
  SipConfig: SipConfig;
  IceServer: IceServer;
  OwnSipConfig: OwnSipConfig;
  OwnIceServer: OwnIceServer;
  CreateAgentInput: CreateAgentInput;
  UpdateAgentInput: UpdateAgentInput;
  CreateAgentGroupInput: CreateAgentGroupInput;
  UpdateAgentGroupInput: UpdateAgentGroupInput;
  AgentTaken: AgentTaken;
  AgentBusy: AgentBusy;
  AgentStatusRefused: AgentStatusRefused;
  AgentGroupNameTaken: AgentGroupNameTaken;
  AgentGroupInUse: AgentGroupInUse;
  CreateAgentResult: ResolversUnionTypes<ResolversParentTypes>['CreateAgentResult'];
  UpdateAgentResult: ResolversUnionTypes<ResolversParentTypes>['UpdateAgentResult'];
  DeleteAgentResult: ResolversUnionTypes<ResolversParentTypes>['DeleteAgentResult'];
  SetAgentStatusResult: ResolversUnionTypes<ResolversParentTypes>['SetAgentStatusResult'];
  CreateAgentGroupResult: ResolversUnionTypes<ResolversParentTypes>['CreateAgentGroupResult'];
  UpdateAgentGroupResult: ResolversUnionTypes<ResolversParentTypes>['UpdateAgentGroupResult'];
  DeleteAgentGroupResult: ResolversUnionTypes<ResolversParentTypes>['DeleteAgentGroupResult'];
  AttemptFilter: AttemptFilter;
  Attempt: AttemptModel;
  ReportedTimes: ReportedTimes;
  TranscriptSegment: TranscriptSegmentModel;
  RingbackDetection: RingbackDetection;
  AttemptConnection: AttemptConnectionModel;
  AttemptEdge: Omit<AttemptEdge, 'node'> & { node: ResolversParentTypes['Attempt'] };
  AuditLogFilter: AuditLogFilter;
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
  CampaignProgressEvent: ResolversUnionTypes<ResolversParentTypes>['CampaignProgressEvent'];
  CampaignProgressSnapshot: Omit<CampaignProgressSnapshot, 'progress'> & { progress: ResolversParentTypes['CampaignProgress'] };
  CampaignProgressChanged: Omit<CampaignProgressChanged, 'progress'> & { progress: ResolversParentTypes['CampaignProgress'] };
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
  ConferenceEvent: ResolversUnionTypes<ResolversParentTypes>['ConferenceEvent'];
  ConferenceSnapshot: Omit<ConferenceSnapshot, 'conference'> & { conference: ResolversParentTypes['Conference'] };
  ConferenceChanged: Omit<ConferenceChanged, 'conference'> & { conference: ResolversParentTypes['Conference'] };
  Conference: ConferenceModel;
  ConferenceLeg: ConferenceLegModel;
  AddParticipantInput: AddParticipantInput;
  RemovedParticipant: RemovedParticipant;
  ParticipantRefused: ParticipantRefused;
  AddParticipantResult: ResolversUnionTypes<ResolversParentTypes>['AddParticipantResult'];
  RemoveParticipantResult: ResolversUnionTypes<ResolversParentTypes>['RemoveParticipantResult'];
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
  ErasedPerson: ErasedPerson;
  ErasedCounts: ErasedCounts;
  PersonInCall: PersonInCall;
  EraseContactResult: ResolversUnionTypes<ResolversParentTypes>['EraseContactResult'];
  DoNotCallEntry: DoNotCallEntryModel;
  AddDoNotCallInput: AddDoNotCallInput;
  DoNotCallEntryConnection: DoNotCallEntryConnectionModel;
  DoNotCallEntryEdge: Omit<DoNotCallEntryEdge, 'node'> & { node: ResolversParentTypes['DoNotCallEntry'] };
  IntentAlertsEvent: ResolversUnionTypes<ResolversParentTypes>['IntentAlertsEvent'];
  IntentAlertsSnapshot: IntentAlertsSnapshot;
  IntentAlertRaised: IntentAlertRaised;
  IntentAlertAcknowledged: IntentAlertAcknowledged;
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
  MediaConfig: MediaConfigModel;
  CellRecordingBaseUrl: CellRecordingBaseUrl;
  MonitorDeskEvent: ResolversUnionTypes<ResolversParentTypes>['MonitorDeskEvent'];
  WatchedCall: Omit<WatchedCall, 'call'> & { call: ResolversParentTypes['LiveCall'] };
  MonitorDeskSnapshot: Omit<MonitorDeskSnapshot, 'calls'> & { calls: Array<ResolversParentTypes['WatchedCall']> };
  MonitorDeskCallJoined: Omit<MonitorDeskCallJoined, 'watched'> & { watched: ResolversParentTypes['WatchedCall'] };
  MonitorDeskCallChanged: Omit<MonitorDeskCallChanged, 'watched'> & { watched: ResolversParentTypes['WatchedCall'] };
  MonitorDeskCallLeft: MonitorDeskCallLeft;
  MonitorCapacityChanged: MonitorCapacityChanged;
  MonitorDesk: Omit<MonitorDesk, 'calls'> & { calls: Array<ResolversParentTypes['LiveCall']> };
  MonitorCapacity: MonitorCapacity;
  MonitorPresence: MonitorPresence;
  MonitorDeparture: MonitorDeparture;
  IntentAlert: IntentAlert;
  InterventionChange: Omit<InterventionChange, 'intervention'> & { intervention: ResolversParentTypes['Intervention'] };
  ReleasedCall: ReleasedCall;
  HungUpCall: HungUpCall;
  InterventionRefused: InterventionRefused;
  ReleaseRefused: ReleaseRefused;
  LiveCallOver: LiveCallOver;
  ClaimInterventionResult: ResolversUnionTypes<ResolversParentTypes>['ClaimInterventionResult'];
  CancelInterventionResult: ResolversUnionTypes<ResolversParentTypes>['CancelInterventionResult'];
  ReleaseLiveCallResult: ResolversUnionTypes<ResolversParentTypes>['ReleaseLiveCallResult'];
  HangUpLiveCallResult: ResolversUnionTypes<ResolversParentTypes>['HangUpLiveCallResult'];
  NluCapabilities: NluCapabilities;
  NluAction: NluAction;
  NluProfile: NluProfile;
  NotDialed: NotDialed;
  NotDialedCount: NotDialedCount;
  OverviewEvent: ResolversUnionTypes<ResolversParentTypes>['OverviewEvent'];
  OverviewSnapshot: Omit<OverviewSnapshot, 'overview'> & { overview: ResolversParentTypes['Overview'] };
  OverviewChanged: Omit<OverviewChanged, 'overview'> & { overview: ResolversParentTypes['Overview'] };
  Overview: OverviewModel;
  OverviewCampaigns: OverviewCampaigns;
  CampaignStatusCount: CampaignStatusCount;
  OverviewContacts: OverviewContacts;
  ContactStatusCount: ContactStatusCount;
  OverviewAttempts: OverviewAttempts;
  OverviewRatios: OverviewRatios;
  OverviewAgents: OverviewAgents;
  TrendDay: TrendDay;
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
  Resync: Resync;
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
  RuntimeOverview: RuntimeOverviewModel;
  SchedulerCounters: SchedulerCounters;
  RuntimeCampaign: RuntimeCampaignModel;
  LineConcurrency: LineConcurrency;
  CellConcurrency: CellConcurrency;
  RegisteredRuntime: RegisteredRuntime;
  Script: ScriptModel;
  SaveScriptInput: SaveScriptInput;
  ScriptConnection: ScriptConnectionModel;
  ScriptEdge: Omit<ScriptEdge, 'node'> & { node: ResolversParentTypes['Script'] };
  SoftphoneCall: SoftphoneCallModel;
  SoftphoneLeg: SoftphoneLegModel;
  AgentCallInput: AgentCallInput;
  SoftphoneCallDetail: SoftphoneCallDetailModel;
  SoftphoneEvent: SoftphoneEventModel;
  SoftphoneUtterance: SoftphoneUtterance;
  SoftphoneCallConnection: SoftphoneCallConnectionModel;
  SoftphoneCallEdge: Omit<SoftphoneCallEdge, 'node'> & { node: ResolversParentTypes['SoftphoneCall'] };
  CallRefused: CallRefused;
  PlaceCallResult: ResolversUnionTypes<ResolversParentTypes>['PlaceCallResult'];
  SoftphoneSessionEvent: ResolversUnionTypes<ResolversParentTypes>['SoftphoneSessionEvent'];
  SoftphoneSessionSnapshot: Omit<SoftphoneSessionSnapshot, 'session' | 'events'> & { session: ResolversParentTypes['SoftphoneSession'], events: Array<ResolversParentTypes['SoftphoneEvent']> };
  SoftphoneSessionTold: Omit<SoftphoneSessionTold, 'event'> & { event: ResolversParentTypes['SoftphoneEvent'] };
  SoftphoneSessionChanged: Omit<SoftphoneSessionChanged, 'session'> & { session: ResolversParentTypes['SoftphoneSession'] };
  SoftphoneSession: SoftphoneSessionModel;
  OpenSoftphoneSessionInput: OpenSoftphoneSessionInput;
  OpenedSoftphoneSession: OpenedSoftphoneSession;
  SipHeader: SipHeader;
  SoftphoneMessage: SoftphoneMessage;
  SoftphoneControl: SoftphoneControl;
  EndedSoftphoneSession: EndedSoftphoneSession;
  SoftphoneSessionRefused: SoftphoneSessionRefused;
  OpenSoftphoneSessionResult: ResolversUnionTypes<ResolversParentTypes>['OpenSoftphoneSessionResult'];
  SayInSoftphoneSessionResult: ResolversUnionTypes<ResolversParentTypes>['SayInSoftphoneSessionResult'];
  ControlSoftphoneSessionResult: ResolversUnionTypes<ResolversParentTypes>['ControlSoftphoneSessionResult'];
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
  agents?: Resolver<Array<ResolversTypes['Agent']>, ParentType, ContextType>;
  agentGroups?: Resolver<Array<ResolversTypes['AgentGroup']>, ParentType, ContextType>;
  myAgent?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType>;
  phoneExtensions?: Resolver<Array<ResolversTypes['PhoneExtension']>, ParentType, ContextType>;
  phoneStatuses?: Resolver<Array<ResolversTypes['PhoneStatus']>, ParentType, ContextType>;
  mySipConfig?: Resolver<ResolversTypes['OwnSipConfig'], ParentType, ContextType>;
  sipConfigs?: Resolver<Array<ResolversTypes['SipConfig']>, ParentType, ContextType>;
  attempt?: Resolver<Maybe<ResolversTypes['Attempt']>, ParentType, ContextType, RequireFields<QueryAttemptArgs, 'id'>>;
  attempts?: Resolver<ResolversTypes['AttemptConnection'], ParentType, ContextType, RequireFields<QueryAttemptsArgs, 'first'>>;
  auditLogs?: Resolver<ResolversTypes['AuditLogConnection'], ParentType, ContextType, RequireFields<QueryAuditLogsArgs, 'first'>>;
  businesses?: Resolver<Array<ResolversTypes['Business']>, ParentType, ContextType>;
  campaign?: Resolver<Maybe<ResolversTypes['Campaign']>, ParentType, ContextType, RequireFields<QueryCampaignArgs, 'id'>>;
  campaigns?: Resolver<ResolversTypes['CampaignConnection'], ParentType, ContextType, RequireFields<QueryCampaignsArgs, 'first'>>;
  conferences?: Resolver<Array<ResolversTypes['Conference']>, ParentType, ContextType>;
  conference?: Resolver<Maybe<ResolversTypes['Conference']>, ParentType, ContextType, RequireFields<QueryConferenceArgs, 'id'>>;
  contacts?: Resolver<ResolversTypes['ContactConnection'], ParentType, ContextType, RequireFields<QueryContactsArgs, 'campaignId' | 'first'>>;
  doNotCallEntries?: Resolver<ResolversTypes['DoNotCallEntryConnection'], ParentType, ContextType, RequireFields<QueryDoNotCallEntriesArgs, 'first'>>;
  lines?: Resolver<Array<ResolversTypes['Line']>, ParentType, ContextType>;
  liveCalls?: Resolver<ResolversTypes['LiveCallList'], ParentType, ContextType, Partial<QueryLiveCallsArgs>>;
  mediaConfig?: Resolver<ResolversTypes['MediaConfig'], ParentType, ContextType>;
  monitorDesk?: Resolver<ResolversTypes['MonitorDesk'], ParentType, ContextType, Partial<QueryMonitorDeskArgs>>;
  nluCapabilities?: Resolver<ResolversTypes['NluCapabilities'], ParentType, ContextType>;
  whyNotDialed?: Resolver<Maybe<ResolversTypes['NotDialed']>, ParentType, ContextType, RequireFields<QueryWhyNotDialedArgs, 'contactId'>>;
  overview?: Resolver<ResolversTypes['Overview'], ParentType, ContextType>;
  trend?: Resolver<Array<ResolversTypes['TrendDay']>, ParentType, ContextType, Partial<QueryTrendArgs>>;
  policies?: Resolver<Array<ResolversTypes['Policy']>, ParentType, ContextType, Partial<QueryPoliciesArgs>>;
  explainPolicy?: Resolver<ResolversTypes['PolicyExplanation'], ParentType, ContextType, RequireFields<QueryExplainPolicyArgs, 'campaignId' | 'phoneNumber'>>;
  runtimeOverview?: Resolver<ResolversTypes['RuntimeOverview'], ParentType, ContextType>;
  scripts?: Resolver<ResolversTypes['ScriptConnection'], ParentType, ContextType, RequireFields<QueryScriptsArgs, 'first'>>;
  softphoneCalls?: Resolver<ResolversTypes['SoftphoneCallConnection'], ParentType, ContextType, RequireFields<QuerySoftphoneCallsArgs, 'first'>>;
  softphoneCall?: Resolver<Maybe<ResolversTypes['SoftphoneCallDetail']>, ParentType, ContextType, RequireFields<QuerySoftphoneCallArgs, 'id'>>;
  softphoneSession?: Resolver<Maybe<ResolversTypes['SoftphoneSession']>, ParentType, ContextType, RequireFields<QuerySoftphoneSessionArgs, 'sessionId'>>;
  users?: Resolver<ResolversTypes['UserAccountConnection'], ParentType, ContextType, RequireFields<QueryUsersArgs, 'first'>>;
  rolePermissions?: Resolver<ResolversTypes['RolePermissions'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  changeOwnPassword?: Resolver<ResolversTypes['Me'], ParentType, ContextType, RequireFields<MutationChangeOwnPasswordArgs, 'oldPassword' | 'newPassword'>>;
  createAgent?: Resolver<ResolversTypes['CreateAgentResult'], ParentType, ContextType, RequireFields<MutationCreateAgentArgs, 'input'>>;
  updateAgent?: Resolver<ResolversTypes['UpdateAgentResult'], ParentType, ContextType, RequireFields<MutationUpdateAgentArgs, 'id' | 'input'>>;
  deleteAgent?: Resolver<ResolversTypes['DeleteAgentResult'], ParentType, ContextType, RequireFields<MutationDeleteAgentArgs, 'id'>>;
  createAgentGroup?: Resolver<ResolversTypes['CreateAgentGroupResult'], ParentType, ContextType, RequireFields<MutationCreateAgentGroupArgs, 'input'>>;
  updateAgentGroup?: Resolver<ResolversTypes['UpdateAgentGroupResult'], ParentType, ContextType, RequireFields<MutationUpdateAgentGroupArgs, 'id' | 'input'>>;
  deleteAgentGroup?: Resolver<ResolversTypes['DeleteAgentGroupResult'], ParentType, ContextType, RequireFields<MutationDeleteAgentGroupArgs, 'id'>>;
  setMyStatus?: Resolver<ResolversTypes['SetAgentStatusResult'], ParentType, ContextType, RequireFields<MutationSetMyStatusArgs, 'status'>>;
  setAgentStatus?: Resolver<ResolversTypes['SetAgentStatusResult'], ParentType, ContextType, RequireFields<MutationSetAgentStatusArgs, 'id' | 'status'>>;
  deleteAttempts?: Resolver<ResolversTypes['BulkChange'], ParentType, ContextType, RequireFields<MutationDeleteAttemptsArgs, 'attemptIds'>>;
  cancelBatch?: Resolver<ResolversTypes['CancelBatchResult'], ParentType, ContextType, RequireFields<MutationCancelBatchArgs, 'campaignId' | 'batchId'>>;
  createCampaign?: Resolver<ResolversTypes['Campaign'], ParentType, ContextType, RequireFields<MutationCreateCampaignArgs, 'input'>>;
  updateCampaign?: Resolver<ResolversTypes['UpdateCampaignResult'], ParentType, ContextType, RequireFields<MutationUpdateCampaignArgs, 'id' | 'input'>>;
  startCampaign?: Resolver<ResolversTypes['StartCampaignResult'], ParentType, ContextType, RequireFields<MutationStartCampaignArgs, 'id'>>;
  pauseCampaign?: Resolver<ResolversTypes['PauseCampaignResult'], ParentType, ContextType, RequireFields<MutationPauseCampaignArgs, 'id'>>;
  archiveCampaign?: Resolver<ResolversTypes['ArchiveCampaignResult'], ParentType, ContextType, RequireFields<MutationArchiveCampaignArgs, 'id'>>;
  deleteCampaign?: Resolver<ResolversTypes['DeleteCampaignResult'], ParentType, ContextType, RequireFields<MutationDeleteCampaignArgs, 'id'>>;
  dispatchCampaign?: Resolver<ResolversTypes['DispatchCampaignResult'], ParentType, ContextType, RequireFields<MutationDispatchCampaignArgs, 'id'>>;
  addParticipant?: Resolver<ResolversTypes['AddParticipantResult'], ParentType, ContextType, RequireFields<MutationAddParticipantArgs, 'conferenceId' | 'input'>>;
  removeParticipant?: Resolver<ResolversTypes['RemoveParticipantResult'], ParentType, ContextType, RequireFields<MutationRemoveParticipantArgs, 'conferenceId' | 'softphoneCallId'>>;
  addContacts?: Resolver<ResolversTypes['AddContactsResult'], ParentType, ContextType, RequireFields<MutationAddContactsArgs, 'campaignId' | 'contacts'>>;
  updateContact?: Resolver<ResolversTypes['UpdateContactResult'], ParentType, ContextType, RequireFields<MutationUpdateContactArgs, 'campaignId' | 'id' | 'input'>>;
  pauseContacts?: Resolver<ResolversTypes['ChangeContactsResult'], ParentType, ContextType, RequireFields<MutationPauseContactsArgs, 'campaignId' | 'contactIds'>>;
  deleteContacts?: Resolver<ResolversTypes['ChangeContactsResult'], ParentType, ContextType, RequireFields<MutationDeleteContactsArgs, 'campaignId' | 'contactIds'>>;
  retryContacts?: Resolver<ResolversTypes['ChangeContactsResult'], ParentType, ContextType, RequireFields<MutationRetryContactsArgs, 'campaignId' | 'selection'>>;
  eraseContact?: Resolver<ResolversTypes['EraseContactResult'], ParentType, ContextType, RequireFields<MutationEraseContactArgs, 'number'>>;
  addDoNotCall?: Resolver<ResolversTypes['DoNotCallEntry'], ParentType, ContextType, RequireFields<MutationAddDoNotCallArgs, 'input'>>;
  removeDoNotCall?: Resolver<ResolversTypes['DoNotCallEntry'], ParentType, ContextType, RequireFields<MutationRemoveDoNotCallArgs, 'id'>>;
  createLine?: Resolver<ResolversTypes['CreateLineResult'], ParentType, ContextType, RequireFields<MutationCreateLineArgs, 'input'>>;
  updateLine?: Resolver<ResolversTypes['UpdateLineResult'], ParentType, ContextType, RequireFields<MutationUpdateLineArgs, 'id' | 'input'>>;
  deleteLine?: Resolver<ResolversTypes['DeleteLineResult'], ParentType, ContextType, RequireFields<MutationDeleteLineArgs, 'id'>>;
  monitorHeartbeat?: Resolver<ResolversTypes['MonitorPresence'], ParentType, ContextType, Partial<MutationMonitorHeartbeatArgs>>;
  leaveMonitoring?: Resolver<ResolversTypes['MonitorDeparture'], ParentType, ContextType>;
  claimIntervention?: Resolver<ResolversTypes['ClaimInterventionResult'], ParentType, ContextType, RequireFields<MutationClaimInterventionArgs, 'callKey' | 'when'>>;
  cancelIntervention?: Resolver<ResolversTypes['CancelInterventionResult'], ParentType, ContextType, RequireFields<MutationCancelInterventionArgs, 'callKey'>>;
  releaseLiveCall?: Resolver<ResolversTypes['ReleaseLiveCallResult'], ParentType, ContextType, RequireFields<MutationReleaseLiveCallArgs, 'callKey'>>;
  hangUpLiveCall?: Resolver<ResolversTypes['HangUpLiveCallResult'], ParentType, ContextType, RequireFields<MutationHangUpLiveCallArgs, 'callKey'>>;
  createPolicy?: Resolver<ResolversTypes['Policy'], ParentType, ContextType, RequireFields<MutationCreatePolicyArgs, 'input'>>;
  updatePolicy?: Resolver<ResolversTypes['Policy'], ParentType, ContextType, RequireFields<MutationUpdatePolicyArgs, 'id' | 'input'>>;
  deletePolicy?: Resolver<ResolversTypes['Policy'], ParentType, ContextType, RequireFields<MutationDeletePolicyArgs, 'id'>>;
  acknowledgeRuntimeEvent?: Resolver<ResolversTypes['RuntimeEvent'], ParentType, ContextType, RequireFields<MutationAcknowledgeRuntimeEventArgs, 'id'>>;
  saveScript?: Resolver<ResolversTypes['Script'], ParentType, ContextType, RequireFields<MutationSaveScriptArgs, 'input'>>;
  deleteScript?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteScriptArgs, 'id'>>;
  placeManualCall?: Resolver<ResolversTypes['PlaceCallResult'], ParentType, ContextType, RequireFields<MutationPlaceManualCallArgs, 'agentId' | 'input'>>;
  placeCallback?: Resolver<ResolversTypes['PlaceCallResult'], ParentType, ContextType, RequireFields<MutationPlaceCallbackArgs, 'agentId' | 'input'>>;
  placeTransfer?: Resolver<ResolversTypes['PlaceCallResult'], ParentType, ContextType, RequireFields<MutationPlaceTransferArgs, 'agentId' | 'input'>>;
  openSoftphoneSession?: Resolver<ResolversTypes['OpenSoftphoneSessionResult'], ParentType, ContextType, RequireFields<MutationOpenSoftphoneSessionArgs, 'input'>>;
  sayInSoftphoneSession?: Resolver<ResolversTypes['SayInSoftphoneSessionResult'], ParentType, ContextType, RequireFields<MutationSayInSoftphoneSessionArgs, 'sessionId' | 'text'>>;
  holdSoftphoneSession?: Resolver<ResolversTypes['ControlSoftphoneSessionResult'], ParentType, ContextType, RequireFields<MutationHoldSoftphoneSessionArgs, 'sessionId'>>;
  resumeSoftphoneSession?: Resolver<ResolversTypes['ControlSoftphoneSessionResult'], ParentType, ContextType, RequireFields<MutationResumeSoftphoneSessionArgs, 'sessionId'>>;
  sendSoftphoneDigits?: Resolver<ResolversTypes['ControlSoftphoneSessionResult'], ParentType, ContextType, RequireFields<MutationSendSoftphoneDigitsArgs, 'sessionId' | 'digits'>>;
  transferSoftphoneSession?: Resolver<ResolversTypes['ControlSoftphoneSessionResult'], ParentType, ContextType, RequireFields<MutationTransferSoftphoneSessionArgs, 'sessionId' | 'targetNumber'>>;
  noteSoftphoneSession?: Resolver<ResolversTypes['SoftphoneSession'], ParentType, ContextType, RequireFields<MutationNoteSoftphoneSessionArgs, 'sessionId' | 'note'>>;
  endSoftphoneSession?: Resolver<ResolversTypes['EndedSoftphoneSession'], ParentType, ContextType, RequireFields<MutationEndSoftphoneSessionArgs, 'sessionId'>>;
  createUser?: Resolver<ResolversTypes['CreateUserResult'], ParentType, ContextType, RequireFields<MutationCreateUserArgs, 'input'>>;
  updateUser?: Resolver<ResolversTypes['UpdateUserResult'], ParentType, ContextType, RequireFields<MutationUpdateUserArgs, 'id' | 'input'>>;
  deleteUser?: Resolver<ResolversTypes['DeleteUserResult'], ParentType, ContextType, RequireFields<MutationDeleteUserArgs, 'id'>>;
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

export type SubscriptionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  agentStatuses?: SubscriptionResolver<ResolversTypes['AgentStatusesEvent'], "agentStatuses", ParentType, ContextType, Partial<SubscriptionAgentStatusesArgs>>;
  campaignProgress?: SubscriptionResolver<ResolversTypes['CampaignProgressEvent'], "campaignProgress", ParentType, ContextType, RequireFields<SubscriptionCampaignProgressArgs, 'campaignId'>>;
  conference?: SubscriptionResolver<ResolversTypes['ConferenceEvent'], "conference", ParentType, ContextType, RequireFields<SubscriptionConferenceArgs, 'id'>>;
  intentAlerts?: SubscriptionResolver<ResolversTypes['IntentAlertsEvent'], "intentAlerts", ParentType, ContextType, Partial<SubscriptionIntentAlertsArgs>>;
  liveCalls?: SubscriptionResolver<ResolversTypes['LiveCallsEvent'], "liveCalls", ParentType, ContextType, Partial<SubscriptionLiveCallsArgs>>;
  liveCall?: SubscriptionResolver<ResolversTypes['LiveCallsEvent'], "liveCall", ParentType, ContextType, RequireFields<SubscriptionLiveCallArgs, 'callKey'>>;
  monitorDesk?: SubscriptionResolver<ResolversTypes['MonitorDeskEvent'], "monitorDesk", ParentType, ContextType, Partial<SubscriptionMonitorDeskArgs>>;
  overview?: SubscriptionResolver<ResolversTypes['OverviewEvent'], "overview", ParentType, ContextType, Partial<SubscriptionOverviewArgs>>;
  runtimeEvents?: SubscriptionResolver<ResolversTypes['RuntimeEventsEvent'], "runtimeEvents", ParentType, ContextType, Partial<SubscriptionRuntimeEventsArgs>>;
  softphoneSession?: SubscriptionResolver<ResolversTypes['SoftphoneSessionEvent'], "softphoneSession", ParentType, ContextType, RequireFields<SubscriptionSoftphoneSessionArgs, 'sessionId'>>;
};

export type AgentStatusesEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentStatusesEvent'] = ResolversParentTypes['AgentStatusesEvent']> = {
  __resolveType: TypeResolveFn<'AgentStatusesSnapshot' | 'AgentStatusChanged' | 'AgentLeft' | 'Resync', ParentType, ContextType>;
};

export type AgentStatusesSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentStatusesSnapshot'] = ResolversParentTypes['AgentStatusesSnapshot']> = {
  agents?: Resolver<Array<ResolversTypes['Agent']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentStatusChangedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentStatusChanged'] = ResolversParentTypes['AgentStatusChanged']> = {
  agent?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentLeftResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentLeft'] = ResolversParentTypes['AgentLeft']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Agent'] = ResolversParentTypes['Agent']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  phoneExtension?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  groupId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  group?: Resolver<Maybe<ResolversTypes['AgentGroup']>, ParentType, ContextType>;
  userId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  cellId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['AgentStatus'], ParentType, ContextType>;
  registrationStatus?: Resolver<ResolversTypes['RegistrationStatus'], ParentType, ContextType>;
  currentCallKey?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentStatusResolvers = EnumResolverSignature<{ IDLE?: any, BUSY?: any, OFFLINE?: any }, ResolversTypes['AgentStatus']>;

export type RegistrationStatusResolvers = EnumResolverSignature<{ REGISTERED?: any, UNREGISTERED?: any, UNCONFIGURED?: any, UNKNOWN?: any }, ResolversTypes['RegistrationStatus']>;

export type AgentGroupResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentGroup'] = ResolversParentTypes['AgentGroup']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PhoneExtensionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PhoneExtension'] = ResolversParentTypes['PhoneExtension']> = {
  phoneExtension?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  cellId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  switchReachable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  registrationStatus?: Resolver<ResolversTypes['RegistrationStatus'], ParentType, ContextType>;
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type PhoneStatusResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PhoneStatus'] = ResolversParentTypes['PhoneStatus']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneExtension?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  registrationStatus?: Resolver<ResolversTypes['RegistrationStatus'], ParentType, ContextType>;
};

export type SipConfigResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SipConfig'] = ResolversParentTypes['SipConfig']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneExtension?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sipUri?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  authUsername?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  wsServers?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  realm?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  iceServers?: Resolver<Array<ResolversTypes['IceServer']>, ParentType, ContextType>;
};

export type IceServerResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['IceServer'] = ResolversParentTypes['IceServer']> = {
  urls?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type OwnSipConfigResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OwnSipConfig'] = ResolversParentTypes['OwnSipConfig']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneExtension?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sipUri?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  authUsername?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  password?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  wsServers?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  realm?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  iceServers?: Resolver<Array<ResolversTypes['OwnIceServer']>, ParentType, ContextType>;
};

export type OwnIceServerResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OwnIceServer'] = ResolversParentTypes['OwnIceServer']> = {
  urls?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  username?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  credential?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AgentTakenResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentTaken'] = ResolversParentTypes['AgentTaken']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentBusyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentBusy'] = ResolversParentTypes['AgentBusy']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentStatusRefusedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentStatusRefused'] = ResolversParentTypes['AgentStatusRefused']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentGroupNameTakenResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentGroupNameTaken'] = ResolversParentTypes['AgentGroupNameTaken']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentGroupInUseResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AgentGroupInUse'] = ResolversParentTypes['AgentGroupInUse']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CreateAgentResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CreateAgentResult'] = ResolversParentTypes['CreateAgentResult']> = {
  __resolveType: TypeResolveFn<'Agent' | 'AgentTaken', ParentType, ContextType>;
};

export type UpdateAgentResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UpdateAgentResult'] = ResolversParentTypes['UpdateAgentResult']> = {
  __resolveType: TypeResolveFn<'Agent' | 'AgentTaken', ParentType, ContextType>;
};

export type DeleteAgentResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DeleteAgentResult'] = ResolversParentTypes['DeleteAgentResult']> = {
  __resolveType: TypeResolveFn<'Agent' | 'AgentBusy', ParentType, ContextType>;
};

export type SetAgentStatusResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SetAgentStatusResult'] = ResolversParentTypes['SetAgentStatusResult']> = {
  __resolveType: TypeResolveFn<'Agent' | 'AgentStatusRefused', ParentType, ContextType>;
};

export type CreateAgentGroupResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CreateAgentGroupResult'] = ResolversParentTypes['CreateAgentGroupResult']> = {
  __resolveType: TypeResolveFn<'AgentGroup' | 'AgentGroupNameTaken', ParentType, ContextType>;
};

export type UpdateAgentGroupResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['UpdateAgentGroupResult'] = ResolversParentTypes['UpdateAgentGroupResult']> = {
  __resolveType: TypeResolveFn<'AgentGroup' | 'AgentGroupNameTaken', ParentType, ContextType>;
};

export type DeleteAgentGroupResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['DeleteAgentGroupResult'] = ResolversParentTypes['DeleteAgentGroupResult']> = {
  __resolveType: TypeResolveFn<'AgentGroup' | 'AgentGroupInUse', ParentType, ContextType>;
};

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
  reportedTimes?: Resolver<Maybe<ResolversTypes['ReportedTimes']>, ParentType, ContextType>;
  resultMissing?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  transcript?: Resolver<Array<ResolversTypes['TranscriptSegment']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  timeline?: Resolver<Array<ResolversTypes['CallEvent']>, ParentType, ContextType>;
};

export type ReportedTimesResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ReportedTimes'] = ResolversParentTypes['ReportedTimes']> = {
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
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
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type CampaignProgressEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignProgressEvent'] = ResolversParentTypes['CampaignProgressEvent']> = {
  __resolveType: TypeResolveFn<'CampaignProgressSnapshot' | 'CampaignProgressChanged' | 'Resync', ParentType, ContextType>;
};

export type CampaignProgressSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignProgressSnapshot'] = ResolversParentTypes['CampaignProgressSnapshot']> = {
  progress?: Resolver<ResolversTypes['CampaignProgress'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CampaignProgressChangedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignProgressChanged'] = ResolversParentTypes['CampaignProgressChanged']> = {
  progress?: Resolver<ResolversTypes['CampaignProgress'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
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
  retryAnsweredWithoutResult?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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

export type CampaignPhaseResolvers = EnumResolverSignature<{ IDLE?: any, DISPATCHING?: any, WAITING_WINDOW?: any, WAITING_INTERVAL?: any, WAITING_RETRY?: any, WAITING_SLOT?: any, WAITING_MONITOR?: any, WAITING_RUNTIME?: any, BLOCKED_BY_POLICY?: any, DRAINING?: any, SWITCH_UNREACHABLE?: any }, ResolversTypes['CampaignPhase']>;

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

export type ConferenceEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ConferenceEvent'] = ResolversParentTypes['ConferenceEvent']> = {
  __resolveType: TypeResolveFn<'ConferenceSnapshot' | 'ConferenceChanged' | 'Resync', ParentType, ContextType>;
};

export type ConferenceSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ConferenceSnapshot'] = ResolversParentTypes['ConferenceSnapshot']> = {
  conference?: Resolver<ResolversTypes['Conference'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ConferenceChangedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ConferenceChanged'] = ResolversParentTypes['ConferenceChanged']> = {
  conference?: Resolver<ResolversTypes['Conference'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ConferenceResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Conference'] = ResolversParentTypes['Conference']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  conferenceName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ConferenceKind'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConferenceStatus'], ParentType, ContextType>;
  requestId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  attemptId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  attempt?: Resolver<Maybe<ResolversTypes['Attempt']>, ParentType, ContextType>;
  campaignId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  campaign?: Resolver<Maybe<ResolversTypes['Campaign']>, ParentType, ContextType>;
  customerUuid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  customerState?: Resolver<ResolversTypes['CustomerState'], ParentType, ContextType>;
  cellId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  memberCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  interventionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  recordingUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endCause?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  legs?: Resolver<Array<ResolversTypes['ConferenceLeg']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ConferenceKindResolvers = EnumResolverSignature<{ TRANSFER?: any, SESSION?: any }, ResolversTypes['ConferenceKind']>;

export type ConferenceStatusResolvers = EnumResolverSignature<{ ROUTING?: any, LIVE?: any, ENDED?: any }, ResolversTypes['ConferenceStatus']>;

export type CustomerStateResolvers = EnumResolverSignature<{ OUTSIDE?: any, INSIDE?: any, ASIDE?: any, GONE?: any }, ResolversTypes['CustomerState']>;

export type ConferenceLegResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ConferenceLeg'] = ResolversParentTypes['ConferenceLeg']> = {
  softphoneCallId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['ConferenceLegRole'], ParentType, ContextType>;
  mode?: Resolver<ResolversTypes['ConferenceLegMode'], ParentType, ContextType>;
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  agentName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  targetNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  callUuid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConferenceLegStatus'], ParentType, ContextType>;
  canSpeak?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  joinedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endCause?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ConferenceLegRoleResolvers = EnumResolverSignature<{ AGENT?: any, SUPERVISOR?: any, EXTERNAL?: any }, ResolversTypes['ConferenceLegRole']>;

export type ConferenceLegModeResolvers = EnumResolverSignature<{ TRANSFER?: any, BLIND?: any, CONSULT?: any, LISTEN?: any, BARGE?: any, SESSION?: any }, ResolversTypes['ConferenceLegMode']>;

export type ConferenceLegStatusResolvers = EnumResolverSignature<{ RESERVED?: any, DIALING?: any, RINGING?: any, JOINED?: any, ENDED?: any }, ResolversTypes['ConferenceLegStatus']>;

export type ParticipantModeResolvers = EnumResolverSignature<{ BLIND?: any, CONSULT?: any, LISTEN?: any, BARGE?: any }, ResolversTypes['ParticipantMode']>;

export type RemovedParticipantResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RemovedParticipant'] = ResolversParentTypes['RemovedParticipant']> = {
  softphoneCallId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  removed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ParticipantRefusedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ParticipantRefused'] = ResolversParentTypes['ParticipantRefused']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AddParticipantResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['AddParticipantResult'] = ResolversParentTypes['AddParticipantResult']> = {
  __resolveType: TypeResolveFn<'ConferenceLeg' | 'ParticipantRefused' | 'PolicyForbids', ParentType, ContextType>;
};

export type RemoveParticipantResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RemoveParticipantResult'] = ResolversParentTypes['RemoveParticipantResult']> = {
  __resolveType: TypeResolveFn<'RemovedParticipant' | 'ParticipantRefused', ParentType, ContextType>;
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

export type ErasedPersonResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ErasedPerson'] = ResolversParentTypes['ErasedPerson']> = {
  erased?: Resolver<ResolversTypes['ErasedCounts'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ErasedCountsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ErasedCounts'] = ResolversParentTypes['ErasedCounts']> = {
  contacts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  transcripts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  recordings?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agentCalls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  conferences?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  events?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  auditRows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PersonInCallResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PersonInCall'] = ResolversParentTypes['PersonInCall']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type EraseContactResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['EraseContactResult'] = ResolversParentTypes['EraseContactResult']> = {
  __resolveType: TypeResolveFn<'ErasedPerson' | 'PersonInCall', ParentType, ContextType>;
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

export type IntentAlertsEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['IntentAlertsEvent'] = ResolversParentTypes['IntentAlertsEvent']> = {
  __resolveType: TypeResolveFn<'IntentAlertsSnapshot' | 'IntentAlertRaised' | 'IntentAlertAcknowledged' | 'Resync', ParentType, ContextType>;
};

export type IntentAlertsSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['IntentAlertsSnapshot'] = ResolversParentTypes['IntentAlertsSnapshot']> = {
  alerts?: Resolver<Array<ResolversTypes['IntentAlert']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type IntentAlertRaisedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['IntentAlertRaised'] = ResolversParentTypes['IntentAlertRaised']> = {
  alert?: Resolver<ResolversTypes['IntentAlert'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type IntentAlertAcknowledgedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['IntentAlertAcknowledged'] = ResolversParentTypes['IntentAlertAcknowledged']> = {
  alert?: Resolver<ResolversTypes['IntentAlert'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
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
  monitorViewMode?: Resolver<ResolversTypes['MonitorViewMode'], ParentType, ContextType>;
  timeline?: Resolver<Array<ResolversTypes['CallEvent']>, ParentType, ContextType>;
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
  when?: Resolver<ResolversTypes['InterventionTiming'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type MediaConfigResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MediaConfig'] = ResolversParentTypes['MediaConfig']> = {
  baseUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  switchRecordingBaseUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  switchRecordingBaseUrlsByCell?: Resolver<Array<ResolversTypes['CellRecordingBaseUrl']>, ParentType, ContextType>;
  emotionAudioBaseUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CellRecordingBaseUrlResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CellRecordingBaseUrl'] = ResolversParentTypes['CellRecordingBaseUrl']> = {
  cellId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  baseUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MonitorDeskEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorDeskEvent'] = ResolversParentTypes['MonitorDeskEvent']> = {
  __resolveType: TypeResolveFn<'MonitorDeskSnapshot' | 'MonitorDeskCallJoined' | 'MonitorDeskCallChanged' | 'MonitorDeskCallLeft' | 'MonitorCapacityChanged' | 'Resync', ParentType, ContextType>;
};

export type WatchedCallResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['WatchedCall'] = ResolversParentTypes['WatchedCall']> = {
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  viewMode?: Resolver<ResolversTypes['MonitorViewMode'], ParentType, ContextType>;
};

export type MonitorDeskSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorDeskSnapshot'] = ResolversParentTypes['MonitorDeskSnapshot']> = {
  calls?: Resolver<Array<ResolversTypes['WatchedCall']>, ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['MonitorCapacity'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MonitorDeskCallJoinedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorDeskCallJoined'] = ResolversParentTypes['MonitorDeskCallJoined']> = {
  watched?: Resolver<ResolversTypes['WatchedCall'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MonitorDeskCallChangedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorDeskCallChanged'] = ResolversParentTypes['MonitorDeskCallChanged']> = {
  watched?: Resolver<ResolversTypes['WatchedCall'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MonitorDeskCallLeftResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorDeskCallLeft'] = ResolversParentTypes['MonitorDeskCallLeft']> = {
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MonitorCapacityChangedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorCapacityChanged'] = ResolversParentTypes['MonitorCapacityChanged']> = {
  capacity?: Resolver<ResolversTypes['MonitorCapacity'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MonitorViewModeResolvers = EnumResolverSignature<{ ACTIVE?: any, RETAINED?: any }, ResolversTypes['MonitorViewMode']>;

export type MonitorDeskResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorDesk'] = ResolversParentTypes['MonitorDesk']> = {
  calls?: Resolver<Array<ResolversTypes['LiveCall']>, ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['MonitorCapacity'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MonitorCapacityResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorCapacity'] = ResolversParentTypes['MonitorCapacity']> = {
  mine?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  waiting?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MonitorPresenceResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorPresence'] = ResolversParentTypes['MonitorPresence']> = {
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['MonitorCapacity'], ParentType, ContextType>;
  assigned?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type MonitorDepartureResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['MonitorDeparture'] = ResolversParentTypes['MonitorDeparture']> = {
  released?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type IntentAlertResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['IntentAlert'] = ResolversParentTypes['IntentAlert']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  attemptId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  campaignId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  keyword?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  segmentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  acknowledgedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  acknowledgedBy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type InterventionChangeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['InterventionChange'] = ResolversParentTypes['InterventionChange']> = {
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  intervention?: Resolver<ResolversTypes['Intervention'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ReleasedCallResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ReleasedCall'] = ResolversParentTypes['ReleasedCall']> = {
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type HungUpCallResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['HungUpCall'] = ResolversParentTypes['HungUpCall']> = {
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  hangupCause?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InterventionRefusedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['InterventionRefused'] = ResolversParentTypes['InterventionRefused']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ReleaseRefusedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ReleaseRefused'] = ResolversParentTypes['ReleaseRefused']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LiveCallOverResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LiveCallOver'] = ResolversParentTypes['LiveCallOver']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ClaimInterventionResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ClaimInterventionResult'] = ResolversParentTypes['ClaimInterventionResult']> = {
  __resolveType: TypeResolveFn<'InterventionChange' | 'InterventionRefused' | 'LiveCallOver', ParentType, ContextType>;
};

export type CancelInterventionResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CancelInterventionResult'] = ResolversParentTypes['CancelInterventionResult']> = {
  __resolveType: TypeResolveFn<'InterventionChange' | 'InterventionRefused' | 'LiveCallOver', ParentType, ContextType>;
};

export type ReleaseLiveCallResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ReleaseLiveCallResult'] = ResolversParentTypes['ReleaseLiveCallResult']> = {
  __resolveType: TypeResolveFn<'ReleasedCall' | 'ReleaseRefused' | 'LiveCallOver', ParentType, ContextType>;
};

export type HangUpLiveCallResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['HangUpLiveCallResult'] = ResolversParentTypes['HangUpLiveCallResult']> = {
  __resolveType: TypeResolveFn<'HungUpCall' | 'LiveCallOver', ParentType, ContextType>;
};

export type NluCapabilitiesResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['NluCapabilities'] = ResolversParentTypes['NluCapabilities']> = {
  decision?: Resolver<ResolversTypes['NluAction'], ParentType, ContextType>;
  extract?: Resolver<ResolversTypes['NluAction'], ParentType, ContextType>;
};

export type NluActionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['NluAction'] = ResolversParentTypes['NluAction']> = {
  defaultProfile?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  profiles?: Resolver<Array<ResolversTypes['NluProfile']>, ParentType, ContextType>;
};

export type NluProfileResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['NluProfile'] = ResolversParentTypes['NluProfile']> = {
  key?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  labelZh?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  descriptionZh?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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

export type NotDialedReasonResolvers = EnumResolverSignature<{ DNC?: any, BLACKLIST?: any, BLOCKED_DATE?: any, OUTSIDE_WINDOW?: any, FREQUENCY_CAP?: any, INTERVAL?: any, RETRY_WAIT?: any, LINE_FULL?: any, NUMBER_FULL?: any, CELL_FULL?: any, CAMPAIGN_FULL?: any, NO_MONITOR?: any, NO_RUNTIME?: any, RUNTIME_FULL?: any, SWITCH_UNREACHABLE?: any, PAUSED?: any, ATTEMPTS_EXHAUSTED?: any, INVALID_NUMBER?: any }, ResolversTypes['NotDialedReason']>;

export type OverviewEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OverviewEvent'] = ResolversParentTypes['OverviewEvent']> = {
  __resolveType: TypeResolveFn<'OverviewSnapshot' | 'OverviewChanged' | 'Resync', ParentType, ContextType>;
};

export type OverviewSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OverviewSnapshot'] = ResolversParentTypes['OverviewSnapshot']> = {
  overview?: Resolver<ResolversTypes['Overview'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OverviewChangedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OverviewChanged'] = ResolversParentTypes['OverviewChanged']> = {
  overview?: Resolver<ResolversTypes['Overview'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OverviewResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Overview'] = ResolversParentTypes['Overview']> = {
  campaigns?: Resolver<ResolversTypes['OverviewCampaigns'], ParentType, ContextType>;
  contacts?: Resolver<ResolversTypes['OverviewContacts'], ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes['OverviewAttempts'], ParentType, ContextType>;
  ratios?: Resolver<ResolversTypes['OverviewRatios'], ParentType, ContextType>;
  activeCalls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agents?: Resolver<ResolversTypes['OverviewAgents'], ParentType, ContextType>;
  recentEvents?: Resolver<Array<ResolversTypes['RuntimeEvent']>, ParentType, ContextType>;
  recentAttempts?: Resolver<Array<ResolversTypes['Attempt']>, ParentType, ContextType>;
};

export type OverviewCampaignsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OverviewCampaigns'] = ResolversParentTypes['OverviewCampaigns']> = {
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  running?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  paused?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  byStatus?: Resolver<Array<ResolversTypes['CampaignStatusCount']>, ParentType, ContextType>;
};

export type CampaignStatusCountResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CampaignStatusCount'] = ResolversParentTypes['CampaignStatusCount']> = {
  status?: Resolver<ResolversTypes['CampaignStatus'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type OverviewContactsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OverviewContacts'] = ResolversParentTypes['OverviewContacts']> = {
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  byStatus?: Resolver<Array<ResolversTypes['ContactStatusCount']>, ParentType, ContextType>;
};

export type ContactStatusCountResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ContactStatusCount'] = ResolversParentTypes['ContactStatusCount']> = {
  status?: Resolver<ResolversTypes['ContactStatus'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type OverviewAttemptsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OverviewAttempts'] = ResolversParentTypes['OverviewAttempts']> = {
  today?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  answered?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  completed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type OverviewRatiosResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OverviewRatios'] = ResolversParentTypes['OverviewRatios']> = {
  answerRate?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  completionRate?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type OverviewAgentsResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OverviewAgents'] = ResolversParentTypes['OverviewAgents']> = {
  idle?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  busy?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  offline?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TrendDayResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['TrendDay'] = ResolversParentTypes['TrendDay']> = {
  date?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  answered?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  completed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  averageDurationSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

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

export type ResyncResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Resync'] = ResolversParentTypes['Resync']> = {
  reason?: Resolver<ResolversTypes['ResyncReason'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ResyncReasonResolvers = EnumResolverSignature<{ GAP?: any, OVERFLOW?: any, CURSOR_NOT_HELD?: any, DISCONNECTED?: any, SOURCE_UNAVAILABLE?: any }, ResolversTypes['ResyncReason']>;

export type PageInfoResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ErrorCodeResolvers = EnumResolverSignature<{ INVALID_ARGUMENT?: any, UNAUTHENTICATED?: any, FORBIDDEN?: any, NOT_FOUND?: any, METHOD_NOT_ALLOWED?: any, CONFLICT?: any, NOTHING_TO_CALL?: any, CAMPAIGN_ARCHIVED?: any, CAMPAIGN_RUNNING?: any, POLICY_FORBIDS?: any, LOCK_CONTENDED?: any, IDEMPOTENCY_MISMATCH?: any, GONE?: any, STALE_EPOCH?: any, PAYLOAD_TOO_LARGE?: any, UNSUPPORTED_MEDIA_TYPE?: any, RATE_LIMITED?: any, SWITCH_UNAVAILABLE?: any, DOWNSTREAM_INVALID?: any, DOWNSTREAM_TIMEOUT?: any, DATABASE_UNAVAILABLE?: any, CACHE_UNAVAILABLE?: any, BUS_UNAVAILABLE?: any, SERVER_STOPPING?: any, INTERNAL?: any }, ResolversTypes['ErrorCode']>;

export type RefusalResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['Refusal'] = ResolversParentTypes['Refusal']> = {
  __resolveType: TypeResolveFn<'AgentTaken' | 'AgentBusy' | 'AgentStatusRefused' | 'AgentGroupNameTaken' | 'AgentGroupInUse' | 'BatchNotRunning' | 'NothingToCall' | 'MoveRefused' | 'PolicyForbids' | 'DispatchContended' | 'CampaignInUse' | 'ParticipantRefused' | 'ContactChangeRefused' | 'PersonInCall' | 'LineCodeTaken' | 'LineInUse' | 'InterventionRefused' | 'ReleaseRefused' | 'LiveCallOver' | 'CampaignArchived' | 'CallRefused' | 'SoftphoneSessionRefused' | 'UsernameTaken' | 'UserMustStay', ParentType, ContextType>;
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
  reason?: Resolver<ResolversTypes['ResyncReason'], ParentType, ContextType>;
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

export type RuntimeOverviewResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RuntimeOverview'] = ResolversParentTypes['RuntimeOverview']> = {
  activeContacts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  stuckContacts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  runningBatches?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  scheduler?: Resolver<ResolversTypes['SchedulerCounters'], ParentType, ContextType>;
  campaigns?: Resolver<Array<ResolversTypes['RuntimeCampaign']>, ParentType, ContextType>;
  lines?: Resolver<Array<ResolversTypes['LineConcurrency']>, ParentType, ContextType>;
  cells?: Resolver<Array<ResolversTypes['CellConcurrency']>, ParentType, ContextType>;
  stuckBatches?: Resolver<Array<ResolversTypes['Batch']>, ParentType, ContextType>;
  recentEvents?: Resolver<Array<ResolversTypes['RuntimeEvent']>, ParentType, ContextType>;
  runtimeMode?: Resolver<ResolversTypes['RuntimeMode'], ParentType, ContextType>;
  hasUnregistered?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  runtimes?: Resolver<Array<ResolversTypes['RegisteredRuntime']>, ParentType, ContextType>;
};

export type SchedulerCountersResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SchedulerCounters'] = ResolversParentTypes['SchedulerCounters']> = {
  submittedLastMinute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failedLastMinute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  completedBatchesLastMinute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RuntimeCampaignResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RuntimeCampaign'] = ResolversParentTypes['RuntimeCampaign']> = {
  campaignId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  fraction?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type LineConcurrencyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['LineConcurrency'] = ResolversParentTypes['LineConcurrency']> = {
  lineId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  maxConcurrency?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  active?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CellConcurrencyResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CellConcurrency'] = ResolversParentTypes['CellConcurrency']> = {
  cellId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  maxConcurrency?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  active?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isEnabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['CellState'], ParentType, ContextType>;
};

export type CellStateResolvers = EnumResolverSignature<{ CONNECTING?: any, UP?: any, DOWN?: any }, ResolversTypes['CellState']>;

export type RegisteredRuntimeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['RegisteredRuntime'] = ResolversParentTypes['RegisteredRuntime']> = {
  runtimeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  contract?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxCalls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  active?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isDraining?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isGone?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  resumes?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  businessCodes?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  lastSeenAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  ageSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RuntimeModeResolvers = EnumResolverSignature<{ NATS?: any, REST?: any }, ResolversTypes['RuntimeMode']>;

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

export type SoftphoneCallResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneCall'] = ResolversParentTypes['SoftphoneCall']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  callKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['SoftphoneDirection'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['SoftphoneStatus'], ParentType, ContextType>;
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  agent?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType>;
  userId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  campaignId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  campaign?: Resolver<Maybe<ResolversTypes['Campaign']>, ParentType, ContextType>;
  contactId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  contact?: Resolver<Maybe<ResolversTypes['Contact']>, ParentType, ContextType>;
  attemptId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  sessionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  conferenceId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lineId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  callerNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cellId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  note?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  callStatus?: Resolver<Maybe<ResolversTypes['CallStatus']>, ParentType, ContextType>;
  hangupCause?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hangupBy?: Resolver<Maybe<ResolversTypes['HangupParty']>, ParentType, ContextType>;
  failureReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  durationSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  recordingUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  legs?: Resolver<Array<ResolversTypes['SoftphoneLeg']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SoftphoneLegResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneLeg'] = ResolversParentTypes['SoftphoneLeg']> = {
  role?: Resolver<ResolversTypes['SoftphoneLegRole'], ParentType, ContextType>;
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  callUuid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['SoftphoneLegStatus'], ParentType, ContextType>;
  dialingAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  hangupCause?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SoftphoneDirectionResolvers = EnumResolverSignature<{ MANUAL_CALL?: any, CALLBACK?: any, TRANSFER?: any, SESSION?: any, CONFERENCE?: any }, ResolversTypes['SoftphoneDirection']>;

export type SoftphoneStatusResolvers = EnumResolverSignature<{ CREATED?: any, RINGING?: any, DIALING?: any, ANSWERED?: any, COMPLETED?: any, FAILED?: any }, ResolversTypes['SoftphoneStatus']>;

export type SoftphoneLegRoleResolvers = EnumResolverSignature<{ AGENT?: any, CUSTOMER?: any, SUPERVISOR?: any }, ResolversTypes['SoftphoneLegRole']>;

export type SoftphoneLegStatusResolvers = EnumResolverSignature<{ RESERVED?: any, DIALING?: any, RINGING?: any, ANSWERED?: any, ENDED?: any }, ResolversTypes['SoftphoneLegStatus']>;

export type SoftphoneCallDetailResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneCallDetail'] = ResolversParentTypes['SoftphoneCallDetail']> = {
  call?: Resolver<ResolversTypes['SoftphoneCall'], ParentType, ContextType>;
  timeline?: Resolver<Array<ResolversTypes['SoftphoneEvent']>, ParentType, ContextType>;
  ttsEvents?: Resolver<Array<ResolversTypes['SoftphoneEvent']>, ParentType, ContextType>;
  transcript?: Resolver<Array<ResolversTypes['SoftphoneUtterance']>, ParentType, ContextType>;
};

export type SoftphoneEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneEvent'] = ResolversParentTypes['SoftphoneEvent']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['SoftphoneEventKind'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type SoftphoneEventKindResolvers = EnumResolverSignature<{ SESSION?: any, MESSAGE?: any, TTS?: any, ERROR?: any }, ResolversTypes['SoftphoneEventKind']>;

export type SoftphoneUtteranceResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneUtterance'] = ResolversParentTypes['SoftphoneUtterance']> = {
  speaker?: Resolver<ResolversTypes['Speaker'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type SoftphoneCallConnectionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneCallConnection'] = ResolversParentTypes['SoftphoneCallConnection']> = {
  edges?: Resolver<Array<ResolversTypes['SoftphoneCallEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['SoftphoneCall']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type SoftphoneCallEdgeResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneCallEdge'] = ResolversParentTypes['SoftphoneCallEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['SoftphoneCall'], ParentType, ContextType>;
};

export type CallRefusedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['CallRefused'] = ResolversParentTypes['CallRefused']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PlaceCallResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['PlaceCallResult'] = ResolversParentTypes['PlaceCallResult']> = {
  __resolveType: TypeResolveFn<'SoftphoneCall' | 'CallRefused' | 'PolicyForbids', ParentType, ContextType>;
};

export type SoftphoneSessionEventResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneSessionEvent'] = ResolversParentTypes['SoftphoneSessionEvent']> = {
  __resolveType: TypeResolveFn<'SoftphoneSessionSnapshot' | 'SoftphoneSessionTold' | 'SoftphoneSessionChanged' | 'Resync', ParentType, ContextType>;
};

export type SoftphoneSessionSnapshotResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneSessionSnapshot'] = ResolversParentTypes['SoftphoneSessionSnapshot']> = {
  session?: Resolver<ResolversTypes['SoftphoneSession'], ParentType, ContextType>;
  events?: Resolver<Array<ResolversTypes['SoftphoneEvent']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SoftphoneSessionToldResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneSessionTold'] = ResolversParentTypes['SoftphoneSessionTold']> = {
  event?: Resolver<ResolversTypes['SoftphoneEvent'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SoftphoneSessionChangedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneSessionChanged'] = ResolversParentTypes['SoftphoneSessionChanged']> = {
  session?: Resolver<ResolversTypes['SoftphoneSession'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SoftphoneSessionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneSession'] = ResolversParentTypes['SoftphoneSession']> = {
  sessionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  call?: Resolver<ResolversTypes['SoftphoneCall'], ParentType, ContextType>;
  conferenceId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  customer?: Resolver<Maybe<ResolversTypes['ConferenceLeg']>, ParentType, ContextType>;
  isOpen?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type OpenedSoftphoneSessionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OpenedSoftphoneSession'] = ResolversParentTypes['OpenedSoftphoneSession']> = {
  sessionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  softphoneCallId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  serviceNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sipExtraHeaders?: Resolver<Array<ResolversTypes['SipHeader']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SipHeaderResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SipHeader'] = ResolversParentTypes['SipHeader']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SoftphoneMessageResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneMessage'] = ResolversParentTypes['SoftphoneMessage']> = {
  messageId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SoftphoneControlResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneControl'] = ResolversParentTypes['SoftphoneControl']> = {
  sessionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  softphoneCallId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type EndedSoftphoneSessionResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['EndedSoftphoneSession'] = ResolversParentTypes['EndedSoftphoneSession']> = {
  sessionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ended?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  recordingUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SoftphoneSessionRefusedResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SoftphoneSessionRefused'] = ResolversParentTypes['SoftphoneSessionRefused']> = {
  code?: Resolver<ResolversTypes['ErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OpenSoftphoneSessionResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['OpenSoftphoneSessionResult'] = ResolversParentTypes['OpenSoftphoneSessionResult']> = {
  __resolveType: TypeResolveFn<'OpenedSoftphoneSession' | 'SoftphoneSessionRefused' | 'PolicyForbids', ParentType, ContextType>;
};

export type SayInSoftphoneSessionResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['SayInSoftphoneSessionResult'] = ResolversParentTypes['SayInSoftphoneSessionResult']> = {
  __resolveType: TypeResolveFn<'SoftphoneMessage' | 'SoftphoneSessionRefused', ParentType, ContextType>;
};

export type ControlSoftphoneSessionResultResolvers<ContextType = GraphContext, ParentType extends ResolversParentTypes['ControlSoftphoneSessionResult'] = ResolversParentTypes['ControlSoftphoneSessionResult']> = {
  __resolveType: TypeResolveFn<'SoftphoneControl' | 'SoftphoneSessionRefused' | 'PolicyForbids', ParentType, ContextType>;
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
  Mutation?: MutationResolvers<ContextType>;
  Me?: MeResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Role?: RoleResolvers;
  Subscription?: SubscriptionResolvers<ContextType>;
  AgentStatusesEvent?: AgentStatusesEventResolvers<ContextType>;
  AgentStatusesSnapshot?: AgentStatusesSnapshotResolvers<ContextType>;
  AgentStatusChanged?: AgentStatusChangedResolvers<ContextType>;
  AgentLeft?: AgentLeftResolvers<ContextType>;
  Agent?: AgentResolvers<ContextType>;
  AgentStatus?: AgentStatusResolvers;
  RegistrationStatus?: RegistrationStatusResolvers;
  AgentGroup?: AgentGroupResolvers<ContextType>;
  PhoneExtension?: PhoneExtensionResolvers<ContextType>;
  PhoneStatus?: PhoneStatusResolvers<ContextType>;
  SipConfig?: SipConfigResolvers<ContextType>;
  IceServer?: IceServerResolvers<ContextType>;
  OwnSipConfig?: OwnSipConfigResolvers<ContextType>;
  OwnIceServer?: OwnIceServerResolvers<ContextType>;
  AgentTaken?: AgentTakenResolvers<ContextType>;
  AgentBusy?: AgentBusyResolvers<ContextType>;
  AgentStatusRefused?: AgentStatusRefusedResolvers<ContextType>;
  AgentGroupNameTaken?: AgentGroupNameTakenResolvers<ContextType>;
  AgentGroupInUse?: AgentGroupInUseResolvers<ContextType>;
  CreateAgentResult?: CreateAgentResultResolvers<ContextType>;
  UpdateAgentResult?: UpdateAgentResultResolvers<ContextType>;
  DeleteAgentResult?: DeleteAgentResultResolvers<ContextType>;
  SetAgentStatusResult?: SetAgentStatusResultResolvers<ContextType>;
  CreateAgentGroupResult?: CreateAgentGroupResultResolvers<ContextType>;
  UpdateAgentGroupResult?: UpdateAgentGroupResultResolvers<ContextType>;
  DeleteAgentGroupResult?: DeleteAgentGroupResultResolvers<ContextType>;
  Attempt?: AttemptResolvers<ContextType>;
  ReportedTimes?: ReportedTimesResolvers<ContextType>;
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
  CampaignProgressEvent?: CampaignProgressEventResolvers<ContextType>;
  CampaignProgressSnapshot?: CampaignProgressSnapshotResolvers<ContextType>;
  CampaignProgressChanged?: CampaignProgressChangedResolvers<ContextType>;
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
  ConferenceEvent?: ConferenceEventResolvers<ContextType>;
  ConferenceSnapshot?: ConferenceSnapshotResolvers<ContextType>;
  ConferenceChanged?: ConferenceChangedResolvers<ContextType>;
  Conference?: ConferenceResolvers<ContextType>;
  ConferenceKind?: ConferenceKindResolvers;
  ConferenceStatus?: ConferenceStatusResolvers;
  CustomerState?: CustomerStateResolvers;
  ConferenceLeg?: ConferenceLegResolvers<ContextType>;
  ConferenceLegRole?: ConferenceLegRoleResolvers;
  ConferenceLegMode?: ConferenceLegModeResolvers;
  ConferenceLegStatus?: ConferenceLegStatusResolvers;
  ParticipantMode?: ParticipantModeResolvers;
  RemovedParticipant?: RemovedParticipantResolvers<ContextType>;
  ParticipantRefused?: ParticipantRefusedResolvers<ContextType>;
  AddParticipantResult?: AddParticipantResultResolvers<ContextType>;
  RemoveParticipantResult?: RemoveParticipantResultResolvers<ContextType>;
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
  ErasedPerson?: ErasedPersonResolvers<ContextType>;
  ErasedCounts?: ErasedCountsResolvers<ContextType>;
  PersonInCall?: PersonInCallResolvers<ContextType>;
  EraseContactResult?: EraseContactResultResolvers<ContextType>;
  DoNotCallEntry?: DoNotCallEntryResolvers<ContextType>;
  DoNotCallSource?: DoNotCallSourceResolvers;
  DoNotCallEntryConnection?: DoNotCallEntryConnectionResolvers<ContextType>;
  DoNotCallEntryEdge?: DoNotCallEntryEdgeResolvers<ContextType>;
  IntentAlertsEvent?: IntentAlertsEventResolvers<ContextType>;
  IntentAlertsSnapshot?: IntentAlertsSnapshotResolvers<ContextType>;
  IntentAlertRaised?: IntentAlertRaisedResolvers<ContextType>;
  IntentAlertAcknowledged?: IntentAlertAcknowledgedResolvers<ContextType>;
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
  LiveCallStarted?: LiveCallStartedResolvers<ContextType>;
  LiveCallChanged?: LiveCallChangedResolvers<ContextType>;
  LiveCallSegment?: LiveCallSegmentResolvers<ContextType>;
  LiveCallEnded?: LiveCallEndedResolvers<ContextType>;
  LiveCallJoined?: LiveCallJoinedResolvers<ContextType>;
  LiveCallLeft?: LiveCallLeftResolvers<ContextType>;
  LiveCallResync?: LiveCallResyncResolvers<ContextType>;
  MediaConfig?: MediaConfigResolvers<ContextType>;
  CellRecordingBaseUrl?: CellRecordingBaseUrlResolvers<ContextType>;
  MonitorDeskEvent?: MonitorDeskEventResolvers<ContextType>;
  WatchedCall?: WatchedCallResolvers<ContextType>;
  MonitorDeskSnapshot?: MonitorDeskSnapshotResolvers<ContextType>;
  MonitorDeskCallJoined?: MonitorDeskCallJoinedResolvers<ContextType>;
  MonitorDeskCallChanged?: MonitorDeskCallChangedResolvers<ContextType>;
  MonitorDeskCallLeft?: MonitorDeskCallLeftResolvers<ContextType>;
  MonitorCapacityChanged?: MonitorCapacityChangedResolvers<ContextType>;
  MonitorViewMode?: MonitorViewModeResolvers;
  MonitorDesk?: MonitorDeskResolvers<ContextType>;
  MonitorCapacity?: MonitorCapacityResolvers<ContextType>;
  MonitorPresence?: MonitorPresenceResolvers<ContextType>;
  MonitorDeparture?: MonitorDepartureResolvers<ContextType>;
  IntentAlert?: IntentAlertResolvers<ContextType>;
  InterventionChange?: InterventionChangeResolvers<ContextType>;
  ReleasedCall?: ReleasedCallResolvers<ContextType>;
  HungUpCall?: HungUpCallResolvers<ContextType>;
  InterventionRefused?: InterventionRefusedResolvers<ContextType>;
  ReleaseRefused?: ReleaseRefusedResolvers<ContextType>;
  LiveCallOver?: LiveCallOverResolvers<ContextType>;
  ClaimInterventionResult?: ClaimInterventionResultResolvers<ContextType>;
  CancelInterventionResult?: CancelInterventionResultResolvers<ContextType>;
  ReleaseLiveCallResult?: ReleaseLiveCallResultResolvers<ContextType>;
  HangUpLiveCallResult?: HangUpLiveCallResultResolvers<ContextType>;
  NluCapabilities?: NluCapabilitiesResolvers<ContextType>;
  NluAction?: NluActionResolvers<ContextType>;
  NluProfile?: NluProfileResolvers<ContextType>;
  NotDialed?: NotDialedResolvers<ContextType>;
  NotDialedCount?: NotDialedCountResolvers<ContextType>;
  NotDialedReason?: NotDialedReasonResolvers;
  OverviewEvent?: OverviewEventResolvers<ContextType>;
  OverviewSnapshot?: OverviewSnapshotResolvers<ContextType>;
  OverviewChanged?: OverviewChangedResolvers<ContextType>;
  Overview?: OverviewResolvers<ContextType>;
  OverviewCampaigns?: OverviewCampaignsResolvers<ContextType>;
  CampaignStatusCount?: CampaignStatusCountResolvers<ContextType>;
  OverviewContacts?: OverviewContactsResolvers<ContextType>;
  ContactStatusCount?: ContactStatusCountResolvers<ContextType>;
  OverviewAttempts?: OverviewAttemptsResolvers<ContextType>;
  OverviewRatios?: OverviewRatiosResolvers<ContextType>;
  OverviewAgents?: OverviewAgentsResolvers<ContextType>;
  TrendDay?: TrendDayResolvers<ContextType>;
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
  Resync?: ResyncResolvers<ContextType>;
  ResyncReason?: ResyncReasonResolvers;
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
  RuntimeOverview?: RuntimeOverviewResolvers<ContextType>;
  SchedulerCounters?: SchedulerCountersResolvers<ContextType>;
  RuntimeCampaign?: RuntimeCampaignResolvers<ContextType>;
  LineConcurrency?: LineConcurrencyResolvers<ContextType>;
  CellConcurrency?: CellConcurrencyResolvers<ContextType>;
  CellState?: CellStateResolvers;
  RegisteredRuntime?: RegisteredRuntimeResolvers<ContextType>;
  RuntimeMode?: RuntimeModeResolvers;
  Script?: ScriptResolvers<ContextType>;
  ScriptConnection?: ScriptConnectionResolvers<ContextType>;
  ScriptEdge?: ScriptEdgeResolvers<ContextType>;
  SoftphoneCall?: SoftphoneCallResolvers<ContextType>;
  SoftphoneLeg?: SoftphoneLegResolvers<ContextType>;
  SoftphoneDirection?: SoftphoneDirectionResolvers;
  SoftphoneStatus?: SoftphoneStatusResolvers;
  SoftphoneLegRole?: SoftphoneLegRoleResolvers;
  SoftphoneLegStatus?: SoftphoneLegStatusResolvers;
  SoftphoneCallDetail?: SoftphoneCallDetailResolvers<ContextType>;
  SoftphoneEvent?: SoftphoneEventResolvers<ContextType>;
  SoftphoneEventKind?: SoftphoneEventKindResolvers;
  SoftphoneUtterance?: SoftphoneUtteranceResolvers<ContextType>;
  SoftphoneCallConnection?: SoftphoneCallConnectionResolvers<ContextType>;
  SoftphoneCallEdge?: SoftphoneCallEdgeResolvers<ContextType>;
  CallRefused?: CallRefusedResolvers<ContextType>;
  PlaceCallResult?: PlaceCallResultResolvers<ContextType>;
  SoftphoneSessionEvent?: SoftphoneSessionEventResolvers<ContextType>;
  SoftphoneSessionSnapshot?: SoftphoneSessionSnapshotResolvers<ContextType>;
  SoftphoneSessionTold?: SoftphoneSessionToldResolvers<ContextType>;
  SoftphoneSessionChanged?: SoftphoneSessionChangedResolvers<ContextType>;
  SoftphoneSession?: SoftphoneSessionResolvers<ContextType>;
  OpenedSoftphoneSession?: OpenedSoftphoneSessionResolvers<ContextType>;
  SipHeader?: SipHeaderResolvers<ContextType>;
  SoftphoneMessage?: SoftphoneMessageResolvers<ContextType>;
  SoftphoneControl?: SoftphoneControlResolvers<ContextType>;
  EndedSoftphoneSession?: EndedSoftphoneSessionResolvers<ContextType>;
  SoftphoneSessionRefused?: SoftphoneSessionRefusedResolvers<ContextType>;
  OpenSoftphoneSessionResult?: OpenSoftphoneSessionResultResolvers<ContextType>;
  SayInSoftphoneSessionResult?: SayInSoftphoneSessionResultResolvers<ContextType>;
  ControlSoftphoneSessionResult?: ControlSoftphoneSessionResultResolvers<ContextType>;
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

