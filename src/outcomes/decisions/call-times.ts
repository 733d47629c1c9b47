import type { ReportedTimes } from '#attempts/attempt.ts';

/** Times of a call known to the switch and the server; null: not seen. UTC ms. */
export interface SeenTimes {
  /** Lower bound for all times of the call. */
  claimedAt: number | null;
  startedAt: number | null;
  answeredAt: number | null;
  /** Hang-up time reported by the switch. */
  hungUpAt: number | null;
  /** The call had ended by then. */
  lastAt: number;
}

/** Times reported by the runtime, by its own clock; null: not reported. */
export interface GivenTimes {
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
}

/** Times on the server's clock, each not before the previous one. UTC ms. */
export interface CallTimes {
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number;
  durationSeconds: number;
}

/** Difference allowed for correct clocks and network delay, ms. */
const TOLERANCE_MS = 2_000;

/**
 * Combines the times of a call: times seen by us stand; missing ones come from the runtime's report if they fit in between.
 *
 * Why:    a runtime's clock may be hours wrong or jump, but the difference between two of its times is right, unless it exceeds the possible
 *         duration of the call
 * Source: D7.7
 */
export function placeTimes(seen: SeenTimes, given: GivenTimes): CallTimes {
  const { lastAt } = seen;
  const startedAt = seen.startedAt ?? placed(given.startedAt, seen.claimedAt, lastAt) ?? seen.claimedAt;
  const answeredAt = answerOf({ ...seen, startedAt }, given);
  const from = answeredAt ?? startedAt;
  const endedAt = Math.max(from ?? -Infinity, seen.hungUpAt ?? placed(endOf(answeredAt, startedAt, given), from, lastAt) ?? lastAt);
  const ownMs = ownDuration(given);
  const seenMs = lastAt - (seen.answeredAt ?? startedAt ?? -Infinity);
  const talkMs = answeredAt === null ? 0 : endedAt - answeredAt;
  const isCredible = ownMs !== null && ownMs <= seenMs + TOLERANCE_MS;
  const isOwn = isCredible && (answeredAt !== null || given.durationSeconds !== null);
  return { startedAt, answeredAt, endedAt, durationSeconds: isOwn ? secondsOf(ownMs, given) : Math.floor(talkMs / 1_000) };
}

function secondsOf(ownMs: number, { durationSeconds }: GivenTimes): number {
  return durationSeconds === null ? Math.floor(ownMs / 1_000) : Math.round(durationSeconds);
}

function ownDuration({ durationSeconds, answeredAt, endedAt }: GivenTimes): number | null {
  if (durationSeconds !== null) return durationSeconds * 1_000;
  return answeredAt === null || endedAt === null || endedAt < answeredAt ? null : endedAt - answeredAt;
}

/** For an answer that the switch did not report, an impossible time is replaced by counting back from the end. */
function answerOf({ startedAt, answeredAt, lastAt }: SeenTimes, given: GivenTimes): number | null {
  if (answeredAt !== null) return Math.max(answeredAt, startedAt ?? answeredAt);
  if (given.answeredAt === null) return null;
  return placed(given.answeredAt, startedAt, lastAt) ?? Math.max(startedAt ?? -Infinity, lastAt - (ownDuration(given) ?? 0));
}

/** Uses the difference between two of the runtime's own times where possible, because clock skew does not affect it. */
function endOf(answeredAt: number | null, startedAt: number | null, given: GivenTimes): number | null {
  if (given.endedAt === null) return null;
  if (answeredAt !== null && given.answeredAt !== null) return answeredAt + given.endedAt - given.answeredAt;
  if (answeredAt === null && startedAt !== null && given.startedAt !== null) return startedAt + given.endedAt - given.startedAt;
  return given.endedAt;
}

/** The instant, shifted by up to the allowed difference to fit the range; null when it cannot fit. */
function placed(at: number | null, from: number | null, to: number): number | null {
  if (at === null || at > to + TOLERANCE_MS || at < (from ?? at) - TOLERANCE_MS) return null;
  return Math.min(to, Math.max(from ?? at, at));
}

/**
 * Deviation of the runtime's clock, ms, positive: fast; null when nothing indicates one.
 *
 * Why: a reported time before the call could have reached the runtime, or in the future, proves a deviation. A late time proves nothing: the
 *      runtime may have received the call, or noticed its end, late
 */
export function clockSkew(seen: Omit<SeenTimes, 'lastAt'>, given: GivenTimes, now: number): number | null {
  const { startedAt, answeredAt, endedAt } = given;
  const started = seen.startedAt ?? seen.claimedAt;
  const answered = seen.answeredAt ?? started;
  const slow = [behind(startedAt, started), behind(answeredAt, answered), behind(endedAt, answered)];
  const fast = [startedAt, answeredAt, endedAt].map(at => behind(now, at));
  const [by, against] = [Math.max(...slow), Math.max(...fast)];
  if (Math.max(by, against) <= TOLERANCE_MS) return null;
  return against >= by ? against : -by;
}

function behind(at: number | null, limit: number | null): number {
  return at === null || limit === null ? 0 : limit - at;
}

const TIMES = ['startedAt', 'answeredAt', 'endedAt', 'durationSeconds'] as const satisfies readonly (keyof ReportedTimes)[];
/** Differences below this count as equal, ms. */
const SAME_MS = 1_000;

/** Reported times that differ from the stored ones, kept in addition; null when there are none. */
export function differingTimes(taken: CallTimes, given: GivenTimes): ReportedTimes | null {
  const unit = (name: keyof ReportedTimes) => (name === 'durationSeconds' ? 1_000 : 1);
  const differs = (name: keyof ReportedTimes) => Math.abs((taken[name] ?? NaN) - (given[name] ?? NaN)) * unit(name) > SAME_MS;
  const differing = TIMES.filter(differs).map(name => [name, given[name]]);
  return differing.length === 0 ? null : Object.fromEntries(differing);
}

/**
 * Answer and end of a call that ends without a report.
 *
 * Why: the switch's timestamps are up to 20 ms old (its last tick), so a dial refused at once would end before its start
 */
export function settledTimes(
  { claimedAt, startedAt, ...attempt }: Omit<SeenTimes, 'hungUpAt' | 'lastAt'>,
  outcome: Record<'answeredAt' | 'endedAt', number | null>,
  now: number,
): Pick<SeenTimes, 'answeredAt'> & Pick<CallTimes, 'endedAt'> {
  const from = startedAt ?? claimedAt ?? -Infinity;
  const answered = attempt.answeredAt ?? outcome.answeredAt;
  const answeredAt = answered === null ? null : Math.max(answered, from);
  return { answeredAt, endedAt: Math.max(outcome.endedAt ?? now, answeredAt ?? from) };
}
