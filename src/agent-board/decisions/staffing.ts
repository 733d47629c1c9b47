import type { Outlook } from '../agent-board.ts';

/** Most agents of a forecast. */
export const MAX_STAFF = 10_000;
/** Fewer calls in an hour than this say nothing about the next one. */
export const FEWEST_ARRIVALS = 5;

/**
 * Probability that a call finds every agent busy and is lost: Erlang B.
 *
 * Why:    the recursion over the agents stays within 0..1, where the powers and factorials of the formula overflow
 * Units:  `load` in erlangs, finite, 0 or more; `agents` 0..MAX_STAFF
 */
export function lossProbability(load: number, agents: number): number {
  let lost = 1;
  for (let count = 1; count <= Math.min(agents, MAX_STAFF); count += 1) lost = (load * lost) / (count + load * lost);
  return lost;
}

/** Probability that a call has to wait for an agent, where it waits as long as needed: Erlang C. 1 when the load fills every agent. */
export function waitProbability(load: number, agents: number): number {
  if (load >= agents) return 1;
  const lost = lossProbability(load, agents);
  return (agents * lost) / (agents - load * (1 - lost));
}

/** Average wait of all calls in seconds, including those that do not wait; null when the load fills every agent and the queue only grows. */
export function averageWaitSeconds(load: number, agents: number, handleSeconds: number): number | null {
  return load >= agents ? null : (waitProbability(load, agents) * handleSeconds) / (agents - load);
}

/** Least time from which a rate is taken, in ms: in less, a few calls at once would look like many in an hour. */
const LEAST_SPAN_MS = 300_000;
const HOUR_MS = 3_600_000;

/**
 * Start of the time from which the rate of calls is taken: the first call of the last hour, so that an hour which was quiet at first, or in
 * which the server was started, does not hide how many come now.
 *
 * Units:  UTC ms
 */
export function rateSince(firstAt: number | null, at: number): number {
  return Math.max(at - HOUR_MS, Math.min(firstAt ?? 0, at - LEAST_SPAN_MS));
}

/** Calls in an hour at the rate of `arrivals` in the time from `since` to `at`. */
export function hourlyRate(arrivals: number, since: number, at: number): number {
  return (arrivals * HOUR_MS) / (at - since);
}

interface Work {
  /** Calls in an hour that need a person. */
  arrivals: number;
  /** Talk and wrap-up of one call. */
  handleSeconds: number;
}

const HOUR_SECONDS = 3_600;

/** How likely a needed agent is busy with one agent less, with those on duty, and with one more. */
export function outlooksOf({ arrivals, handleSeconds }: Work, onDuty: number): Outlook[] {
  const load = (arrivals * handleSeconds) / HOUR_SECONDS;
  const staff = Math.min(onDuty, MAX_STAFF - 1);
  return [staff - 1, staff, staff + 1].filter(agents => agents >= 0).map(agents => outlookOf(load, agents, handleSeconds));
}

function outlookOf(load: number, agents: number, handleSeconds: number): Outlook {
  return {
    agents,
    allBusy: lossProbability(load, agents),
    waits: waitProbability(load, agents),
    waitSeconds: averageWaitSeconds(load, agents, handleSeconds),
  };
}
