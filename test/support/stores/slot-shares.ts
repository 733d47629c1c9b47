import { costOf } from './fair-share.ts';

/** How long a refused campaign counts as waiting, as in reserve-slots-1.lua; it requests again sooner. ms */
const WAIT_MS = 4_000;
const SHARE_LIFE_MS = 600_000;
const MAX_TAGS = 1_000;
const MAX_YIELDS = 8;

interface Share {
  clock: number;
  tags: Map<number, number>;
  until: number;
}

interface Waiter {
  until: number;
  cost: number;
  wanted: number;
}

/** Snapshot of one line or cell during a reservation. */
export interface Resource {
  name: string;
  free: number;
  /** Free channels, ignoring other limits. */
  room: number;
  taken: number;
  clock: number;
  tag: number;
  isWaiting: boolean;
  waiters: (Waiter & { campaignId: number; tag: number })[];
}

/** Fair-queueing state of shared lines and cells (fair-share.ts). */
export class SlotShares {
  readonly #shares = new Map<string, Share>();
  readonly #waiting = new Map<string, Map<number, Waiter>>();

  clear(): void {
    this.#shares.clear();
    this.#waiting.clear();
  }

  look(name: string, campaignId: number, counts: { free: number; room: number }, at: number): Resource {
    const share = this.#share(name, at);
    const waiting = this.#waiting.get(name) ?? new Map<number, Waiter>();
    for (const [id, waiter] of waiting) if (waiter.until <= at) waiting.delete(id);
    const isWaiting = waiting.has(campaignId);
    const own = share.tags.get(campaignId) ?? 0;
    const waiters = [...waiting]
      .filter(([id]) => id !== campaignId)
      .map(([id, waiter]) => ({ ...waiter, campaignId: id, tag: share.tags.get(id) ?? 0 }));
    const tag = isWaiting ? own : Math.max(own, share.clock);
    return { name, ...counts, taken: 0, clock: share.clock, tag, isWaiting, waiters };
  }

  /** Stores the outcome of a reservation; a refused campaign waits only for the resource that it lacked. */
  remember(resource: Resource, request: { campaignId: number; weight: number; wanted: number; waits: boolean }, at: number): void {
    const { campaignId, weight, wanted, waits } = request;
    const waiting = this.#waiting.get(resource.name) ?? new Map<number, Waiter>();
    if (waits) waiting.set(campaignId, { until: at + WAIT_MS, cost: costOf(weight), wanted });
    else waiting.delete(campaignId);
    this.#waiting.set(resource.name, waiting);
    if (!waits && resource.taken === 0) return;
    const share = this.#share(resource.name, at);
    if (share.tags.size + 1 > MAX_TAGS) share.tags = new Map(resource.waiters.map(waiter => [waiter.campaignId, waiter.tag]));
    share.tags.set(campaignId, resource.tag);
    share.clock = resource.clock;
    share.until = at + SHARE_LIFE_MS;
    this.#shares.set(resource.name, share);
  }

  /** Refunds the cost of a grant that was never dialled. */
  refund(name: string, campaignId: number, cost: number): void {
    const tags = this.#shares.get(name)?.tags;
    const tag = tags?.get(campaignId);
    if (tag !== undefined) tags?.set(campaignId, tag - cost);
  }

  #share(name: string, at: number): Share {
    const share = this.#shares.get(name);
    return share && share.until > at ? share : { clock: 0, tags: new Map(), until: 0 };
  }
}

/** Whether a slot is free that is not reserved for waiting campaigns with an earlier tag. */
export function mayTake({ free, tag, waiters }: Resource): boolean {
  if (free <= 0) return false;
  let kept = 0;
  for (const waiter of waiters) if (waiter.tag < tag) kept += Math.min(waiter.wanted, Math.ceil((tag - waiter.tag) / waiter.cost));
  return kept < free;
}

export function take(resource: Resource, weight: number): void {
  resource.free -= 1;
  resource.room -= 1;
  resource.taken += 1;
  resource.clock = Math.max(resource.clock, resource.tag);
  resource.tag += costOf(weight);
}

/** Campaigns to wake because free slots are reserved for them. */
export function yieldsOf(resources: readonly Resource[]): number[] {
  const told = new Set<number>();
  for (const { free, waiters } of resources)
    for (const { campaignId } of waiters.toSorted((a, b) => a.tag - b.tag || a.campaignId - b.campaignId).slice(0, Math.max(0, free)))
      if (told.size < MAX_YIELDS) told.add(campaignId);
  return [...told];
}
