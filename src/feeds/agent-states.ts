import type { AgentView } from '#model/agent.ts';
import type { AgentDirectoryDeps } from '#operations/agents/agent-directory.ts';
import { viewAgents } from '#operations/agents/list-agents.ts';
import type { Ports } from '#ports/ports.ts';
import type { Source, View } from './feed.ts';
import { isSame, polledSource } from './polled-source.ts';

/** What an agent does is its actor's, its phone the switch's: both are looked at this often while somebody watches, ms. */
const POLL_MS = 1_000;

/** Oldest first, disabled ones too. */
export type AgentRoster = readonly AgentView[];

/** `after` null: the agent was removed; `before` null: it is new. */
export interface AgentChange {
  before: AgentView | null;
  after: AgentView | null;
}

export type AgentStatesDeps = AgentDirectoryDeps & Pick<Ports, 'clock' | 'log'>;

/** Which agents; all when null. */
export interface AgentScope {
  groupId: number | null;
}

/** Agents of one scope with what they do. Source: OCS 2.13, 4.13 */
export function agentView({ groupId }: AgentScope): View<AgentRoster, AgentChange> {
  const shows = (agent: AgentView | null) => agent !== null && (groupId === null || agent.groupId === groupId);
  return {
    key: String(groupId),
    state: roster => roster.filter(shows),
    change({ before, after }) {
      if (!shows(before) && !shows(after)) return null;
      return { before: shows(before) ? before : null, after: shows(after) ? after : null };
    },
  };
}

/** The roster is read once for all scopes. */
export function agentSource(deps: AgentStatesDeps): Source<AgentRoster, AgentChange> {
  return polledSource<AgentRoster, AgentChange>(deps, {
    what: 'agents',
    read: () => viewAgents(deps),
    changes: changesBetween,
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}

function changesBetween(before: AgentRoster, after: AgentRoster): AgentChange[] {
  const known = new Map(before.map(agent => [agent.id, agent]));
  const current = new Set(after.map(agent => agent.id));
  return [
    ...before.filter(agent => !current.has(agent.id)).map(agent => ({ before: agent, after: null })),
    ...after.flatMap(agent => {
      const last = known.get(agent.id) ?? null;
      return last !== null && isSame(last, agent) ? [] : [{ before: last, after: agent }];
    }),
  ];
}
