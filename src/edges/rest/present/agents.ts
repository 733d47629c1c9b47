import type { z } from 'zod';
import type { agentGroupRow, agentRow } from '#contract/rest/agents.ts';
import type { AgentView } from '#operations/agents/agent-view.ts';
import type { AgentGroup } from '#ports/records.ts';
import { presentFlag } from './flag.ts';
import { presentInstant } from './instant.ts';

/** Source: OCS 2.13, D12.1 */
export function presentAgent({ agent, desk }: AgentView): z.input<typeof agentRow> {
  return {
    id: agent.id,
    name: agent.name,
    phoneExtension: agent.phoneExtension,
    groupId: agent.groupId,
    userId: agent.userId,
    cellId: agent.cellId,
    isEnabled: presentFlag(agent.isEnabled),
    status: agent.isEnabled ? desk.status : 'offline',
    registrationStatus: desk.registrationStatus,
    currentCall: desk.currentCall,
    createdAt: presentInstant(agent.createdAt),
    updatedAt: presentInstant(agent.updatedAt),
  };
}

export function presentAgentGroup(group: AgentGroup): z.input<typeof agentGroupRow> {
  return { ...group, createdAt: presentInstant(group.createdAt), updatedAt: presentInstant(group.updatedAt) };
}
