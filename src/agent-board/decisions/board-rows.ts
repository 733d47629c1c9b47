import { type ActivityView, type AgentGroup, type AgentStateSeconds, type AgentView, countStates } from '#agents/agent.ts';
import type { PresentMonitor } from '#monitoring/monitor-registry.ts';
import type { BoardDay, GroupLoad } from '../agent-board.ts';

/** An agent with the calls that it watches, or a monitor who is no agent. */
export interface Member {
  agent: AgentView | null;
  monitor: PresentMonitor | null;
}

/** Agents first, in their order, then monitors who are none. */
export function membersOf(agents: readonly AgentView[], present: readonly PresentMonitor[]): Member[] {
  const byUser = new Map(present.map(monitor => [monitor.userId, monitor]));
  const bound = new Set(agents.map(({ userId }) => userId));
  return [
    ...agents.map(agent => ({ agent, monitor: agent.userId === null ? null : (byUser.get(agent.userId) ?? null) })),
    ...present.filter(({ userId }) => !bound.has(userId)).map(monitor => ({ agent: null, monitor })),
  ];
}

const ON_DUTY: ReadonlySet<ActivityView['state']> = new Set(['idle', 'ringing', 'talking', 'wrap_up']);

/** Agents who talk to customers, or may be rung at once: not those on a break, offline or without a phone. */
export function countOnDuty(agents: readonly AgentView[]): number {
  return agents.filter(
    ({ isEnabled, registrationStatus, activity }) => isEnabled && registrationStatus === 'registered' && ON_DUTY.has(activity.state),
  ).length;
}

/** One load for each group in their order, empty ones too, then one for agents without a group, if any. */
export function groupLoads(groups: readonly AgentGroup[], members: readonly Member[]): GroupLoad[] {
  const enabled = members.filter(({ agent }) => agent?.isEnabled === true);
  const known = new Set(groups.map(({ id }) => id));
  const ofGroup = Map.groupBy(enabled, ({ agent }) => (known.has(agent?.groupId ?? 0) ? (agent?.groupId ?? null) : null));
  const rest = ofGroup.get(null) ?? [];
  return [
    ...groups.map(({ id, name }) => loadOf({ groupId: id, name }, ofGroup.get(id) ?? [])),
    ...(rest.length === 0 ? [] : [loadOf({ groupId: null, name: '' }, rest)]),
  ];
}

function loadOf(group: Pick<GroupLoad, 'groupId' | 'name'>, members: readonly Member[]): GroupLoad {
  const { wrap_up: wrapUp, ...states } = countStates(members.flatMap(({ agent }) => agent ?? []));
  const sum = (of: 'capacity' | 'watched') => members.reduce((total, { monitor }) => total + (monitor?.[of] ?? 0), 0);
  return {
    ...group,
    ...states,
    wrapUp,
    capacity: sum('capacity'),
    watched: sum('watched'),
  };
}

/** The states in which an agent works on calls, and those in which it may be rung. */
const OCCUPIED: ReadonlySet<string> = new Set(['ringing', 'talking', 'wrap_up']);

/** An agent's day from its calls and its time in each state. */
export function boardDay(calls: Pick<BoardDay, 'callsHandled' | 'talkSeconds'>, states: readonly AgentStateSeconds[]): BoardDay {
  const { callsHandled, talkSeconds } = calls;
  const sum = (isCounted: (state: string) => boolean) =>
    states.reduce((total, { state, seconds }) => total + (isCounted(state) ? seconds : 0), 0);
  const occupied = sum(state => OCCUPIED.has(state));
  const staffed = occupied + sum(state => state === 'idle');
  return {
    callsHandled,
    talkSeconds,
    wrapUpSeconds: sum(state => state === 'wrap_up'),
    occupancy: staffed === 0 ? null : occupied / staffed,
  };
}
