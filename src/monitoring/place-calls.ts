import type { MonitorStep, Placement, MonitorsPart } from './monitor-registry.ts';
import type { Platform } from '#platform/platform.ts';

export type PlaceDeps = MonitorsPart & Pick<Platform, 'actors' | 'wake' | 'log'>;

/**
 * Notifies the calls' actors of their placement by the registry, and wakes strict campaigns when a monitor has joined.
 *
 * Why:    the registry decides, and the call's own version publishes it; a notification lost in a crash stays in the registry's outbox and is
 *         repeated with each heartbeat
 * Errors: none; a failed notification is retried
 */
export async function placeCalls(deps: PlaceDeps, { changes, hasJoined }: MonitorStep): Promise<void> {
  if (hasJoined) deps.wake.campaign(null);
  const placed = await Promise.all(changes.map(change => placeCall(deps, change)));
  const done = changes.filter((_, index) => placed[index]);
  await deps.monitors
    .confirm(done)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'placed calls could not be confirmed; the next round places them again'));
}

async function placeCall(deps: PlaceDeps, { requestId, watch }: Placement): Promise<boolean> {
  try {
    const event = { type: 'watchChanged', watch } as const;
    const outcome = await deps.actors.send({ to: { type: 'call', id: requestId }, event, commandId: `watch:${watch.fence}` });
    if (outcome === 'absent') await deps.monitors.withdraw(requestId);
    return true;
  } catch (error) {
    deps.log.warn({ err: error, requestId }, 'a call could not be notified of its monitor; the next round retries');
    return false;
  }
}
