import type { CallWatch } from '#model/live-call.ts';

/**
 * Who watches which live call: presences, capacities, assignments, all changed in one atomic step.
 *
 * Why:    one primary monitor per call, none without a living presence, nobody beyond their capacity (I7); time is the store's own. Each step
 *         also ends presences whose time is over and gives waiting calls to monitors with room
 * Errors: CACHE_UNAVAILABLE from every method
 * Source: A5, D9.4, D9.5, OCS 4.12
 */
export interface MonitorRegistry {
  /** Registers or renews a presence; the answer names all calls that the user has, so that their actors hear of it again. */
  beat(beat: MonitorBeat): Promise<MonitorStep & { expiresAt: number }>;
  leave(userId: number): Promise<MonitorStep>;
  /** Gives a call back; it does not come to the same user again while the presence lasts. */
  release(userId: number, requestId: string): Promise<MonitorStep & { outcome: ReleaseOutcome }>;
  /** Takes a live call in; one that is known stays where it is. */
  offer(call: WatchableCall): Promise<MonitorStep>;
  /** Forgets a call that is over. */
  withdraw(requestId: string): Promise<MonitorStep>;
  /** Moves a call forward among those that wait: the customer said a keyword. */
  raise(requestId: string): Promise<MonitorStep>;
  /** The call becomes all that the user answers for; the others wait for somebody else and stay readable for the user. */
  focus(userId: number, requestId: string): Promise<MonitorStep>;
  /** The call stays with the user even when the presence ends. */
  pin(userId: number, requestId: string): Promise<MonitorStep>;
  /** Ends `focus` and `pin`. */
  free(userId: number, requestId: string): Promise<MonitorStep>;
  /** Time passes; the answer also holds calls whose actors have not confirmed their last change, at most `limit`. */
  tick(limit: number): Promise<MonitorStep>;
  /** The calls' actors have these. */
  confirm(watches: readonly Placement[]): Promise<void>;
  /** The calls of a user now. */
  callsOf(userId: number): Promise<MonitorCalls>;
  capacity(userId: number | null): Promise<MonitorCapacity>;
  /** One per user in their order, all of one moment. */
  capacities(userIds: readonly (number | null)[]): Promise<MonitorCapacity[]>;
}

export interface MonitorBeat {
  userId: number;
  displayName: string;
  agentId: number | null;
  cellId: string | null;
  /** Calls that the user may have now (D9.4). */
  capacity: number;
  /** Calls that they may have as soon as the claim is over that keeps them now; absent: as `capacity`. */
  capacityAfterClaim?: number;
  /** Null: of every campaign. */
  campaignId: number | null;
  /** Tabs of one user share the capacity; each may show another campaign. */
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
  /** It was dialled because somebody could watch. */
  isStrict: boolean;
}

/** What a step has done; the calls' actors must hear of it. */
export interface MonitorStep {
  changes: Placement[];
  /** Somebody has room who had none: strict campaigns may go on. */
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
  /** Those that ended within the last minute: still shown (D9.2). */
  past: string[];
  /** The call under the user's intervention. */
  focus: string | null;
}

/** Source: D9.2 */
export interface MonitorCapacity {
  /** Of the user. */
  mine: number;
  /** Calls that have a monitor. */
  used: number;
  /** Of all living presences. */
  total: number;
  /** Calls without a monitor. */
  waiting: number;
}
