import type { Line } from '#lines/line.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import type { SlotCell, SlotLine } from '#slots/slot-registry.ts';
import type { CellState } from '#platform/freeswitch/switch.ts';
import { silentLinesAt } from '#campaigns/decisions/breaker.ts';
import type { DialPlan } from '../dial-store.ts';

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
