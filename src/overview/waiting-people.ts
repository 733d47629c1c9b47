import type { FeedEvent } from '#platform/feeds/feed.ts';
import type { LiveCallList } from '#calls/list-live-calls.ts';
import type { LiveCall } from '#calls/live-call.ts';
import type { ScopedCallEvent } from '#calls/live-call-scope.ts';

/** Number of waiting calls or claims and the start of the longest wait, UTC ms; `since` is null when none waits. */
export interface Waiting {
  count: number;
  since: number | null;
}

/** Customers, agents and calls that wait for a person. */
export interface WaitingPeople {
  /** Live calls that wait for a monitor. */
  forMonitor: Waiting;
  /** Agents and supervisors who have claimed a call that is not connected to them yet. */
  claims: Waiting;
  /** Customers who wait until an agent is found. */
  forAgent: Waiting;
}

/** Counts from the snapshot of a live-calls channel; null when it has none yet. */
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
