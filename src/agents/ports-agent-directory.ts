import type { RegistrationStatus } from './agent.ts';
import type { AgentStatus } from './agent-status.ts';

/** An enabled agent's availability as others see it. `status` is effective: busy while reserved, ringing, talking or in wrap-up. */
export interface AgentAvailability {
  agentId: number;
  userId: number | null;
  name: string;
  phoneExtension: string;
  cellId: string | null;
  groupId: number | null;
  status: AgentStatus;
  registrationStatus: RegistrationStatus;
  /** `callKey` of the agent's current call (OCS 2.13). */
  currentCall: string | null;
}

/**
 * The enabled agents with their current availability.
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
  /** Holder in the form `<kind>:<id>`; a repeated request of the same holder returns its existing reservation. */
  holder: string;
  agentId?: number;
  groupId?: number;
  /** Cell of the customer's channel: only agents reachable from there qualify. */
  cellId?: string;
  except?: readonly number[];
  /** Holder that hands over its reservation of the agent, if not dialled yet; no third party can take the agent in between. */
  takesOver?: string;
  /** The agent makes the call: busy or offline by the agent's own choice is allowed, another call is not. */
  isOwnCall?: boolean;
  /** Shown as the agent's current call: `callKey`, `attempt:<id>` or `request:<uuid>`; defaults to the leg, `request:<fence>`. */
  currentCall?: string;
}

export interface AgentReservation {
  agentId: number;
  holder: string;
  /** Identifies the reservation and is the uuid of the agent's leg, so that the switch's events lead to the agent. */
  fence: string;
  /** UTC ms; the reservation ends then unless the agent has answered. */
  expiresAt: number;
}

/**
 * Reserves exactly one idle agent with a registered phone for a holder, or none. Requests with an outdated fence have no effect.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D12.7
 */
export interface AgentReservations {
  reserve(request: ReservationRequest): Promise<AgentReservation | undefined>;
  /**
   * The agent has answered: the lease ends; from now on the switch is checked periodically for the leg. `legUuid` names the leg if the agent's
   * browser dialled in; `at` is the time of the answer (UTC ms, default: now). False when the reservation has ended.
   */
  answered(fence: string, legUuid?: string, at?: number): Promise<boolean>;
  /** The leg has ended or was never dialled: the agent is free after the wrap-up (none without an answer). False when already released. */
  release(fence: string): Promise<boolean>;
}
