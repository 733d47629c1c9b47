import { type Clock, sleep } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import type { HealthReport } from './check-health.ts';
import { judgeHealth, type PartHealth } from './judge-health.ts';

/** A dependency with the time since when this instance has seen its current state, UTC ms. */
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
  check(): Promise<WatchedPart[]>;
  /** Checks at an interval until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Interval of checks in ms, so that `since` and the dependency gauges are correct even without queries. */
const LOOK_MS = 5_000;
const NLU_TIMEOUT_MS = 1_000;
const nluLate = () => new Error(`no answer in ${NLU_TIMEOUT_MS} ms`);

/**
 * Tracks the state of every dependency and when it began.
 *
 * Why: a user who opens a page after a fault needs to know when it began
 */
export function createHealthWatch({ clock, checkHealth, nlu }: HealthWatchDeps): HealthWatch {
  let known = new Map<string, WatchedPart>();
  const check = async () => {
    const [report, isNluThere] = await Promise.all([
      checkHealth(),
      withDeadline(clock, NLU_TIMEOUT_MS, nlu(), nluLate).then(
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
    check,
    async run(signal) {
      while (!signal.aborted) {
        await check();
        await sleep(clock, LOOK_MS, signal);
      }
    },
  };
}
