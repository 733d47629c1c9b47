import { freshAgent } from '#actors/agent/context.ts';
import { RESERVATION_LEASE_MS } from '#actors/agent/machine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { AgentReservation, AgentReservations, AgentWish } from '#ports/agent-desk.ts';
import type { AgentStore } from '#ports/agent-store.ts';
import type { Agent } from '#ports/records.ts';
import { agentLegUuid, agentOfLeg } from '#rules/leg-uuid.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { type AgentHost, type AgentStanding, findStanding, sendToAgent } from './agent-actor.ts';
import { MAX_AGENTS } from './agent-desks.ts';
import type { PhoneRegistry } from './phone-registry.ts';

export interface ReservationDeps {
  agents: Pick<AgentStore, 'list' | 'find'>;
  agentHost: AgentHost;
  phoneRegistry: PhoneRegistry;
  clock: Clock;
  ids: IdSource;
  /** How long an agent stays busy after a call in which it talked, ms. */
  wrapUpMs: number;
}

/** Nothing has happened to the agent yet. */
const OFFLINE: AgentStanding = { stage: 'offline', context: freshAgent() };

interface Candidate {
  agent: Agent;
  standing: AgentStanding;
  cellId: string;
}

/** Source: D12.7 */
export function createAgentReservations(deps: ReservationDeps): AgentReservations {
  const tell = async (fence: string, event: (cellId: string) => AgentEvent) => {
    const agentId = agentOfLeg(fence);
    if (agentId === null) return false;
    const standing = await findStanding(deps.agentHost, agentId);
    const reservation = standing?.context.reservation;
    if (reservation?.fence !== fence) return false;
    const told = event(reservation.cellId);
    const outcome = await deps.agentHost.send(String(agentId), told, `${told.type}:${fence}`);
    return outcome.kind === 'applied' || outcome.kind === 'duplicate';
  };
  return {
    reserve: wish => reserve(deps, wish),
    answered: (fence, legUuid, at = deps.clock.now()) => tell(fence, cellId => ({ type: 'legAnswered', fence, cellId, legUuid, at })),
    release: fence => tell(fence, () => ({ type: 'released', fence, at: deps.clock.now() })),
  };
}

async function reserve(deps: ReservationDeps, wish: AgentWish): Promise<AgentReservation | undefined> {
  const standings = await readStandings(deps, wish);
  const held = standings.find(({ standing }) => standing.stage !== 'wrapUp' && standing.context.reservation?.holder === wish.holder);
  if (held) return reservationOf(held.agent.id, held.standing);
  for (const candidate of candidatesOf(deps, standings, wish)) {
    const reservation = await tryReserve(deps, candidate, wish);
    if (reservation) return reservation;
  }
  return undefined;
}

async function readStandings(deps: ReservationDeps, wish: AgentWish): Promise<Omit<Candidate, 'cellId'>[]> {
  const agents = wish.agentId === undefined ? await deps.agents.list(MAX_AGENTS) : [await deps.agents.find(wish.agentId)];
  const read = agents
    .filter(agent => agent !== null)
    .map(async agent => ({ agent, standing: await findStanding(deps.agentHost, agent.id) }));
  return (await Promise.all(read)).map(({ agent, standing }) => ({ agent, standing: standing ?? OFFLINE }));
}

/** Its own call an agent may make whatever it has chosen; a claim's reservation follows the claim. */
function isFree({ stage, context }: AgentStanding, { isOwnCall, takesOver }: AgentWish): boolean {
  if (stage === 'reserved') return takesOver !== undefined && context.reservation?.holder === takesOver;
  return stage === 'idle' || (isOwnCall === true && ['offline', 'busy', 'wrapUp'].includes(stage));
}

/** Who waits longest comes first. */
function candidatesOf(deps: ReservationDeps, standings: readonly Omit<Candidate, 'cellId'>[], wish: AgentWish): Candidate[] {
  const fits = standings.filter(
    ({ agent, standing }) =>
      agent.isEnabled &&
      isFree(standing, wish) &&
      (wish.groupId === undefined || agent.groupId === wish.groupId) &&
      wish.except?.includes(agent.id) !== true,
  );
  const reachable = fits.flatMap(({ agent, standing }) => {
    if (agent.cellId !== null && wish.cellId !== undefined && agent.cellId !== wish.cellId) return [];
    const place = deps.phoneRegistry.locate(agent.phoneExtension, wish.cellId ?? agent.cellId);
    return place === null ? [] : [{ agent, standing, cellId: place.cellId }];
  });
  return reachable.sort((a, b) => a.standing.context.idleSince - b.standing.context.idleSince || a.agent.id - b.agent.id);
}

/** The actor's commit decides: of all who ask for an idle agent, one wins. */
async function tryReserve(deps: ReservationDeps, { agent, cellId }: Candidate, wish: AgentWish): Promise<AgentReservation | undefined> {
  const fence = agentLegUuid(agent.id, deps.ids());
  const outcome = await sendToAgent(
    deps.agentHost,
    agent.id,
    {
      type: 'reserveRequested',
      holder: wish.holder,
      fence,
      cellId,
      currentCall: wish.currentCall ?? `request:${fence}`,
      wrapUpMs: deps.wrapUpMs,
      isOwnCall: wish.isOwnCall === true,
      takesOver: wish.takesOver,
      at: deps.clock.now(),
    },
    `reserve:${fence}`,
  );
  if (outcome.kind !== 'applied') return undefined;
  return outcome.state.context.reservation?.fence === fence
    ? { agentId: agent.id, holder: wish.holder, fence, expiresAt: deps.clock.now() + RESERVATION_LEASE_MS }
    : undefined;
}

function reservationOf(agentId: number, { context }: AgentStanding): AgentReservation | undefined {
  const { reservation } = context;
  if (reservation === null) return undefined;
  const { holder, fence, reservedAt } = reservation;
  return { agentId, holder, fence, expiresAt: reservedAt + RESERVATION_LEASE_MS };
}
