import { z } from 'zod';
import { bigRowId, instant, rowId, stamps } from '#kernel/fields.ts';
import type { Leg, LegStore } from '#legs/leg-record.ts';
import { CUSTOMER_STATES, type LegMode, type LegRole } from '#legs/leg.ts';

export const CONFERENCE_STATUSES = ['routing', 'live', 'ended'] as const;
export const CONFERENCE_KINDS = ['transfer', 'session'] as const;

export interface ConferenceLeg extends Leg {
  conferenceId: number;
  role: Exclude<LegRole, 'customer'>;
  mode: LegMode;
  /** User of the agent when the leg was added. */
  userId: number | null;
}

export const conference = z.object({
  id: rowId,
  conferenceId: rowId,
  conferenceName: z.string(),
  kind: z.enum(CONFERENCE_KINDS),
  /** `routing`: no agent has answered yet and the customer stays where it was. */
  status: z.enum(CONFERENCE_STATUSES),
  requestId: z.string().nullable(),
  attemptId: bigRowId.nullable(),
  campaignId: rowId.nullable(),
  customerUuid: z.string().nullable(),
  customerState: z.enum(CUSTOMER_STATES),
  cellId: z.string().nullable(),
  memberCount: z.int().nonnegative(),
  /** Intervention that requested the conference; null when the script did. */
  interventionId: z.string().nullable(),
  reason: z.string(),
  recordingUrl: z.string().nullable(),
  answeredAt: instant.nullable(),
  endedAt: instant.nullable(),
  endCause: z.string().nullable(),
  ...stamps,
});

/** A customer's conversation with agents, from the request until the last leg ends. Instants UTC ms. Source: D12.5 */
export interface ConferenceSession extends Omit<z.output<typeof conference>, 'conferenceId'> {
  preferredAgentId: number | null;
  /** Only the preferred agent may take it. */
  onlyPreferred: boolean;
  groupId: number | null;
  /** Agents that have been offered the call, answered or not. */
  triedAgentIds: number[];
  /** The switch failed to record: recording is not attempted again. */
  recordingFailed: boolean;
  /** Open legs first, then ended ones, the newest last. */
  legs: ConferenceLeg[];
}

export const PARTICIPANT_MODES = ['blind', 'consult', 'listen', 'barge'] as const;

/** Most active conferences in one response: exceeds the number of agents of any installation. */
export const MAX_LISTED_CONFERENCES = 1_000;

export type NewConference = Pick<
  ConferenceSession,
  | 'conferenceName'
  | 'kind'
  | 'requestId'
  | 'attemptId'
  | 'campaignId'
  | 'customerUuid'
  | 'cellId'
  | 'preferredAgentId'
  | 'onlyPreferred'
  | 'groupId'
  | 'interventionId'
  | 'reason'
>;

export interface NewConferenceLeg {
  conferenceId: number;
  role: ConferenceLeg['role'];
  mode: LegMode;
  agentId: number | null;
  userId: number | null;
  targetNumber: string;
  /** Dial key of an external number; '' for an extension. */
  dialKey: string;
  legUuid: string;
  askedByCallId: number | null;
  /** Line and number used for the call; null when it holds no slot. */
  slot: { lineId: number; number: string | null } | null;
  canSpeak: boolean;
}

/** A browser phone's channel in the conference of its session. `joinedAt` UTC ms. */
export interface AdoptedLeg {
  conferenceId: number;
  softphoneCallId: number;
  agentId: number;
  legUuid: string;
  memberId: number;
  joinedAt: number;
}

/** The effect of an event on a session and its legs. */
export interface ConferenceChange {
  session: ConferenceSession;
  /** The rows have changed. */
  isNew: boolean;
  /** Effects to run once the rows are written. */
  effects: readonly { type: string; params: unknown }[];
}

type DecideConference = (session: ConferenceSession) => ConferenceChange | null;

/**
 * Conferences and their legs; each leg is a softphone call of direction `conference`. Their actors change them (conference-actor-store.ts); this
 * store opens sessions, adds legs, and reads both.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.15, D12.5–D12.7
 */
export interface ConferenceStore extends LegStore {
  /**
   * Opens a session for a customer, or returns the customer's running one. `gone`: the customer's hang-up arrived before the request.
   *
   * Why: a repeated or concurrent request gets the same session
   */
  open(conference: NewConference): Promise<{ session: ConferenceSession; isNew: boolean } | 'gone'>;
  find(conferenceId: number): Promise<ConferenceSession | null>;
  /** The customer's running session. */
  findByCustomer(customerUuid: string): Promise<ConferenceSession | null>;
  /** Running sessions of several customers. */
  findByCustomers(customerUuids: readonly string[]): Promise<ConferenceSession[]>;
  findByLeg(legUuid: string): Promise<ConferenceSession | null>;
  findByName(conferenceName: string): Promise<ConferenceSession | null>;
  /** Running sessions, newest first. */
  listRunning(limit: number): Promise<ConferenceSession[]>;
  /** Request ids of the campaign calls into which a user's phone was called last. */
  callsOf(userId: number): Promise<string[]>;
  /** Sessions that ended at `at` (UTC ms) or later, newest first. */
  listEndedSince(at: number, limit: number): Promise<ConferenceSession[]>;
  /** Inserts a leg before it is dialled, with the change that `decide` returns for the locked session; null when `decide` rejects it. */
  addLeg(leg: NewConferenceLeg, decide: DecideConference): Promise<ConferenceLeg | 'number_busy' | null>;
  /** Inserts a channel that dialled in and belongs to a known call, like `addLeg`; null also when the leg exists already. */
  adoptLeg(leg: AdoptedLeg, decide: DecideConference): Promise<ConferenceChange | null>;
  /**
   * Stores the newest count. `at`: UTC ms by the switch, or the time before a query; `eventId`: the reporting event, null for a query.
   *
   * Why:    events of the same instant are ordered by sequence number, which restarts with each Core-UUID
   */
  setMemberCount(conferenceName: string, size: number, count: { at: number; eventId: string | null }): Promise<void>;
  /** Has no effect when the recording is known to have failed. */
  setRecording(conferenceId: number, recordingUrl: string): Promise<void>;
  /** Records that a customer without a session has hung up, so that a request still in transit sees it. */
  recordGone(customerUuid: string, at: number): Promise<void>;
  /** Finds the attempt by request id or id; null when unknown. */
  findCall(call: { requestId?: string | undefined; attemptId?: number | undefined }): Promise<TransferableCall | null>;
}

export interface TransferableCall {
  requestId: string;
  attemptId: number;
  campaignId: number;
  cellId: string | null;
  phoneNumber: string;
}
