import { sleep } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import type { Platform } from '#platform/platform.ts';
import type { SwitchPhones, SwitchPort } from '#platform/freeswitch/switch.ts';

export interface AttendanceOptions extends Pick<Platform, 'clock' | 'log'> {
  switchPort: Pick<SwitchPort, 'cells' | 'subscribe'>;
  phones: Pick<SwitchPhones, 'attend'>;
  /** Rejects when this server cannot look up a phone for a switch. */
  directory: () => Promise<unknown>;
}

/** Far shorter than the lease, so that a late renewal does not close a switch, ms. */
const RENEW_MS = 2_000;
/** Lease of a renewal: the switch closes itself after this, s. */
const PRESENT_SECONDS = 10;
/** Lease that a stopping server leaves behind: longer than the other servers take to renew, s. */
const LEAVING_SECONDS = 4;
const DIRECTORY_LIMIT_MS = 1_000;

/**
 * Keeps the switches open to phones while this server can answer for them, until the signal aborts.
 *
 * Why:    a switch that cannot reach the directory answers REGISTER with 403, and phones then never retry; a closed one answers 503 with Retry-After
 * Source: D12.8
 */
export async function attendSwitches(options: AttendanceOptions, signal: AbortSignal): Promise<void> {
  const stopEvents = options.switchPort.subscribe(event => {
    if (event.kind === 'cell_up') void attend(options, [event.cellId], PRESENT_SECONDS);
  });
  while (!signal.aborted) {
    await attend(options, reachable(options), PRESENT_SECONDS);
    await sleep(options.clock, RENEW_MS, signal);
  }
  stopEvents();
  await attend(options, reachable(options), LEAVING_SECONDS);
}

async function attend(options: AttendanceOptions, cellIds: readonly string[], seconds: number): Promise<void> {
  if (!(await canAnswer(options))) return;
  await Promise.all(
    cellIds.map(cellId =>
      options.phones
        .attend(cellId, seconds)
        .catch((error: unknown) => options.log.warn({ err: error, cellId }, 'a cell could not be kept open for phones')),
    ),
  );
}

function canAnswer({ clock, directory }: AttendanceOptions): Promise<boolean> {
  return withDeadline(clock, DIRECTORY_LIMIT_MS, directory(), () => new Error('the directory is slow')).then(
    () => true,
    () => false,
  );
}

function reachable({ switchPort }: AttendanceOptions): string[] {
  return switchPort.cells().flatMap(({ cellId, state }) => (state === 'up' ? [cellId] : []));
}
