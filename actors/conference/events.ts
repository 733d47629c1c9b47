import type { LegMode } from '#rules/leg.ts';

/** One in the room, as the switch lists it. */
export interface RoomMember {
  channelUuid: string;
  memberId: number;
  canSpeak: boolean;
}

/**
 * What can happen to a conference session, in any order and more than once.
 *
 * Units:  `at`, `since` UTC ms
 * Source: D12.5–D12.7
 */
export type ConferenceEvent =
  /** Somebody is to be called in: refused, nobody is. */
  | { type: 'participantEntered'; mode: LegMode; agentId: number | null }
  /** Somebody steps in who asks for this customer too. */
  | { type: 'intervened'; at: number }
  /** Somebody is to be taken out. */
  | { type: 'participantRemoved'; legUuid: string; isForced: boolean; at: number }
  /** A leg of the session has joined. */
  | { type: 'personJoined'; at: number }
  | { type: 'consultationBegun' }
  /** The customer hears and is heard again. */
  | { type: 'customerReturned' }
  /** The switch has sent the customer into the room. */
  | { type: 'customerArrived' }
  /** The switch could not send the customer in. */
  | { type: 'customerUnsent' }
  /** The room has been without the customer since then. */
  | { type: 'customerMissed'; since: number; at: number }
  | { type: 'customerLeft'; at: number }
  /** No further agent is free, or enough were asked. */
  | { type: 'nobodyFound'; at: number }
  /** Does what the state asks for. `isLook`: no event of the session has led here. */
  | { type: 'reviewed'; at: number; isLook: boolean }
  /**
   * How long agents may be looked for, a browser's agent waits for its customer's call, and a session lasts, ms. `isCustomerDue`: the agent has given a
   * number to call.
   */
  | { type: 'aged'; at: number; routingMs: number; callingMs?: number; sessionMs: number; isCustomerDue?: boolean }
  /** A leg of a browser phone's session has ended. */
  | { type: 'legsLeft'; at: number; cause: string }
  | { type: 'roomSeen'; at: number; members: readonly RoomMember[] }
  /** The switch does not record the room now. */
  | { type: 'recordingRefused'; at: number }
  /** The switch says that it writes nothing. */
  | { type: 'recordingLost' }
  | { type: 'closed'; at: number; cause: string };
