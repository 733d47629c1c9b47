import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countSocketWrites, type SocketWrites } from '#test/support/socket-writes.ts';
import { type DispatchRig, startDispatchRig } from '#test/support/dispatch-rig.ts';

/** Two reports to the campaign share a write in some calls only: with fewer calls it may be none. */
const CALLS = 60;

let writes: SocketWrites;
let rig: DispatchRig;

beforeAll(async () => {
  writes = countSocketWrites({ keepsWhatIsWritten: true });
  rig = await startDispatchRig();
});

afterAll(() => rig.close());

/** Checks the minimum over sequential calls: on a busy machine commands that could share a write miss it. */
test('a call causes no more writes to the stores and the bus than necessary: each is a system call and a response', async () => {
  const contacts = Array.from({ length: CALLS }, (_, index) => `1390000${String(index).padStart(4, '0')}`);
  const { id } = await rig.campaign({ contacts, maxConcurrency: 1 });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
  const calls = await rig.attempts(id);
  expect(calls.map(({ status }) => status)).toEqual(Array(CALLS).fill('completed'));
  const { database, cache, bus } = rig.server.config;
  const expectWrites = ({ url }: { url: string }, most: number) => {
    const least = Math.min(...calls.map(({ requestId }) => writes.naming(url, requestId)));
    expect(least).toBeGreaterThan(0);
    expect(least).toBeLessThanOrEqual(most);
  };
  expectWrites(database, 8);
  // Finished effects are cleared before those that later ones do not wait for.
  expectWrites(cache, 13);
  // Including those of the test's own runtime.
  expectWrites(bus, 7);
});
