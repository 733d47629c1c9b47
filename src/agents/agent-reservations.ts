import { freshAgent } from '#actors/agent/context.ts';
import { RESERVATION_LEASE_MS } from '#actors/agent/machine.ts';
import type { AgentReservation, AgentReservations, ReservationRequest } from './ports-agent-directory.ts';
import type { AgentStore } from './agent-store.ts';
import type { Agent } from './agent.ts';
import { agentLegUuid, agentOfLeg } from '#platform/freeswitch/channel-uuid.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import type { Platform } from '#platform/platform.ts';
import { type AgentHost, type AgentPresence, findPresence, sendToAgent } from './agent-actor.ts';
import { MAX_AGENTS } from './agent-directory.ts';
import type { PhoneRegistry } from './phone-registry.ts';

export interface ReservationDeps extends Pick<Platform, 'clock' | 'ids'> {
  agents: Pick<AgentStore, 'list' | 'find'>;
  agentHost: AgentHost;
  phoneRegistry: PhoneRegistry;
  /** Wrap-up time after a call in which the agent talked, in ms. */
  wrapUpMs: number;
}

/** Presence of an agent without an actor. */
const OFFLINE: AgentPresence = { stage: 'offline', context: freshAgent() };

interface Candidate {
  agent: Agent;
  presence: AgentPresence;
  cellId: string;
}

/** Source: D12.7 */
export function createAgentReservations(deps: ReservationDeps): AgentReservations {
  const send = async (fence: string, event: (cellId: string) => AgentEvent) => {
    const agentId = agentOfLeg(fence);
    if (agentId === null) return false;
    const presence = await findPresence(deps.agentHost, agentId);
    const reservation = presence?.context.reservation;
    if (reservation?.fence !== fence) return false;
    const sent = event(reservation.cellId);
    const outcome = await deps.agentHost.send(String(agentId), sent, `${sent.type}:${fence}`);
    return outcome.kind === 'applied' || outcome.kind === 'duplicate';
  };
  return {
    reserve: request => reserve(deps, request),
    answered: (fence, legUuid, at = deps.clock.now()) => send(fence, cellId => ({ type: 'legAnswered', fence, cellId, legUuid, at })),
    release: fence => send(fence, () => ({ type: 'released', fence, at: deps.clock.now() })),
  };
}

async function reserve(deps: ReservationDeps, request: ReservationRequest): Promise<AgentReservation | undefined> {
  const presences = await readPresences(deps, request);
  const held = presences.find(({ presence }) => presence.stage !== 'wrapUp' && presence.context.reservation?.holder === request.holder);
  if (held) return reservationOf(held.agent.id, held.presence);
  for (const candidate of candidatesOf(deps, presences, request)) {
    const reservation = await tryReserve(deps, candidate, request);
    if (reservation) return reservation;
  }
  return undefined;
}

async function readPresences(deps: ReservationDeps, request: ReservationRequest): Promise<Omit<Candidate, 'cellId'>[]> {
  const agents = request.agentId === undefined ? await deps.agents.list(MAX_AGENTS) : [await deps.agents.find(request.agentId)];
  const read = agents
    .filter(agent => agent !== null)
    .map(async agent => ({ agent, presence: await findPresence(deps.agentHost, agent.id) }));
  return (await Promise.all(read)).map(({ agent, presence }) => ({ agent, presence: presence ?? OFFLINE }));
}

/** For its own call an agent is free in any chosen status; a reserved agent is free only for a request that takes over from its holder. */
function isFree({ stage, context }: AgentPresence, { isOwnCall, takesOver }: ReservationRequest): boolean {
  if (stage === 'reserved') return takesOver !== undefined && context.reservation?.holder === takesOver;
  return stage === 'idle' || (isOwnCall === true && ['offline', 'busy', 'wrapUp'].includes(stage));
}

/** Sorts by idle time, longest first. */
function candidatesOf(deps: ReservationDeps, presences: readonly Omit<Candidate, 'cellId'>[], request: ReservationRequest): Candidate[] {
  const fits = presences.filter(
    ({ agent, presence }) =>
      agent.isEnabled &&
      isFree(presence, request) &&
      (request.groupId === undefined || agent.groupId === request.groupId) &&
      request.except?.includes(agent.id) !== true,
  );
  const reachable = fits.flatMap(({ agent, presence }) => {
    if (agent.cellId !== null && request.cellId !== undefined && agent.cellId !== request.cellId) return [];
    const place = deps.phoneRegistry.locate(agent.phoneExtension, request.cellId ?? agent.cellId);
    return place === null ? [] : [{ agent, presence, cellId: place.cellId }];
  });
  return reachable.sort((a, b) => a.presence.context.idleSince - b.presence.context.idleSince || a.agent.id - b.agent.id);
}

/** The actor's commit decides: of concurrent requests for an idle agent, one succeeds. */
async function tryReserve(
  deps: ReservationDeps,
  { agent, cellId }: Candidate,
  request: ReservationRequest,
): Promise<AgentReservation | undefined> {
  const fence = agentLegUuid(agent.id, deps.ids());
  const outcome = await sendToAgent(
    deps.agentHost,
    agent.id,
    {
      type: 'reserveRequested',
      holder: request.holder,
      fence,
      cellId,
      currentCall: request.currentCall ?? `request:${fence}`,
      wrapUpMs: deps.wrapUpMs,
      isOwnCall: request.isOwnCall === true,
      takesOver: request.takesOver,
      at: deps.clock.now(),
    },
    `reserve:${fence}`,
  );
  if (outcome.kind !== 'applied') return undefined;
  return outcome.state.context.reservation?.fence === fence
    ? { agentId: agent.id, holder: request.holder, fence, expiresAt: deps.clock.now() + RESERVATION_LEASE_MS }
    : undefined;
}

function reservationOf(agentId: number, { context }: AgentPresence): AgentReservation | undefined {
  const { reservation } = context;
  if (reservation === null) return undefined;
  const { holder, fence, reservedAt } = reservation;
  return { agentId, holder, fence, expiresAt: reservedAt + RESERVATION_LEASE_MS };
}
