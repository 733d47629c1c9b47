import type { BoardAgentFragment, BoardLineFragment } from './agent-board.generated.ts';

type State = BoardAgentFragment['activity']['state'];

/** A row of the board: an agent, or a monitor who is none, with what supervisors see of it. */
export interface BoardLine extends Omit<BoardLineFragment, 'agent' | '__typename'> {
  key: string;
  agent: BoardAgentFragment | null;
}

/** The order in which a supervisor looks: who is with a customer first, who is not at work last. */
export const STATES = ['TALKING', 'RINGING', 'WRAP_UP', 'BUSY', 'IDLE', 'OFFLINE'] as const satisfies readonly State[];

export const SORTS = ['state', 'time'] as const;

/** The filters and the order, from the address; an empty text does not narrow. */
export interface Wanted {
  state: string;
  group: string;
  sort: string;
  text: string | null;
}

/**
 * Rows from the agents of the stream and from the board, which is read less often.
 *
 * Why: a call that the stream has ended, or has replaced, is not shown with the customer of an earlier read
 */
export function boardLines(agents: readonly BoardAgentFragment[], read: readonly BoardLineFragment[]): BoardLine[] {
  const byAgent = new Map(read.map(line => [line.agent?.databaseId, line]));
  const ofAgents = agents.map(agent => {
    const { monitor = null, call = null, day = null } = byAgent.get(agent.databaseId) ?? {};
    return { key: agent.id, agent, monitor, call: call?.callKey === agent.currentCallKey ? call : null, day };
  });
  const others = read.filter(({ agent }) => agent === null).map(line => ({ ...line, key: `user:${line.monitor?.userId}`, agent: null }));
  return [...ofAgents, ...others];
}

/** The rows that the user wants to see, in the order that they want. */
export function wantedLines(lines: readonly BoardLine[], wanted: Wanted): BoardLine[] {
  const shown = lines.filter(line => matches(line, wanted));
  if (wanted.sort === 'state') return shown.toSorted((a, b) => rankOf(a) - rankOf(b) || sinceOf(a) - sinceOf(b));
  if (wanted.sort === 'time') return shown.toSorted((a, b) => sinceOf(a) - sinceOf(b));
  return shown;
}

function matches({ agent, monitor }: BoardLine, { state, group, text }: Wanted): boolean {
  if (state && agent?.activity.state !== state) return false;
  if (group && agent?.group?.databaseId !== group) return false;
  const words = `${agent?.name ?? monitor?.displayName} ${agent?.phoneExtension ?? ''}`;
  return !text || words.toLowerCase().includes(text.toLowerCase());
}

/** Monitors who are no agents come last. */
function rankOf({ agent }: BoardLine): number {
  return agent === null ? STATES.length : STATES.indexOf(agent.activity.state);
}

/** Longest first; a state of which nobody knows the beginning comes last. */
function sinceOf({ agent }: BoardLine): number {
  const since = agent?.activity.since;
  return since ? Date.parse(since) : Number.MAX_SAFE_INTEGER;
}

/** Key of the server's figures: when it changes, they are read again. */
export function signatureOf(agents: readonly BoardAgentFragment[]): string {
  return agents.map(({ databaseId, activity, currentCallKey }) => `${databaseId} ${activity.state} ${currentCallKey}`).join();
}
