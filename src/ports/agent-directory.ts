import type { RegistrationStatus } from '#model/agent.ts';
import type { AgentStatus } from '#rules/agent-status.ts';

/** What others may know of an enabled agent at this moment; status is the effective one: busy while reserved, ringing, talking or wrapping up. */
export interface AgentAvailability {
  agentId: number;
  userId: number | null;
  name: string;
  phoneExtension: string;
  cellId: string | null;
  groupId: number | null;
  status: AgentStatus;
  registrationStatus: RegistrationStatus;
  /** `callKey` of the call that the agent is in (OCS 2.13). */
  currentCall: string | null;
}

/**
 * The enabled agents as they stand now.
 *
 * Errors: DATABASE_UNAVAILABLE, CACHE_UNAVAILABLE
 * Source: OCS 2.13, D12.1
 */
export interface AgentDirectory {
  findByUser(userId: number): Promise<AgentAvailability | undefined>;
  find(agentId: number): Promise<AgentAvailability | undefined>;
  list(): Promise<AgentAvailability[]>;
}

export interface ReservationRequest {
  /** Who asks: `<kind>:<id>`; the same holder asking again gets the reservation that it holds. */
  holder: string;
  agentId?: number;
  groupId?: number;
  /** Cell of the customer's channel: only agents who can be reached there. */
  cellId?: string;
  except?: readonly number[];
  /** Holder whose reservation of the agent, not dialled yet, goes over to this one: nobody else can come between. */
  takesOver?: string;
  /** The agent calls somebody itself: it may be busy or offline by its own choice, only not on another call. */
  isOwnCall?: boolean;
  /** Shown as the agent's current call: `callKey`, `attempt:<id>` or `request:<uuid>`; absent: the leg itself, `request:<fence>`. */
  currentCall?: string;
}

export interface AgentReservation {
  agentId: number;
  holder: string;
  /** Names this one reservation, and is the uuid under which the agent's leg is originated: the switch's events of that uuid reach the agent. */
  fence: string;
  /** UTC ms; the reservation ends then unless the agent has answered. */
  expiresAt: number;
}

/**
 * Reserves exactly one idle agent with a registered phone for one holder, or none. What an outdated fence says changes nothing.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D12.7
 */
export interface AgentReservations {
  reserve(request: ReservationRequest): Promise<AgentReservation | undefined>;
  /**
   * The agent talks: the lease ends, the switch is asked from time to time whether the leg still stands. `legUuid` names the leg when the agent's
   * browser has dialled in, `at` is when it was answered (UTC ms, absent: now); false when the reservation is over.
   */
  answered(fence: string, legUuid?: string, at?: number): Promise<boolean>;
  /** The leg is over or was never dialled: the agent is free after the wrap-up (none when the agent did not talk). Again: false. */
  release(fence: string): Promise<boolean>;
}
