import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { RestoredSlot } from '#slots/slot-registry.ts';
import type { CellState } from '#platform/freeswitch/switch.ts';
import { needsMonitor } from '#campaigns/campaign.ts';
import { adoptCall } from '#calls/find-call.ts';
import { openAttempts, PAGE, type ReconcileApp } from './sweep.ts';

/** Longest time from a channel's report to its end (60 s, actors/call) plus that until a silent cell is down (45 s, adapters/freeswitch), ms. */
const UNTOLD_MS = 105_000;
/** Calls whose live state is restored concurrently: a few statements each. */
const ADOPTED_AT_ONCE = 50;
/** Limit per cell: more calls than any cell carries. */
const MAX_UNSEEN = 5_000;

/**
 * Refills a slot registry that lost its content, from open attempts and the switch's channels, then opens it. The live calls are lost with
 * the slots: answered ones are restored, so that users can see and monitor them before the next event.
 *
 * Why:    while the registry is COLD no slot is confirmed, so no attempt becomes `dialing` between read and opening; a further loss in
 *         between ends this rebuild, and the next round starts another
 * Source: A3 "COLD", A6 step 10
 */
export async function rebuildSlots(app: ReconcileApp): Promise<void> {
  const rebuild = app.ids();
  await app.slots.startRebuild(rebuild);
  const known = new Set<string>();
  const answered: string[] = [];
  for await (const page of openAttempts(app.dials)) {
    for (const attempt of page) known.add(attempt.requestId);
    answered.push(...page.filter(({ answeredAt }) => answeredAt !== null).map(({ requestId }) => requestId));
    await app.slots.restore(rebuild, await slotsOf(app, page));
  }
  await restoreAgentCalls(app, rebuild, known);
  await restoreChannels(app, rebuild, known);
  if (!(await app.slots.open(rebuild))) return app.log.warn({}, 'the slot registry was lost again while it was rebuilt');
  app.log.warn({ held: known.size }, 'the slot registry was empty: rebuilt and opened');
  app.wake.campaign(null);
  for (let from = 0; from < answered.length; from += ADOPTED_AT_ONCE)
    await Promise.all(answered.slice(from, from + ADOPTED_AT_ONCE).map(requestId => adoptCall(app, requestId)));
}

/** Channels of closed attempts still hold their slots; for a cell without an answer, its open attempts and its possible channels do. */
async function restoreChannels(app: ReconcileApp, rebuild: string, known: ReadonlySet<string>): Promise<void> {
  for (const cell of app.switchPort.cells()) {
    if (cell.state !== 'up') {
      await restoreUnseen(app, rebuild, cell);
      continue;
    }
    const unknownIds = (await app.switchPort.channels(cell.cellId)).map(({ uuid }) => uuid).filter(uuid => !known.has(uuid));
    const attempts = await app.dials.findAttempts(unknownIds);
    await app.slots.restore(rebuild, await slotsOf(app, attempts));
  }
}

/**
 * The remaining channels of this cell are unknown: every attempt closed by a report since the cell was lost, or shortly before (its
 * channel's end may be unreported), is assumed to have one. release-orphans.ts releases the slots of missing channels when the cell answers
 * again.
 */
async function restoreUnseen(app: ReconcileApp, rebuild: string, { cellId, since }: CellState): Promise<void> {
  const awayMs = Math.max(0, app.clock.now() - since);
  const attempts = await app.dials.closedByReport(cellId, awayMs + UNTOLD_MS, MAX_UNSEEN);
  await app.slots.restore(rebuild, await slotsOf(app, attempts));
}

/** An agent's call keeps its slots, without a campaign; a conference participant keeps those under the conference's campaign. */
async function restoreAgentCalls(app: ReconcileApp, rebuild: string, known: Set<string>): Promise<void> {
  let afterId = 0;
  for (;;) {
    const page = await app.softphoneCalls.listHolding(afterId, PAGE);
    for (const call of page) known.add(call.requestId);
    const slots = page.map(({ requestId, direction, campaignId, lineId, callerNumber, cellId }) => ({
      requestId,
      campaignId: direction === 'conference' ? (campaignId ?? 0) : 0,
      lineId,
      number: callerNumber,
      cellId,
      needsMonitor: false,
    }));
    await app.slots.restore(rebuild, slots);
    if (page.length < PAGE) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
}

async function slotsOf(app: ReconcileApp, attempts: readonly OpenAttempt[]): Promise<RestoredSlot[]> {
  const details = await app.dials.loadDetails(attempts.map(({ requestId }) => requestId));
  const strict = new Set(details.filter(({ businessConfig }) => needsMonitor(businessConfig)).map(({ requestId }) => requestId));
  return attempts.map(({ requestId, campaignId, lineId, callerNumber, cellId }) => ({
    requestId,
    campaignId,
    lineId,
    number: callerNumber,
    cellId,
    needsMonitor: strict.has(requestId),
  }));
}
