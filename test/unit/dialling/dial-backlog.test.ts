import { expect, test } from '@jest/globals';
import { createDialBacklog } from '#dialling/send.ts';

test('the lag of a backlog is the age of its oldest dial', () => {
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
