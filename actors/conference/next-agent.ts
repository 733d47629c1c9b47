import { interventionHolder } from '#agents/agent.ts';
import type { ConferenceContext } from './context.ts';

/** A specific agent, possibly taken over from a claim's reservation, or the longest-waiting agent of a group or of all. */
export type AgentChoice = { agentId: number; takesOver?: string } | { groupId?: number; except: readonly number[] };

type Wanted = Pick<ConferenceContext, 'preferredAgentId' | 'onlyPreferred' | 'groupId' | 'interventionId'>;

/** Agents to try next, in order; empty when the limit is reached or only the preferred agent was allowed. Source: D12.5 */
export function nextAgents(
  { preferredAgentId, onlyPreferred, groupId, interventionId }: Wanted,
  { tried, maxAsked }: { tried: readonly number[]; maxAsked: number },
): AgentChoice[] {
  if (tried.length >= maxAsked) return [];
  const held = interventionId === null ? {} : { takesOver: interventionHolder(interventionId) };
  const isUntried = preferredAgentId !== null && !tried.includes(preferredAgentId);
  const preferred = isUntried ? [{ agentId: preferredAgentId, ...held }] : [];
  return onlyPreferred ? preferred : [...preferred, { ...(groupId === null ? {} : { groupId }), except: tried }];
}
