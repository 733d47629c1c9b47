import type { OpenAttempt } from '#ports/dial-store.ts';
import type { HeldSlot } from '#ports/slot-book.ts';
import { openAttempts, PAGE, type ReconcileDeps } from './deps.ts';

/**
 * Fills a slot book that lost its content from open attempts and from channels at the switch, then opens it.
 *
 * Why:    while it is COLD no slot is confirmed, so no attempt turns `dialing` between the reading and the opening; a further loss in between ends
 *         this rebuild, and the next round begins another one
 * Source: A3 "COLD", A6 step 10
 */
export async function rebuildSlots(deps: ReconcileDeps): Promise<void> {
  const rebuild = deps.ids();
  await deps.slots.startRebuild(rebuild);
  const known = new Set<string>();
  for await (const page of openAttempts(deps.dials)) {
    for (const attempt of page) known.add(attempt.requestId);
    await deps.slots.restore(rebuild, page.map(slotOf));
  }
  await restoreAgentCalls(deps, rebuild, known);
  await restoreChannels(deps, rebuild, known);
  if (!(await deps.slots.open(rebuild))) return deps.log.warn({}, 'the slot book was lost again while it was rebuilt');
  deps.log.warn({ held: known.size }, 'the slot book was empty: rebuilt and opened');
  deps.wake.campaign(null);
}

/** Channels whose attempt is closed still hold what they hold. A cell that does not answer is covered by its open attempts. */
async function restoreChannels(deps: ReconcileDeps, rebuild: string, known: ReadonlySet<string>): Promise<void> {
  for (const cell of deps.switchPort.cells()) {
    if (cell.state !== 'up') continue;
    const strangers = (await deps.switchPort.channels(cell.cellId)).filter(requestId => !known.has(requestId));
    const attempts = await deps.dials.findAttempts(strangers);
    await deps.slots.restore(rebuild, attempts.map(slotOf));
  }
}

/** An agent's call holds what it was given, under no campaign. */
async function restoreAgentCalls(deps: ReconcileDeps, rebuild: string, known: Set<string>): Promise<void> {
  let afterId = 0;
  for (;;) {
    const page = await deps.softphoneCalls.listOpen(afterId, PAGE);
    for (const call of page) known.add(call.requestId);
    const slots = page.map(({ requestId, lineId, callerNumber, cellId }) => ({
      requestId,
      campaignId: 0,
      lineId,
      number: callerNumber,
      cellId,
    }));
    await deps.slots.restore(rebuild, slots);
    if (page.length < PAGE) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
}

function slotOf({ requestId, campaignId, lineId, callerNumber, cellId }: OpenAttempt): HeldSlot {
  return { requestId, campaignId, lineId, number: callerNumber, cellId };
}
