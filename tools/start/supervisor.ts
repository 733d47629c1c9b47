import { sleep, systemClock } from '#kernel/clock.ts';
import { StartFailure } from '../services/service.ts';
import { type Child, type ChildRequest, failWhenEnded, startChild } from './child.ts';

/** Longest wait for a child to become ready, in ms. */
const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 25;

/** How a role is stopped. */
export interface Ending {
  /** Time to exit by itself. */
  timeoutMs: number;
  /**
   * For a role with live calls: signal it this long after the stop begins, before the others stop, so that it drains together with them.
   */
  drainsAfterMs?: number;
}

/** The processes of one run: started in order, stopped in reverse, none left behind. */
export interface Supervisor {
  /** Starts a role. */
  start(request: ChildRequest, ending: Ending): Child;
  /** Waits until `probe` succeeds. Errors: StartFailure when the child exits before, or never becomes ready */
  whenReady(child: Child, probe: () => Promise<boolean>): Promise<void>;
  /** Registers something to end after everything that starts later; ends it at once when the run is already stopping. */
  defer(end: () => Promise<void>): Promise<void>;
  /** Rejects when the first child exits unexpectedly. */
  watch(): Promise<never>;
  stop(): Promise<void>;
  /** Kills every child at once. */
  kill(): Promise<void>;
}

export function supervise(): Supervisor {
  const endings: (() => Promise<void>)[] = [];
  const children: Child[] = [];
  const draining: { child: Child; afterMs: number }[] = [];
  let stopped: Promise<void> | undefined;
  const stopAll = async () => {
    for (const { child, afterMs } of draining) systemClock.schedule(afterMs, () => child.askToEnd());
    for (const end of endings.toReversed()) await end();
  };
  return {
    start: (request, { timeoutMs, drainsAfterMs: afterMs }) => {
      if (stopped) throw new Error(`${request.role} is not started any more: the run is stopping`);
      const child = startChild(request);
      children.push(child);
      if (afterMs !== undefined) draining.push({ child, afterMs });
      endings.push(() => child.stop(timeoutMs));
      return child;
    },
    whenReady: async (child, probe) => {
      const settled = new AbortController();
      try {
        await Promise.race([failWhenEnded(child), waitReady(child, probe, settled.signal)]);
      } finally {
        settled.abort();
      }
    },
    defer: async end => {
      if (stopped) await end();
      else endings.push(end);
    },
    watch: () => Promise.race(children.map(failWhenEnded)),
    stop: () => (stopped ??= stopAll()),
    kill: async () => {
      await Promise.all(children.map(child => child.kill()));
    },
  };
}

async function waitReady(child: Child, probe: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const deadline = systemClock.monotonic() + READY_TIMEOUT_MS;
  while (!signal.aborted && !(await probe())) {
    if (systemClock.monotonic() > deadline) {
      throw new StartFailure(`callout: ${child.name} did not answer within ${READY_TIMEOUT_MS / 1000} s; see its log in .callout/logs/`);
    }
    await sleep(systemClock, READY_POLL_MS, signal);
  }
}
