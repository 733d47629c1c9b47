import type { z } from 'zod';
import type { mediaConfigRoute } from '#contract/rest/media.ts';
import type { AgentView } from '#operations/agents/agent-view.ts';
import type { Overview } from '#operations/overview/get-overview.ts';
import type { RuntimeOverview } from '#operations/overview/get-runtime-overview.ts';
import type { SoftphoneSession } from '#operations/softphone-sessions/find-session.ts';
import type { SoftphoneCallDetail } from '#operations/softphone-sessions/get-call.ts';
import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import type { CampaignCounts } from '#operations/overview/runtime-counts.ts';
import type { SoftphoneEvent } from '#ports/softphone-session-store.ts';
import type { SoftphoneCall, SoftphoneLeg } from '#ports/softphone-store.ts';
import type { Preflight } from '#operations/campaigns/preflight-campaign.ts';
import type { DispatchedAttempt } from '#dialling/dispatch-manually.ts';
import type { CallIntervention } from '#operations/calls/publish-call.ts';
import type { LiveCall } from '#feeds/live-call.ts';
import type { Evaluation } from '#dialling/evaluate-dial.ts';
import type { CampaignProgress } from '#operations/campaigns/read-progress.ts';
import type { ScriptVersion } from '#ports/script-store.ts';
import type { LiveSegment } from '#ports/live-call-store.ts';
import type {
  AgentGroup,
  Attempt,
  AuditRow,
  Batch,
  BusinessConfig,
  CallMonitor,
  Campaign,
  Contact,
  DoNotCallEntry,
  IntentHit,
  Policy,
  RuntimeEvent,
  TranscriptSegment,
  User,
} from '#ports/records.ts';
import type { Line } from '#model/line.ts';
import type { JsonValue } from '#kernel/json.ts';

// What the program hands to the fields of a type, where that is not the type itself. The generated types name these.
export type AgentModel = AgentView;
export type AgentGroupModel = AgentGroup;
export type SoftphoneCallModel = SoftphoneCall;
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
export type AttemptModel = Attempt;
export type BatchModel = Batch;
export type BusinessConfigModel = BusinessConfig;
export type CampaignModel = Campaign;
export type CampaignProgressModel = CampaignProgress;
export type ContactModel = Contact;
export type DoNotCallEntryModel = DoNotCallEntry;
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
export type PreflightModel = Preflight;
export type PreflightCellModel = Preflight['cell'];
export type UserAccountModel = User;
export type RuntimeEventModel = RuntimeEvent;
export type TranscriptSegmentModel = TranscriptSegment;
export type Json = JsonValue;
