/** A campaign that asks for slots of a shared line or cell. */
export interface Asker {
  campaignId: number;
  /** 1..101: `monitoringPriority` + 1. */
  weight: number;
}

/** A campaign that was refused and has not been served since. */
export interface Waiter {
  weight: number;
  /** Slots that it could use now, ≥ 1. */
  wanted: number;
  /** UTC ms; whoever has not asked again until then waits no more. */
  until: number;
}

/** What campaigns have had of one shared line or cell. */
export interface Share {
  /** Tag of the latest grant at its start: nobody joins with an earlier one. */
  readonly clock: number;
  /** By campaign: where its next grant stands. */
  readonly tags: ReadonlyMap<number, number>;
  readonly waiting: ReadonlyMap<number, Waiter>;
}

export const EMPTY_SHARE: Share = { clock: 0, tags: new Map(), waiting: new Map() };

/** One grant of weight 1; a grant of weight w costs its w-th part. Whole numbers, so that Lua and TypeScript agree to the bit. */
const UNIT = 1_000_000;

export function costOf(weight: number): number {
  return Math.floor(UNIT / weight);
}

/**
 * Whether the asker may take one of `free` slots: all but those that belong to waiting campaigns whose next grants stand before its own.
 *
 * Why:    start-time fair queueing over grants: each costs its campaign 1/weight, the smallest tag is served first. A slot is kept only for
 *         somebody who asked and was refused, so nothing idles for long; a tag grows with each grant, so nobody is passed over for ever.
 *         `reserve-slots-1.lua` runs the same steps
 * Shape:  weight = monitoring priority + 1 unless configured
 */
export function mayTake(share: Share, asker: Asker, free: number, at: number): boolean {
  return free > 0 && keptFor(share, asker, at) < free;
}

/** Takes one slot; the asker's next grant moves back by its cost. */
export function takeSlot(share: Share, asker: Asker, at: number): Share {
  const tag = tagOf(share, asker.campaignId, at);
  const tags = new Map(share.tags).set(asker.campaignId, tag + costOf(asker.weight));
  return { ...share, clock: Math.max(share.clock, tag), tags };
}

/** Whoever is refused waits with its tag; asking again renews it. */
export function waitForSlot(share: Share, asker: Asker, request: { wanted: number; at: number; until: number }): Share {
  const tags = new Map(share.tags).set(asker.campaignId, tagOf(share, asker.campaignId, request.at));
  const waiting = new Map(share.waiting).set(asker.campaignId, { weight: asker.weight, wanted: request.wanted, until: request.until });
  return { ...share, tags, waiting };
}

/** Served in full, or stopped by something else: keeps nobody waiting. */
export function stopWaiting(share: Share, campaignId: number): Share {
  if (!share.waiting.has(campaignId)) return share;
  const waiting = new Map(share.waiting);
  waiting.delete(campaignId);
  return { ...share, waiting };
}

/** Campaigns that wait, first the one whose turn is next. */
export function nextInLine(share: Share, at: number): number[] {
  const fresh = [...share.waiting].filter(([, waiter]) => waiter.until > at).map(([campaignId]) => campaignId);
  return fresh.toSorted((a, b) => (share.tags.get(a) ?? 0) - (share.tags.get(b) ?? 0) || a - b);
}

/** Slots that go to others before the asker's next grant. */
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

/** Who waits keeps its place; who was away joins at the clock, without credit for the past. */
function tagOf(share: Share, campaignId: number, at: number): number {
  const tag = share.tags.get(campaignId) ?? 0;
  return (share.waiting.get(campaignId)?.until ?? -Infinity) > at ? tag : Math.max(tag, share.clock);
}
