import type {
  ConfirmResult,
  HeldSlot,
  PermitAsk,
  PermitResult,
  ReserveRequest,
  ReserveResult,
  SlotRegistry,
  SlotCell,
  SlotGrant,
  SlotLine,
} from '#slots/slot-registry.ts';
import { costOf } from './fair-share.ts';
import { type PermittedDial, SlotPacing, spaceUsOf } from './slot-pacing.ts';
import { type MonitorRoom, SlotMonitors } from './slot-monitors.ts';
import type { RuntimePool } from '#runtimes/runtime-pool.ts';
import { keysOf, numberKey, usageKey } from './slot-keys.ts';
import { mostFree, SlotRuntimes } from './slot-runtimes.ts';
import { best, type LineResource, pickLine, SlotRotation, spentUntil, type Wanted } from './slot-lines.ts';
import { SlotNumbers } from './slot-numbers.ts';
import { type Resource, SlotShares, take, yieldsOf } from './slot-shares.ts';

/** Same values as in slots/slot-store.ts, ms. */
const HORIZON_MS = 10_000;
const RETRY_MS = 2_000;
const LAST_CALL_MS = 1_000;
const GONE_MS = 15_000;
const US_PER_MS = 1_000;
/** Lease end of a confirmed slot: never. */
const HELD = 9_000_000_000_000_000;

interface Held {
  isConfirmed: boolean;
  campaignId: number;
  lineId: number | null;
  /** Caller number whose cap the slot counts against. */
  number: string | null;
  /** Caller number that the switch presents. */
  caller: string | null;
  cellId: string | null;
  startUs: number;
  /** Lease end, ms. */
  lease: number;
  gapUs: number;
  /** Null for a restored slot, which has no place in the dialling schedule. */
  plan: { spaceUs: number; cost: number } | null;
  /** Number for which the dial counts; null: it does not. */
  used: string | null;
}

type CellResource = Resource & { cell: SlotCell; spaceUs: number; nextUs: number };

export interface SimulatedSlotRegistry extends SlotRegistry {
  pool: RuntimePool;
  /** Loses its content, as a flushed cache does. */
  wipe(): void;
  /** Takes over the mirrored capacity of the monitors, unless a newer revision arrived first. */
  mirrorMonitors(revision: number, rooms: readonly MonitorRoom[]): void;
  /** Whether the registry is open and the request holds a slot in it. */
  holds(requestId: string): boolean;
  trusts: SlotRuntimes['isTrusted'];
  readonly isOpen: boolean;
  /** Number of requests that hold or reserve a slot. */
  readonly size: number;
}

/**
 * The slot registry of dialling/redis/scripts in memory: the same answers to the same requests.
 *
 * Units: `now`, `leaseMs` and `goneAfterMs` (of a silent runtime) ms
 */
export function simulatedSlotRegistry(options: { now: () => number; leaseMs: number; goneAfterMs?: number }): SimulatedSlotRegistry {
  const { now, leaseMs, goneAfterMs = GONE_MS } = options;
  const requests = new Map<string, Held>();
  const sets = new Map<string, Set<string>>();
  const pace = new Map<number, number>();
  const lastConfirm = new Map<number, number>();
  const rate = new Map<string, number>();
  const rotation = new SlotRotation();
  const shares = new SlotShares();
  const pacing = new SlotPacing();
  const monitors = new SlotMonitors();
  const numbers = new SlotNumbers();
  const runtimes = new SlotRuntimes({ now, goneAfterMs, mayHavePlace: requestId => !isOpen || requests.has(requestId) });
  let isOpen = false;
  let rebuild: string | null = null;

  const count = (key: string) => sets.get(key)?.size ?? 0;
  const callsOf = (campaignId: number) => count(`camp:${campaignId}`);
  const nowUs = () => now() * US_PER_MS;

  function hold(requestId: string, held: Held): void {
    requests.set(requestId, held);
    for (const key of keysOf(held)) {
      const set = sets.get(key) ?? new Set();
      set.add(requestId);
      sets.set(key, set);
    }
  }

  /** Releases a slot; one that was never confirmed also gives back its place in the dialling schedule. */
  function drop(requestId: string): boolean {
    runtimes.leave(requestId);
    const held = requests.get(requestId);
    if (!held) return false;
    if (!held.isConfirmed) refund(held);
    if (held.used !== null) numbers.released(held.used, requestId, Math.floor(now()));
    for (const key of keysOf(held)) sets.get(key)?.delete(requestId);
    return requests.delete(requestId);
  }

  function refund({ campaignId, lineId, cellId, startUs, gapUs, plan }: Held): void {
    if (plan === null || cellId === null) return;
    for (const name of [`line:${lineId}`, `cell:${cellId}`]) shares.refund(name, campaignId, plan.cost);
    const next = rate.get(cellId) ?? 0;
    if (next > nowUs()) rate.set(cellId, next - plan.spaceUs);
    if (gapUs > 0 && (pace.get(campaignId) ?? 0) === startUs + gapUs) pace.set(campaignId, startUs);
  }

  /** Releases the last granted first, so that a whole group gives back its intervals. */
  const dropAll = (requestIds: readonly string[]) => requestIds.toReversed().filter(drop).toReversed();

  function lineResource(line: SlotLine, campaignId: number, moment: Moment): LineResource {
    const left = line.max - count(`line:${line.lineId}`);
    const isPool = line.mode !== 'single_shared';
    const own = isPool ? line.numbers.map(each => ({ ...each, left: numberLeft(line.lineId, each) })) : [sharedNumber(line, left)];
    const bounded = own.map(each => ({ ...each, ...numbers.left(each.number ?? '', each.bounds, moment) }));
    const numbersLeft = bounded.reduce((sum, each) => sum + Math.max(0, Math.min(each.left, each.dials)), 0);
    const counts = { free: Math.min(left, numbersLeft), room: left };
    return { ...shares.look(`line:${line.lineId}`, campaignId, counts, moment.now), line, isPool, numbers: bounded };
  }

  function sharedNumber({ sharedNumber: number, sharedBounds }: SlotLine, left: number) {
    return { number, weight: 1, max: left, left, ...(sharedBounds ? { bounds: sharedBounds } : {}) };
  }

  function numberLeft(lineId: number, { number, max }: { number: string; max: number }): number {
    return max - count(numberKey(lineId, number));
  }

  /** The free slots of a cell are limited by its channels and by its starts within the horizon. */
  function cellResource(cell: SlotCell, { campaignId, startsNow }: ReserveRequest, at: number): CellResource {
    const room = (cell.max === 0 ? 1_000_000 : cell.max) - count(`cell:${cell.cellId}`);
    const spaceUs = spaceUsOf(cell);
    const nextUs = Math.max(at * US_PER_MS, rate.get(cell.cellId) ?? 0);
    const starts = Math.max(0, Math.floor((at * US_PER_MS + HORIZON_MS * US_PER_MS - nextUs) / spaceUs) + 1);
    const counts = { free: startsNow ? room : Math.min(room, starts), room };
    return { ...shares.look(`cell:${cell.cellId}`, campaignId, counts, at), cell, spaceUs, nextUs };
  }

  function wantedOf({ wishes, avoid, requestIds }: ReserveRequest, requestId: string): Wanted {
    const index = requestIds.indexOf(requestId);
    return { wish: wishes?.[index] ?? null, avoided: avoid?.[index] ?? null };
  }

  interface Ask {
    request: ReserveRequest;
    lines: LineResource[];
    cells: CellResource[];
    at: number;
    paceUs: number;
    /** How many more calls the monitors could watch. */
    watchable: number;
    /** Runtimes with free places; null when none is needed, or when only unregistered runtimes take calls, without a limit. */
    runtimes: { id: string; free: number }[] | null;
  }

  type Refused = { refusal: ReserveResult['refusal']; retryInMs: number | null; waitsFor: readonly Resource[] | null };

  type Choice = { line: LineResource; cell: CellResource; runtime: { id: string; free: number } | null };

  function refusalOf({ request, lines, cells, at, paceUs, watchable, runtimes: room }: Ask, requestId: string): Refused | Choice {
    const refused = (refusal: ReserveResult['refusal'], waitsFor: readonly Resource[] | null = null, retryInMs: number | null = null) => ({
      refusal,
      retryInMs,
      waitsFor,
    });
    if (count(`camp:${request.campaignId}`) >= request.campaignMax) return refused('campaign_full');
    if (watchable <= 0) return refused('no_monitor');
    if (request.runtime && runtimes.admits(request.runtime.businessCode) === 'none') return refused('no_runtime');
    const runtime = room === null ? null : mostFree(room);
    if (room !== null && runtime === null && request.runtime?.isOpenEnded !== true)
      return refused(room.length > 0 ? 'runtime_full' : 'no_runtime');
    const aheadUs = paceUs - at * US_PER_MS - HORIZON_MS * US_PER_MS;
    if (request.callIntervalMs > 0 && aheadUs > 0) return refused('interval', null, Math.ceil(aheadUs / US_PER_MS));
    const line = pickLine(lines, wantedOf(request, requestId));
    if (line === null) {
      const spent = spentUntil(lines, at);
      if (spent !== null) return refused('number_cap', null, Math.max(1, spent - at));
      return refused(isShortOtherwise(lines) ? 'number_full' : 'line_full', lines);
    }
    if (cells.length === 0) return refused('switch_unreachable');
    const cell = best(cells, resource => resource.room);
    if (cell === null) return refused(isShortOtherwise(cells) ? 'interval' : 'cell_full', cells);
    return { line, cell, runtime };
  }

  function grant(ask: Ask, requestId: string, { line, cell, runtime }: Choice): SlotGrant {
    const { request, at } = ask;
    if (request.runtime && runtimes.admits(request.runtime.businessCode) === 'trial') runtimes.beginTrial(request.runtime.businessCode);
    const gapUs = request.callIntervalMs * US_PER_MS;
    const cellUs = request.startsNow ? at * US_PER_MS : cell.nextUs;
    const startUs = gapUs > 0 ? Math.max(cellUs, ask.paceUs) : cellUs;
    if (gapUs > 0) ask.paceUs = startUs + gapUs;
    ask.watchable -= 1;
    const number = line.isPool ? rotation.pickNumber(line, wantedOf(request, requestId)) : null;
    const taken = line.numbers.find(each => !line.isPool || each.number === number);
    if (taken) Object.assign(taken, { left: taken.left - (line.isPool ? 1 : 0), dials: taken.dials - 1 });
    take(line, request.weight);
    take(cell, request.weight);
    if (runtime) {
      runtime.free -= 1;
      runtimes.place(requestId, runtime.id);
    }
    cell.nextUs += cell.spaceUs;
    const caller = number ?? line.line.sharedNumber;
    const { lineId } = line.line;
    const { cellId } = cell.cell;
    const lease = Math.floor(startUs / US_PER_MS) + leaseMs;
    const plan = { spaceUs: cell.spaceUs, cost: costOf(request.weight) };
    const place = { campaignId: request.campaignId, lineId, number, caller, cellId };
    const used = request.days && caller !== null && numbers.count(caller, requestId, at) ? caller : null;
    hold(requestId, { ...place, isConfirmed: false, startUs, lease, gapUs, plan, used });
    return { requestId, lineId, number: caller, cellId, startsInMs: Math.ceil((startUs - at * US_PER_MS) / US_PER_MS) };
  }

  function reserve(request: ReserveRequest): ReserveResult {
    const at = now();
    const { campaignId, weight, callIntervalMs } = request;
    const uncounted: string[] = [];
    const moment = { now: Math.floor(at), days: request.days ?? [], uncounted };
    const lines = request.lines.map(line => lineResource(line, campaignId, moment));
    const cells = request.cells.map(cell => cellResource(cell, request, at));
    const watchable = request.needsMonitor ? monitors.left(campaignId, callsOf, at) : Infinity;
    const isNeeded = request.runtime !== undefined && !(request.runtime.isOpenEnded && runtimes.isEmpty);
    const room = isNeeded ? runtimes.open(request.runtime?.businessCode ?? '') : null;
    const ask: Ask = {
      runtimes: room,
      request,
      lines,
      cells,
      at,
      paceUs: Math.max(at * US_PER_MS, pace.get(campaignId) ?? 0),
      watchable,
    };
    const grants: SlotGrant[] = [];
    let stop: Refused = { refusal: null, retryInMs: null, waitsFor: null };
    for (const requestId of request.requestIds) {
      const held = requests.get(requestId);
      const choice = held ? null : refusalOf(ask, requestId);
      if (choice && 'refusal' in choice) {
        stop = choice;
        break;
      }
      grants.push(held || choice === null ? grantAgain(requestId, held, at) : grant(ask, requestId, choice));
    }
    if (request.needsMonitor && callsOf(campaignId) > 0) monitors.add(campaignId);
    const wanted = request.requestIds.length - grants.length;
    for (const list of [lines, cells])
      for (const resource of list) shares.remember(resource, { campaignId, weight, wanted, waits: stop.waitsFor === list }, at);
    for (const { taken, cell, nextUs } of cells) if (taken > 0) rate.set(cell.cellId, nextUs);
    if (callIntervalMs > 0 && grants.length > 0) pace.set(campaignId, ask.paceUs);
    const retryInMs = stop.retryInMs ?? (stop.waitsFor ? RETRY_MS : null);
    return {
      grants,
      refusal: stop.refusal,
      retryInMs,
      yieldTo: yieldsOf([...lines, ...cells]),
      ...(uncounted.length > 0 ? { uncounted } : {}),
    };
  }

  function confirm(requestId: string, previousId: string | undefined): ConfirmResult {
    const answer = (outcome: ConfirmResult['outcome'], waitMs = 0) => ({ requestId, outcome, waitMs });
    const held = requests.get(requestId);
    const atUs = nowUs();
    if (!isOpen || !held) return answer('gone');
    if (!held.isConfirmed && held.lease <= now()) return answer('gone');
    if (previousId !== undefined && requests.has(previousId)) return answer('early', LAST_CALL_MS);
    if (held.isConfirmed) return answer('confirmed');
    if (held.startUs > atUs) return answer('early', Math.ceil((held.startUs - atUs) / US_PER_MS));
    if (held.gapUs > 0) {
      const earliestUs = (lastConfirm.get(held.campaignId) ?? 0) + held.gapUs;
      if (earliestUs > atUs) return answer('early', Math.ceil((earliestUs - atUs) / US_PER_MS));
      lastConfirm.set(held.campaignId, atUs);
    }
    held.isConfirmed = true;
    held.lease = HELD;
    return answer('confirmed');
  }

  function permitted({ requestId, cell }: PermitAsk): PermittedDial | null {
    if (cell) return { campaignId: 0, cellId: cell.cellId, gapUs: 0, spaceUs: spaceUsOf(cell) };
    const held = requests.get(requestId);
    if (!isOpen || !held?.isConfirmed || held.plan === null) return null;
    return { campaignId: held.campaignId, cellId: held.cellId ?? '', gapUs: held.gapUs, spaceUs: held.plan.spaceUs };
  }

  /** From its permit on a dial counts at the booked instant. */
  function note(ask: PermitAsk | undefined, result: PermitResult): void {
    const used = ask?.cell ? null : (requests.get(result.requestId)?.used ?? null);
    if (used !== null && result.outcome === 'booked') numbers.permitted(used, result.requestId, now() + result.waitMs);
  }

  return {
    reserve: async request => (isOpen ? reserve(request) : { grants: [], refusal: 'cold', retryInMs: null, yieldTo: [] }),
    confirm: async (requestIds, previous = {}) => requestIds.map(requestId => confirm(requestId, previous[requestId])),
    async permit(asks) {
      const results = pacing.permit(
        asks.map(ask => ({ ask, dial: permitted(ask) })),
        nowUs(),
      );
      results.forEach((result, index) => note(asks[index], result));
      return results;
    },
    release: async requestIds => dropAll(requestIds).length,
    async purgeExpired(limit) {
      const at = now();
      const expired = [...requests].filter(([, held]) => held.lease <= at).toSorted(byLease);
      return dropAll(expired.slice(0, limit).map(([requestId]) => requestId));
    },
    async listHeld() {
      const confirmed = [...requests].filter(([, held]) => held.lease >= HELD);
      return { cursor: '0', held: confirmed.map(([requestId, held]) => slotOf(requestId, held)) };
    },
    isCold: async () => !isOpen,
    async startRebuild(name) {
      rebuild = name;
    },
    async restore(name, entries) {
      if (isOpen || rebuild !== name) return;
      for (const { requestId, campaignId, lineId, number, cellId, needsMonitor } of entries) {
        if (needsMonitor) monitors.add(campaignId);
        const place = { campaignId, lineId, number, caller: null, cellId };
        hold(requestId, { ...place, isConfirmed: true, startUs: 0, lease: HELD, gapUs: 0, plan: null, used: null });
      }
    },
    async open(name) {
      if (rebuild !== name) return false;
      isOpen = true;
      rebuild = null;
      return true;
    },
    async countDials(told, dials, lines) {
      if (!isOpen) return;
      const holders = [...requests].flatMap(([requestId, { lineId, number, caller }]) => {
        const line = lines.find(each => each.lineId === lineId);
        const held = line?.mode === 'single_shared' ? line.sharedNumber : (number ?? caller);
        return line && held !== null && told.includes(held) ? [{ requestId, number: held }] : [];
      });
      numbers.tell(told, dials, {
        holders,
        isHeld: id => requests.has(id),
        use: (id, number) => Object.assign(requests.get(id) ?? {}, { used: number }),
      });
    },
    usage: async keys => keys.map(key => count(usageKey(key))),
    watchable: async campaignId => (isOpen ? Math.max(0, monitors.left(campaignId, callsOf, now())) : null),
    wipe() {
      for (const part of [requests, sets, pace, lastConfirm, rate, rotation, shares, pacing, monitors, runtimes, numbers]) part.clear();
      isOpen = false;
      rebuild = null;
    },
    pool: runtimes.pool(),
    trusts: runtimes.isTrusted.bind(runtimes),
    mirrorMonitors: (revision, rooms) => monitors.mirror(revision, rooms),
    holds: requestId => isOpen && requests.has(requestId),
    get isOpen() {
      return isOpen;
    },
    get size() {
      return requests.size;
    },
  };
}

interface Moment {
  now: number;
  days: readonly number[];
  uncounted: string[];
}

function isShortOtherwise(resources: readonly Resource[]): boolean {
  return resources.some(({ free, room }) => free < room);
}

/** Repeats the grant when a reservation is retried with the same id. */
function grantAgain(requestId: string, held: Held | undefined, at: number): SlotGrant {
  const { lineId = null, caller = null, cellId = null, startUs = 0 } = held ?? {};
  const startsInMs = Math.max(0, Math.ceil((startUs - at * US_PER_MS) / US_PER_MS));
  return { requestId, lineId: lineId ?? 0, number: caller, cellId: cellId ?? '', startsInMs };
}

function byLease([idA, a]: [string, Held], [idB, b]: [string, Held]): number {
  return a.lease - b.lease || (idA < idB ? -1 : 1);
}

function slotOf(requestId: string, { campaignId, lineId, number, cellId }: Held): HeldSlot {
  return { requestId, campaignId, lineId, number, cellId };
}
