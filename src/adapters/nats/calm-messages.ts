import type { Clock } from '#kernel/clock.ts';

/** Short enough that nobody who watches sees it, ms. */
const MAX_WAIT_MS = 20;

/**
 * Messages that wait for company: `leave` sends them, in their order, and is called before anything else is sent.
 *
 * Why: what leaves together is one write to the socket and one read at the server; a call that is alone makes some ten messages, most of which
 *      only say how it stands
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
