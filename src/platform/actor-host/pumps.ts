import { sleep } from '#kernel/clock.ts';
import type { ActorStore, DueTimer } from './actor-store.ts';
import type { Platform } from '../platform.ts';
import type { TimerEvent } from './aggregate.ts';
import type { ActorHost } from './actor-host.ts';

/** Upper limit of items taken from the store per round. */
const BATCH = 200;
/** A taken timer or effect that is not finished within this time is due again. ms */
const LEASE_MS = 5_000;
/** Interval between sweeps for the unfinished work of all instances; each sweep reads every partition. ms */
const SWEEP_INTERVAL_MS = 2_000;

export interface PumpOptions extends Pick<Platform, 'clock' | 'log'> {
  store: ActorStore;
  /** Pause between rounds when nothing is due, ms. */
  intervalMs: number;
}

/**
 * Fires due timers and repeats unfinished effects until aborted. Every instance runs it: leases avoid double work, versions make it safe.
 *
 * Source: A3
 */
export async function runPumps<State, Event extends { type: string }>(
  options: PumpOptions,
  host: ActorHost<State, Event>,
  signal: AbortSignal,
): Promise<void> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const isSweep = options.clock.monotonic() - sweptAt >= SWEEP_INTERVAL_MS;
    if (isSweep) sweptAt = options.clock.monotonic();
    const taken = await (isSweep ? pumpOnce(options, host) : fireDue(options, host, 'own')).catch((error: unknown) => {
      options.log.warn({ err: error }, 'pump round failed');
      return 0;
    });
    if (taken < BATCH) await sleep(options.clock, options.intervalMs, signal);
  }
}

/** Runs one round over all partitions; returns the number of due items. */
export async function pumpOnce<State, Event extends { type: string }>(
  options: PumpOptions,
  host: ActorHost<State, Event>,
): Promise<number> {
  const fired = await fireDue(options, host, 'all');
  const effects = await options.store.takeDueEffects(BATCH, LEASE_MS);
  await host.resume(effects);
  return fired + effects.length;
}

async function fireDue<State, Event extends { type: string }>(
  options: PumpOptions,
  host: ActorHost<State, Event>,
  whose: 'all' | 'own',
): Promise<number> {
  const timers = await options.store.takeDueTimers(BATCH, LEASE_MS, whose);
  const fired = await Promise.all(timers.map(timer => fire(options, host, timer)));
  const done = timers.filter((_, index) => fired[index]);
  if (done.length > 0) await options.store.clearTimers(done);
  return timers.length;
}

/** An actor that fails must not block the others: its timer is due again when the lease ends. */
async function fire<State, Event extends { type: string }>(
  options: PumpOptions,
  host: ActorHost<State, Event>,
  timer: DueTimer,
): Promise<boolean> {
  try {
    await host.send(timer.key, { type: timer.timer } as TimerEvent, `timer:${timer.timer}:${timer.version}`);
    return true;
  } catch (error) {
    options.log.warn({ err: error, id: timer.key, timer: timer.timer }, 'a timer could not be fired; tried again');
    return false;
  }
}
