import { describe, expect, test } from '@jest/globals';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import { watch } from '#platform/feeds/fan-out.ts';
import { capacityFeed } from '#monitoring/presence.ts';
import { manualClock } from '#test/support/manual-clock.ts';

/** A fake registry whose capacity the test sets; `asked` lists the queries. */
function capacityRig() {
  const clock = manualClock();
  const registry = { used: 0, total: 0, waiting: 0 };
  const mine = new Map<number | null, number>();
  const rig = { asked: [] as (number | null)[][], isAway: false };
  const monitors = {
    capacities: async (userIds: readonly (number | null)[]) => {
      rig.asked.push([...userIds]);
      if (rig.isAway) throw new CalloutError('CACHE_UNAVAILABLE', '共享缓存暂不可用，请稍后重试');
      return userIds.map(userId => ({ ...registry, mine: mine.get(userId) ?? 0 }));
    },
  };
  const feed = capacityFeed({ monitors, clock, ids: () => 'life', log: silentLog });
  const follow = (userId: number | null) => {
    const told: string[] = [];
    const stop = watch(feed.channel(userId), event => {
      const capacity = event.kind === 'resync' ? null : event.kind === 'snapshot' ? event.state : event.change;
      told.push(capacity ? `${capacity.mine} ${capacity.used}/${capacity.total} ${capacity.waiting}` : 'resync');
    });
    return { told, stop };
  };
  return Object.assign(rig, { clock, registry, mine, feed, follow });
}

describe("the feed of the monitors' capacity [D9.2, D10]", () => {
  test('sends the current capacity, then each change, to each user with their own share', async () => {
    const { clock, registry, mine, follow } = capacityRig();
    mine.set(7, 5);
    registry.total = 5;
    const [anna, boss] = [follow(7), follow(null)];
    await clock.pass(100);
    expect([anna.told, boss.told]).toEqual([['5 0/5 0'], ['0 0/5 0']]);
    registry.used = 2;
    await clock.pass(3_000);
    expect([anna.told, boss.told]).toEqual([
      ['5 0/5 0', '5 2/5 0'],
      ['0 0/5 0', '0 2/5 0'],
    ]);
    mine.set(7, 0);
    await clock.pass(1_000);
    expect([anna.told.at(-1), boss.told.at(-1)]).toEqual(['0 2/5 0', '0 2/5 0']);
    expect(boss.told).toHaveLength(2);
  });

  test('queries once for all subscribers that join together, then once a second', async () => {
    const { clock, asked, follow } = capacityRig();
    const followers = [follow(7), follow(8), follow(7)];
    await clock.pass(100);
    expect(asked).toEqual([[7, 8]]);
    expect(followers.every(({ told }) => told.length === 1)).toBe(true);
    await clock.pass(10_000);
    expect(asked).toHaveLength(11);
  });

  test('serves a new subscriber without waiting for the next round', async () => {
    const { clock, follow } = capacityRig();
    follow(7);
    await clock.pass(200);
    const late = follow(8);
    await clock.pass(100);
    expect(late.told).toHaveLength(1);
  });

  test('queries only while it has subscribers', async () => {
    const rig = capacityRig();
    const { stop } = rig.follow(7);
    await rig.clock.pass(100);
    stop();
    await rig.clock.pass(5_000);
    expect([rig.asked.length, rig.clock.pending()]).toEqual([1, 0]);
    const again = rig.follow(7);
    await rig.clock.pass(100);
    expect(again.told).toHaveLength(1);
    rig.feed.close();
    expect(rig.clock.pending()).toBe(0);
  });

  test('continues when the registry is back', async () => {
    const rig = capacityRig();
    rig.isAway = true;
    const { told } = rig.follow(7);
    await rig.clock.pass(2_000);
    expect(told).toEqual([]);
    rig.isAway = false;
    await rig.clock.pass(1_000);
    expect(told).toHaveLength(1);
  });
});
