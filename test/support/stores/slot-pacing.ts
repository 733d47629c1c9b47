import type { PermitAsk, PermitResult } from '#ports/slot-registry.ts';

/** As in adapters/redis/slot-registry.ts. ms */
export const SLACK_MS = 20;
const MAX_SLACK_MS = 640;
const US_PER_MS = 1_000;

interface Booking {
  next: number;
  /** Request id, and which of its channels. */
  owner: string;
  before: number;
}

/** The confirmed dial that asks for its instant. */
export interface PermittedDial {
  campaignId: number;
  cellId: string;
  gapUs: number;
  spaceUs: number;
}

/** Instants at which dials may leave: a call interval apart within a campaign, a space apart within a cell (permit-dials-1.lua). */
export class SlotPacing {
  readonly #sent = new Map<string, Booking>();

  clear(): void {
    this.#sent.clear();
  }

  permit(ask: PermitAsk, dial: PermittedDial | null, nowUs: number): PermitResult {
    const { requestId } = ask;
    if (dial === null) return { requestId, outcome: 'gone' };
    const lateMs = Math.min(MAX_SLACK_MS, SLACK_MS * 2 ** ask.missed);
    const more = Math.max(0, lateMs - SLACK_MS) * US_PER_MS;
    const [cellKey, campaignKey] = [`cell:${dial.cellId}`, `camp:${dial.campaignId}`];
    const owner = requestId + (ask.leg ?? '');
    const cellFrom = this.#fence(cellKey, owner, nowUs);
    const campaignFrom = dial.gapUs > 0 ? this.#fence(campaignKey, owner, nowUs) : nowUs;
    const at = Math.max(cellFrom, campaignFrom);
    const waitMs = (at - nowUs) / US_PER_MS;
    const withinUs = Math.max(0, Math.floor(ask.withinMs)) * US_PER_MS;
    if (campaignFrom > cellFrom + SLACK_MS * US_PER_MS || at - nowUs > withinUs) return { requestId, outcome: 'later', waitMs };
    this.#sent.set(cellKey, { next: at + dial.spaceUs + more, owner, before: cellFrom });
    if (dial.gapUs > 0) this.#sent.set(campaignKey, { next: at + dial.gapUs + more, owner, before: campaignFrom });
    return { requestId, outcome: 'booked', waitMs, lateMs };
  }

  /** The first free instant; a dial that was the last to book books its own place anew. */
  #fence(key: string, owner: string, nowUs: number): number {
    const held = this.#sent.get(key);
    return Math.max(nowUs, (held?.owner === owner ? held.before : held?.next) ?? 0);
  }
}
