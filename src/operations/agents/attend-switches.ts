import { sleep } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import type { Ports } from '#ports/ports.ts';
import type { SwitchPhones, SwitchPort } from '#ports/switch.ts';

export interface AttendanceDeps extends Pick<Ports, 'clock' | 'log'> {
  switchPort: Pick<SwitchPort, 'cells' | 'subscribe'>;
  phones: Pick<SwitchPhones, 'attend'>;
  /** Rejects when this server could not answer a switch's question about a phone. */
  directory: () => Promise<unknown>;
}

/** Far shorter than what it renews: one that comes late closes no switch, ms. */
const RENEW_MS = 2_000;
/** How long a switch takes this server for present after the last renewal, s. */
const PRESENT_SECONDS = 10;
/** The same when it leaves in order: the others renew sooner, s. */
const LEAVING_SECONDS = 4;
const DIRECTORY_LIMIT_MS = 1_000;

/**
 * Keeps the switches open to phones while this server can answer for them, until the signal aborts.
 *
 * Why:    a switch that has nobody to ask takes every phone for a stranger: 403, after which a phone never tries again.
 *         One that nobody attends any more says 503 with Retry-After
 * Source: D12.8
 */
export async function attendSwitches(deps: AttendanceDeps, signal: AbortSignal): Promise<void> {
  const stopEvents = deps.switchPort.subscribe(event => {
    if (event.kind === 'cell_up') void attend(deps, [event.cellId], PRESENT_SECONDS);
  });
  while (!signal.aborted) {
    await attend(deps, reachable(deps), PRESENT_SECONDS);
    await sleep(deps.clock, RENEW_MS, signal);
  }
  stopEvents();
  await attend(deps, reachable(deps), LEAVING_SECONDS);
}

async function attend(deps: AttendanceDeps, cellIds: readonly string[], seconds: number): Promise<void> {
  if (!(await canAnswer(deps))) return;
  await Promise.all(
    cellIds.map(cellId =>
      deps.phones
        .attend(cellId, seconds)
        .catch((error: unknown) => deps.log.warn({ err: error, cellId }, 'a switch could not be attended')),
    ),
  );
}

function canAnswer({ clock, directory }: AttendanceDeps): Promise<boolean> {
  return withDeadline(clock, DIRECTORY_LIMIT_MS, directory(), () => new Error('the directory is slow')).then(
    () => true,
    () => false,
  );
}

function reachable({ switchPort }: AttendanceDeps): string[] {
  return switchPort.cells().flatMap(({ cellId, state }) => (state === 'up' ? [cellId] : []));
}
