import type { SlotGrant } from '#slots/slot-registry.ts';

/** The property of a contact that matching needs. */
export interface GrantTaker {
  lastCallerNumber: string | null;
}

/**
 * Assigns a grant to each taker, in order; a retry gets a caller number different from its last one if swapping grants makes that possible.
 *
 * Shape:  as many grants as takers; `takers` must not outnumber `grants`
 * Source: D4.3
 */
export function matchGrants(takers: readonly GrantTaker[], grants: readonly SlotGrant[]): SlotGrant[] {
  const order = [...grants];
  takers.forEach((taker, index) => {
    if (!repeats(taker, order[index])) return;
    const other = order.findIndex((grant, at) => at !== index && !repeats(taker, grant) && !repeats(takers[at], order[index]));
    if (other >= 0) exchange(order, index, other);
  });
  return order.slice(0, takers.length);
}

function repeats(taker: GrantTaker | undefined, grant: SlotGrant | undefined): boolean {
  return taker !== undefined && grant !== undefined && taker.lastCallerNumber !== null && taker.lastCallerNumber === grant.number;
}

function exchange(order: SlotGrant[], a: number, b: number): void {
  const [first, second] = [order[a], order[b]];
  if (first === undefined || second === undefined) return;
  order[a] = second;
  order[b] = first;
}
