/** A campaign that requests slots of a shared line or cell. */
export interface Asker {
  campaignId: number;
  /** 1..101: `monitoringPriority` + 1. */
  weight: number;
}

/** A campaign whose last request was refused. */
export interface Waiter {
  weight: number;
  /** Number of slots that it could use now, ≥ 1. */
  wanted: number;
  /** End of the wait unless the campaign requests again, UTC ms. */
  until: number;
}

/** Fair-queueing state of one shared line or cell. */
export interface Share {
  /** Start tag of the latest grant; a campaign that joins starts no earlier. */
  readonly clock: number;
  /** Tag of each campaign's next grant. */
  readonly tags: ReadonlyMap<number, number>;
  readonly waiting: ReadonlyMap<number, Waiter>;
}

export const EMPTY_SHARE: Share = { clock: 0, tags: new Map(), waiting: new Map() };

/** Cost of one grant at weight 1; at weight w it is UNIT / w. Integers keep Lua and TypeScript bit-identical. */
const UNIT = 1_000_000;

export function costOf(weight: number): number {
  return Math.floor(UNIT / weight);
}

/**
 * Whether the campaign may take one of `free` slots: those not reserved for waiting campaigns with an earlier tag.
 *
 * Why:    start-time fair queueing over grants: each grant costs its campaign 1/weight, and the smallest tag is served first. Slots are
 * reserved
 *         only for campaigns that were refused, so none is idle for long; a tag grows with each grant, so no campaign starves.
 *         `reserve-slots-1.lua` runs the same steps
 * Shape:  weight = monitoring priority + 1 unless configured
 */
export function mayTake(share: Share, asker: Asker, free: number, at: number): boolean {
  return free > 0 && keptFor(share, asker, at) < free;
}

/** Takes one slot and moves the campaign's next grant back by its cost. */
export function takeSlot(share: Share, asker: Asker, at: number): Share {
  const tag = tagOf(share, asker.campaignId, at);
  const tags = new Map(share.tags).set(asker.campaignId, tag + costOf(asker.weight));
  return { ...share, clock: Math.max(share.clock, tag), tags };
}

/** Makes a refused campaign wait with its tag; another request renews the wait. */
export function waitForSlot(share: Share, asker: Asker, request: { wanted: number; at: number; until: number }): Share {
  const tags = new Map(share.tags).set(asker.campaignId, tagOf(share, asker.campaignId, request.at));
  const waiting = new Map(share.waiting).set(asker.campaignId, { weight: asker.weight, wanted: request.wanted, until: request.until });
  return { ...share, tags, waiting };
}

/** Ends the wait of a campaign that was served in full, or that lacks something else. */
export function stopWaiting(share: Share, campaignId: number): Share {
  if (!share.waiting.has(campaignId)) return share;
  const waiting = new Map(share.waiting);
  waiting.delete(campaignId);
  return { ...share, waiting };
}

/** Waiting campaigns, the next to be served first. */
export function nextInLine(share: Share, at: number): number[] {
  const fresh = [...share.waiting].filter(([, waiter]) => waiter.until > at).map(([campaignId]) => campaignId);
  return fresh.toSorted((a, b) => (share.tags.get(a) ?? 0) - (share.tags.get(b) ?? 0) || a - b);
}

/** Slots reserved for waiting campaigns with an earlier tag. */
function keptFor(share: Share, asker: Asker, at: number): number {
  const tag = tagOf(share, asker.campaignId, at);
  let kept = 0;
  for (const [campaignId, waiter] of share.waiting) {
    const lead = tag - (share.tags.get(campaignId) ?? 0);
    if (campaignId !== asker.campaignId && waiter.until > at && lead > 0) {
      kept += Math.min(waiter.wanted, Math.ceil(lead / costOf(waiter.weight)));
    }
  }
  return kept;
}

/** A waiting campaign keeps its tag; one that was idle joins at the clock, without credit for the past. */
function tagOf(share: Share, campaignId: number, at: number): number {
  const tag = share.tags.get(campaignId) ?? 0;
  return (share.waiting.get(campaignId)?.until ?? -Infinity) > at ? tag : Math.max(tag, share.clock);
}
