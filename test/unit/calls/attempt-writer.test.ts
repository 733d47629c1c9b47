import { expect, test } from '@jest/globals';
import { attemptWriter } from '#operations/calls/attempt-writer.ts';
import type { DialProgress, DialStore } from '#ports/dial-store.ts';
import { manualClock } from '#test/support/manual-clock.ts';

test('replies and answers of many calls are one write, with one entry for a call that is answered at once', async () => {
  const clock = manualClock();
  const writes: (readonly DialProgress[])[] = [];
  const dials = { recordProgress: async (calls: readonly DialProgress[]) => void writes.push(calls) } as Partial<DialStore> as DialStore;
  const writer = attemptWriter(dials, clock);
  const written = Promise.all([
    writer.accepted({ requestId: 'a', replyText: '+OK a' }),
    writer.accepted({ requestId: 'b', replyText: '+OK b' }),
    writer.answered({ requestId: 'a', answeredAt: 7 }),
    writer.answered({ requestId: 'c', answeredAt: 8 }),
  ]);
  await clock.pass(100);
  await written;
  expect(writes).toEqual([
    [
      { requestId: 'a', replyText: '+OK a', answeredAt: 7 },
      { requestId: 'b', replyText: '+OK b' },
      { requestId: 'c', answeredAt: 8 },
    ],
  ]);
});
