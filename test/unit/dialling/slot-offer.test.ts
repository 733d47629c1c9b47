import { expect, test } from '@jest/globals';
import { offeredLines } from '#dialling/decisions/slot-offer.ts';
import type { Line } from '#lines/line.ts';
import type { Breaker } from '#campaigns/decisions/breaker.ts';

const AT = 1_000_000;
const PROBE = 5;
const line = (id: number, isEnabled = true) => ({ id, isEnabled, maxConcurrency: 100 }) as unknown as Line;
const silentUntil = (until: number): Breaker => ({
  kind: 'closed',
  periods: [],
  silent: { 1: 5 },
  rests: { 1: { until, pauseMs: 30_000 } },
});
const offered = (lines: Line[], breaker: Breaker | null) =>
  offeredLines({ lines, breaker, at: AT }, PROBE).map(({ id, maxConcurrency }) => [id, maxConcurrency]);

test('a silent line is left out while it rests, then tried with as many calls as a probe has [D7.1]', () => {
  expect(offered([line(1), line(2)], null)).toEqual([
    [1, 100],
    [2, 100],
  ]);
  expect(offered([line(1), line(2)], silentUntil(AT + 1))).toEqual([[2, 100]]);
  expect(offered([line(1), line(2)], silentUntil(AT))).toEqual([
    [1, PROBE],
    [2, 100],
  ]);
});

test('where no other line is enabled it is offered: the breaker decides then [D7.1]', () => {
  expect(offered([line(1), line(2, false)], silentUntil(AT + 1))).toEqual([[1, 100]]);
});
