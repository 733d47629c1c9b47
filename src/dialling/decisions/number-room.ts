import type { Line } from '#lines/line.ts';
import { boundsOf } from './slot-offer.ts';
import type { NumberRoom } from './preflight-checks.ts';

/** Dials of a caller number, as the attempts know them. */
export interface NumberCount {
  number: string;
  lastHour: number;
  today: number;
  /** When the hour of the oldest dial that counts is over, UTC ms; null without dials. */
  oldestLeavesAt: number | null;
}

interface Left {
  today: number;
  now: number;
  /** When a number that may not dial now may again. */
  againAt: number;
}

/**
 * The number of dials that the bounds of enabled lines' numbers allow now and today; null when a line has a number without any.
 *
 * Shape: `show` writes an instant
 */
export function numberRoom(
  lines: readonly Line[],
  counts: readonly NumberCount[],
  { at, nextDay, show }: { at: number; nextDay: number; show: (at: number) => string },
): NumberRoom | null {
  const numbers = lines.filter(({ isEnabled }) => isEnabled).flatMap(callerNumbers);
  const bounded = numbers.map(each =>
    leftOf(
      each,
      counts.find(({ number }) => number === each.number),
      { at, nextDay },
    ),
  );
  if (bounded.length === 0 || bounded.some(left => left === null)) return null;
  const left = bounded.flatMap(each => each ?? []);
  const sum = (of: (each: Left) => number) => finite(left.reduce((total, each) => total + of(each), 0));
  const leftNow = sum(({ now }) => now);
  const nextAt = leftNow === 0 ? show(Math.min(...left.map(({ againAt }) => againAt))) : null;
  return { leftToday: sum(({ today }) => today), leftNow, nextAt };
}

const finite = (sum: number) => (Number.isFinite(sum) ? sum : null);

interface CallerNumber {
  number: string | null;
  line: Line;
  own: Line['numbers'][number] | undefined;
}

function callerNumbers(line: Line): CallerNumber[] {
  if (line.allocationMode === 'single_shared') return [{ number: line.callerIdNumber, line, own: undefined }];
  return line.numbers.filter(({ isEnabled }) => isEnabled).map(own => ({ number: own.number, line, own }));
}

function leftOf(
  { line, own }: CallerNumber,
  count: NumberCount | undefined,
  { at, nextDay }: { at: number; nextDay: number },
): Left | null {
  const bounds = boundsOf(line.numberRules, own, at);
  if (bounds === null) return null;
  const { hour = Infinity, day = Infinity, restingMs = 0 } = bounds;
  const today = Math.max(0, day - (count?.today ?? 0));
  const now = restingMs > 0 ? 0 : Math.max(0, Math.min(today, hour - (count?.lastHour ?? 0)));
  return { today, now, againAt: restingMs > 0 ? at + restingMs : today === 0 ? nextDay : (count?.oldestLeavesAt ?? at) };
}
