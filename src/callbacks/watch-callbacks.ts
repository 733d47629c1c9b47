import { sleep } from '#kernel/clock.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { giveUpOverdue, markTold, type UntoldCallback, untoldCallbacks } from './callback-store.ts';

const INTERVAL_MS = 5_000;
const CHUNK = 500;

type WatchApp = RuntimeEventsPart & Pick<Platform, 'db' | 'wake' | 'clock' | 'log'>;

/**
 * Gives up callbacks whose time has passed, and tells operators of every one that was given up, until the signal aborts.
 *
 * Why:    events are recorded after the commit that gave up, once for each callback, on whichever instance looks first
 * Source: D7.12
 */
export async function watchCallbacks(app: WatchApp, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await lookOnce(app).catch((error: unknown) => app.log.warn({ err: error }, 'promised callbacks could not be checked; tried again'));
    await sleep(app.clock, INTERVAL_MS, signal);
  }
}

export async function lookOnce(app: WatchApp): Promise<void> {
  for (const campaignId of await giveUpOverdue(app.db, CHUNK)) app.wake.campaign(campaignId);
  const untold = await untoldCallbacks(app.db, CHUNK);
  for (const each of untold) await app.events.record(givenUp(each));
  if (untold.length > 0)
    await markTold(
      app.db,
      untold.map(({ id }) => id),
    );
}

function givenUp({ id, campaignId, contactId, campaignName, dueAt, misses }: UntoldCallback) {
  return {
    level: 'warning',
    type: 'callback.given_up',
    title: `活动「${campaignName}」的回访未能实现`,
    message: misses === 0 ? '约定的时间已过，没有呼出' : `到时呼叫 ${misses} 次均未接通`,
    campaignId,
    detail: { callbackId: id, contactId, dueAt, misses },
    dedupeKey: `callback.given_up:${id}`,
  } as const;
}
