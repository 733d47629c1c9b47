import { expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const late = () => new Error('late');

test('returns the result of work that ends in time, and leaves no timer behind', async () => {
  const clock = manualClock();

  expect(await withDeadline(clock, 800, Promise.resolve('done'), late)).toBe('done');
  expect(clock.pending()).toBe(0);
});

test('passes on the original failure of the work, whatever it is', async () => {
  const failure = Object.create(null, { code: { value: 'ECONNREFUSED' } }) as Error;
  await expect(withDeadline(manualClock(), 800, Promise.reject(failure), late)).rejects.toBe(failure);
});

test('gives up after the full time, not earlier', async () => {
  const clock = manualClock();
  const outcome = withDeadline(clock, 800, new Promise<void>(() => {}), late).catch((error: unknown) => error);

  await clock.pass(799);
  expect(clock.pending()).toBe(1);
  await clock.pass(1);
  expect(await outcome).toMatchObject({ message: 'late' });
});

test('a process that stalled past the deadline still reads a reply that arrived meanwhile', async () => {
  const reply = new Promise<string>(resolve => {
    setImmediate(() => resolve('reply'));
  });
  const outcome = withDeadline(systemClock, 40, reply, late);

  const stoodUntil = performance.now() + 200;
  while (performance.now() < stoodUntil);

  expect(await outcome).toBe('reply');
});
