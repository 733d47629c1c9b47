import { expect, test } from '@jest/globals';
import { awaitKey, takeAwaitedKey } from '../../../console/pages/live/awaited-key.ts';

test('the last key pressed for a call waits for its actions, once, and for no other call', () => {
  awaitKey('request:1', 'C', 0);
  awaitKey('request:1', 'B', 10);
  expect(takeAwaitedKey('request:2', 20)).toBeNull();
  expect(takeAwaitedKey('request:1', 20)).toEqual({ key: 'B', isLate: false });
  expect(takeAwaitedKey('request:1', 20)).toBeNull();
});

test('a key that has waited for more than 5 s is late', () => {
  awaitKey('request:1', 'C', 1_000);
  expect(takeAwaitedKey('request:1', 6_001)).toEqual({ key: 'C', isLate: true });
});
