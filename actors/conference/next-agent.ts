import { interventionHolder } from '#rules/agent-holder.ts';
import type { ConferenceContext } from './context.ts';

/** One agent, held since a claim under the name that it takes over; or whoever has waited longest, of a group or of all. */
export type AgentChoice = { agentId: number; takesOver?: string } | { groupId?: number; except: readonly number[] };

type Wanted = Pick<ConferenceContext, 'preferredAgentId' | 'onlyPreferred' | 'groupId' | 'interventionId'>;

/** Whom to ask next, the best first; nobody when enough were asked, or nobody else will do. Source: D12.5 */
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
