import type { CallWatch } from '#actors/call/watch.ts';

/**
 * Assignment of live calls to monitors: presences, capacities and assignments, all changed in one atomic step.
 *
 * Why:    one primary monitor per call, none without a current presence, none beyond its capacity (I7); the store's clock decides. Each step
 *         also ends expired presences and assigns waiting calls to monitors with free capacity
 * Errors: CACHE_UNAVAILABLE from every method
 * Source: A5, D9.4, D9.5, OCS 4.12
 */
export interface MonitorRegistry {
  /** Registers or renews a presence. The result lists all calls of the user, so that their actors are notified again. */
  beat(beat: MonitorBeat): Promise<MonitorStep & { expiresAt: number }>;
  leave(userId: number): Promise<MonitorStep>;
  /** Returns a call; it is not assigned to the same user again during this presence. */
  release(userId: number, requestId: string): Promise<MonitorStep & { outcome: ReleaseOutcome }>;
  /** Adds a live call; a known call keeps its assignment. */
  offer(call: WatchableCall): Promise<MonitorStep>;
  /** Removes an ended call. */
  withdraw(requestId: string): Promise<MonitorStep>;
  /** Raises the call's priority among waiting calls, after the customer has said a keyword. */
  raise(requestId: string): Promise<MonitorStep>;
  /** Makes the call the user's only one; the user's other calls wait for another monitor and remain readable for the user. */
  focus(userId: number, requestId: string): Promise<MonitorStep>;
  /** Keeps the call assigned to the user even after the presence ends. */
  pin(userId: number, requestId: string): Promise<MonitorStep>;
  /** Ends `focus` and `pin`. */
  free(userId: number, requestId: string): Promise<MonitorStep>;
  /** Advances time; the result also lists up to `limit` calls whose actors have not confirmed their last change. */
  tick(limit: number): Promise<MonitorStep>;
  /** Confirms that the calls' actors have applied these placements. */
  confirm(watches: readonly Placement[]): Promise<void>;
  /** The user's current calls. */
  callsOf(userId: number): Promise<MonitorCalls>;
  capacity(userId: number | null): Promise<MonitorCapacity>;
  /** Users with a current presence, in the order of their ids. */
  present(): Promise<PresentMonitor[]>;
  /** One capacity per user, in the given order, all at the same instant. */
  capacities(userIds: readonly (number | null)[]): Promise<MonitorCapacity[]>;
}

export interface MonitorBeat {
  userId: number;
  displayName: string;
  agentId: number | null;
  cellId: string | null;
  /** Number of calls that may be assigned to the user now (D9.4). */
  capacity: number;
  /** The same, once the claim that currently limits it has ended; defaults to `capacity`. */
  capacityAfterClaim?: number;
  /** Null: calls of every campaign. */
  campaignId: number | null;
  /** Tabs of a user share the capacity; each may show a different campaign. */
  tabId: string;
  ttlMs: number;
}

export interface WatchableCall {
  requestId: string;
  campaignId: number;
  cellId: string;
  /** 0..100. */
  priority: number;
  hasIntent: boolean;
  /** The call was dialled on condition that a monitor is available. */
  isStrict: boolean;
}

/** Result of a step; the calls' actors must be notified. */
export interface MonitorStep {
  changes: Placement[];
  /** A monitor has gained capacity: strict campaigns may continue. */
  hasJoined: boolean;
}

export interface Placement {
  requestId: string;
  watch: CallWatch;
}

export type ReleaseOutcome = 'released' | 'not_assigned' | 'intervening';

export interface MonitorCalls {
  assigned: string[];
  retained: string[];
  /** Calls that ended within the last minute; still displayed (D9.2). */
  past: string[];
  /** The call in which the user intervenes. */
  focus: string | null;
}

/** A user who is present, and the load. */
export interface PresentMonitor {
  userId: number;
  displayName: string;
  /** Number of calls that may be assigned to the user. */
  capacity: number;
  /** Number of calls that are. */
  watched: number;
}

/** Source: D9.2 */
export interface MonitorCapacity {
  /** Capacity of the user. */
  mine: number;
  /** Number of calls that have a monitor. */
  used: number;
  /** Total capacity of all current presences. */
  total: number;
  /** Number of calls without a monitor. */
  waiting: number;
}

export interface MonitorsPart {
  monitors: MonitorRegistry;
}
