import type { JsonObject, JsonValue } from '#kernel/json.ts';
import type { CallStatus } from '#rules/call-status.ts';
import type { CampaignPhase, CampaignStatus } from '#rules/campaign-bounds.ts';

export type { CallStatus } from '#rules/call-status.ts';
export type { CampaignPhase, CampaignStatus } from '#rules/campaign-bounds.ts';

/**
 * Rows as the program holds them. Instants are UTC ms; edges present ISO 8601 and 0/1 integers (D2.5).
 *
 * Source: OCS §2, D4–D9, D14; migrations/
 */
export interface Stamped {
  createdAt: number;
  updatedAt: number;
}

export type Role = 'admin' | 'supervisor' | 'agent';

export interface User extends Stamped {
  id: number;
  username: string;
  displayName: string;
  role: Role;
  isEnabled: boolean;
}

export interface Business extends Stamped {
  id: number;
  businessCode: string;
  businessName: string;
  isEnabled: boolean;
  remark: string;
}

export type MonitoringMode = 'strict' | 'elastic' | 'unattended';

export interface BusinessConfig {
  variables?: Record<string, string>;
  intentKeywords?: string[];
  monitoringMode?: MonitoringMode;
  monitoringPriority?: number;
}

export interface Campaign extends Stamped {
  id: number;
  name: string;
  businessCode: string;
  cellId: string | null;
  lineIds: number[];
  maxConcurrency: number;
  maxRetries: number;
  retryIntervalSeconds: number;
  callIntervalMs: number;
  /** Dial a contact again that answered and whose result never came (D7.8). */
  retryAnsweredWithoutResult: boolean;
  workdayStart: string | null;
  workdayEnd: string | null;
  scheduledStartAt: number | null;
  scheduledEndAt: number | null;
  businessConfig: BusinessConfig;
  description: string;
  status: CampaignStatus;
  phase: CampaignPhase;
  phaseReason: string | null;
  nextWakeAt: number | null;
}

export type ContactStatus = 'pending' | 'submitted' | 'completed' | 'failed' | 'paused';

export interface Contact extends Stamped {
  id: number;
  campaignId: number;
  phoneNumber: string;
  customerName: string;
  remark: string;
  metadata: JsonObject;
  priority: number;
  status: ContactStatus;
  attemptCount: number;
  retryAt: number | null;
  lastAttemptId: number | null;
  holdReason: string | null;
  holdUntil: number | null;
}

export type BatchStatus = 'running' | 'completed' | 'cancelled' | 'failed';

export interface Batch extends Stamped {
  id: number;
  campaignId: number;
  status: BatchStatus;
  source: 'auto' | 'manual';
  requestedLimit: number;
  effectiveLimit: number;
  requested: number;
  submitted: number;
  failed: number;
  createdBy: number | null;
  finishedAt: number | null;
}

export const OPEN_ATTEMPT_STATUSES = ['claimed', 'dialing', 'accepted', 'answered'] as const;
export type OpenAttemptStatus = (typeof OPEN_ATTEMPT_STATUSES)[number];
export type AttemptStatus = OpenAttemptStatus | 'completed' | 'failed' | 'cancelled' | 'outcome_unknown';

export type HangupBy = 'customer' | 'bot' | 'agent' | 'system';

export interface RingbackDetection {
  status: 'ringback' | 'early_media' | 'answered' | 'busy' | 'none' | 'timeout';
  detectionSource: 'switch_event' | 'runtime';
  elapsedMs: number;
}

/** UTC ms. */
export type ReportedTimes = Partial<Record<'startedAt' | 'answeredAt' | 'endedAt', number>>;

/** D7.9. */
export interface Attempt extends Stamped {
  id: number;
  requestId: string;
  campaignId: number;
  contactId: number;
  batchId: number | null;
  lineId: number | null;
  callerNumber: string | null;
  cellId: string | null;
  phoneNumber: string;
  status: AttemptStatus;
  callStatus: CallStatus | null;
  hangupCause: string | null;
  hangupBy: HangupBy | null;
  replyText: string;
  ringbackDetection: RingbackDetection | null;
  scriptId: number | null;
  scriptVersion: number | null;
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  recordingUrl: string | null;
  recognizedText: string | null;
  classification: string | null;
  intent: string | null;
  emotionStatus: 'none' | 'pending' | 'done' | 'failed';
  emotion: JsonValue;
  direction: string;
  payload: JsonValue;
  /** What the runtime said of times for which the switch's stand, where they differ by more than clocks do. */
  reportedTimes: ReportedTimes | null;
  /** Answered and over, and the runtime has not said how it went (D7.8). */
  resultMissing: boolean;
}

export type Speaker = 'bot' | 'customer' | 'agent';

/** The one primary monitor of a live call. Source: D9.2 */
export interface CallMonitor {
  userId: number;
  agentId: number | null;
  displayName: string;
  assignedAt: number;
}

/** Where the monitor book has put a call. Source: D9.2, OCS 4.12 rules 1 and 3 */
export interface CallWatch {
  /** Grows with each change in the book: an older word is no news. */
  fence: number;
  monitor: CallMonitor | null;
  /** Users who may go on reading it. */
  retainedBy: readonly number[];
  waitingSince: number | null;
}

/** A keyword of the campaign in what the customer said. Source: OCS 4.12 rule 2 */
export interface IntentHit {
  keyword: string;
  segmentId: string;
  at: number;
}

export interface TranscriptSegment extends Stamped {
  id: number;
  attemptId: number;
  segmentId: string;
  speaker: Speaker;
  text: string;
  startMs: number | null;
  endMs: number | null;
  nodeId: string | null;
}

export interface Policy extends Stamped {
  id: number;
  name: string;
  scope: 'global' | 'campaign';
  campaignId: number | null;
  type: string;
  action: 'block' | 'allow_window' | 'limit';
  priority: number;
  config: JsonObject;
  isEnabled: boolean;
}

export interface DoNotCallEntry extends Stamped {
  id: number;
  phoneNumber: string;
  reason: string;
  source: 'manual' | 'callback' | 'import';
  expiresAt: number | null;
  createdBy: number | null;
}

export interface AuditRow extends Stamped {
  id: number;
  actorId: number | null;
  actorName: string;
  action: string;
  targetType: string;
  targetId: string | null;
  summary: string;
  detail: JsonValue;
  ip: string | null;
  requestId: string | null;
}

export type RuntimeEventLevel = 'info' | 'warning' | 'error';

/** D14.3 names the types. */
export interface RuntimeEvent extends Stamped {
  id: number;
  level: RuntimeEventLevel;
  type: string;
  title: string;
  message: string;
  campaignId: number | null;
  attemptId: number | null;
  cellId: string | null;
  detail: JsonValue;
  acknowledgedAt: number | null;
  acknowledgedBy: number | null;
}

export interface Script extends Stamped {
  id: number;
  name: string;
  businessCode: string;
  description: string;
  isEnabled: boolean;
  currentVersion: number;
}

/** Who an agent is; what it does at this moment is `AgentDesk` (ports/agent-desk.ts). */
export interface Agent extends Stamped {
  id: number;
  name: string;
  /** Empty: no phone is configured. */
  phoneExtension: string;
  groupId: number | null;
  userId: number | null;
  cellId: string | null;
  isEnabled: boolean;
  /** Empty: the extension itself. */
  authUsername: string;
  /** Whether a password for the browser phone is stored. */
  hasPassword: boolean;
}

export interface AgentGroup extends Stamped {
  id: number;
  name: string;
  description: string;
}

/** One page of a list: `total` counts every match (OCS 2.2). */
export interface Page<Row> {
  rows: Row[];
  page: number;
  pageSize: number;
  total: number;
}

export interface PageRequest {
  /** ≥ 1. */
  page: number;
  /** 1..200. */
  pageSize: number;
}
