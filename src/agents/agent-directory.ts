import { agentStatus, freshAgent } from '#actors/agent/context.ts';
import type { HeldReservation } from '#actors/agent/reservation.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { RESERVATION_LEASE_MS } from '#actors/agent/machine.ts';
import { wrapUpEndsAt, wrapUpLimitAt } from '#actors/agent/wrap-up.ts';
import { agentLegUuid, agentOfLeg } from '#platform/freeswitch/channel-uuid.ts';
import type { Platform } from '#platform/platform.ts';
import { type AgentHost, type AgentPresence, findPresence, sendToAgent } from './agent-actor.ts';
import type { AgentStore } from './agent-store.ts';
import { type ActivityView, type Agent, type AgentStatus, isListener, type RegistrationStatus } from './agent.ts';
import type { PhoneRegistry } from './phone-registry.ts';

/** An enabled agent's availability as others see it. `status` is effective: busy while reserved, ringing, talking or in wrap-up. */
export interface AgentAvailability {
  agentId: number;
  userId: number | null;
  name: string;
  phoneExtension: string;
  cellId: string | null;
  groupId: number | null;
  status: AgentStatus;
  registrationStatus: RegistrationStatus;
  /** `callKey` of the agent's current call (OCS 2.13). */
  currentCall: string | null;
  /** The agent's phone listens to `currentCall`, which only the bot has (D9.10). */
  isListening: boolean;
  activity: ActivityView;
}

/**
 * The enabled agents with their current availability.
 *
 * Errors: DATABASE_UNAVAILABLE, CACHE_UNAVAILABLE
 * Source: OCS 2.13, D12.1
 */
export interface AgentDirectory {
  findByUser(userId: number): Promise<AgentAvailability | undefined>;
  find(agentId: number): Promise<AgentAvailability | undefined>;
  list(): Promise<AgentAvailability[]>;
}

export interface AgentDirectoryPart {
  agentDirectory: AgentDirectory;
}

export interface ReservationRequest {
  /** Holder in the form `<kind>:<id>`; a repeated request of the same holder returns its existing reservation. */
  holder: string;
  agentId?: number;
  groupId?: number;
  /** Cell of the customer's channel: only agents reachable from there qualify. */
  cellId?: string;
  except?: readonly number[];
  /** Holder that hands over its reservation of the agent, if not dialled yet; no third party can take the agent in between. */
  takesOver?: string;
  /** The agent makes the call: busy or offline by the agent's own choice is allowed, another call is not. */
  isOwnCall?: boolean;
  /** Campaign or business whose wrap-up follows the call; absent for a leg that only supervises. */
  campaignId?: number | null;
  /** Shown as the agent's current call: `callKey`, `attempt:<id>` or `request:<uuid>`; defaults to the leg, `request:<fence>`. */
  currentCall?: string;
}

export interface AgentReservation {
  agentId: number;
  holder: string;
  /** Identifies the reservation and is the uuid of the agent's leg, so that the switch's events lead to the agent. */
  fence: string;
  /** UTC ms; the reservation ends then unless the agent has answered. */
  expiresAt: number;
}

/**
 * Reserves exactly one idle agent with a registered phone for a holder, or none. Requests with an outdated fence have no effect.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D12.7
 */
export interface AgentReservations {
  reserve(request: ReservationRequest): Promise<AgentReservation | undefined>;
  /**
   * The agent has answered: the lease ends; from now on the switch is checked periodically for the leg. `legUuid` names the leg if the agent's
   * browser dialled in; `at` is the time of the answer (UTC ms, default: now). False when the reservation has ended.
   */
  answered(fence: string, legUuid?: string, at?: number): Promise<boolean>;
  /** The leg has ended or was never dialled: the agent is free after the wrap-up (none without an answer). False when already released. */
  release(fence: string): Promise<boolean>;
}

export interface AgentReservationsPart {
  agentReservations: AgentReservations;
}

/** Presence of an agent without an actor. */
const OFFLINE: AgentPresence = { stage: 'offline', context: freshAgent() };

/** Most agents of one installation. */
export const MAX_AGENTS = 5_000;

export interface AgentsPart {
  agents: AgentStore;
  agentHost: AgentHost;
  phoneRegistry: PhoneRegistry;
}

export function createAgentDirectory(app: AgentsPart): AgentDirectory {
  const agentOf = async (agent: Agent | null) => (agent?.isEnabled ? availabilityOf(app, agent) : undefined);
  return {
    find: async agentId => agentOf(await app.agents.find(agentId)),
    findByUser: async userId => agentOf(await app.agents.findByUser(userId)),
    async list() {
      const agents = await app.agents.list(MAX_AGENTS);
      return Promise.all(agents.filter(agent => agent.isEnabled).map(agent => availabilityOf(app, agent)));
    },
  };
}

/** Returns the current availability of an agent, enabled or not. */
export async function availabilityOf(app: Pick<AgentsPart, 'agentHost' | 'phoneRegistry'>, agent: Agent): Promise<AgentAvailability> {
  return availabilityFrom(app.phoneRegistry, agent, await findPresence(app.agentHost, agent.id));
}

function availabilityFrom(phoneRegistry: PhoneRegistry, agent: Agent, presence: AgentPresence | null): AgentAvailability {
  return {
    agentId: agent.id,
    userId: agent.userId,
    name: agent.name,
    phoneExtension: agent.phoneExtension,
    cellId: agent.cellId ?? phoneRegistry.locate(agent.phoneExtension, null)?.cellId ?? null,
    groupId: agent.groupId,
    status: agentStatus(presence?.stage ?? 'offline'),
    registrationStatus: phoneRegistry.registration(agent.phoneExtension, agent.cellId),
    currentCall: currentCallOf(presence),
    isListening: isListener(presence?.context.reservation?.holder ?? ''),
    activity: activityOf(presence),
  };
}

const ACTIVITIES: Readonly<Record<AgentPresence['stage'], ActivityView['state']>> = {
  offline: 'offline',
  idle: 'idle',
  busy: 'busy',
  reserved: 'ringing',
  ringing: 'ringing',
  talking: 'talking',
  wrapUp: 'wrap_up',
};

function activityOf(presence: AgentPresence | null): ActivityView {
  const { stage, context } = presence ?? OFFLINE;
  const { chosen, since = null, reason = null, reservation } = context;
  const wrapUp = stage === 'wrapUp' && reservation !== null ? wrapUpView(reservation) : null;
  return { state: ACTIVITIES[stage], chosen, since, reason: stage === 'busy' ? reason : null, wrapUp };
}

function wrapUpView(reservation: HeldReservation): NonNullable<ActivityView['wrapUp']> {
  const { currentCall, fence, campaignId = null, isRequired = false, extraMs } = reservation;
  return {
    callKey: currentCall ?? `request:${fence}`,
    campaignId,
    endsAt: wrapUpEndsAt(reservation),
    limitAt: wrapUpLimitAt(reservation),
    isRequired,
    canExtend: extraMs === undefined,
  };
}

/** During wrap-up the agent is no longer on a call. */
function currentCallOf(presence: AgentPresence | null): string | null {
  return presence === null || presence.stage === 'wrapUp' ? null : (presence.context.reservation?.currentCall ?? null);
}

/** How an agent is busy after a call in which it talked, in ms. */
export interface WrapUpRule {
  wrapUpMs: number;
  /** Whether wrap-up lasts until the agent has said what came of the call. */
  isRequired: boolean;
}

interface ReservationOptions extends AgentsPart, Pick<Platform, 'clock' | 'ids'> {
  /** The rule of a campaign; null: of calls that belong to none. */
  wrapUpOf(campaignId: number | null): Promise<WrapUpRule>;
}

interface Candidate {
  agent: Agent;
  presence: AgentPresence;
  cellId: string;
}

/** Source: D12.7 */
export function createAgentReservations(options: ReservationOptions): AgentReservations {
  const send = async (fence: string, event: (cellId: string) => AgentEvent) => {
    const agentId = agentOfLeg(fence);
    if (agentId === null) return false;
    const presence = await findPresence(options.agentHost, agentId);
    const reservation = presence?.context.reservation;
    if (reservation?.fence !== fence) return false;
    const sent = event(reservation.cellId);
    const outcome = await options.agentHost.send(String(agentId), sent, `${sent.type}:${fence}`);
    return outcome.kind === 'applied' || outcome.kind === 'duplicate';
  };
  return {
    reserve: request => reserve(options, request),
    answered: (fence, legUuid, at = options.clock.now()) => send(fence, cellId => ({ type: 'legAnswered', fence, cellId, legUuid, at })),
    release: fence => send(fence, () => ({ type: 'released', fence, at: options.clock.now() })),
  };
}

async function reserve(options: ReservationOptions, request: ReservationRequest): Promise<AgentReservation | undefined> {
  const presences = await readPresences(options, request);
  const held = presences.find(({ presence }) => presence.stage !== 'wrapUp' && presence.context.reservation?.holder === request.holder);
  if (held) return reservationOf(held.agent.id, held.presence);
  const candidates = candidatesOf(options, presences, request);
  if (candidates.length === 0) return undefined;
  const rule = await options.wrapUpOf(request.campaignId ?? null);
  for (const candidate of candidates) {
    const reservation = await tryReserve(options, candidate, { ...request, ...rule });
    if (reservation) return reservation;
  }
  return undefined;
}

async function readPresences(options: ReservationOptions, request: ReservationRequest): Promise<Omit<Candidate, 'cellId'>[]> {
  const agents = request.agentId === undefined ? await options.agents.list(MAX_AGENTS) : [await options.agents.find(request.agentId)];
  const read = agents
    .filter(agent => agent !== null)
    .map(async agent => ({ agent, presence: await findPresence(options.agentHost, agent.id) }));
  return (await Promise.all(read)).map(({ agent, presence }) => ({ agent, presence: presence ?? OFFLINE }));
}

/** For its own call an agent is free in any chosen status; a reserved agent is free only for a request that takes over from its holder. */
function isFree({ stage, context }: AgentPresence, { isOwnCall, takesOver }: ReservationRequest): boolean {
  if (stage === 'reserved') return takesOver !== undefined && context.reservation?.holder === takesOver;
  if (stage === 'wrapUp' && context.reservation?.isRequired === true) return false;
  return stage === 'idle' || (isOwnCall === true && ['offline', 'busy', 'wrapUp'].includes(stage));
}

/** Sorts by idle time, longest first. */
function candidatesOf(
  options: ReservationOptions,
  presences: readonly Omit<Candidate, 'cellId'>[],
  request: ReservationRequest,
): Candidate[] {
  const fits = presences.filter(
    ({ agent, presence }) =>
      agent.isEnabled &&
      isFree(presence, request) &&
      (request.groupId === undefined || agent.groupId === request.groupId) &&
      request.except?.includes(agent.id) !== true,
  );
  const reachable = fits.flatMap(({ agent, presence }) => {
    if (agent.cellId !== null && request.cellId !== undefined && agent.cellId !== request.cellId) return [];
    const place = options.phoneRegistry.locate(agent.phoneExtension, request.cellId ?? agent.cellId);
    return place === null ? [] : [{ agent, presence, cellId: place.cellId }];
  });
  return reachable.sort((a, b) => a.presence.context.idleSince - b.presence.context.idleSince || a.agent.id - b.agent.id);
}

/** The actor's commit decides: of concurrent requests for an idle agent, one succeeds. */
async function tryReserve(
  options: ReservationOptions,
  { agent, cellId }: Candidate,
  request: ReservationRequest & WrapUpRule,
): Promise<AgentReservation | undefined> {
  const fence = agentLegUuid(agent.id, options.ids());
  const outcome = await sendToAgent(
    options.agentHost,
    agent.id,
    {
      type: 'reserveRequested',
      holder: request.holder,
      fence,
      cellId,
      currentCall: request.currentCall ?? `request:${fence}`,
      wrapUpMs: request.wrapUpMs,
      isRequired: request.isRequired,
      campaignId: request.campaignId ?? null,
      isOwnCall: request.isOwnCall === true,
      takesOver: request.takesOver,
      at: options.clock.now(),
    },
    `reserve:${fence}`,
  );
  if (outcome.kind !== 'applied') return undefined;
  return outcome.state.context.reservation?.fence === fence
    ? { agentId: agent.id, holder: request.holder, fence, expiresAt: options.clock.now() + RESERVATION_LEASE_MS }
    : undefined;
}

function reservationOf(agentId: number, { context }: AgentPresence): AgentReservation | undefined {
  const { reservation } = context;
  if (reservation === null) return undefined;
  const { holder, fence, reservedAt } = reservation;
  return { agentId, holder, fence, expiresAt: reservedAt + RESERVATION_LEASE_MS };
}

/** Agents examined at once. */
const AT_ONCE = 100;

/** Probes the legs of agents at a cell that is reachable again, because their events may have been lost. Source: A6 step 11 */
export async function suspectLegs(
  { agents, agentHost, ids }: Pick<AgentsPart, 'agents' | 'agentHost'> & Pick<Platform, 'ids'>,
  cellId: string,
): Promise<void> {
  const all = await agents.list(MAX_AGENTS);
  for (let first = 0; first < all.length; first += AT_ONCE) {
    await Promise.all(all.slice(first, first + AT_ONCE).map(agent => suspectLeg({ agentHost, ids }, cellId, agent.id)));
  }
}

async function suspectLeg(
  { agentHost, ids }: Omit<Pick<AgentsPart, 'agents' | 'agentHost'> & Pick<Platform, 'ids'>, 'agents'>,
  cellId: string,
  agentId: number,
): Promise<void> {
  const presence = await findPresence(agentHost, agentId);
  if (presence?.context.reservation?.cellId !== cellId) return;
  await agentHost.send(String(agentId), { type: 'legSuspected' }, `suspect:${ids()}`);
}
