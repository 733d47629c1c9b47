import { isCalloutError } from '#kernel/errors.ts';
import { OPEN_ATTEMPT_STATUSES } from '#ports/records.ts';
import type { HeldSlot } from '#ports/slot-book.ts';
import { PAGE, type ReconcileDeps } from './deps.ts';

/**
 * Frees slots whose attempt is closed and whose channel is gone: a crash came between the two.
 *
 * Why:    a slot is freed only on the switch's word (I1); an unreachable cell keeps its slots
 * Source: A6 steps 7–8
 */
export async function releaseOrphans(deps: ReconcileDeps): Promise<number> {
  let cursor = '0';
  let released = 0;
  do {
    const page = await deps.slots.listHeld(cursor, PAGE);
    cursor = page.cursor;
    const free = await orphansOf(deps, page.held);
    released += await deps.slots.release(free);
  } while (cursor !== '0');
  if (released > 0) deps.wake.campaign(null);
  return released;
}

async function orphansOf(deps: ReconcileDeps, held: readonly HeldSlot[]): Promise<string[]> {
  const attempts = await deps.dials.findAttempts(held.map(slot => slot.requestId));
  const open = new Set(
    attempts.filter(({ status }) => (OPEN_ATTEMPT_STATUSES as readonly string[]).includes(status)).map(attempt => attempt.requestId),
  );
  for (const call of await deps.softphoneCalls.findOpen(held.map(slot => slot.requestId))) open.add(call.requestId);
  const suspects = held.filter(slot => !open.has(slot.requestId));
  const gone = await Promise.all(suspects.map(slot => isGone(deps, slot)));
  return suspects.filter((_, index) => gone[index]).map(slot => slot.requestId);
}

async function isGone(deps: ReconcileDeps, { cellId, requestId }: HeldSlot): Promise<boolean> {
  if (cellId === null) return true;
  try {
    return (await deps.switchPort.probe(cellId, requestId)).kind === 'absent';
  } catch (error) {
    if (isCalloutError(error, 'SWITCH_UNAVAILABLE')) return false;
    throw error;
  }
}
