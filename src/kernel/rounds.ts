import { type Clock, sleep } from './clock.ts';
import type { Log } from './log.ts';

interface Rounds {
  /** Pause between two rounds, ms. */
  intervalMs: number;
  /** Logged when a round fails; the next one tries again. */
  failure: string;
}

/** Runs rounds of background work, one after the other, until the signal aborts. */
export async function runRounds(
  { clock, log }: { clock: Clock; log: Log },
  { intervalMs, failure }: Rounds,
  signal: AbortSignal,
  round: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    await round().catch((error: unknown) => log.warn({ err: error }, failure));
    await sleep(clock, intervalMs, signal);
  }
}
