import { expect, test } from '@jest/globals';
import { quartersUpTo } from '../../../console/pages/overview/quarters.ts';

test.each([
  [0, [0, 1, 2, 3, 4]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6, 8]],
  [39, [0, 10, 20, 30, 40]],
  [80, [0, 20, 40, 60, 80]],
  [95, [0, 25, 50, 75, 100]],
  [1080, [0, 500, 1000, 1500, 2000]],
])('the axis for counts up to %d has round quarters that align with the percentage axis', (most, ticks) => {
  expect(quartersUpTo(most)).toEqual(ticks);
});
