import { describe, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { followSession } from '#feeds/session-feed.ts';
import type { SoftphoneEvent } from '#ports/softphone-session-store.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const CALL = 7;

/** Rows of one call, a watcher, and the signal that wakes it. */
function watched(eventId: number | null, rows: number[]) {
  const events: SoftphoneEvent[] = [];
  const told: string[] = [];
  let wake: (callId: number) => void = () => undefined;
  const add = (id: number) => events.push({ id, softphoneCallId: CALL, kind: 'message', data: {}, createdAt: 0 });
  rows.forEach(add);
  const followed = followSession(
    {
      softphoneSessions: {
        eventsAfter: (_, after, limit) => Promise.resolve(events.filter(({ id }) => id > after).slice(0, limit)),
        latestEvents: (_, limit) => Promise.resolve(events.slice(-limit)),
        holdsEvent: (_, wanted) => Promise.resolve(events.some(({ id }) => id === wanted)),
      },
      softphoneSignals: {
        subscribe: listener => {
          wake = listener;
          return () => undefined;
        },
      },
      clock: { now: () => 0, monotonic: () => 0, schedule: () => () => undefined },
      log: silentLog,
    },
    { softphoneCallId: CALL, eventId },
    {
      onEvent: ({ id }) => told.push(String(id)),
      onResync: known => told.push(`resync ${known.map(({ id }) => id).join()}`),
    },
  );
  return {
    followed,
    told: (...expected: string[]) => waitUntil(`told ${expected.join(' | ')}`, () => told.join(' | ') === expected.join(' | '), 20_000),
    all: () => told,
    happen(id: number) {
      add(id);
      wake(CALL);
    },
  };
}

describe('whoever follows a session of a browser phone [D10]', () => {
  test('is told everything from the beginning, or what came after its position', async () => {
    await watched(null, [3, 5]).told('3', '5');
    await watched(3, [3, 5]).told('5');
  });

  test('starts over once from a position that is not held, then goes on', async () => {
    const watcher = watched(4, [3, 5]);
    await watcher.told('resync 3,5');
    watcher.happen(8);
    await watcher.told('resync 3,5', '8');
  });

  test('starts over when it was too slow, and is told nothing twice', async () => {
    const watcher = watched(null, [3]);
    await watcher.told('3');
    watcher.happen(5);
    watcher.followed.resync();
    await waitUntil('the resync', () => watcher.all().includes('resync 3,5'), 20_000);
    watcher.happen(8);
    await waitUntil('what follows', () => watcher.all().at(-1) === '8', 20_000);
    expect(watcher.all().filter(line => line === '5').length).toBeLessThanOrEqual(1);
    watcher.followed.stop();
  });
});
