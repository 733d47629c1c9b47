import type { AgentStore } from './agent-store.ts';
import type { Platform } from '#platform/platform.ts';
import { type AgentHost, findPresence } from './agent-actor.ts';
import { MAX_AGENTS } from './agent-directory.ts';

export interface SuspectDeps extends Pick<Platform, 'ids'> {
  agents: Pick<AgentStore, 'list'>;
  agentHost: AgentHost;
}

/** Agents examined at once. */
const AT_ONCE = 100;

/** Probes the legs of agents at a cell that is reachable again, because their events may have been lost. Source: A6 step 11 */
export async function suspectLegs({ agents, agentHost, ids }: SuspectDeps, cellId: string): Promise<void> {
  const all = await agents.list(MAX_AGENTS);
  for (let first = 0; first < all.length; first += AT_ONCE) {
    await Promise.all(all.slice(first, first + AT_ONCE).map(agent => suspectLeg({ agentHost, ids }, cellId, agent.id)));
  }
}

async function suspectLeg({ agentHost, ids }: Omit<SuspectDeps, 'agents'>, cellId: string, agentId: number): Promise<void> {
  const presence = await findPresence(agentHost, agentId);
  if (presence?.context.reservation?.cellId !== cellId) return;
  await agentHost.send(String(agentId), { type: 'legSuspected' }, `suspect:${ids()}`);
}
