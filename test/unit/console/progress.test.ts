import { expect, test } from '@jest/globals';
import { givenUp, leftOut, type Progress, shareOf } from '../../../console/parts/progress.ts';

function progress(counts: Partial<Progress>): Progress {
  const { total = 20, completed = 0, failed = 0, awaitingRetry = 0 } = counts;
  const fraction = (completed + failed - awaitingRetry) / total;
  return { total, submitted: 0, held: 0, paused: 0, completed, failed, awaitingRetry, ...counts, fraction };
}

test('whoever is called again is not given up', () => {
  expect(givenUp({ failed: 13, awaitingRetry: 13 })).toBe(0);
  expect(givenUp({ failed: 13, awaitingRetry: 4 })).toBe(9);
});

test('a campaign that is through is at 100 %, and counts whom a rule or a person kept out', () => {
  const through = progress({ completed: 12, failed: 7, held: 1 });
  expect([shareOf('COMPLETED', through), leftOut('COMPLETED', through)]).toEqual([1, 1]);
  expect([shareOf('RUNNING', through), leftOut('RUNNING', through)]).toEqual([0.95, 0]);
});

test('a completed campaign whose contacts were put back is not through', () => {
  const again = progress({ completed: 12, failed: 3 });
  expect([shareOf('COMPLETED', again), leftOut('COMPLETED', again)]).toEqual([0.75, 0]);
});
