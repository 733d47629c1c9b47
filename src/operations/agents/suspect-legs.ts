import type { IdSource } from '#kernel/ids.ts';
import type { AgentStore } from '#ports/agent-store.ts';
import { type AgentHost, findStanding } from './agent-actor.ts';
import { MAX_AGENTS } from './agent-desks.ts';

export interface SuspectDeps {
  agents: Pick<AgentStore, 'list'>;
  agentHost: AgentHost;
  ids: IdSource;
}

/** A cell is back: events were lost meanwhile, so every leg there is looked at now. Source: A6 step 11 */
export async function suspectLegs({ agents, agentHost, ids }: SuspectDeps, cellId: string): Promise<void> {
  for (const agent of await agents.list(MAX_AGENTS)) {
    const standing = await findStanding(agentHost, agent.id);
    if (standing?.context.reservation?.cellId !== cellId) continue;
    await agentHost.send(String(agent.id), { type: 'legSuspected' }, `suspect:${ids()}`);
  }
}
