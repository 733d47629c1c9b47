import { unlessUnreachable } from '#kernel/errors.ts';
import { OPEN_ATTEMPT_STATUSES } from '#attempts/attempt.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { HeldSlot } from '#slots/slot-registry.ts';
import { PAGE, type ReconcileDeps } from './deps.ts';
import { type Channels, channelsOf, MIN_AGE_MS } from './sweep-channels.ts';

/**
 * Releases slots whose attempt is closed and whose channel is gone, after a crash between the two. A remaining channel whose actor was lost
 * with the cache is hung up, because nothing else would end it.
 *
 * Why:    a slot is released only after checking the switch (I1); an unreachable cell keeps its slots
 * Source: A6 steps 7–8
 */
export async function releaseOrphans(deps: ReconcileDeps): Promise<number> {
  const lists = { listed: new Map<string, Channels>(), queried: new Set<string>() };
  let cursor = '0';
  let released = 0;
  do {
    const page = await deps.slots.listHeld(cursor, PAGE);
    cursor = page.cursor;
    const free = await orphansOf(deps, page.held, lists);
    released += await deps.slots.release(free);
  } while (cursor !== '0');
  if (released > 0) deps.wake.campaign(null);
  return released;
}

/** Channels listed by each cell in this round; a cell that was queried but has no list did not answer and is not queried again. */
interface CellLists {
  listed: Map<string, Channels>;
  queried: Set<string>;
}

async function orphansOf(deps: ReconcileDeps, held: readonly HeldSlot[], lists: CellLists): Promise<string[]> {
  const attempts = new Map((await deps.dials.findAttempts(held.map(slot => slot.requestId))).map(attempt => [attempt.requestId, attempt]));
  const calls = new Set((await deps.softphoneCalls.findOpen(held.map(slot => slot.requestId))).map(call => call.requestId));
  const suspects = held.filter(({ requestId }) => !calls.has(requestId) && !isOpen(attempts.get(requestId)));
  // One list per cell serves all its slots: after an outage there may be thousands.
  const old = suspects.filter(({ requestId }) => isOld(attempts.get(requestId)));
  for (const { cellId } of old) await listOnce(deps, cellId, lists);
  const gone = await Promise.all(suspects.map(slot => isGone(deps, slot, isOld(attempts.get(slot.requestId)) ? lists.listed : null)));
  const remaining = suspects.filter(({ requestId }, index) => !gone[index] && attempts.has(requestId));
  for (const slot of remaining) await endOutlived(deps, slot, { hasResult: attempts.get(slot.requestId)?.hasResult === true, lists });
  return suspects.filter((_, index) => gone[index]).map(slot => slot.requestId);
}

async function listOnce(deps: ReconcileDeps, cellId: string | null, { listed, queried }: CellLists): Promise<Channels | undefined> {
  if (cellId !== null && !queried.has(cellId)) {
    queried.add(cellId);
    await channelsOf(deps, cellId, listed);
  }
  return listed.get(cellId ?? '');
}

function isOpen(attempt: OpenAttempt | undefined): boolean {
  return attempt !== undefined && (OPEN_ATTEMPT_STATUSES as readonly string[]).includes(attempt.status);
}

/** Old enough for its channel, if it exists, to be in every list. */
function isOld(attempt: OpenAttempt | undefined): boolean {
  return (attempt?.dialingAgoMs ?? 0) > MIN_AGE_MS;
}

/** `listed`: channel lists, when they are sufficient proof; a cell without one did not answer. */
async function isGone(
  deps: ReconcileDeps,
  { cellId, requestId }: HeldSlot,
  listed: ReadonlyMap<string, Channels> | null,
): Promise<boolean> {
  if (cellId === null) return true;
  if (listed) return listed.get(cellId)?.has(requestId) === false;
  return (await unlessUnreachable(() => deps.switchPort.probe(cellId, requestId)))?.kind === 'absent';
}

/**
 * Ends a channel that outlived its attempt. If it has an actor, possibly restored after the result, the actor does it. A channel in a
 * conference is left to its participants. If the cell becomes unreachable, the next round tries again.
 */
async function endOutlived(
  deps: ReconcileDeps,
  { cellId, requestId }: HeldSlot,
  { hasResult, lists }: { hasResult: boolean; lists: CellLists },
): Promise<void> {
  const call = await deps.calls.find(requestId);
  if (call && hasResult) await deps.calls.send(requestId, { type: 'resultReported' }, `held:result:${requestId}`, call);
  if (call || cellId === null) return;
  const channel = (await listOnce(deps, cellId, lists))?.get(requestId);
  if (!channel || channel.isInConference) return;
  deps.log.warn({ requestId, cellId }, 'a channel without an attempt and an actor was hung up');
  await unlessUnreachable(() => deps.switchPort.hangup(cellId, requestId, 'NORMAL_CLEARING'));
}
