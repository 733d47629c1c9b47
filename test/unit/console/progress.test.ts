import { expect, test } from '@jest/globals';
import { givenUp, leftOut, type Progress, shareOf } from '../../../console/pages/campaigns/progress.ts';

function progress(counts: Partial<Progress>): Progress {
  const { total = 20, completed = 0, failed = 0, awaitingRetry = 0 } = counts;
  const fraction = (completed + failed - awaitingRetry) / total;
  return { total, submitted: 0, held: 0, paused: 0, completed, failed, awaitingRetry, ...counts, fraction };
}

test('a contact that awaits a retry is not given up', () => {
  expect(givenUp({ failed: 13, awaitingRetry: 13 })).toBe(0);
  expect(givenUp({ failed: 13, awaitingRetry: 4 })).toBe(9);
});

test('a finished campaign shows 100 %, and counts the contacts that a rule or a user excluded', () => {
  const through = progress({ completed: 12, failed: 7, held: 1 });
  expect([shareOf('COMPLETED', through), leftOut('COMPLETED', through)]).toEqual([1, 1]);
  expect([shareOf('RUNNING', through), leftOut('RUNNING', through)]).toEqual([0.95, 0]);
});

test('a completed campaign whose contacts were reset is not finished', () => {
  const again = progress({ completed: 12, failed: 3 });
  expect([shareOf('COMPLETED', again), leftOut('COMPLETED', again)]).toEqual([0.75, 0]);
});
