import type { Agent } from '#model/agent.ts';

/**
 * Agents; deleted ones do not exist here.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.13, D12.1
 */
export interface AgentStore {
  /** Oldest first, disabled ones too, at most `limit`. */
  list(limit: number): Promise<Agent[]>;
  find(agentId: number): Promise<Agent | null>;
  /** Disabled ones too. */
  findByExtension(extension: string): Promise<Agent | null>;
  findByUser(userId: number): Promise<Agent | null>;
  /** The sealed password of the browser phone; null when none is stored. */
  findSealedPassword(agentId: number): Promise<string | null>;
}
