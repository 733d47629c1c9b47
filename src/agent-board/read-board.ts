import { listAgentGroups } from '#agents/agent-groups.ts';
import type { AgentsPart } from '#agents/agent-directory.ts';
import type { AgentStatesPart } from '#agents/agent-states.ts';
import type { AgentView } from '#agents/agent.ts';
import { viewAgents } from '#agents/list-agents.ts';
import { spanOf } from '#agents/sum-states.ts';
import { IDLE_DAY, readAgentDays } from '#desk/agent-days.ts';
import { startOfToday } from '#desk/my-desk.ts';
import type { MonitorsPart } from '#monitoring/monitor-registry.ts';
import type { Platform } from '#platform/platform.ts';
import type { AgentBoard, BoardCall, BoardDay, BoardRow, Staffing } from './agent-board.ts';
import { readBoardCalls } from './board-calls.ts';
import { boardDay, countOnDuty, groupLoads, type Member, membersOf } from './decisions/board-rows.ts';
import { FEWEST_ARRIVALS, hourlyRate, outlooksOf, rateSince } from './decisions/staffing.ts';
import { readWorkload, type Workload } from './workload.ts';

type BoardApp = AgentsPart & AgentStatesPart & MonitorsPart & { timeZone: string } & Pick<Platform, 'db' | 'clock'>;

interface BoardPage {
  /** Agents of this group alone; undefined: all, and monitors who are no agents. */
  groupId?: number | undefined;
  /** From 1. */
  page: number;
  /** 1..MAX_BOARD_ROWS */
  pageSize: number;
}

/** The work of this time says how likely a needed agent is busy, in ms. */
const LOOK_BACK_MS = 3_600_000;

/**
 * Reads a supervisor's board: agents and monitors with their calls and days, the load of the groups, and how likely a needed agent is busy.
 *
 * Shape:  agents oldest first, disabled ones too; groups and staffing are those of all agents, whatever the page shows
 * Errors: DATABASE_UNAVAILABLE, CACHE_UNAVAILABLE
 * Source: D12.11
 */
export async function readAgentBoard(app: BoardApp, { groupId, page, pageSize }: BoardPage): Promise<AgentBoard> {
  const at = app.clock.now();
  const [agents, present, groups] = await Promise.all([viewAgents(app), app.monitors.present(), listAgentGroups(app)]);
  const everybody = membersOf(agents, present);
  const members = everybody.filter(({ agent }) => groupId === undefined || agent?.groupId === groupId);
  const shown = members.slice((page - 1) * pageSize, page * pageSize);
  const [rows, work] = await Promise.all([rowsOf(app, shown), readWorkload(app, at - LOOK_BACK_MS)]);
  const staffing = staffingOf(work, { at, agentsOnDuty: countOnDuty(agents) });
  return { rows, total: members.length, groups: groupLoads(groups, everybody), staffing, at };
}

async function rowsOf(app: BoardApp, members: readonly Member[]): Promise<BoardRow[]> {
  const agents = members.flatMap(({ agent }) => agent ?? []);
  const [calls, days] = await Promise.all([callsOf(app, agents), daysOf(app, agents)]);
  return members.map(({ agent, monitor }) => ({
    agent,
    monitor,
    call: calls.get(agent?.currentCall ?? '') ?? null,
    day: days.get(agent?.id ?? 0) ?? null,
  }));
}

function callsOf({ db }: BoardApp, agents: readonly AgentView[]): Promise<Map<string, BoardCall>> {
  return readBoardCalls(db, [...new Set(agents.flatMap(({ currentCall }) => currentCall ?? []))]);
}

async function daysOf(app: BoardApp, agents: readonly AgentView[]): Promise<Map<number, BoardDay>> {
  const agentIds = agents.map(({ id }) => id);
  if (agentIds.length === 0) return new Map();
  const [calls, states] = await Promise.all([
    readAgentDays(app.db, agentIds, startOfToday(app)),
    app.agentStates.seconds({ agentIds, ...spanOf(app, {}) }),
  ]);
  const statesOf = Map.groupBy(states, ({ agentId }) => agentId);
  return new Map(agentIds.map(id => [id, boardDay(calls.get(id) ?? IDLE_DAY, statesOf.get(id) ?? [])]));
}

function staffingOf(work: Workload, { at, agentsOnDuty }: { at: number; agentsOnDuty: number }): Staffing {
  const { arrivals, firstAt, handled, talkSeconds, wrapUpSeconds } = work;
  const since = rateSince(firstAt, at);
  const lacks = arrivals < FEWEST_ARRIVALS ? ('arrivals' as const) : handled === 0 ? ('handled' as const) : null;
  const perCall = (seconds: number) => (handled === 0 ? null : seconds / handled);
  const handleSeconds = (talkSeconds + wrapUpSeconds) / Math.max(1, handled);
  return {
    since,
    agentsOnDuty,
    arrivals,
    handled,
    averageTalkSeconds: perCall(talkSeconds),
    averageWrapUpSeconds: perCall(wrapUpSeconds),
    lacks,
    outlooks: lacks === null ? outlooksOf({ arrivals: hourlyRate(arrivals, since, at), handleSeconds }, agentsOnDuty) : [],
  };
}
