import { expect, test } from '@jest/globals';
import { DueTimers } from '#platform/redis/actor-store.ts';

let now = 0;
const timers = () => new DueTimers({ monotonic: () => now });

test('a partition is checked once its timer is certainly due, and only once for several timers', () => {
  const due = timers();
  due.note('a', 1_000);
  due.note('a', 1_010);
  due.note('b', 5_000);
  now += 1_000;
  expect(due.take()).toEqual([]);
  now += 100;
  expect(due.take()).toEqual(['a']);
  expect(due.take()).toEqual([]);
  now += 5_000;
  expect(due.take()).toEqual(['b']);
});

test('a timer due in an hour is left to the full check', () => {
  const due = timers();
  due.note('a', 3_600_000);
  now += 3_700_000;
  expect(due.take()).toEqual([]);
});
