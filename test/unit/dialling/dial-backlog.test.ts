import { expect, test } from '@jest/globals';
import { createDialBacklog } from '#dialling/dial-backlog.ts';

test('a backlog is as old as the dial that has waited longest', () => {
  let now = 1_000;
  const backlog = createDialBacklog({ monotonic: () => now });
  expect(backlog.lagMs()).toBe(0);
  const first = backlog.enter();
  now += 100;
  const second = backlog.enter();
  now += 50;
  expect(backlog.lagMs()).toBe(150);
  first();
  first();
  expect(backlog.lagMs()).toBe(50);
  second();
  expect(backlog.lagMs()).toBe(0);
});
