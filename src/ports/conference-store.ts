import type { ConferenceLeg, ConferenceSession, Leg } from '#model/conference.ts';
import type { LegMode } from '#rules/leg.ts';

/** What an event makes of a leg. */
export interface LegChange<Row extends Leg = Leg> {
  leg: Row;
  /** Its row is no longer as it was. */
  isNew: boolean;
  /** What is to be done once the row is written. */
  effects: readonly { type: string; params: unknown }[];
}

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
  /** Of a number outside; '' of an extension. */
  dialKey: string;
  legUuid: string;
  askedByCallId: number | null;
  /** Over which line and number it is called; null: it holds no slot. */
  slot: { lineId: number; number: string | null } | null;
  canSpeak: boolean;
}

/** A browser's channel in the conference of its session. `joinedAt` UTC ms. */
export interface AdoptedLeg {
  conferenceId: number;
  softphoneCallId: number;
  agentId: number;
  legUuid: string;
  memberId: number;
  joinedAt: number;
}

export type ConferenceKey = { id: number } | { name: string } | { legUuid: string };

/** What an event makes of a session and its legs. */
export interface ConferenceChange {
  session: ConferenceSession;
  /** Its rows are no longer as they were. */
  isNew: boolean;
  /** What is to be done once the rows are written. */
  effects: readonly { type: string; params: unknown }[];
}

type DecideConference = (session: ConferenceSession) => ConferenceChange | null;

/**
 * Conferences and their legs; each leg is a softphone call of direction `conference`. Every change is one transaction under the session's row lock;
 * the events of a browser phone's session (`customer_joined`, `ended`) stand in the same one, so that each is published once.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.15, D12.5–D12.7
 */
export interface ConferenceStore {
  /**
   * Opens a session for a customer without one; else gives the one that runs. `gone`: an end for this customer has come before.
   *
   * Why: the same request again, at the same moment too, gets the same session
   */
  open(conference: NewConference): Promise<{ session: ConferenceSession; isNew: boolean } | 'gone'>;
  find(conferenceId: number): Promise<ConferenceSession | null>;
  /** The running session of a customer. */
  findByCustomer(customerUuid: string): Promise<ConferenceSession | null>;
  /** Those that run, of many customers. */
  findByCustomers(customerUuids: readonly string[]): Promise<ConferenceSession[]>;
  findByLeg(legUuid: string): Promise<ConferenceSession | null>;
  findByName(conferenceName: string): Promise<ConferenceSession | null>;
  /** Running sessions, newest first. */
  listRunning(limit: number): Promise<ConferenceSession[]>;
  /** Sessions that ended at `at` (UTC ms) or later, newest first. */
  listEndedSince(at: number, limit: number): Promise<ConferenceSession[]>;
  /**
   * Changes a session and its legs as `decide` says of their locked rows; what follows for the calls of the legs and the events of a browser phone's
   * session stands in the same transaction. Null: there is no such session, or nothing changes.
   */
  change(key: ConferenceKey, decide: DecideConference): Promise<ConferenceChange | null>;
  /** Enters a leg before it is dialled, with what `decide` says of the locked session; null when it does not let it in. */
  addLeg(leg: NewConferenceLeg, decide: DecideConference): Promise<ConferenceLeg | 'number_busy' | null>;
  /** Enters a channel that has come by itself, of a call that is known, as `addLeg`; null also when its leg was entered before. */
  adoptLeg(leg: AdoptedLeg, decide: DecideConference): Promise<ConferenceChange | null>;
  /** As `change`, of a leg of an agent's own call. */
  changeLeg(legUuid: string, decide: (leg: Leg) => LegChange | null): Promise<LegChange | null>;
  /**
   * The newest count wins. `at` UTC ms of the switch, or of the moment before the look; `eventId` of the event that reports it, null for a look.
   *
   * Why:    events of one moment are ordered by their sequence, which begins anew with each Core-UUID
   */
  setMemberCount(conferenceName: string, size: number, count: { at: number; eventId: string | null }): Promise<void>;
  /** Not when the recording is known to have failed. */
  setRecording(conferenceId: number, recordingUrl: string): Promise<void>;
  /** The recording has failed and has no address any more; the session's id the first time, then null. */
  failRecording(conferenceName: string): Promise<number | null>;
  /** Remembers that a customer without a session is gone: a request that is still on its way finds it. */
  noteGone(customerUuid: string, at: number): Promise<void>;
  /** The attempt of a request id or of an id; null when unknown. */
  findCall(call: { requestId?: string | undefined; attemptId?: number | undefined }): Promise<TransferableCall | null>;
}

export interface TransferableCall {
  requestId: string;
  attemptId: number;
  campaignId: number;
  cellId: string | null;
  phoneNumber: string;
}
