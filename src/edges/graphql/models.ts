import type { z } from 'zod';
import type { mediaConfigRoute } from '#contract/rest/media.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { AgentView } from '#operations/agents/agent-view.ts';
import type { NewParticipant } from '#operations/conferences/add-participant.ts';
import type { viewModeOf } from '#feeds/live-call-scope.ts';
import type { Overview } from '#operations/overview/get-overview.ts';
import type { RuntimeOverview } from '#operations/overview/get-runtime-overview.ts';
import type { SoftphoneSession } from '#operations/softphone-sessions/find-session.ts';
import type { SoftphoneCallDetail } from '#operations/softphone-sessions/get-call.ts';
import type { AgentStatus, RegistrationStatus } from '#ports/agent-desk.ts';
import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import type { CampaignCounts } from '#ports/runtime-overview-store.ts';
import type { SoftphoneEvent } from '#ports/softphone-session-store.ts';
import type { SoftphoneCall, SoftphoneLeg } from '#ports/softphone-store.ts';
import type { CellState } from '#ports/switch.ts';
import type { Preflight } from '#operations/campaigns/preflight-campaign.ts';
import type { PreflightCheck } from '#operations/campaigns/preflight-checks.ts';
import type { DispatchedAttempt } from '#dialling/dispatch-manually.ts';
import type { CallIntervention } from '#operations/calls/publish-call.ts';
import type { LiveCall } from '#feeds/live-call.ts';
import type { ResyncReason } from '#feeds/feed.ts';
import type { Evaluation } from '#dialling/evaluate-dial.ts';
import type { RetryableStatus } from '#ports/contact-retry-store.ts';
import type { AttemptEvent } from '#operations/attempts/read-timelines.ts';
import type { CampaignProgress } from '#operations/campaigns/read-progress.ts';
import type { ScriptVersion } from '#ports/script-store.ts';
import type { LiveSegment } from '#ports/live-call-store.ts';
import type {
  AgentGroup,
  Attempt,
  AttemptStatus,
  AuditRow,
  Batch,
  BatchStatus,
  BusinessConfig,
  CallMonitor,
  CallStatus,
  Campaign,
  CampaignPhase,
  CampaignStatus,
  Contact,
  ContactStatus,
  DoNotCallEntry,
  HangupBy,
  IntentHit,
  MonitoringMode,
  Policy,
  RingbackDetection,
  Role,
  RuntimeEvent,
  RuntimeEventLevel,
  Speaker,
  TranscriptSegment,
  User,
} from '#ports/records.ts';
import type { AllocationMode, CallerIdHeaderMode, Line } from '#model/line.ts';
import type { JsonValue } from '#kernel/json.ts';
import type { SkipReason } from '#rules/skip-reason.ts';
import type { Connection } from './connection.ts';

// What the program hands to the fields of a type, where that is not the type itself. The generated types name these.
export type AgentModel = AgentView;
export type AgentGroupModel = AgentGroup;
export type SoftphoneCallModel = SoftphoneCall;
export type SoftphoneCallConnectionModel = Connection<SoftphoneCall>;
export type SoftphoneCallDetailModel = SoftphoneCallDetail;
export type SoftphoneEventModel = SoftphoneEvent;
export type SoftphoneLegModel = SoftphoneLeg;
export type SoftphoneSessionModel = SoftphoneSession;
export type ConferenceModel = ConferenceSession;
export type ConferenceLegModel = ConferenceLeg;
export type OverviewModel = Overview;
export type RuntimeOverviewModel = RuntimeOverview;
export type RuntimeCampaignModel = CampaignCounts;
export type MediaConfigModel = z.output<typeof mediaConfigRoute.data>;
export type AuditLogModel = AuditRow;
export type AuditLogConnectionModel = Connection<AuditRow>;
export type AttemptModel = Attempt;
export type AttemptConnectionModel = Connection<Attempt>;
export type BatchModel = Batch;
export type BatchConnectionModel = Connection<Batch>;
export type BusinessConfigModel = BusinessConfig;
export type CampaignModel = Campaign;
export type CampaignConnectionModel = Connection<Campaign>;
export type CampaignProgressModel = CampaignProgress;
export type ContactModel = Contact;
export type ContactConnectionModel = Connection<Contact>;
export type DoNotCallEntryModel = DoNotCallEntry;
export type DoNotCallEntryConnectionModel = Connection<DoNotCallEntry>;
export type DispatchedAttemptModel = DispatchedAttempt;
export type LineModel = Line;
export type LiveCallModel = LiveCall;
export type LiveSegmentModel = LiveSegment;
export type IntentHitModel = IntentHit;
export type InterventionModel = CallIntervention;
export type MonitorAssignmentModel = CallMonitor;
export type PolicyModel = Policy;
export type PolicyExplanationModel = Evaluation;
export type ScriptModel = ScriptVersion;
export type ScriptConnectionModel = Connection<ScriptVersion>;
export type PreflightModel = Preflight;
export type PreflightCellModel = Preflight['cell'];
export type UserAccountModel = User;
export type UserAccountConnectionModel = Connection<User>;
export type RuntimeEventModel = RuntimeEvent;
export type TranscriptSegmentModel = TranscriptSegment;
export type JsonModel = JsonValue;

// How the program spells the values of an enum.
export type AgentStatusValue = AgentStatus;
export type RegistrationStatusValue = RegistrationStatus;
export type SoftphoneDirectionValue = SoftphoneCall['direction'];
export type SoftphoneStatusValue = SoftphoneCall['status'];
export type SoftphoneLegRoleValue = SoftphoneLeg['role'];
export type SoftphoneLegStatusValue = SoftphoneLeg['status'];
export type SoftphoneEventKindValue = SoftphoneEvent['kind'];
export type ConferenceKindValue = ConferenceSession['kind'];
export type ConferenceStatusValue = ConferenceSession['status'];
export type CustomerStateValue = ConferenceSession['customerState'];
export type ConferenceLegRoleValue = ConferenceLeg['role'];
export type ConferenceLegModeValue = ConferenceLeg['mode'];
export type ConferenceLegStatusValue = ConferenceLeg['status'];
export type ParticipantModeValue = NewParticipant['mode'];
export type MonitorViewModeValue = ReturnType<typeof viewModeOf>;
export type CellStateValue = CellState['state'];
export type AllocationModeValue = AllocationMode;
export type AttemptStatusValue = AttemptStatus;
export type BatchSourceValue = Batch['source'];
export type BatchStatusValue = BatchStatus;
export type CallEventKindValue = AttemptEvent['kind'];
export type CallStatusValue = CallStatus;
export type CallerIdHeaderModeValue = CallerIdHeaderMode;
export type CampaignPhaseValue = CampaignPhase;
export type CampaignStatusValue = CampaignStatus;
export type CheckLevelValue = PreflightCheck['level'];
export type ContactStatusValue = ContactStatus;
export type DoNotCallSourceValue = DoNotCallEntry['source'];
export type NotDialedReasonValue = SkipReason;
export type PolicyActionValue = Policy['action'];
export type PolicyScopeValue = Policy['scope'];
export type PolicyTypeValue = string;
export type EmotionStatusValue = Attempt['emotionStatus'];
export type ErrorCodeValue = ErrorCode;
export type HangupPartyValue = HangupBy;
export type InterventionStatusValue = CallIntervention['status'];
export type LiveCallStatusValue = LiveCall['status'];
export type MonitoringModeValue = MonitoringMode;
export type ResyncReasonValue = ResyncReason;
export type RetryableContactStatusValue = RetryableStatus;
export type RingbackSourceValue = RingbackDetection['detectionSource'];
export type RingbackStatusValue = RingbackDetection['status'];
export type RoleValue = Role;
export type RuntimeEventLevelValue = RuntimeEventLevel;
export type RuntimeModeValue = RuntimeOverview['runtimeMode'];
export type SpeakerValue = Speaker;
