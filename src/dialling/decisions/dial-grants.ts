import type { SlotGrant } from '#ports/slot-registry.ts';

/** What the matching reads of a contact. */
export interface GrantTaker {
  lastCallerNumber: string | null;
}

/**
 * Gives each taker a grant, in order; a retry gets another caller number than its last one when exchanging makes that possible.
 *
 * Shape:  as many grants as takers; `takers` are at most as many as `grants`
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
