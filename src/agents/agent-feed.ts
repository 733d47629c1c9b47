import type { AgentView } from './agent.ts';
import type { AgentsPart } from './agent-directory.ts';
import { viewAgents } from './list-agents.ts';
import type { Platform } from '#platform/platform.ts';
import type { Source, View } from '#platform/feeds/feed.ts';
import { isSame, polledSource } from '#platform/feeds/polled-source.ts';

/** Poll interval while the roster is watched, in ms: an agent's state lives in its actor, the state of its phone at the switch. */
const POLL_MS = 1_000;

/** Every agent, disabled ones included, oldest first. */
export type AgentRoster = readonly AgentView[];

/** One agent that changed; `before` is null for a new agent, `after` for a removed one. */
export interface AgentChange {
  before: AgentView | null;
  after: AgentView | null;
}

/** Filter on the roster; a null member does not narrow it. */
export interface AgentScope {
  groupId: number | null;
}

/** Agents of one scope with their current state. Source: OCS 2.13, 4.13 */
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

/** Source of the whole roster: one read serves every scope. */
export function agentSource(app: AgentsPart & Pick<Platform, 'clock' | 'log'>): Source<AgentRoster, AgentChange> {
  return polledSource<AgentRoster, AgentChange>(app, {
    what: 'agents',
    read: () => viewAgents(app),
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
