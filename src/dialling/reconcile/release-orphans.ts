import { unlessUnreachable } from '#kernel/errors.ts';
import { OPEN_ATTEMPT_STATUSES } from '#model/attempt.ts';
import type { OpenAttempt } from '#ports/dial-store.ts';
import type { HeldSlot } from '#ports/slot-registry.ts';
import { PAGE, type ReconcileDeps } from './deps.ts';
import { type Channels, channelsOf, MIN_AGE_MS } from './sweep-channels.ts';

/**
 * Frees slots whose attempt is closed and whose channel is gone: a crash came between the two. A channel that stands, and whose actor went with the
 * cache, is ended: nobody else would ever do it.
 *
 * Why:    a slot is freed only on the switch's word (I1); an unreachable cell keeps its slots
 * Source: A6 steps 7–8
 */
export async function releaseOrphans(deps: ReconcileDeps): Promise<number> {
  const lists = { listed: new Map<string, Channels>(), asked: new Set<string>() };
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

/** What each cell lists in this round; one that was asked and is not there does not answer, and is waited for once. */
interface CellLists {
  listed: Map<string, Channels>;
  asked: Set<string>;
}

async function orphansOf(deps: ReconcileDeps, held: readonly HeldSlot[], lists: CellLists): Promise<string[]> {
  const attempts = new Map((await deps.dials.findAttempts(held.map(slot => slot.requestId))).map(attempt => [attempt.requestId, attempt]));
  const calls = new Set((await deps.softphoneCalls.findOpen(held.map(slot => slot.requestId))).map(call => call.requestId));
  const suspects = held.filter(({ requestId }) => !calls.has(requestId) && !isOpen(attempts.get(requestId)));
  // One listing for all of a cell: after an outage thousands are looked for.
  const old = suspects.filter(({ requestId }) => isOld(attempts.get(requestId)));
  for (const { cellId } of old) await listOnce(deps, cellId, lists);
  const gone = await Promise.all(suspects.map(slot => isGone(deps, slot, isOld(attempts.get(slot.requestId)) ? lists.listed : null)));
  const remaining = suspects.filter(({ requestId }, index) => !gone[index] && attempts.has(requestId));
  for (const slot of remaining) await endOutlived(deps, slot, { hasResult: attempts.get(slot.requestId)?.hasResult === true, lists });
  return suspects.filter((_, index) => gone[index]).map(slot => slot.requestId);
}

async function listOnce(deps: ReconcileDeps, cellId: string | null, { listed, asked }: CellLists): Promise<Channels | undefined> {
  if (cellId !== null && !asked.has(cellId)) {
    asked.add(cellId);
    await channelsOf(deps, cellId, listed);
  }
  return listed.get(cellId ?? '');
}

function isOpen(attempt: OpenAttempt | undefined): boolean {
  return attempt !== undefined && (OPEN_ATTEMPT_STATUSES as readonly string[]).includes(attempt.status);
}

/** Its channel, if there is one, is in every listing. */
function isOld(attempt: OpenAttempt | undefined): boolean {
  return (attempt?.dialingAgoMs ?? 0) > MIN_AGE_MS;
}

/** `listed`: what cells list, where that is word enough; a cell that is not in it does not answer. */
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
 * Ends a channel that has outlived its attempt: its actor does where there is one, which may have come back after the result had stood. Whoever is
 * in a conference is with people: they end it. A cell that goes away meanwhile is asked by the next round.
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
  deps.log.warn({ requestId, cellId }, 'a channel outlived its attempt and its actor: ended');
  await unlessUnreachable(() => deps.switchPort.hangup(cellId, requestId, 'NORMAL_CLEARING'));
}
