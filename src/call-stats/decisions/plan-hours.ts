import type { HourState, SealedRange } from '../block-store.ts';
import type { CallSpan } from '../read-calls.ts';

export const MS_PER_HOUR = 3_600_000;

/** Sources from which the calls of a time range are read; instants are UTC ms. */
export interface HourPlan {
  /** Whole hours whose block holds. */
  sealed: readonly HourState[];
  /** Whole hours that were changed since they were sealed. */
  changed: readonly HourState[];
  /** Spans whose calls are read one by one: parts of hours, and hours before the sealed ones. */
  open: readonly CallSpan[];
  /** Everything since the sealed hours; null when the range ends earlier. */
  tail: CallSpan | null;
}

export function startOfHour(at: number): number {
  return Math.floor(at / MS_PER_HOUR) * MS_PER_HOUR;
}

/** The whole hours of a range, sealed or not; empty when it has none. */
export function wholeHours({ from, to }: CallSpan): CallSpan {
  const first = startOfHour(from + MS_PER_HOUR - 1);
  return { from: first, to: Math.max(first, startOfHour(to)) };
}

/**
 * Divides a range into hours that are sealed and what has to be read.
 *
 * Shape: `hours` are those of the whole hours of the range that have calls or were changed
 */
export function planHours(asked: CallSpan, range: SealedRange | null, hours: readonly HourState[], now: number): HourPlan {
  const whole = wholeHours(asked);
  const sealed = { from: Math.max(whole.from, range?.from ?? whole.to), to: Math.min(whole.to, range?.to ?? whole.to) };
  if (sealed.from >= sealed.to) return { sealed: [], changed: [], open: [asked], tail: null };
  const within = hours.filter(({ hour }) => hour >= sealed.from && hour < sealed.to);
  const before = { from: asked.from, to: sealed.from };
  const after = { from: sealed.to, to: asked.to };
  const isTail = after.from === range?.to && after.to >= now;
  return {
    sealed: within.filter(({ change }) => change === null),
    changed: within.filter(({ change }) => change !== null),
    open: [before, ...(isTail ? [] : [after])].filter(({ from, to }) => from < to),
    tail: isTail ? after : null,
  };
}
