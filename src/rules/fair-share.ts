/** One campaign that wants to dial through a shared line or cell. */
export interface ShareClaim {
  campaignId: number;
  /** 0..100; a campaign's weight is one more. */
  monitoringPriority: number;
  /** Dials that it could make now. */
  demand: number;
}

/** Kept between rounds, one per line or cell; `EMPTY_SHARE` at first. */
export interface ShareState {
  /** The campaign whose turn is not over, or that is next; null when the rotation starts anew. */
  turnOf: number | null;
  /** Dials left in the turn of `turnOf`. */
  credit: number;
}

export const EMPTY_SHARE: ShareState = { turnOf: null, credit: 0 };

export interface ShareGrant {
  campaignId: number;
  /** Dials, ≥ 1. */
  count: number;
}

export interface ShareResult {
  /** In the order to dial; one campaign may stand in it more than once. */
  grants: ShareGrant[];
  state: ShareState;
}

/**
 * Shares `capacity` dials among campaigns by deficit round robin: each turn is worth weight dials, a campaign that wants no more
 * ends its turn.
 *
 * Why:    every dial costs one, so the only deficit to carry is what is left of the current turn; between two turns of a campaign
 *         every other one has had at most one turn, so none starves whatever the weights
 * Shape:  claims in any order, rotation by campaignId; sum of grants = min(capacity, total demand)
 */
export function shareFairly(claims: readonly ShareClaim[], capacity: number, state: ShareState): ShareResult {
  const ring = claims.filter(({ demand }) => demand > 0).toSorted((a, b) => a.campaignId - b.campaignId);
  const wants = new Map(ring.map(({ campaignId, demand }) => [campaignId, demand]));
  const grants: ShareGrant[] = [];
  let left = Math.min(
    capacity,
    ring.reduce((sum, { demand }) => sum + demand, 0),
  );
  let turn = openingTurn(ring, state);
  while (left > 0 && turn.claim) {
    const { campaignId } = turn.claim;
    const count = Math.min(left, turn.credit, wants.get(campaignId) ?? 0);
    if (count > 0) grants.push({ campaignId, count });
    wants.set(campaignId, (wants.get(campaignId) ?? 0) - count);
    left -= count;
    const isOver = turn.credit === count || wants.get(campaignId) === 0;
    turn = isOver ? turnAfter(ring, campaignId) : { claim: turn.claim, credit: turn.credit - count };
  }
  return { grants, state: turn.claim ? { turnOf: turn.claim.campaignId, credit: turn.credit } : state };
}

interface Turn {
  claim: ShareClaim | undefined;
  credit: number;
}

function openingTurn(ring: readonly ShareClaim[], { turnOf, credit }: ShareState): Turn {
  const claim = ring.find(({ campaignId }) => campaignId === turnOf);
  if (claim && credit > 0) return { claim, credit: Math.min(credit, weightOf(claim)) };
  return turnOf === null ? newTurn(ring[0]) : turnAfter(ring, turnOf);
}

function turnAfter(ring: readonly ShareClaim[], campaignId: number): Turn {
  return newTurn(ring.find(claim => claim.campaignId > campaignId) ?? ring[0]);
}

function newTurn(claim: ShareClaim | undefined): Turn {
  return { claim, credit: claim ? weightOf(claim) : 0 };
}

function weightOf({ monitoringPriority }: ShareClaim): number {
  return monitoringPriority + 1;
}
