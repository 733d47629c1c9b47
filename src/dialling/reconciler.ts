import { finishResult } from '#calls/apply-result.ts';
import { sleep } from '#kernel/clock.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { rebuildSlots } from './rebuild-slots.ts';
import { openAttempts, type ReconcileApp, releaseOrphans, sweepChannels } from './sweep.ts';
import type { LiveCallReadPart } from '#calls/live-call-store.ts';

/** Lower limit of the ring time, whatever the cell's setting, s. */
const LEAST_RING_SECONDS = 30;
/** Limit per round: an outage may strand many calls at once; later rounds report the rest. */
const MAX_EVENTS = 50;

/** Whether a call has been neither answered nor ended within the longest regular time. */
export function isStuck(settings: ReconcileApp['settings'], { status, cellId, claimedAgoMs }: OpenAttempt): boolean {
  if (status === 'answered') return false;
  const ringSeconds = cellId === null ? LEAST_RING_SECONDS : Math.max(LEAST_RING_SECONDS, settings.originateTimeoutSeconds(cellId));
  return claimedAgoMs > ringSeconds * 1_000 + settings.resultGraceMs;
}

/**
 * Reports every stuck call once.
 *
 * Why:    operators of the switch learn about wasted slots before they are missed
 * Shape:  `notified` contains the attempts that are still stuck
 * Source: D14.3 `call.stuck`, OCS 2.12 `stuckContacts`
 */
export async function notifyStuck(app: RuntimeEventsPart, stuck: readonly OpenAttempt[], notified: Set<number>): Promise<void> {
  const ids = new Set(stuck.map(({ id }) => id));
  for (const id of notified) if (!ids.has(id)) notified.delete(id);
  for (const attempt of stuck.filter(({ id }) => !notified.has(id)).slice(0, MAX_EVENTS)) {
    await record(app, attempt);
    notified.add(attempt.id);
  }
}

async function record({ events }: RuntimeEventsPart, { id, requestId, campaignId, cellId }: OpenAttempt): Promise<void> {
  await events.record({
    level: 'warning',
    type: 'call.stuck',
    title: '通话卡住',
    message: '通话既未接通也未结束，已超过最长等待时间；名额在交换机确认之前保留',
    campaignId,
    attemptId: id,
    cellId,
    dedupeKey: `stuck:${requestId}`,
  });
}

/** A claim outlives its reservation by at most this time, ms (A6 step 3). */
const MARGIN_MS = 5_000;
/** A paced dial may start this long after its claim (the slot registry's horizon), ms. */
const PACING_MS = 10_000;

/**
 * Reverts claims whose instance crashed before dialling: the contact returns, no retry is used.
 *
 * Why:    slots are not released here: a claim that is marked in the meantime is about to be dialled. Orphaned slots are released after
 *         checking the switch
 * Shape:  `onPage` is called with every page of open attempts
 * Source: A6 step 3
 */
export async function reapClaims(app: ReconcileApp, onPage: (page: readonly OpenAttempt[]) => void = () => undefined): Promise<number> {
  let reaped = 0;
  const oldest = app.reservationLeaseMs + MARGIN_MS + PACING_MS;
  for await (const page of openAttempts(app.dials)) {
    onPage(page);
    const stale = page.filter(attempt => attempt.status === 'claimed' && attempt.claimedAgoMs > oldest).map(attempt => attempt.requestId);
    if (stale.length === 0) continue;
    reaped += await app.dials.revert(stale, { alsoDialing: false, reason: '调度实例中断，未拨出' });
  }
  return reaped;
}

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

type ReconcilerApp = ReconcileApp & LiveCallReadPart & RuntimeEventsPart & Pick<Platform, 'locks'>;

/**
 * Repairs the effects of crashes, lost events and lost caches until the signal aborts; one instance at a time.
 *
 * Source: A6 crash table
 */
export async function runReconciler(app: ReconcilerApp, signal: AbortSignal): Promise<void> {
  let extraSweeps = 0;
  const notified = new Set<number>();
  for (let tick = 0; !signal.aborted; tick++) {
    const isSweep = extraSweeps > 0 || tick % SWEEP_TICKS === 0;
    try {
      await reconcileOnce(app, { isSweep, isLook: isSweep || tick % CHANNEL_TICKS === 0, notified });
      extraSweeps = Math.max(0, extraSweeps - 1);
    } catch (error) {
      extraSweeps = SWEEPS_AFTER_FAILURE;
      app.log.warn({ err: error }, 'a round of reconciliation failed; tried again');
    }
    await sleep(app.clock, TICK_MS, signal);
  }
}

/** Runs one round, unless another instance is running one. `notified`: stuck calls that this instance has reported. */
async function reconcileOnce(app: ReconcilerApp, options: { isSweep: boolean; isLook: boolean; notified: Set<number> }): Promise<void> {
  const token = await app.locks.acquire('reconciler', LOCK_TTL_MS);
  if (token === null) return;
  try {
    if (await app.slots.isCold()) await rebuild(app);
    await app.slots.purgeExpired(MAX_PURGED);
    await pumpOutbox(app);
    for (const campaignId of await app.dials.endDueHolds(MAX_HOLDS)) app.wake.campaign(campaignId);
    if (options.isLook) await sweepChannels(app, { isThorough: options.isSweep });
    if (options.isSweep) await sweep(app, options.notified);
  } finally {
    await app.locks
      .release('reconciler', token)
      .catch((error: unknown) => app.log.debug({ err: error }, 'the lock could not be released; it expires by itself'));
  }
}

/**
 * Refills the registry, and meanwhile handles calls that have been answered.
 *
 * Why: a rebuild takes many statements and restarts when one fails; a customer who hears nothing cannot wait for it (I9)
 */
async function rebuild(app: ReconcilerApp): Promise<void> {
  const results = await Promise.allSettled([rebuildSlots(app), sweepChannels(app, { isThorough: true })]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function sweep(app: ReconcilerApp, notified: Set<number>): Promise<void> {
  const stuck: OpenAttempt[] = [];
  await reapClaims(app, page => void stuck.push(...page.filter(attempt => isStuck(app.settings, attempt))));
  await notifyStuck(app, stuck, notified);
  await releaseOrphans(app);
  await app.dials.foldTallies();
}

async function pumpOutbox(app: ReconcilerApp): Promise<void> {
  const rows = await app.dials.takeOutbox(MAX_OUTBOX, OUTBOX_LEASE_MS);
  await Promise.all(rows.map(row => finishResult(app, { id: row.id, requestId: row.key })));
}
