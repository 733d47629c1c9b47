import type { Clock } from '#kernel/clock.ts';

/**
 * Dials of this instance that are due and not sent yet.
 *
 * Why: an instance that claims more than it can send misses booked instants, and a withdrawn dial costs as much as a sent one
 */
export interface DialBacklog {
  /** Call the returned function when the dial is sent or given up; repeated calls are harmless. */
  enter(): () => void;
  /** Waiting time of the oldest dial, ms; 0 when none waits. */
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
      // A set iterates in order of insertion.
      const [oldest] = waiting;
      return oldest === undefined ? 0 : clock.monotonic() - oldest.since;
    },
  };
}
