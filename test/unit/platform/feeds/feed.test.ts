import { describe, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { Feed, type FeedEvent } from '#platform/feeds/feed.ts';
import { polledSource } from '#platform/feeds/polled-source.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const POLL_MS = 1_000;
const SPACING_MS = 250;

/** A feed of one number; each change is the difference. */
function stateRig() {
  const clock = manualClock();
  let lives = 0;
  const feed = new Feed<number, number>({ clock, ids: () => `life${(lives += 1)}` });
  const looks = new Set<() => void>();
  const world = { value: 0 as number | null, isAway: false, reads: 0 };
  const open = () =>
    polledSource<number, number>(
      { clock, log: silentLog },
      {
        what: 'a number',
        async read() {
          world.reads += 1;
          if (world.isAway) throw new Error('away');
          return world.value;
        },
        changes: (before, after) => (before === after ? [] : [after - before]),
        listen(look) {
          looks.add(look);
          return () => void looks.delete(look);
        },
        pollMs: POLL_MS,
        spacingMs: SPACING_MS,
      },
    );
  const watch = (cursor: string | null = null) => {
    const channel = feed.channel('state', open);
    const told: FeedEvent<number, number>[] = [];
    let isOver = false;
    const stop = channel.follow(
      event => told.push(event),
      () => (isOver = true),
    );
    told.push(...channel.since(cursor));
    return { told, stop, channel, isOver: () => isOver, words: () => told.map(word) };
  };
  return {
    clock,
    feed,
    world,
    watch,
    listening: () => looks.size,
    async become(value: number | null) {
      world.value = value;
      for (const look of looks) look();
      await clock.pass(SPACING_MS);
    },
  };
}

function word(event: FeedEvent<number, number>): string {
  if (event.kind === 'snapshot') return `=${event.state}`;
  return event.kind === 'change' ? `+${event.change}` : event.reason;
}

describe('a state feed [A1.5, I8]', () => {
  test('starts with a snapshot, then sends each change', async () => {
    const rig = stateRig();
    const one = rig.watch();
    await rig.clock.pass(1);
    await rig.become(3);
    await rig.become(4);
    expect(one.words()).toEqual(['=0', '+3', '+1']);
  });

  test('reads once for all subscribers, at a limited rate', async () => {
    const rig = stateRig();
    const watched = [rig.watch(), rig.watch(), rig.watch()];
    await rig.clock.pass(1);
    expect(rig.world.reads).toBe(1);
    for (let value = 1; value <= 100; value++) {
      await rig.become(value);
    }
    expect(rig.world.reads).toBeLessThanOrEqual(102);
    for (const { words } of watched) expect(words()).toEqual(watched[0]?.words());
  });

  test('finds by polling a change without a signal', async () => {
    const rig = stateRig();
    const one = rig.watch();
    await rig.clock.pass(1);
    rig.world.value = 9;
    await rig.clock.pass(POLL_MS + SPACING_MS);
    expect(one.words()).toEqual(['=0', '+9']);
  });

  test('continues after a cursor, even if nobody was subscribed for a while', async () => {
    const rig = stateRig();
    const one = rig.watch();
    await rig.clock.pass(1);
    await rig.become(1);
    const seen = one.told.at(-1)?.cursor ?? '';
    one.stop();
    await rig.become(3);
    await rig.become(6);
    expect(rig.watch(seen).words()).toEqual(['+2', '+3']);
  });

  test('sends a resync and a snapshot for a cursor that it does not hold: unknown, of an earlier life, too old or in the future', async () => {
    const rig = stateRig();
    const one = rig.watch();
    await rig.clock.pass(1);
    for (let value = 1; value <= 300; value++) await rig.become(value);
    const [first] = one.told;
    for (const cursor of ['', 'nobody.1', 'life0.1', first?.cursor ?? '', 'life1.zzz', 'life1', 'life1.-1']) {
      expect(rig.watch(cursor).words()).toEqual(['CURSOR_NOT_HELD', '=300']);
    }
  });

  test('sends a slow client a resync and a snapshot', async () => {
    const rig = stateRig();
    const { channel } = rig.watch();
    await rig.clock.pass(1);
    expect(channel.catchUp().map(word)).toEqual(['OVERFLOW', '=0']);
  });

  test('reports an unavailable source, and sends the current state when it is back', async () => {
    const rig = stateRig();
    const one = rig.watch();
    await rig.clock.pass(1);
    rig.world.isAway = true;
    await rig.clock.pass(3 * POLL_MS);
    const late = rig.watch();
    const returning = rig.watch(one.told[0]?.cursor);
    rig.world.isAway = false;
    rig.world.value = 5;
    await rig.clock.pass(POLL_MS + SPACING_MS);
    expect(one.words()).toEqual(['=0', 'SOURCE_UNAVAILABLE', '=5']);
    expect(late.words()).toEqual(['SOURCE_UNAVAILABLE', '=5']);
    expect(returning.words()).toEqual(['SOURCE_UNAVAILABLE', '=5']);
    // The cursor of that resync belongs to a time without a state.
    expect(rig.watch(one.told[1]?.cursor).words()).toEqual(['CURSOR_NOT_HELD', '=5']);
  });

  test('ends all subscriptions when the object is gone; a later subscriber starts a new life', async () => {
    const rig = stateRig();
    const [one, two] = [rig.watch(), rig.watch()];
    await rig.clock.pass(1);
    await rig.become(null);
    expect([one.isOver(), two.isOver(), rig.listening()]).toEqual([true, true, 0]);
    rig.world.value = 1;
    const late = rig.watch(one.told[0]?.cursor);
    await rig.clock.pass(1);
    expect(late.words()).toEqual(['CURSOR_NOT_HELD', '=1']);
  });

  test('costs nothing half a minute after the last subscriber left', async () => {
    const rig = stateRig();
    const one = rig.watch();
    await rig.clock.pass(1);
    one.stop();
    await rig.clock.pass(30_001);
    expect([rig.listening(), rig.clock.pending()]).toEqual([0, 0]);
  });

  test('stops following its source when it is closed', async () => {
    const rig = stateRig();
    rig.watch();
    await rig.clock.pass(1);
    rig.feed.close();
    expect([rig.listening(), rig.clock.pending()]).toEqual([0, 0]);
  });
});
