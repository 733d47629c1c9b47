import { isCalloutError } from '#kernel/errors.ts';
import { OPEN_ATTEMPT_STATUSES } from '#ports/records.ts';
import type { HeldSlot } from '#ports/slot-book.ts';
import { PAGE, type ReconcileDeps } from './deps.ts';
import { type Channels, channelsOf } from './sweep-channels.ts';

/**
 * Frees slots whose attempt is closed and whose channel is gone: a crash came between the two. A channel that stands, and whose actor went with the
 * cache, is ended: nobody else would ever do it.
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
  const closed = new Set(attempts.map(({ requestId }) => requestId));
  const suspects = held.filter(slot => !open.has(slot.requestId));
  const gone = await Promise.all(suspects.map(slot => isGone(deps, slot)));
  const standing = suspects.filter(({ requestId }, index) => !gone[index] && closed.has(requestId));
  await endAbandoned(deps, standing);
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

/** Whoever is in a conference is with people: they end it. A cell that goes away meanwhile is asked by the next round. */
async function endAbandoned(deps: ReconcileDeps, standing: readonly HeldSlot[]): Promise<void> {
  const listed = new Map<string, Channels>();
  for (const { cellId, requestId } of standing) {
    if (cellId === null || (await deps.calls.find(requestId)) !== null) continue;
    const channel = (await channelsOf(deps, cellId, listed))?.get(requestId);
    if (!channel || channel.isInConference) continue;
    deps.log.warn({ requestId, cellId }, 'a channel outlived its attempt and its actor: ended');
    await deps.switchPort.hangup(cellId, requestId, 'NORMAL_CLEARING').catch((error: unknown) => {
      if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) throw error;
    });
  }
}
