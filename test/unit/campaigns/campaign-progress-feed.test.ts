import { describe, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import type { FeedEvent } from '#platform/feeds/feed.ts';
import { type CampaignProgress, campaignProgressFeed } from '#campaigns/progress.ts';
import type { LiveDelta } from '#platform/feeds/live-deltas.ts';
import { manualClock } from '#test/support/manual-clock.ts';

function progressOf(campaignId: number, completed = 0): CampaignProgress {
  const counts = { total: 10, pending: 10 - completed, submitted: 0, completed, failed: 0, paused: 0, awaitingRetry: 0, held: 0 };
  return {
    campaignId,
    status: 'running',
    phase: 'DISPATCHING',
    phaseReason: null,
    phaseCause: null,
    phaseSince: null,
    nextWakeAt: null,
    ...counts,
    activeCalls: 0,
  };
}

function progressRig() {
  const clock = manualClock();
  const rows = new Map([1, 2, 3].map(id => [id, progressOf(id)]));
  const asked: number[][] = [];
  const listeners = new Set<(delta: LiveDelta) => void>();
  let isAway = false;
  const readProgress = async (ids: readonly number[]) => {
    asked.push([...ids]);
    if (isAway) throw new Error('no database');
    return ids.flatMap(id => rows.get(id) ?? []);
  };
  const deltas = {
    subscribe: (listener: (delta: LiveDelta) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const feed = campaignProgressFeed({ readProgress, deltas, clock, ids: () => 'life', log: silentLog });
  return {
    clock,
    feed,
    asked,
    rows,
    listening: () => listeners.size,
    away: (away: boolean) => (isAway = away),
    callChanged(campaignId: number, kind: LiveDelta['kind'] = 'call-changed') {
      for (const listener of listeners) listener({ requestId: 'a', campaignId, kind, version: 2, at: 0, data: {} });
    },
    watch(campaignId: number) {
      const told: (number | null)[] = [];
      const channel = feed.channel(campaignId);
      const next = (event: FeedEvent<CampaignProgress, CampaignProgress>) => {
        if (event.kind !== 'resync') told.push((event.kind === 'snapshot' ? event.state : event.change).completed);
      };
      const stop = channel.follow(next, () => told.push(null));
      channel.since(null).forEach(next);
      return { told, stop };
    },
  };
}

describe('the campaign progress feed', () => {
  test('sends the progress of a campaign at once, then each change', async () => {
    const rig = progressRig();
    const one = rig.watch(1);
    await rig.clock.pass(1);
    expect(one.told).toEqual([0]);
    rig.rows.set(1, progressOf(1, 3));
    rig.callChanged(1);
    await rig.clock.pass(250);
    expect(one.told).toEqual([0, 3]);
  });

  test('queries once for all subscribers, at most four times a second, all campaigns in one statement', async () => {
    const rig = progressRig();
    const watched = [rig.watch(1), rig.watch(1), rig.watch(2)];
    await rig.clock.pass(1);
    rig.asked.length = 0;
    for (let change = 0; change < 100; change++) {
      rig.rows.set(1, progressOf(1, change % 10));
      rig.rows.set(2, progressOf(2, change % 10));
      rig.callChanged(1);
      rig.callChanged(2);
      await rig.clock.pass(10);
    }
    expect(rig.asked.length).toBeLessThanOrEqual(4);
    expect(rig.asked.every(ids => ids.length === 2)).toBe(true);
    expect(watched[0]?.told).toEqual(watched[1]?.told);
  });

  test('covers several campaigns in one subscription without extra queries', async () => {
    const rig = progressRig();
    const told: unknown[] = [];
    const channel = rig.feed.channelOf([2, 1, 4, 1]);
    channel.follow(
      event => {
        if (event.kind === 'snapshot') told.push(event.state.map(({ campaignId }) => campaignId).sort((a, b) => a - b));
        if (event.kind === 'change') told.push([event.change.campaignId, event.change.progress?.completed]);
      },
      () => told.push('over'),
    );
    await rig.clock.pass(1);
    rig.watch(1);
    rig.rows.set(1, progressOf(1, 3));
    rig.callChanged(1);
    await rig.clock.pass(250);
    rig.rows.delete(2);
    rig.callChanged(2);
    await rig.clock.pass(250);
    expect(told).toEqual([
      [1, 2],
      [1, 3],
      [2, undefined],
    ]);
    expect(rig.asked).toEqual([[1, 2, 4], [1], [2]]);
  });

  test('ignores captions, which change no counts', async () => {
    const rig = progressRig();
    rig.watch(1);
    await rig.clock.pass(1);
    rig.callChanged(1, 'segment');
    rig.callChanged(2);
    await rig.clock.pass(500);
    expect(rig.asked).toEqual([[1]]);
  });

  test('finds by polling the changes that no call signals: imports, phases, pauses', async () => {
    const rig = progressRig();
    const { told } = rig.watch(1);
    await rig.clock.pass(1);
    rig.rows.set(1, progressOf(1, 7));
    await rig.clock.pass(1_300);
    expect(told).toEqual([0, 7]);
  });

  test('ends with the deletion of the campaign', async () => {
    const rig = progressRig();
    const { told } = rig.watch(1);
    await rig.clock.pass(1);
    rig.rows.delete(1);
    await rig.clock.pass(1_300);
    expect(told).toEqual([0, null]);
    expect(rig.listening()).toBe(0);
  });

  test('continues when the database is back', async () => {
    const rig = progressRig();
    rig.away(true);
    const { told } = rig.watch(1);
    await rig.clock.pass(2_000);
    expect(told).toEqual([]);
    rig.away(false);
    await rig.clock.pass(1_300);
    expect(told).toEqual([0]);
  });

  test('queries nothing without subscribers', async () => {
    const rig = progressRig();
    const { stop } = rig.watch(1);
    await rig.clock.pass(1);
    stop();
    // The feed stays current for a while, for clients that come back with a cursor.
    await rig.clock.pass(30_001);
    const asked = rig.asked.length;
    await rig.clock.pass(60_000);
    expect(rig.asked.length).toBe(asked);
    expect(rig.listening()).toBe(0);
  });
});
