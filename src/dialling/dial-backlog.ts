import type { Clock } from '#kernel/clock.ts';

/**
 * Dials of this instance whose instant has come and that have not left.
 *
 * Why: an instance that claims more than it can send misses the instants, and a dial that is taken back costs as much as one that leaves
 */
export interface DialBacklog {
  /** The returned function says that the dial has left, or does not leave at all; twice is harmless. */
  enter(): () => void;
  /** For how long the oldest has waited, ms; 0: none waits. */
  lagMs(): number;
}

export function createDialBacklog(clock: Pick<Clock, 'monotonic'>): DialBacklog {
  const waiting = new Set<{ since: number }>();
  return {
    enter() {
      const dial = { since: clock.monotonic() };
      waiting.add(dial);
      return () => void waiting.delete(dial);
    },
    lagMs() {
      // In the order in which they came.
      const [oldest] = waiting;
      return oldest === undefined ? 0 : clock.monotonic() - oldest.since;
    },
  };
}
