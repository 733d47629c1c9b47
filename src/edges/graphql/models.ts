import type { ErrorCode } from '#kernel/errors.ts';
import type { DispatchedAttempt } from '#operations/dispatch/dispatch-manually.ts';
import type { CallIntervention } from '#operations/calls/publish-call.ts';
import type { LiveCall } from '#operations/feeds/live-call.ts';
import type { ResyncReason } from '#operations/feeds/live-calls-feed.ts';
import type { RetryableStatus } from '#ports/contact-retry-store.ts';
import type { CampaignProgress } from '#ports/graph-store.ts';
import type { LiveSegment } from '#ports/live-call-store.ts';
import type {
  AllocationMode,
  Attempt,
  AttemptStatus,
  Batch,
  BatchStatus,
  BusinessConfig,
  CallerIdHeaderMode,
  CallMonitor,
  CallStatus,
  Campaign,
  CampaignPhase,
  CampaignStatus,
  Contact,
  ContactStatus,
  HangupBy,
  IntentHit,
  JsonValue,
  Line,
  MonitoringMode,
  RingbackDetection,
  Role,
  Speaker,
  TranscriptSegment,
} from '#ports/records.ts';
import type { Connection } from './connection.ts';

// What the program hands to the fields of a type, where that is not the type itself. The generated types name these.
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
export type DispatchedAttemptModel = DispatchedAttempt;
export type LineModel = Line;
export type LiveCallModel = LiveCall;
export type LiveSegmentModel = LiveSegment;
export type IntentHitModel = IntentHit;
export type InterventionModel = CallIntervention;
export type MonitorAssignmentModel = CallMonitor;
export type TranscriptSegmentModel = TranscriptSegment;
export type JsonModel = JsonValue;

// How the program spells the values of an enum.
export type AllocationModeValue = AllocationMode;
export type AttemptStatusValue = AttemptStatus;
export type BatchSourceValue = Batch['source'];
export type BatchStatusValue = BatchStatus;
export type CallStatusValue = CallStatus;
export type CallerIdHeaderModeValue = CallerIdHeaderMode;
export type CampaignPhaseValue = CampaignPhase;
export type CampaignStatusValue = CampaignStatus;
export type ContactStatusValue = ContactStatus;
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
export type SpeakerValue = Speaker;
