import type { Campaign } from '#campaigns/campaign.ts';
import { silentLinesAt } from '#campaigns/decisions/breaker.ts';
import type { Line } from '#lines/line.ts';
import type { CellState } from '#platform/freeswitch/switch.ts';
import type { SlotCell, SlotGrant, SlotLine } from '#slots/slot-registry.ts';
import type { DialPlan } from '../dial-store.ts';

/** The property of a contact that matching needs. */
interface GrantTaker {
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

/**
 * Lines that a campaign offers now. A line whose far end never responds rests while another line works, and is then tried with as many calls as
 * a probe of the breaker has.
 *
 * Source: D7.1
 */
export function offeredLines({ lines, breaker, at }: Pick<DialPlan, 'lines' | 'breaker' | 'at'>, probeDials: number): Line[] {
  const { silent, resting } = silentLinesAt(breaker, at);
  const enabled = lines.filter(line => line.isEnabled);
  if (enabled.every(line => silent.has(line.id))) return enabled;
  return enabled
    .filter(line => !resting.has(line.id))
    .map(line => (silent.has(line.id) ? { ...line, maxConcurrency: Math.min(line.maxConcurrency, probeDials) } : line));
}

/** Lines that a dial may use, with their numbers. */
export function slotLines({ lines }: { lines: readonly Line[] }): SlotLine[] {
  return lines
    .filter(line => line.isEnabled)
    .map(line => ({
      lineId: line.id,
      max: line.maxConcurrency,
      mode: line.allocationMode,
      numbers: line.allocationMode === 'single_shared' ? [] : ownNumbers(line),
      sharedNumber: line.callerIdNumber,
    }));
}

function ownNumbers({ numbers }: Line): SlotLine['numbers'] {
  return numbers.filter(number => number.isEnabled).map(({ number, weight, maxConcurrency }) => ({ number, weight, max: maxConcurrency }));
}

/** Cells that the campaign may use now: its own or all, if enabled and reachable (OCS 2.6 `cellId`). */
export function slotCells(plan: { campaign: Pick<Campaign, 'cellId'> }, cells: readonly CellState[]): SlotCell[] {
  const { cellId } = plan.campaign;
  return cells
    .filter(cell => cell.isEnabled && cell.state === 'up' && (cellId === null || cell.cellId === cellId))
    .map(cell => ({ cellId: cell.cellId, max: cell.maxConcurrency, maxPerSecond: cell.maxOriginatesPerSecond }));
}
