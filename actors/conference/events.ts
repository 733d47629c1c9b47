import type { LegMode } from '#legs/leg.ts';

/** The data that the runtime gets with a customer who returns. */
export interface HandBackOrder {
  guidanceId: string;
  text: string;
  /** Node of the script from which it goes on; null: the runtime decides. */
  nodeId: string | null;
  /** Name of the user who hands back. */
  by: string;
}

/** A member of the room, as listed by the switch. */
export interface RoomMember {
  channelUuid: string;
  memberId: number;
  canSpeak: boolean;
}

/**
 * Events of a conference session; they may arrive in any order and repeatedly.
 *
 * Units:  `at`, `since` UTC ms
 * Source: D12.5–D12.7
 */
export type ConferenceEvent =
  /** Request to add a participant; if refused, nobody is called. */
  | { type: 'participantEntered'; mode: LegMode; agentId: number | null }
  /** A user intervenes and requests the same customer. */
  | { type: 'intervened'; at: number }
  /** Request to remove a participant. */
  | { type: 'participantRemoved'; legUuid: string; isForced: boolean; at: number }
  /** A leg of the session has joined. */
  | { type: 'personJoined'; at: number }
  | { type: 'consultationBegun' }
  /** The customer can hear and speak again. */
  | { type: 'customerReturned' }
  /** The switch has moved the customer into the room. */
  | { type: 'customerArrived' }
  /** The switch could not move the customer. */
  | { type: 'customerNotMoved' }
  /** The room has been without the customer since `since`. */
  | { type: 'customerMissed'; since: number; at: number }
  | { type: 'customerLeft'; at: number }
  /** The agent gives the customer back to the bot. */
  | { type: 'handedBack'; order: HandBackOrder; at: number }
  /** No further agent is available, or the limit of attempts is reached. */
  | { type: 'nobodyFound'; at: number }
  /** Performs the work of the current state. `isPeriodic`: triggered by the periodic check, not by an event. */
  | { type: 'reviewed'; at: number; isPeriodic: boolean }
  /**
   * Time limits for finding an agent, for a browser phone's agent to wait for the customer's call, and for the session, ms. `isCustomerDue`: the
   * agent has entered a number to call.
   */
  | { type: 'aged'; at: number; routingMs: number; callingMs?: number; sessionMs: number; isCustomerDue?: boolean }
  /** A leg of a browser phone's session has ended. */
  | { type: 'legsLeft'; at: number; cause: string }
  | { type: 'roomSeen'; at: number; members: readonly RoomMember[] }
  /** The switch currently does not record the room. */
  | { type: 'recordingRefused'; at: number }
  /** The switch reports that nothing is recorded. */
  | { type: 'recordingLost' }
  | { type: 'closed'; at: number; cause: string };
