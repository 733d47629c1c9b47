import { describe, expect, test } from '@jest/globals';
import { SessionFrames } from '#softphones/stream.ts';
import { silentLog } from '#kernel/log.ts';
import { Feed } from '#platform/feeds/feed.ts';
import { type SoftphoneSessionChange, softphoneSessionSource, type SoftphoneSessionState } from '#softphones/session-feed.ts';
import type { SoftphoneEvent } from '#softphones/session.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const CALL = 7;

/** A subscriber of one call's session, its stored events, and the signal that wakes it. */
async function watched(lastEventId: string | null, rows: number[]) {
  const clock = manualClock();
  const events: SoftphoneEvent[] = [];
  const told: string[] = [];
  let isAway = false;
  let wake: (callId: number) => void = () => undefined;
  const add = (id: number) => events.push({ id, softphoneCallId: CALL, kind: 'message', data: {}, createdAt: 0 });
  rows.forEach(add);
  const deps = {
    softphoneCalls: { find: async () => ({ status: 'answered', conferenceId: 1 }) },
    conferences: { find: async () => ({ id: 1, legs: [] }) },
    softphoneSessions: {
      async eventsAfter(_call: number, after: number, limit: number) {
        if (isAway) throw new Error('no database');
        return events.filter(({ id }) => id > after).slice(0, limit);
      },
    },
    softphoneSignals: {
      subscribe(listener: (callId: number) => void) {
        wake = listener;
        return () => undefined;
      },
    },
    clock,
    log: silentLog,
  };
  const feed = new Feed<SoftphoneSessionState, SoftphoneSessionChange>({ clock, ids: () => 'life' });
  const channel = feed.channel('session', () => softphoneSessionSource(deps as never, CALL));
  const frames = new SessionFrames({ lastEventId, write: frame => told.push(wordOf(String(frame))), close: () => told.push('closed') });
  channel.follow(
    event => frames.take(event),
    () => told.push('over'),
  );
  for (const event of channel.since(null)) frames.take(event);
  await clock.pass(1);
  return {
    told,
    async happen(id: number) {
      add(id);
      wake(CALL);
      await clock.pass(200);
    },
    async away(away: boolean) {
      isAway = away;
      await clock.pass(2_500);
    },
    catchUp() {
      frames.lose();
      for (const event of channel.catchUp()) frames.take(event);
    },
  };
}

function wordOf(frame: string): string {
  const name = /event: (.*)/.exec(frame)?.[1];
  const known = [...frame.matchAll(/"id":(\d+)/g)].map(([, id]) => id).join();
  if (name === 'resync') return 'resync';
  return name === 'snapshot' ? `snapshot ${known}` : String(/id: (.*)/.exec(frame)?.[1]);
}

describe('a subscriber of a browser phone session [D10]', () => {
  test('receives all events from the beginning, or those after its position', async () => {
    expect((await watched(null, [3, 5])).told).toEqual(['3', '5']);
    expect((await watched('3', [3, 5])).told).toEqual(['5']);
  });

  test.each(['4', '0', 'x'])('is resynchronised once from the unknown position %j, then continues', async position => {
    const watcher = await watched(position, [3, 5]);
    expect(watcher.told).toEqual(['resync', 'snapshot 3,5']);
    await watcher.happen(8);
    expect(watcher.told).toEqual(['resync', 'snapshot 3,5', '8']);
  });

  test('is resynchronised when it was too slow, and receives nothing twice', async () => {
    const watcher = await watched(null, [3]);
    await watcher.happen(5);
    watcher.catchUp();
    await watcher.happen(8);
    expect(watcher.told).toEqual(['3', '5', 'resync', 'snapshot 3,5', '8']);
  });

  test('receives after an outage exactly what happened during it', async () => {
    const watcher = await watched(null, [3]);
    await watcher.away(true);
    await watcher.happen(5);
    await watcher.away(false);
    expect(watcher.told).toEqual(['3', '5']);
  });
});
