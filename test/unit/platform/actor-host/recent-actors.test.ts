import { expect, test } from '@jest/globals';
import { RecentActors } from '#platform/actor-host/lanes.ts';

test('a written actor is returned once, and only within a minute', () => {
  let now = 0;
  const recent = new RecentActors<string>({ monotonic: () => now });
  recent.put('a', 'one');
  recent.put('a', 'two');
  expect(recent.take('a')).toBe('two');
  expect(recent.take('a')).toBeUndefined();
  recent.put('a', 'three');
  now = 60_001;
  expect(recent.take('a')).toBeUndefined();
});

test('at most 1,000 are kept, and the oldest are dropped', () => {
  const recent = new RecentActors<number>({ monotonic: () => 0 });
  for (let actor = 0; actor < 1_001; actor += 1) recent.put(String(actor), actor);
  expect(recent.take('0')).toBeUndefined();
  expect(recent.take('1')).toBe(1);
});
