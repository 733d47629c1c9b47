import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { endLateDials, markTold, type UntoldDials, untoldDials } from './dial-rows.ts';
import { runRounds } from '#kernel/rounds.ts';

const INTERVAL_MS = 2_000;
const CHUNK = 1_000;
/** Contacts that an event names. */
const MAX_NAMED = 20;

type ExpiryApp = RuntimeEventsPart & Pick<Platform, 'db' | 'wake' | 'clock' | 'log'>;

/**
 * Ends dials whose latest instant has passed, and tells operators, until the signal aborts.
 *
 * Why:    claim, mark and send refuse such a dial by themselves; this says so where nobody claims, too: in a campaign that is paused or closed
 * Source: D7.15
 */
export async function expireDials(app: ExpiryApp, signal: AbortSignal): Promise<void> {
  await runRounds(app, { intervalMs: INTERVAL_MS, failure: 'late dials could not be ended; tried again' }, signal, () => expireOnce(app));
}

export async function expireOnce(app: ExpiryApp): Promise<void> {
  for (const campaignId of await endLateDials(app.db, CHUNK)) app.wake.campaign(campaignId);
  for (const untold of await untoldDials(app.db, CHUNK)) {
    await app.events.record(eventOf(untold));
    await markTold(app.db, untold.contactIds);
  }
}

/** One event for the dials of a campaign that ended together. A repetition after a crash has the same key. */
function eventOf({ campaignId, campaignName, contactIds }: UntoldDials) {
  const count = contactIds.length;
  return {
    level: 'warning',
    type: 'dial.expired',
    title: `活动「${campaignName}」有 ${count} 个呼叫未能在要求的时间内拨出`,
    message: '已过要求的最晚呼叫时间，不再呼叫',
    campaignId,
    detail: { contacts: count, contactIds: contactIds.slice(0, MAX_NAMED) },
    dedupeKey: `dial.expired:${contactIds.at(0)}:${contactIds.at(-1)}:${count}`,
  } as const;
}
