import type { AgentStore } from './agent-store.ts';
import type { Platform } from '#platform/platform.ts';
import { type AgentHost, sendToAgent } from './agent-actor.ts';

export interface SignOffDeps extends Pick<Platform, 'clock' | 'ids'> {
  agents: Pick<AgentStore, 'findByUser'>;
  agentHost: AgentHost;
}

/**
 * Prepares the sign-off of a user who loses access: their agent goes offline, so that no further call reaches it; a call in progress goes on.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D12.1
 */
export async function prepareSignOff(deps: SignOffDeps, userId: number): Promise<() => Promise<void>> {
  const agent = await deps.agents.findByUser(userId);
  const commandId = `user-gone:${deps.ids()}`;
  return async () => {
    if (agent === null) return;
    await sendToAgent(deps.agentHost, agent.id, { type: 'statusChosen', status: 'offline', at: deps.clock.now() }, commandId);
  };
}
