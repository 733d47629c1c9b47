import { sleep } from '#kernel/clock.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import { finishResult } from '#calls/apply-result.ts';
import type { KeepCaptionsDeps } from '#calls/keep-captions.ts';
import type { Platform } from '#platform/platform.ts';
import type { ReconcileDeps } from './deps.ts';
import { reapClaims } from './reap-claims.ts';
import { rebuildSlots } from './rebuild-slots.ts';
import { releaseOrphans } from './release-orphans.ts';
import { sweepChannels } from './sweep-channels.ts';
import { isStuck, notifyStuck, type NotifyStuckDeps } from './notify-stuck.ts';

export type ReconcilerDeps = ReconcileDeps & NotifyStuckDeps & KeepCaptionsDeps & Pick<Platform, 'locks'>;

/** Time within which a cold registry is noticed, ms. */
const TICK_MS = 1_000;
/** The full comparison runs once per so many ticks. */
const SWEEP_TICKS = 5;
/** Channels are compared more often: a missed answer means a customer who hears nothing (I9). */
const CHANNEL_TICKS = 2;
/** Number of full rounds after a failed one: an outage has swallowed events, and dispatch waits for slots to be released. */
const SWEEPS_AFTER_FAILURE = 6;
/** Longer than a usual round, but short enough for waiting customers when its holder crashes (I9); two concurrent rounds are harmless. ms */
const LOCK_TTL_MS = 6_000;
const MAX_PURGED = 500;
const MAX_OUTBOX = 200;
const OUTBOX_LEASE_MS = 10_000;
const MAX_HOLDS = 1_000;

/**
 * Repairs the effects of crashes, lost events and lost caches until the signal aborts; one instance at a time.
 *
 * Source: A6 crash table
 */
export async function runReconciler(deps: ReconcilerDeps, signal: AbortSignal): Promise<void> {
  let extraSweeps = 0;
  const notified = new Set<number>();
  for (let tick = 0; !signal.aborted; tick++) {
    const isSweep = extraSweeps > 0 || tick % SWEEP_TICKS === 0;
    try {
      await reconcileOnce(deps, { isSweep, isLook: isSweep || tick % CHANNEL_TICKS === 0, notified });
      extraSweeps = Math.max(0, extraSweeps - 1);
    } catch (error) {
      extraSweeps = SWEEPS_AFTER_FAILURE;
      deps.log.warn({ err: error }, 'a round of reconciliation failed; tried again');
    }
    await sleep(deps.clock, TICK_MS, signal);
  }
}

/** Runs one round, unless another instance is running one. `notified`: stuck calls that this instance has reported. */
async function reconcileOnce(deps: ReconcilerDeps, options: { isSweep: boolean; isLook: boolean; notified: Set<number> }): Promise<void> {
  const token = await deps.locks.acquire('reconciler', LOCK_TTL_MS);
  if (token === null) return;
  try {
    if (await deps.slots.isCold()) await rebuild(deps);
    await deps.slots.purgeExpired(MAX_PURGED);
    await pumpOutbox(deps);
    for (const campaignId of await deps.dials.endDueHolds(MAX_HOLDS)) deps.wake.campaign(campaignId);
    if (options.isLook) await sweepChannels(deps, { isThorough: options.isSweep });
    if (options.isSweep) await sweep(deps, options.notified);
  } finally {
    await deps.locks
      .release('reconciler', token)
      .catch((error: unknown) => deps.log.debug({ err: error }, 'the lock could not be released; it expires by itself'));
  }
}

/**
 * Refills the registry, and meanwhile handles calls that have been answered.
 *
 * Why: a rebuild takes many statements and restarts when one fails; a customer who hears nothing cannot wait for it (I9)
 */
async function rebuild(deps: ReconcilerDeps): Promise<void> {
  const results = await Promise.allSettled([rebuildSlots(deps), sweepChannels(deps, { isThorough: true })]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function sweep(deps: ReconcilerDeps, notified: Set<number>): Promise<void> {
  const stuck: OpenAttempt[] = [];
  await reapClaims(deps, page => void stuck.push(...page.filter(attempt => isStuck(deps.settings, attempt))));
  await notifyStuck(deps, stuck, notified);
  await releaseOrphans(deps);
  await deps.dials.foldTallies();
}

async function pumpOutbox(deps: ReconcilerDeps): Promise<void> {
  const rows = await deps.dials.takeOutbox(MAX_OUTBOX, OUTBOX_LEASE_MS);
  await Promise.all(rows.map(row => finishResult(deps, { id: row.id, requestId: row.key })));
}
