import type { Clock } from '#kernel/clock.ts';

/** Short enough to be imperceptible to a viewer, ms. */
const MAX_WAIT_MS = 20;

/**
 * Delays low-priority messages: `leave` sends them in order; call it before sending anything else.
 *
 * Why: messages sent together cost one write to the socket and one read at the server; even a lone call produces some ten messages, mostly
 *      status updates
 */
export function calmMessages(clock: Pick<Clock, 'schedule'>): { add(send: () => void): void; leave(): void } {
  const waiting: (() => void)[] = [];
  const leave = () => {
    for (const send of waiting.splice(0)) send();
  };
  return {
    leave,
    add(send) {
      waiting.push(send);
      if (waiting.length === 1) clock.schedule(MAX_WAIT_MS, leave);
    },
  };
}
