import type { AgentStore } from '#adapters/postgres/agent-repository.ts';
import type { Ports } from '#ports/ports.ts';
import { type AgentHost, findPresence } from './agent-actor.ts';
import { MAX_AGENTS } from './agent-directory.ts';

export interface SuspectDeps extends Pick<Ports, 'ids'> {
  agents: Pick<AgentStore, 'list'>;
  agentHost: AgentHost;
}

/** Agents looked at in one breath. */
const AT_ONCE = 100;

/** A cell is back: events were lost meanwhile, so every leg there is looked at now. Source: A6 step 11 */
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
