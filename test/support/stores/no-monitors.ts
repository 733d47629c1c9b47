import type { MonitorBook } from '#ports/monitor-book.ts';

/** A monitor book that nobody has ever joined: calls wait, and strict campaigns rest. */
export function noMonitors(): MonitorBook {
  const nothing = { changes: [], hasJoined: false };
  const step = () => Promise.resolve(nothing);
  return {
    beat: ({ ttlMs }) => Promise.resolve({ ...nothing, expiresAt: ttlMs }),
    leave: step,
    release: () => Promise.resolve({ ...nothing, outcome: 'not_assigned' }),
    offer: step,
    withdraw: step,
    raise: step,
    focus: step,
    pin: step,
    free: step,
    tick: step,
    told: () => Promise.resolve(),
    callsOf: () => Promise.resolve({ assigned: [], retained: [], focus: null, past: [] }),
    capacity: () => Promise.resolve({ mine: 0, used: 0, total: 0, waiting: 0 }),
  };
}
