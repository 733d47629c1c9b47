import type { PermitAsk, PermitResult, SlotCell } from '#slots/slot-registry.ts';

/** Same values as in slots/slot-store.ts, ms. */
export const SLACK_MS = 20;
const MAX_SLACK_MS = 640;
const US_PER_MS = 1_000;
/** Same value as in permit-dials-1.lua. */
const RUN_US = 500_000;

/** Dials permitted in one request that may leave later than the normal slack allows. */
interface LateDials {
  since: number;
  more: number;
  dials: number;
}

interface Booking {
  next: number;
  /** Request id, followed by the leg if it has several. */
  owner: string;
  before: number;
}

/** The confirmed dial that requests its start time. */
export interface PermittedDial {
  campaignId: number;
  cellId: string;
  gapUs: number;
  spaceUs: number;
}

/**
 * Start times of dials: at least a call interval apart within a campaign and the cell's spacing apart within a cell (permit-dials-1.lua).
 */
export class SlotPacing {
  readonly #sent = new Map<string, Booking>();

  clear(): void {
    this.#sent.clear();
  }

  /** The lateness of dials permitted together delays the following dials only once. */
  permit(asks: readonly { ask: PermitAsk; dial: PermittedDial | null }[], nowUs: number): PermitResult[] {
    const owed = new Map<string, LateDials>();
    const results = asks.map(({ ask, dial }) => this.#permitOne(ask, dial, nowUs, owed));
    for (const key of owed.keys()) this.#push(key, owed);
    return results;
  }

  #permitOne(ask: PermitAsk, dial: PermittedDial | null, nowUs: number, owed: Map<string, LateDials>): PermitResult {
    const { requestId } = ask;
    if (dial === null) return { requestId, outcome: 'gone' };
    const lateMs = Math.min(MAX_SLACK_MS, SLACK_MS * 2 ** ask.missed);
    const more = Math.max(0, lateMs - SLACK_MS) * US_PER_MS;
    const [cellKey, campaignKey] = [`cell:${dial.cellId}`, `camp:${dial.campaignId}`];
    const owner = requestId + (ask.leg ?? '');
    const late = owed.get(cellKey);
    if (late && this.#fence(cellKey, owner, nowUs) - late.since > RUN_US) this.#push(cellKey, owed);
    const cellFrom = this.#fence(cellKey, owner, nowUs);
    const campaignFrom = dial.gapUs > 0 ? this.#fence(campaignKey, owner, nowUs) : nowUs;
    const at = Math.max(cellFrom, campaignFrom);
    const waitMs = (at - nowUs) / US_PER_MS;
    const withinUs = Math.max(0, Math.floor(ask.withinMs)) * US_PER_MS;
    if (campaignFrom > cellFrom + SLACK_MS * US_PER_MS || at - nowUs > withinUs) return { requestId, outcome: 'later', waitMs };
    this.#sent.set(cellKey, { next: at + dial.spaceUs, owner, before: cellFrom });
    owe(owed, cellKey, { at, more });
    if (dial.gapUs > 0) this.#sent.set(campaignKey, { next: at + dial.gapUs + more, owner, before: campaignFrom });
    return { requestId, outcome: 'booked', waitMs, lateMs };
  }

  #push(key: string, owed: Map<string, LateDials>): void {
    const [late, held] = [owed.get(key), this.#sent.get(key)];
    owed.delete(key);
    if (late && held) this.#sent.set(key, { ...held, next: held.next + late.more, owner: late.dials > 1 ? '' : held.owner });
  }

  /** The first free start time; the dial that booked last may rebook its own. */
  #fence(key: string, owner: string, nowUs: number): number {
    const held = this.#sent.get(key);
    return Math.max(nowUs, (held?.owner === owner ? held.before : held?.next) ?? 0);
  }
}

function owe(owed: Map<string, LateDials>, key: string, { at, more }: { at: number; more: number }): void {
  const late = owed.get(key) ?? { since: at, more: 0, dials: 0 };
  if (more > 0 || owed.has(key)) owed.set(key, { ...late, more: Math.max(late.more, more), dials: late.dials + 1 });
}

/** Interval between two starts of a cell, µs. Vanilla FreeSWITCH with N sessions per second admits N − 1, each up to the slack late. */
export function spaceUsOf({ maxPerSecond }: Pick<SlotCell, 'maxPerSecond'>): number {
  return Math.floor((1_000_000 + SLACK_MS * US_PER_MS) / Math.max(1, maxPerSecond - 1)) + 1;
}
