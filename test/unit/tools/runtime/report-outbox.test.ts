import { expect, test } from '@jest/globals';
import { type Log, silentLog } from '#kernel/log.ts';
import { createOutbox } from '#tools/runtime/report-outbox.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const ID = '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10';

function rig(failures: number) {
  const clock = manualClock();
  const sent: { subject: string; messageId: string; at: number }[] = [];
  const lost: string[] = [];
  const log: Log = { ...silentLog, error: (_fields, message) => lost.push(message) };
  const link = {
    store: (subject: string, messageId: string) => {
      sent.push({ subject, messageId, at: clock.monotonic() });
      return sent.length <= failures ? Promise.reject(new Error('away')) : Promise.resolve();
    },
  };
  return { clock, sent, lost, outbox: createOutbox({ link, clock, random: { next: () => 1 }, log }) };
}

test('a result is resent under the same id until the stream confirms it [A4]', async () => {
  const { clock, sent, outbox } = rig(8);
  outbox.send('result', ID, { callStatus: 'completed' });
  expect(outbox.pending()).toBe(1);
  await clock.pass(60_000);
  expect(outbox.pending()).toBe(0);
  expect(new Set(sent.map(({ subject, messageId }) => `${subject} ${messageId}`))).toEqual(
    new Set([`callout.v1.runtime.result.${ID} ${ID}:result:0`]),
  );
  const waits = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test('a report not confirmed within an hour is logged as lost and dropped', async () => {
  const { clock, lost, outbox } = rig(Number.POSITIVE_INFINITY);
  outbox.send('ended', ID, {});
  await clock.pass(3_599_000);
  expect(lost).toEqual([]);
  await clock.pass(30_000);
  expect(lost).toEqual(['a report was dropped after its last attempt']);
  expect(outbox.pending()).toBe(0);
});

test('a flush retries once more and gives up at its time limit', async () => {
  const { clock, lost, outbox } = rig(Number.POSITIVE_INFINITY);
  outbox.send('result', ID, {});
  await clock.pass(1_000);
  await clock.until(outbox.flush(5_000));
  expect(lost).toEqual(['a report was dropped after its last attempt']);
});

test('a flush ends as soon as everything is confirmed', async () => {
  const { clock, outbox } = rig(1);
  outbox.send('result', ID, {});
  await clock.until(outbox.flush(5_000));
  expect(clock.monotonic()).toBeLessThan(1_000);
});
