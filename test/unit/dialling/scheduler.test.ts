import { describe, expect, test } from '@jest/globals';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import type { TurnOutcome } from '#dialling/turn.ts';
import { createScheduler } from '#dialling/scheduler.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { waitUntil } from '../../support/wait-until.ts';

const noBacklog = { lagMs: () => 0 };
const done: TurnOutcome = { dialling: Promise.resolve(), claimed: 0, goOn: false, isLockedOut: false };

function rig(
  turn: (campaignId: number) => Promise<TurnOutcome>,
  due: number[] = [],
  { backlog = noBacklog, clock = systemClock }: { backlog?: typeof noBacklog; clock?: Clock } = {},
) {
  const asked: { all: boolean }[] = [];
  const dials = {
    dueCampaigns: async (_limit: number, options: { all: boolean }) => {
      asked.push(options);
      return due.splice(0);
    },
  };
  const scheduler = createScheduler({ dials, backlog, clock, log: silentLog, turn });
  const stopping = new AbortController();
  const running = scheduler.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { scheduler, asked, stop };
}

describe('the scheduler runs turns [A6]', () => {
  test('of due campaigns, and of woken ones at once', async () => {
    const turns: number[] = [];
    const { scheduler, stop } = rig(
      async id => {
        turns.push(id);
        return done;
      },
      [1],
    );
    await waitUntil('the due one', () => turns.includes(1));
    scheduler.wake(2);
    await waitUntil('the woken one', () => turns.includes(2));
    await stop();
  });

  test('of woken campaigns without querying the due ones each time, and without delaying that query', async () => {
    const clock = manualClock();
    const turns: number[] = [];
    const due: number[] = [];
    const { scheduler, asked, stop } = rig(async id => (turns.push(id), done), due, { clock });
    await clock.pass(100);
    due.push(1);
    for (let wakes = 0; wakes < 3; wakes++) {
      scheduler.wake(2);
      await clock.pass(100);
    }
    expect({ turns, looks: asked.length }).toEqual({ turns: [2, 2, 2], looks: 1 });
    await clock.pass(100);
    expect({ turns, looks: asked.length }).toEqual({ turns: [2, 2, 2, 1], looks: 2 });
    await stop();
  });

  test('again while there is work and room', async () => {
    let left = 3;
    const { stop } = rig(async () => ({ ...done, goOn: --left > 0 }), [1]);
    await waitUntil('three turns', () => left === 0);
    await stop();
  });

  test('only after earlier claims have been dialled: a lagging instance claims nothing', async () => {
    const backlog = { lag: 300, lagMs: () => backlog.lag };
    let turns = 0;
    const { scheduler, asked, stop } = rig(async () => ((turns += 1), done), [1], { backlog });
    await waitUntil('the round', () => asked.length > 0);
    scheduler.wake(2);
    expect(turns).toBe(0);
    backlog.lag = 250;
    await waitUntil('both turns', () => turns === 2);
    await stop();
  });

  test('of waiting campaigns too when it wakes all', async () => {
    const { scheduler, asked, stop } = rig(async () => done);
    scheduler.wake(null);
    await waitUntil('a round over all', () => asked.some(({ all }) => all));
    await stop();
  });

  test('of every campaign when it wakes all, however many are running', async () => {
    const turns = new Set<number>();
    const dials = {
      dueCampaigns: async (limit: number, { all }: { all: boolean }) =>
        all ? Array.from({ length: Math.min(limit, 1_000) }, (_, index) => index + 1) : [],
    };
    const turn = async (id: number) => {
      turns.add(id);
      return done;
    };
    const scheduler = createScheduler({ dials, backlog: noBacklog, clock: systemClock, log: silentLog, turn });
    const stopping = new AbortController();
    const running = scheduler.run(stopping.signal);
    scheduler.wake(null);
    await waitUntil('every campaign', () => turns.size === 1_000);
    stopping.abort();
    await running;
  });

  test('of a campaign woken while too many dials are in progress', async () => {
    const dialling = Promise.withResolvers<void>();
    const turns: number[] = [];
    const { scheduler, stop } = rig(
      async id => {
        turns.push(id);
        return { ...done, claimed: 1, goOn: id === 1 && turns.length < 200, dialling: dialling.promise.then(() => undefined) };
      },
      [1],
    );
    await waitUntil('as many dials as there may be', () => turns.length === 200);
    scheduler.wake(2);
    await new Promise(resolve => setTimeout(resolve, 50));
    dialling.resolve();
    await waitUntil('the woken one', () => turns.includes(2), 5_000);
    await stop();
  });

  test('again after another instance held the lock, so a wake survives an instance that died in its turn', async () => {
    let turns = 0;
    const { scheduler, stop } = rig(async () => ({ ...done, isLockedOut: ++turns < 3 }));
    scheduler.wake(1);
    await waitUntil('the lock to be free', () => turns === 3);
    await stop();
    expect(turns).toBe(3);
  });

  test('of the other campaigns when one fails', async () => {
    const turns: number[] = [];
    const { stop } = rig(
      async id => {
        turns.push(id);
        if (id === 1) throw new Error('store away');
        return done;
      },
      [1, 2],
    );
    await waitUntil('both', () => turns.length === 2);
    await stop();
  });

  test('until it stops, which waits for dials in progress', async () => {
    const dialling = Promise.withResolvers<void>();
    let turns = 0;
    const { stop } = rig(async () => {
      turns += 1;
      return { ...done, claimed: 1, dialling: dialling.promise };
    }, [1]);
    await waitUntil('the turn', () => turns === 1);
    const order: string[] = [];
    const stopped = stop().then(() => order.push('stopped'));
    await new Promise(setImmediate);
    order.push('dialled');
    dialling.resolve();
    await stopped;
    expect(order).toEqual(['dialled', 'stopped']);
  });

  test('of one campaign only one at a time', async () => {
    let atOnce = 0;
    let most = 0;
    let turns = 0;
    const { scheduler, stop } = rig(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      turns += 1;
      return done;
    });
    for (let index = 0; index < 20; index++) scheduler.wake(1);
    await waitUntil('a turn', () => turns > 0);
    scheduler.wake(1);
    await waitUntil('another', () => turns > 1);
    await stop();
    expect(most).toBe(1);
  });

  test('of campaigns woken while the database was unavailable', async () => {
    const turns: number[] = [];
    const asked: boolean[] = [];
    let isAway = true;
    const dials = {
      dueCampaigns: async (_limit: number, { all }: { all: boolean }) => {
        asked.push(all);
        if (isAway) throw new Error('the database is away');
        return all ? [8] : [];
      },
    };
    const turn = async (id: number) => {
      turns.push(id);
      return done;
    };
    const scheduler = createScheduler({ dials, backlog: noBacklog, clock: systemClock, log: silentLog, turn });
    const stopping = new AbortController();
    const running = scheduler.run(stopping.signal);
    scheduler.wake(7);
    scheduler.wake(null);
    await waitUntil('a failed round with the wake', () => asked.includes(true));
    isAway = false;
    await waitUntil('both', () => turns.includes(7) && turns.includes(8));
    stopping.abort();
    await running;
  });

  test('again when the turn of a woken campaign failed', async () => {
    let tries = 0;
    const { scheduler, stop } = rig(async () => {
      tries += 1;
      if (tries === 1) throw new Error('the cache is away');
      return done;
    });
    scheduler.wake(5);
    await waitUntil('the second turn', () => tries === 2);
    await stop();
  });
});
