import { interventionStatus, isOpen } from '#actors/intervention/take-over.ts';
import type { AgentAvailability, AgentDirectory } from '#agents/agent-directory.ts';
import type { CallState, CallsPart } from '#calls/call-actor.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedEvent } from '#platform/feeds/feed.ts';
import { keyedSources } from '#platform/feeds/keyed-sources.ts';
import type { Platform } from '#platform/platform.ts';
import { placeCalls } from './allocation.ts';
import type { MonitorCapacity, MonitorRegistry, MonitorsPart } from './monitor-registry.ts';

/** Poll interval, in ms. */
const POLL_MS = 1_000;
/** Subscribers that join within this interval share one read, in ms. */
const SPACING_MS = 100;

export type CapacityEvent = FeedEvent<MonitorCapacity, MonitorCapacity>;

export interface CapacityFeed {
  /** Capacity of all monitors together and of this user. */
  channel(userId: number | null): Channel<CapacityEvent>;
  close(): void;
}

export interface CapacityFeedPart {
  capacityFeed: CapacityFeed;
}

/**
 * Polls the monitor registry once for all subscribers of this process, and only while there are any.
 *
 * Why:    the registry changes with presence, calls and time, at any instance: polling finds every change, even if a signal is lost
 * Source: D9.2, D10 `capacity`
 */
export function capacityFeed(
  app: { monitors: Pick<MonitorRegistry, 'capacities'> } & Pick<Platform, 'clock' | 'ids' | 'log'>,
): CapacityFeed {
  const feed = new Feed<MonitorCapacity, MonitorCapacity>(app, { lingerMs: 0 });
  const source = keyedSources<number | null, MonitorCapacity>(app, {
    what: 'the capacity of monitors',
    async read(userIds) {
      const capacities = await app.monitors.capacities(userIds);
      return new Map(userIds.flatMap((userId, index) => (capacities[index] ? [[userId, capacities[index]]] : [])));
    },
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
  return { channel: userId => feed.channel(String(userId), () => source(userId)), close: () => feed.close() };
}

export interface PresenceApp extends MonitorsPart, Pick<CallsPart, 'calls'>, Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'> {
  agentDirectory: Pick<AgentDirectory, 'findByUser'>;
  /** Most calls that one monitor watches: `monitoring.callsPerMonitor` of D9.4. */
  callsPerMonitor: number;
}

interface Heartbeat {
  /** UTC ms. */
  expiresAt: number;
  capacity: MonitorCapacity;
  /** Request ids of the user's calls, oldest first. */
  assigned: string[];
}

/** Lifetime of a presence without a heartbeat (D9.4). */
const PRESENCE_TTL_MS = 30_000;
const ONLY_TAB = 'tab';

/**
 * Registers or renews a user's presence; the number of calls that they may watch follows from the current state of their agent.
 *
 * Why:    a heartbeat repairs what a crash left inconsistent between the registry and a call: calls are notified again, and an intervention
 *         that has ended no longer binds its initiator
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: OCS 4.12, D9.4
 */
export async function heartbeat(
  app: PresenceApp,
  caller: Caller,
  page: { campaignId: number | null; tabId?: string | undefined },
): Promise<Heartbeat> {
  const { userId } = caller;
  // Without authentication there is no user to assign a call to.
  if (userId === null) return { expiresAt: app.clock.now() + PRESENCE_TTL_MS, capacity: await app.monitors.capacity(null), assigned: [] };
  const [agent, { focus, assigned: watched }] = await Promise.all([app.agentDirectory.findByUser(userId), app.monitors.callsOf(userId)]);
  const step = await app.monitors.beat({
    userId,
    displayName: caller.displayName || caller.name,
    agentId: agent?.agentId ?? null,
    cellId: agent?.cellId ?? null,
    capacity: capacityOf(agent, { callsPerMonitor: app.callsPerMonitor, watched: watched.length }),
    ...((await isKeptByClaim(app, { userId, focus, agent })) ? { capacityAfterClaim: app.callsPerMonitor } : {}),
    campaignId: page.campaignId,
    tabId: page.tabId ?? ONLY_TAB,
    ttlMs: PRESENCE_TTL_MS,
  });
  await placeCalls(app, step);
  await endStaleFocus(app, userId);
  const [{ assigned }, capacity] = await Promise.all([app.monitors.callsOf(userId), app.monitors.capacity(userId)]);
  return { expiresAt: step.expiresAt, capacity, assigned };
}

/**
 * Number of calls that a user may watch, given the state of their agent (D9.4).
 *
 * Why: who listens to a call, or has barged in on it, goes on watching what they watch, that call above all, and is given no more
 */
function capacityOf(
  agent: AgentAvailability | undefined,
  { callsPerMonitor, watched }: { callsPerMonitor: number; watched: number },
): number {
  if (agent?.registrationStatus !== 'registered') return 0;
  if (agent.isListening) return Math.min(watched, callsPerMonitor);
  return agent.status === 'idle' ? callsPerMonitor : 0;
}

/**
 * Whether only the user's own claim, not yet consumed, keeps their agent busy.
 *
 * Why: when the claim expires, the user can watch calls again at once, instead of losing them until their next heartbeat
 */
async function isKeptByClaim(
  app: PresenceApp,
  { userId, focus, agent }: { userId: number; focus: string | null; agent: AgentAvailability | undefined },
): Promise<boolean> {
  if (focus === null || agent?.currentCall !== `request:${focus}` || agent.registrationStatus !== 'registered') return false;
  const call = await app.calls.find(focus);
  const intervention = call?.state.intervention;
  return intervention?.context.initiatorId === userId && interventionStatus(intervention) === 'requested';
}

async function endStaleFocus(app: PresenceApp, userId: number): Promise<void> {
  const { focus } = await app.monitors.callsOf(userId);
  if (focus === null) return;
  const call = await app.calls.find(focus);
  if (!call || !isOpenFor(call.state, userId)) await placeCalls(app, await app.monitors.free(userId, focus));
}

function isOpenFor({ intervention }: CallState, userId: number): boolean {
  return isOpen(intervention) && intervention?.context.initiatorId === userId;
}

/**
 * Ends a user's presence at once: their calls move to other monitors, except one whose transfer has begun.
 *
 * Shape:  request ids of the calls that were released
 * Errors: CACHE_UNAVAILABLE
 * Source: OCS 4.12, D9.4
 */
export async function leaveMonitoring(
  app: MonitorsPart & Pick<Platform, 'wake' | 'actors' | 'log'>,
  { userId }: Pick<Caller, 'userId'>,
): Promise<{ released: string[] }> {
  if (userId === null) return { released: [] };
  const { assigned } = await app.monitors.callsOf(userId);
  await placeCalls(app, await app.monitors.leave(userId));
  const { assigned: kept } = await app.monitors.callsOf(userId);
  return { released: assigned.filter(requestId => !kept.includes(requestId)) };
}
