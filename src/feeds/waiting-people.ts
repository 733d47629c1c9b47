import type { FeedEvent } from './feed.ts';
import type { LiveCallList } from './list-live-calls.ts';
import type { LiveCall } from './live-call.ts';
import type { ScopedCallEvent } from './live-call-scope.ts';

/** How many wait for the same, and since when the first of them does, UTC ms; null: nobody does. */
export interface Waiting {
  count: number;
  since: number | null;
}

/** Who waits for a person. */
export interface WaitingPeople {
  /** Live calls without a monitor that want one. */
  forMonitor: Waiting;
  /** People who have claimed a call that has not come to them yet. */
  claims: Waiting;
  /** Customers whom an agent is being found for. */
  forAgent: Waiting;
}

/** Of the live calls as a channel begins; null when it does not know them yet. */
export function waitingCalls(
  beginning: readonly FeedEvent<LiveCallList, ScopedCallEvent>[],
): Pick<WaitingPeople, 'forMonitor' | 'claims'> | null {
  const known = beginning.find(event => event.kind === 'snapshot');
  if (known === undefined) return null;
  const calls = known.state.calls.filter(({ status }) => status !== 'ended');
  return { forMonitor: waitingOf(calls, ({ waitingSince }) => waitingSince), claims: waitingOf(calls, claimedAt) };
}

function claimedAt({ intervention }: LiveCall): number | null {
  if (intervention === null || (intervention.status !== 'requested' && intervention.status !== 'transferring')) return null;
  return intervention.requestedAt;
}

function waitingOf(calls: readonly LiveCall[], sinceOf: (call: LiveCall) => number | null): Waiting {
  const times = calls.map(sinceOf).filter(at => at !== null);
  return { count: times.length, since: times.length === 0 ? null : Math.min(...times) };
}
