import type { Clock } from '#kernel/clock.ts';

/** npm forwards a Ctrl-C that the terminal has sent already: two signals within this time count as one, in ms. */
const SAME_SIGNAL_MS = 1_000;

export interface Interruption {
  /** Resolves at the first signal. */
  asked: Promise<void>;
  /** Resolves at a second signal. */
  forced: Promise<void>;
  isAsked(): boolean;
}

/** Handles Ctrl-C, SIGTERM and a closed terminal. */
export function listenForInterruption(clock: Clock): Interruption {
  let firstAt: number | null = null;
  const asked = Promise.withResolvers<void>();
  const forced = Promise.withResolvers<void>();
  const onSignal = () => {
    const now = clock.monotonic();
    if (firstAt === null) {
      firstAt = now;
      asked.resolve();
    } else if (now - firstAt > SAME_SIGNAL_MS) {
      forced.resolve();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return { asked: asked.promise, forced: forced.promise, isAsked: () => firstAt !== null };
}
