import type {
  SOFTPHONE_DIRECTIONS,
  SOFTPHONE_LEG_ROLES,
  SOFTPHONE_LEG_STATUSES,
  SOFTPHONE_STATUSES,
} from '#contract/rest/softphone-calls.ts';
import type { CallStatus } from '#rules/call-status.ts';
import type { HangupBy } from '#model/attempt.ts';

export type SoftphoneDirection = (typeof SOFTPHONE_DIRECTIONS)[number];
/** `created` → `ringing` (the agent's phone) → `dialing` (the customer) → `answered` → `completed`; `failed` from any but `completed`. */
export type SoftphoneStatus = (typeof SOFTPHONE_STATUSES)[number];
export const OPEN_SOFTPHONE_STATUSES = ['created', 'ringing', 'dialing', 'answered'] as const;

export type LegRole = (typeof SOFTPHONE_LEG_ROLES)[number];
export type LegStatus = (typeof SOFTPHONE_LEG_STATUSES)[number];

/** One call of an agent: its own to a customer, a session of the browser phone, or its leg in a conference. Source: OCS 2.13, D12.3–D12.5 */
export interface SoftphoneCall {
  /** `softphoneCallId`. */
  id: number;
  /** Customer's channel of an agent's own call; of the others an id of their own. */
  requestId: string;
  direction: SoftphoneDirection;
  status: SoftphoneStatus;
  agentId: number | null;
  /** Who asked for it. */
  userId: number | null;
  campaignId: number | null;
  contactId: number | null;
  /** The call of the AI that this one continues. */
  attemptId: number | null;
  sessionId: string | null;
  conferenceId: string | null;
  phoneNumber: string;
  /** By which the number is compared; '' when it is nobody's. */
  dialKey: string;
  lineId: number | null;
  callerNumber: string | null;
  cellId: string | null;
  note: string;
  callStatus: CallStatus | null;
  hangupCause: string | null;
  hangupBy: HangupBy | null;
  /** Chinese, why it failed. */
  failureReason: string | null;
  answeredAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  recordingUrl: string | null;
  legs: SoftphoneLeg[];
  createdAt: number;
  updatedAt: number;
}

export interface SoftphoneLeg {
  id: number;
  role: LegRole;
  /** Of the channel at the switch, known before it is dialled. */
  legUuid: string;
  agentId: number | null;
  cellId: string | null;
  status: LegStatus;
  dialingAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  hangupCause: string | null;
}

/**
 * Records of softphone calls and their legs.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.13–4.15
 */
export interface SoftphoneStore {
  find(softphoneCallId: number): Promise<SoftphoneCall | null>;
  /**
   * Writes the record with its legs. With a contact (and no conference) its row is locked first: `contact_busy` while an attempt or another
   * agent's call to it is open. `number_busy`: another call has the number, of any campaign or agent. `listed`: the number may not be called any
   * more (only when `checkDoNotCall`).
   */
  create(call: NewSoftphoneCall): Promise<SoftphoneCall | 'contact_busy' | 'number_busy' | 'listed'>;
  /**
   * Marks a leg `dialing`, once: false when it was marked before or has ended, and nothing may be sent then. A customer whose number is listed
   * by now is not marked.
   */
  markDialing(legUuid: string): Promise<boolean>;
  /** Whether the leg never was and never will be dialled: not marked, of an open call. */
  isWithdrawn(legUuid: string): Promise<boolean>;
  /** Moves an open call on; false when it is closed. Never moves back. */
  advance(softphoneCallId: number, status: 'ringing' | 'dialing' | 'answered', facts?: { answeredAt?: number }): Promise<boolean>;
  /** Closes an open call and all of its legs; false when it is closed already. A session's events say so from the same moment. */
  close(softphoneCallId: number, end: SoftphoneEnd): Promise<boolean>;
  /** Open calls with a customer leg of their own, oldest first after `afterId`. */
  listOpen(afterId: number, limit: number): Promise<SoftphoneCall[]>;
  /** Open calls that hold a slot: agents' own, and whoever was called into a conference over a line; oldest first after `afterId`. */
  listHolding(afterId: number, limit: number): Promise<SoftphoneCall[]>;
  /** Which of these request ids belong to open calls. */
  findOpen(requestIds: readonly string[]): Promise<SoftphoneCall[]>;
}

/** Whom an agent may call. Errors: DATABASE_UNAVAILABLE */
export interface CallTargets {
  findContact(contactId: number): Promise<TargetContact | null>;
  /** Whether the number stands in the do-not-call list now. */
  isListed(dialKey: string): Promise<boolean>;
}

export interface TargetContact {
  id: number;
  campaignId: number;
  phoneNumber: string;
  dialKey: string;
}

export interface NewSoftphoneCall {
  requestId: string;
  direction: SoftphoneDirection;
  agentId: number | null;
  userId: number | null;
  campaignId?: number | null;
  contactId?: number | null;
  attemptId?: number | null;
  sessionId?: string | null;
  conferenceId?: string | null;
  /** As it was written, and by what it is compared; absent: nobody's number. */
  number?: { phoneNumber: string; dialKey: string };
  lineId?: number | null;
  callerNumber?: string | null;
  cellId?: string | null;
  note?: string;
  legs: readonly { role: LegRole; legUuid: string; agentId: number | null; cellId: string | null }[];
  checkDoNotCall?: boolean;
}

export interface SoftphoneEnd {
  status: 'completed' | 'failed';
  /** UTC ms. */
  endedAt: number;
  callStatus?: CallStatus | null;
  hangupCause?: string | null;
  hangupBy?: HangupBy | null;
  failureReason?: string | null;
}
