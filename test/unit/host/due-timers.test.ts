import { expect, test } from '@jest/globals';
import { DueTimers } from '#adapters/redis/due-timers.ts';

let now = 0;
const timers = () => new DueTimers({ monotonic: () => now });

test('a partition is looked at once its timer is surely due, and once for many', () => {
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

test('what is due in an hour is left to the look at everything', () => {
  const due = timers();
  due.note('a', 3_600_000);
  now += 3_700_000;
  expect(due.take()).toEqual([]);
});
