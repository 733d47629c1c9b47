import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { CALLBACK_END_TEXTS } from './callback.ts';
import { giveUpHopeless, markTold, releaseFromLostAgents, type UntoldCallback, untoldCallbacks } from './hopeless-callbacks.ts';
import { runRounds } from '#kernel/rounds.ts';

const INTERVAL_MS = 5_000;
const CHUNK = 500;

type WatchApp = RuntimeEventsPart & Pick<Platform, 'db' | 'wake' | 'clock' | 'log'>;

/**
 * Gives up callbacks that cannot be kept, opens those of lost agents to anybody, and tells operators of every one that was given up, until the signal aborts.
 *
 * Why:    events are recorded after the commit that gave up, once for each callback, on whichever instance looks first
 * Source: D7.12
 */
export async function watchCallbacks(app: WatchApp, signal: AbortSignal): Promise<void> {
  await runRounds(app, { intervalMs: INTERVAL_MS, failure: 'promised callbacks could not be checked; tried again' }, signal, () =>
    lookOnce(app),
  );
}

export async function lookOnce(app: WatchApp): Promise<void> {
  const freed = [...(await giveUpHopeless(app.db, CHUNK)), ...(await releaseFromLostAgents(app.db, CHUNK))];
  for (const campaignId of new Set(freed)) app.wake.campaign(campaignId);
  const untold = await untoldCallbacks(app.db, CHUNK);
  for (const each of untold) await app.events.record(givenUp(each));
  if (untold.length > 0)
    await markTold(
      app.db,
      untold.map(({ id }) => id),
    );
}

function givenUp({ id, campaignId, contactId, campaignName, dueAt, misses, endReason }: UntoldCallback) {
  return {
    level: 'warning',
    type: 'callback.given_up',
    title: `活动「${campaignName}」的回访未能实现`,
    message: endReason === 'missed' ? `到时呼叫 ${misses} 次均未接通` : CALLBACK_END_TEXTS[endReason ?? 'time_passed'],
    campaignId,
    detail: { callbackId: id, contactId, dueAt, misses, endReason },
    dedupeKey: `callback.given_up:${id}`,
  } as const;
}
