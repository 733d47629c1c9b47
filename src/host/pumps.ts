import { sleep } from '#kernel/clock.ts';
import type { ActorStore, DueTimer } from '#ports/actor-store.ts';
import type { Ports } from '#ports/ports.ts';
import type { TimerEvent } from './aggregate.ts';
import type { ActorHost } from './actor-host.ts';

/** Most that one round takes from the store. */
const BATCH = 200;
/** A timer or effect that its taker did not finish comes back after this. ms */
const LEASE_MS = 5_000;

export interface PumpDeps extends Pick<Ports, 'clock' | 'log'> {
  store: ActorStore;
  /** Pause between rounds when nothing was due, ms. */
  intervalMs: number;
}

/**
 * Fires due timers and repeats unfinished effects until the signal aborts. Every instance runs it; leases keep them apart, versions keep it safe.
 *
 * Source: A3
 */
export async function runPumps<State, Event extends { type: string }>(
  deps: PumpDeps,
  host: ActorHost<State, Event>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const taken = await pumpOnce(deps, host).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'pump round failed');
      return 0;
    });
    if (taken < BATCH) await sleep(deps.clock, deps.intervalMs, signal);
  }
}

/** One round; returns how much was due. */
export async function pumpOnce<State, Event extends { type: string }>(deps: PumpDeps, host: ActorHost<State, Event>): Promise<number> {
  const timers = await deps.store.takeDueTimers(BATCH, LEASE_MS);
  const fired = await Promise.all(timers.map(timer => fire(deps, host, timer)));
  const done = timers.filter((_, index) => fired[index]);
  if (done.length > 0) await deps.store.clearTimers(done);
  const effects = await deps.store.takeDueEffects(BATCH, LEASE_MS);
  await host.resume(effects);
  return timers.length + effects.length;
}

/** One actor that cannot be run must not hold up the others: its timer comes back with its lease. */
async function fire<State, Event extends { type: string }>(
  deps: PumpDeps,
  host: ActorHost<State, Event>,
  timer: DueTimer,
): Promise<boolean> {
  try {
    await host.send(timer.key, { type: timer.timer } as TimerEvent, `timer:${timer.timer}:${timer.version}`);
    return true;
  } catch (error) {
    deps.log.warn({ err: error, id: timer.key, timer: timer.timer }, 'a timer could not be fired; tried again');
    return false;
  }
}
