import { only } from '#test/support/only.ts';
import { describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import { createWithdrawals } from '#dialling/claim.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { DialStore } from '#dialling/dial-store.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';

function rig() {
  const world = { isDatabaseAway: false, isCacheAway: false, reverted: [] as string[], released: [] as string[] };
  const dials = {
    async revert(ids: readonly string[]) {
      if (world.isDatabaseAway) throw new CalloutError('DATABASE_UNAVAILABLE', '');
      world.reverted.push(...ids);
      return ids.length;
    },
  };
  const slots = {
    async release(ids: readonly string[]) {
      if (world.isCacheAway) throw new CalloutError('CACHE_UNAVAILABLE', '');
      world.released.push(...ids);
      return ids.length;
    },
  };
  const withdrawals = createWithdrawals({
    dials: only<DialStore>(dials),
    slots: only<SlotRegistry>(slots),
    clock: systemClock,
    log: silentLog,
  });
  const stopping = new AbortController();
  const running = withdrawals.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { world, withdrawals, stop };
}

const withdrawal = (...requestIds: string[]) => ({ requestIds, alsoDialing: true, reason: '未拨出' });

describe('dials that were certainly not sent [A6 steps 3 and 5]', () => {
  test('are withdrawn at once', async () => {
    const { world, withdrawals, stop } = rig();
    await withdrawals.withdraw(withdrawal('a', 'b'));
    expect(world).toMatchObject({ reverted: ['a', 'b'], released: ['a', 'b'] });
    await stop();
  });

  test('are remembered while the database is unavailable, and keep their slot until then', async () => {
    const { world, withdrawals, stop } = rig();
    world.isDatabaseAway = true;
    await withdrawals.withdraw(withdrawal('a'));
    expect(world.released).toEqual([]);
    world.isDatabaseAway = false;
    await waitUntil('the second try', () => world.released.includes('a'));
    expect(world.reverted).toEqual(['a']);
    await stop();
  });

  test('release their slot when the cache is back', async () => {
    const { world, withdrawals, stop } = rig();
    world.isCacheAway = true;
    await withdrawals.withdraw(withdrawal('a'));
    world.isCacheAway = false;
    await waitUntil('the second try', () => world.released.includes('a'));
    await stop();
  });
});
