import { expect, test } from '@jest/globals';
import { attemptWriter } from '#outcomes/progress.ts';
import type { DialProgress } from '#outcomes/outcome-store.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { DialStore } from '#dialling/dial-store.ts';

test('replies, answers and first words of many calls are one write, with one entry for a call that is served at once', async () => {
  const clock = manualClock();
  const writes: (readonly DialProgress[])[] = [];
  const dials = { recordProgress: async (calls: readonly DialProgress[]) => void writes.push(calls) } as Partial<DialStore> as DialStore;
  const writer = attemptWriter(dials, clock);
  const written = Promise.all([
    writer.accepted({ requestId: 'a', replyText: '+OK a' }),
    writer.accepted({ requestId: 'b', replyText: '+OK b' }),
    writer.answered({ requestId: 'a', answeredAt: 7 }),
    writer.answered({ requestId: 'c', answeredAt: 8 }),
    writer.heard({ requestId: 'a', heard: 'runtime-1' }),
    writer.heard({ requestId: 'b', heard: 'runtime-1' }),
    writer.heard({ requestId: 'b', heard: false }),
  ]);
  await clock.pass(100);
  await written;
  expect(writes).toEqual([
    [
      { requestId: 'a', replyText: '+OK a', answeredAt: 7, heard: 'runtime-1' },
      { requestId: 'b', replyText: '+OK b', heard: false },
      { requestId: 'c', answeredAt: 8 },
    ],
  ]);
});
