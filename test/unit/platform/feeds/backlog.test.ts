import { expect, test } from '@jest/globals';
import { Backlog } from '#platform/feeds/fan-out.ts';

const KIB = 1_024;

test('a client is too slow when more than 256 KiB wait beyond its initial backlog [D10]', () => {
  const backlog = new Backlog();
  expect([backlog.isFull(256 * KIB), backlog.isFull(256 * KIB + 1)]).toEqual([false, true]);
  backlog.owe(10_000 * KIB);
  expect([backlog.isFull(10_256 * KIB), backlog.isFull(10_256 * KIB + 1)]).toEqual([false, true]);
  backlog.drained();
  expect(backlog.isFull(256 * KIB + 1)).toBe(true);
});
