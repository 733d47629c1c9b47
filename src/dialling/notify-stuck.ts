import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import type { ReconcileDeps } from './deps.ts';

/** Lower limit of the ring time, whatever the cell's setting, s. */
const LEAST_RING_SECONDS = 30;
/** Limit per round: an outage may strand many calls at once; later rounds report the rest. */
const MAX_EVENTS = 50;

export interface NotifyStuckDeps {
  events: Pick<RuntimeEventStore, 'record'>;
}

/** Whether a call has been neither answered nor ended within the longest regular time. */
export function isStuck(settings: ReconcileDeps['settings'], { status, cellId, claimedAgoMs }: OpenAttempt): boolean {
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
export async function notifyStuck(deps: NotifyStuckDeps, stuck: readonly OpenAttempt[], notified: Set<number>): Promise<void> {
  const ids = new Set(stuck.map(({ id }) => id));
  for (const id of notified) if (!ids.has(id)) notified.delete(id);
  for (const attempt of stuck.filter(({ id }) => !notified.has(id)).slice(0, MAX_EVENTS)) {
    await record(deps, attempt);
    notified.add(attempt.id);
  }
}

async function record({ events }: NotifyStuckDeps, { id, requestId, campaignId, cellId }: OpenAttempt): Promise<void> {
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
