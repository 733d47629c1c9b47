import { expect, jest, test } from '@jest/globals';
import { awaitKey, takeAwaitedKey } from '../../../console/pages/live/awaited-key.ts';

test('the last key pressed for a call waits for its actions, once, and for no other call', () => {
  awaitKey('request:1', 'C');
  awaitKey('request:1', 'B');
  expect(takeAwaitedKey('request:2')).toBeNull();
  expect(takeAwaitedKey('request:1')).toEqual({ key: 'B', isLate: false });
  expect(takeAwaitedKey('request:1')).toBeNull();
});

test('a key that has waited for more than 5 s is late', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(6_001);
  awaitKey('request:1', 'C');
  expect(takeAwaitedKey('request:1')).toEqual({ key: 'C', isLate: true });
  now.mockRestore();
});
