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
  create(fields: AgentFields): Promise<Agent | AgentFault>;
  /** Locks the agent, asks `change` what it becomes and writes that; `change` may throw to leave it. Null when absent. */
  update(agentId: number, change: (current: Agent) => AgentFields): Promise<Changed<Agent> | AgentFault | null>;
  /** The removed agent; null when absent. */
  remove(agentId: number): Promise<Agent | null>;
  /** The sealed password of the browser phone; null when none is stored. */
  findSealedPassword(agentId: number): Promise<string | null>;
}

/** A row before and after an edit. */
export interface Changed<Row> {
  before: Row;
  after: Row;
}

export interface AgentFields extends Omit<Agent, 'id' | 'hasPassword' | 'createdAt' | 'updatedAt'> {
  /** Undefined leaves what is stored; null removes it. */
  sealedPassword?: string | null;
}

/** Why the row may not stand: another agent has the user or the extension, or what it names does not exist. */
export type AgentFault = 'user_taken' | 'extension_taken' | 'no_group' | 'no_user';
