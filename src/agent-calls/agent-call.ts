import type { NumberFacts } from '#dialling/evaluate.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { HangupBy } from '#attempts/attempt.ts';

export type SoftphoneDirection = (typeof SOFTPHONE_DIRECTIONS)[number];
/** `created` → `ringing` (the agent's phone) → `dialing` (the customer) → `answered` → `completed`; `failed` from any but `completed`. */
export type SoftphoneStatus = (typeof SOFTPHONE_STATUSES)[number];
export const OPEN_SOFTPHONE_STATUSES = ['created', 'ringing', 'dialing', 'answered'] as const;

export type LegRole = (typeof SOFTPHONE_LEG_ROLES)[number];
export type LegStatus = (typeof SOFTPHONE_LEG_STATUSES)[number];

/** A call of an agent: an own call to a customer, a session of the browser phone, or a leg in a conference. Source: OCS 2.13, D12.3–D12.5 */
export interface SoftphoneCall {
  /** `softphoneCallId`. */
  id: number;
  /** For an agent's own call, the uuid of the customer's channel; otherwise an id of its own. */
  requestId: string;
  direction: SoftphoneDirection;
  status: SoftphoneStatus;
  agentId: number | null;
  /** The user who requested the call. */
  userId: number | null;
  campaignId: number | null;
  contactId: number | null;
  /** Attempt of the AI call that this one continues. */
  attemptId: number | null;
  sessionId: string | null;
  conferenceId: string | null;
  phoneNumber: string;
  /** Canonical number for comparison; '' when the call is not to a phone number. */
  dialKey: string;
  lineId: number | null;
  callerNumber: string | null;
  cellId: string | null;
  note: string;
  callStatus: CallStatus | null;
  hangupCause: string | null;
  hangupBy: HangupBy | null;
  /** Chinese reason of a failure. */
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
  /** Channel uuid at the switch, chosen before it is dialled. */
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
   * Writes the record with its legs. With a contact (and no conference), the contact's row is locked first: `contact_busy` when it has an open
   * attempt or another agent's open call. `number_busy`: the number is in another call, of any campaign or agent. `listed`: the number is on
   * the do-not-call list (only with `checkDoNotCall`).
   */
  create(call: NewSoftphoneCall): Promise<SoftphoneCall | 'contact_busy' | 'number_busy' | 'listed'>;
  /**
   * Marks a leg `dialing`, once; false when it was marked before or has ended: then nothing must be sent. The leg of a customer whose number
   * has been listed in the meantime is not marked.
   */
  markDialing(legUuid: string): Promise<boolean>;
  /** Whether the leg was never dialled and never will be: not marked, in an open call. */
  isWithdrawn(legUuid: string): Promise<boolean>;
  /** Advances an open call; false when it is closed. A status never moves backwards. */
  advance(softphoneCallId: number, status: 'ringing' | 'dialing' | 'answered', facts?: { answeredAt?: number }): Promise<boolean>;
  /** Closes an open call and all of its legs; false when it was closed before. A session's events record it at the same moment. */
  close(softphoneCallId: number, end: SoftphoneEnd): Promise<boolean>;
  /** Open calls with a customer leg of their own, oldest first, after `afterId`. */
  listOpen(afterId: number, limit: number): Promise<SoftphoneCall[]>;
  /** Open calls that hold a slot (agents' own calls and external participants called over a line), oldest first, after `afterId`. */
  listHolding(afterId: number, limit: number): Promise<SoftphoneCall[]>;
  /** The open calls among these request ids. */
  findOpen(requestIds: readonly string[]): Promise<SoftphoneCall[]>;
}

/** Contacts and numbers that an agent may call. Errors: DATABASE_UNAVAILABLE */
export interface CallTargets extends NumberFacts {
  findContact(contactId: number): Promise<TargetContact | null>;
}

export interface CallTargetsPart {
  callTargets: CallTargets;
}

export interface TargetContact {
  id: number;
  campaignId: number;
  /** The number to dial now. */
  phoneNumber: string;
  dialKey: string;
  /** All numbers in order; empty for a single one. */
  numbers: readonly { dialKey: string; extension: string }[];
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
  /** The number as entered and its dial key; absent when the call is not to a phone number. */
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

export const SOFTPHONE_DIRECTIONS = ['manual_call', 'callback', 'transfer', 'session', 'conference'] as const;

export const SOFTPHONE_STATUSES = ['created', 'ringing', 'dialing', 'answered', 'completed', 'failed'] as const;

export const SOFTPHONE_LEG_ROLES = ['agent', 'customer', 'supervisor'] as const;

export const SOFTPHONE_LEG_STATUSES = ['reserved', 'dialing', 'ringing', 'answered', 'ended'] as const;
