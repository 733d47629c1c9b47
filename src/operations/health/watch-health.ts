import { type Clock, sleep } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import type { HealthReport } from './check-health.ts';
import { judgeHealth, type PartHealth } from './judge-health.ts';

/** A part and since when this instance has found it so, UTC ms. */
export interface WatchedPart extends PartHealth {
  since: number;
}

export interface HealthWatchDeps {
  clock: Clock;
  checkHealth: () => Promise<HealthReport>;
  /** Rejects when the NLU service does not answer. */
  nlu: () => Promise<unknown>;
}

export interface HealthWatch {
  look(): Promise<WatchedPart[]>;
  /** Looks now and then until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Nobody need look for `since` to be known, and gauges of dependencies to be true, ms. */
const LOOK_MS = 5_000;
const NLU_TIMEOUT_MS = 1_000;
const late = () => new Error(`no answer in ${NLU_TIMEOUT_MS} ms`);

/**
 * How every part is, and since when.
 *
 * Why: whoever opens a page after the fault asks when it began
 */
export function createHealthWatch({ clock, checkHealth, nlu }: HealthWatchDeps): HealthWatch {
  let known = new Map<string, WatchedPart>();
  const look = async () => {
    const [report, isNluThere] = await Promise.all([
      checkHealth(),
      withDeadline(clock, NLU_TIMEOUT_MS, nlu(), late).then(
        () => true,
        () => false,
      ),
    ]);
    const now = clock.now();
    const parts = judgeHealth(report, isNluThere).map(part => {
      const before = known.get(part.part);
      return { ...part, since: before?.state === part.state ? before.since : now };
    });
    known = new Map(parts.map(part => [part.part, part]));
    return parts;
  };
  return {
    look,
    async run(signal) {
      while (!signal.aborted) {
        await look();
        await sleep(clock, LOOK_MS, signal);
      }
    },
  };
}
