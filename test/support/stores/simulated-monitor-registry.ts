import type { MonitorRegistry, MonitorCapacity, MonitorStep, Placement, WatchableCall } from '#monitoring/monitor-registry.ts';
import type { SimulatedSlotRegistry } from './simulated-slot-registry.ts';
import type { MonitorRoom } from './slot-monitors.ts';

/** Lease of a placement notice, as in monitoring/lua/run-monitors-1.lua, ms. */
const TELL_LEASE_MS = 3_000;

interface Presence {
  endsAt: number;
  name: string;
  agentId: number | null;
  cellId: string | null;
  capacity: number;
  tabs: Map<string, { endsAt: number; campaignId: number | null }>;
  denied: Set<string>;
  /** When a call was last assigned or removed; the monitor has been idle since then, ms. */
  lastAt: number;
}

interface Call extends WatchableCall {
  userId: number | null;
  /** Start of the wait or of the current assignment, ms. */
  since: number;
  fence: number;
  /** When to notify the call's actor again; null once the actor has confirmed. */
  tellAt: number | null;
}

export interface SimulatedMonitorRegistry extends MonitorRegistry {
  /** Loses its content, as a flushed cache does. */
  wipe(): void;
  /** Number of registered calls. */
  readonly size: number;
  /** How many more calls the present monitors could watch: in total, and on pages that show the campaign. */
  roomNow(campaignId: number): { all: number; shown: number };
}

/**
 * The monitor registry of adapters/redis/scripts in memory, without interventions, which the simulation does not cover.
 *
 * Units: `now` ms
 */
export function simulatedMonitorRegistry(options: {
  now: () => number;
  /** Receives the mirrored capacity of the monitors. */
  slots: Pick<SimulatedSlotRegistry, 'mirrorMonitors'>;
}): SimulatedMonitorRegistry {
  const { now, slots } = options;
  const presences = new Map<number, Presence>();
  const calls = new Map<string, Call>();
  let [fence, revision] = [0, 0];
  let isTouched = false;
  const changed = new Set<string>();

  const callsOf = (userId: number) => [...calls.values()].filter(call => call.userId === userId).toSorted((a, b) => a.since - b.since);

  function touch(userId: number | null): void {
    const presence = userId === null ? undefined : presences.get(userId);
    if (presence) presence.lastAt = now();
  }

  function place(call: Call, userId: number | null): void {
    touch(call.userId);
    fence += 1;
    Object.assign(call, { userId, since: now(), fence, tellAt: now() + TELL_LEASE_MS });
    changed.add(call.requestId);
    isTouched = true;
  }

  function drop(userId: number): void {
    presences.delete(userId);
    for (const call of callsOf(userId)) place(call, null);
    isTouched = true;
  }

  function giveToMonitors(): void {
    const waiting = [...calls.values()].filter(call => call.userId === null);
    for (const call of waiting.toSorted(byTurn)) {
      const [best] = [...presences]
        .filter(([userId, presence]) => mayTake(presence, callsOf(userId).length, call))
        .toSorted((a, b) => worse(a, b, call));
      if (!best) continue;
      place(call, best[0]);
      best[1].lastAt = now();
    }
  }

  /** Order of monitors for a call: those in its cell first, then by fewest calls, then by longest idle. */
  function worse([idA, a]: [number, Presence], [idB, b]: [number, Presence], { cellId }: Call): number {
    const far = (presence: Presence) => (presence.cellId === cellId ? 0 : 1);
    return far(a) - far(b) || callsOf(idA).length - callsOf(idB).length || a.lastAt - b.lastAt;
  }

  function placement({ requestId, fence: own, userId, since }: Call): Placement {
    const presence = userId === null ? undefined : presences.get(userId);
    const monitor =
      userId === null ? null : { userId, agentId: presence?.agentId ?? null, displayName: presence?.name ?? '', assignedAt: since };
    return { requestId, watch: { fence: own, monitor, retainedBy: [], waitingSince: monitor ? null : since } };
  }

  function picture(): MonitorRoom[] {
    return [...presences].map(([userId, presence]) => {
      const others = callsOf(userId).filter(call => !call.isStrict).length;
      return { untilMs: presence.endsAt, room: Math.max(0, presence.capacity - others), campaigns: pagesOf(presence) };
    });
  }

  /** Runs one atomic step: `work`, then expiry of presences, then assignment of waiting calls. */
  function step(work: () => void, alsoTold: readonly string[] = []): MonitorStep {
    changed.clear();
    isTouched = false;
    work();
    for (const [userId, { endsAt }] of presences) if (endsAt <= now()) drop(userId);
    giveToMonitors();
    for (const requestId of alsoTold) changed.add(requestId);
    if (isTouched) {
      revision = Math.max(revision + 1, now());
      slots.mirrorMonitors(revision, picture());
    }
    return { changes: [...changed].flatMap(requestId => calls.get(requestId) ?? []).map(placement), hasJoined: false };
  }

  function yieldExcess(userId: number, capacity: number): void {
    for (const call of callsOf(userId).slice(capacity)) place(call, null);
  }

  function capacityOf(userId: number | null): MonitorCapacity {
    const alive = [...presences].filter(([, { endsAt }]) => endsAt > now());
    const total = alive.reduce((sum, [, { capacity }]) => sum + capacity, 0);
    const used = alive.reduce((sum, [id]) => sum + callsOf(id).length, 0);
    const waiting = [...calls.values()].filter(call => call.userId === null).length;
    return { mine: alive.find(([id]) => id === userId)?.[1].capacity ?? 0, used, total, waiting };
  }

  const quiet = async () => step(() => undefined);

  return {
    async beat({ userId, displayName, agentId, cellId, capacity, campaignId, tabId, ttlMs }) {
      const endsAt = now() + ttlMs;
      const before = presences.get(userId)?.capacity ?? 0;
      const done = step(
        () => {
          const known = presences.get(userId);
          if (known && known.endsAt <= now()) drop(userId);
          const { tabs, denied, lastAt } = presences.get(userId) ?? { tabs: new Map(), denied: new Set<string>(), lastAt: now() };
          for (const [tab, page] of tabs) if (page.endsAt <= now()) tabs.delete(tab);
          tabs.set(tabId, { endsAt, campaignId });
          presences.set(userId, { endsAt, name: displayName, agentId, cellId, capacity, tabs, denied, lastAt });
          yieldExcess(userId, capacity);
          isTouched = true;
        },
        callsOf(userId).map(call => call.requestId),
      );
      return { ...done, hasJoined: capacity > before, expiresAt: endsAt };
    },
    leave: async userId => step(() => drop(userId)),
    async release(userId, requestId) {
      const call = calls.get(requestId);
      if (call?.userId !== userId) return { ...(await quiet()), outcome: 'not_assigned' };
      const done = step(() => {
        presences.get(userId)?.denied.add(requestId);
        place(call, null);
      });
      return { ...done, outcome: 'released' };
    },
    offer: async call =>
      step(() => {
        if (calls.has(call.requestId)) return;
        const taken: Call = { ...call, userId: null, since: now(), fence: 0, tellAt: null };
        calls.set(call.requestId, taken);
        place(taken, null);
      }),
    withdraw: async requestId =>
      step(() => {
        touch(calls.get(requestId)?.userId ?? null);
        calls.delete(requestId);
        isTouched = true;
      }),
    raise: async requestId => step(() => Object.assign(calls.get(requestId) ?? {}, { hasIntent: true })),
    focus: quiet,
    pin: quiet,
    free: quiet,
    async tick(limit) {
      const due = [...calls.values()].filter(({ tellAt }) => tellAt !== null && tellAt <= now()).slice(0, limit);
      for (const call of due) call.tellAt = now() + TELL_LEASE_MS;
      return step(
        () => undefined,
        due.map(({ requestId }) => requestId),
      );
    },
    async confirm(watches) {
      for (const { requestId, watch } of watches) {
        const call = calls.get(requestId);
        if (call?.fence === watch.fence) call.tellAt = null;
      }
    },
    callsOf: async userId => ({ assigned: callsOf(userId).map(({ requestId }) => requestId), retained: [], focus: null, past: [] }),
    capacity: async userId => capacityOf(userId),
    capacities: async userIds => userIds.map(capacityOf),
    present: async () =>
      [...presences]
        .filter(([, { endsAt }]) => endsAt > now())
        .map(([userId, { name, capacity }]) => ({ userId, displayName: name, capacity, watched: callsOf(userId).length }))
        .toSorted((a, b) => a.userId - b.userId),
    wipe() {
      presences.clear();
      calls.clear();
      [fence, revision] = [0, 0];
    },
    get size() {
      return calls.size;
    },
    roomNow(campaignId) {
      const alive = [...presences.values()].filter(({ endsAt }) => endsAt > now());
      const roomOf = (some: readonly Presence[]) => some.reduce((sum, { capacity }) => sum + capacity, 0);
      return { all: roomOf(alive), shown: roomOf(alive.filter(presence => shows(presence, campaignId))) };
    },
  };
}

function mayTake(presence: Presence, used: number, { requestId, campaignId }: Call): boolean {
  return used < presence.capacity && shows(presence, campaignId) && !presence.denied.has(requestId);
}

/** Campaigns of the monitor's open pages; null: every campaign. */
function pagesOf({ tabs }: Presence): number[] | null {
  const pages = [...tabs.values()].map(({ campaignId }) => campaignId);
  return pages.includes(null) ? null : pages.filter(page => page !== null);
}

function shows(presence: Presence, campaignId: number): boolean {
  return pagesOf(presence)?.includes(campaignId) ?? true;
}

/** Order of waiting calls: those with an intent first, then by priority, then by longest wait. */
function byTurn(a: Call, b: Call): number {
  return Number(b.hasIntent) - Number(a.hasIntent) || b.priority - a.priority || a.since - b.since;
}
