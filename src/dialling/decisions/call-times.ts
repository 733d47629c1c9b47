import type { ReportedTimes } from '#model/attempt.ts';

/** What the switch and the server know of a call; null: not seen. UTC ms. */
export interface SeenTimes {
  /** Nothing of the call can be earlier. */
  claimedAt: number | null;
  startedAt: number | null;
  answeredAt: number | null;
  /** The hang-up, as the switch told it. */
  hungUpAt: number | null;
  /** The call was over by then. */
  lastAt: number;
}

/** What a runtime says of the same, by its own clock; null: nothing. */
export interface GivenTimes {
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
}

/** On the server's axis: no instant before the one that precedes it. UTC ms. */
export interface CallTimes {
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number;
  durationSeconds: number;
}

/** What two clocks that run right, and the way between them, may differ by, ms. */
const TOLERANCE_MS = 2_000;

/**
 * The times of a call whose runtime has reported: what was seen stands, and of what was not seen the report is taken as far as it fits in between.
 *
 * Why:    the clock of a runtime may be hours wrong or step, but a difference of its own two instants is right unless it is longer than the call
 *         can have lasted
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

/** An answer that the switch did not tell, at a time that cannot be, is counted back from the end. */
function answerOf({ startedAt, answeredAt, lastAt }: SeenTimes, given: GivenTimes): number | null {
  if (answeredAt !== null) return Math.max(answeredAt, startedAt ?? answeredAt);
  if (given.answeredAt === null) return null;
  return placed(given.answeredAt, startedAt, lastAt) ?? Math.max(startedAt ?? -Infinity, lastAt - (ownDuration(given) ?? 0));
}

/** By the runtime's own two instants where it gives them, which no skew moves apart. */
function endOf(answeredAt: number | null, startedAt: number | null, given: GivenTimes): number | null {
  if (given.endedAt === null) return null;
  if (answeredAt !== null && given.answeredAt !== null) return answeredAt + given.endedAt - given.answeredAt;
  if (answeredAt === null && startedAt !== null && given.startedAt !== null) return startedAt + given.endedAt - given.startedAt;
  return given.endedAt;
}

/** The instant, moved by what clocks may differ by where it lies that near; null: it cannot have been then. */
function placed(at: number | null, from: number | null, to: number): number | null {
  if (at === null || at > to + TOLERANCE_MS || at < (from ?? at) - TOLERANCE_MS) return null;
  return Math.min(to, Math.max(from ?? at, at));
}

/**
 * How wrong the runtime's clock goes, ms, positive: fast; null: nothing shows that it is wrong.
 *
 * Why: an instant of the report before the call can have got there, or in the future. A runtime that was given the call late, or noticed its end late,
 *      says so by a clock that is right
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
/** What is reported less than this apart is the same, ms. */
const SAME_MS = 1_000;

/** What the report says otherwise, kept beside what stands; null: nothing. */
export function differingTimes(taken: CallTimes, given: GivenTimes): ReportedTimes | null {
  const unit = (name: keyof ReportedTimes) => (name === 'durationSeconds' ? 1_000 : 1);
  const differs = (name: keyof ReportedTimes) => Math.abs((taken[name] ?? NaN) - (given[name] ?? NaN)) * unit(name) > SAME_MS;
  const differing = TIMES.filter(differs).map(name => [name, given[name]]);
  return differing.length === 0 ? null : Object.fromEntries(differing);
}

/**
 * Answer and end of a call that ends without a report.
 *
 * Why: the switch stamps its events with the time of its last tick, up to 20 ms old: the end of a dial that is refused at once would lie before its start
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
