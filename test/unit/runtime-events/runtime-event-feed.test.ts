import { describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { type RuntimeEventsEvent, startRuntimeEventFeed } from '#runtime-events/runtime-event-feed.ts';
import type { RuntimeEvent } from '#runtime-events/runtime-event.ts';
import type { RuntimeEventChange, RuntimeEventSignals } from '#runtime-events/runtime-event-store.ts';

describe('runtime event feed', () => {
  test('sends every listener each change once, in order, from one read [A1.5]', async () => {
    const { feed, table } = await givenFeed([1, 2]);
    const [a, b] = [listen(feed, 2), listen(feed, 2)];
    const reads = table.reads;
    await table.record(3, 4);
    expect(a.told).toEqual([3, 4]);
    expect(b.told).toEqual([3, 4]);
    expect(a.changes[0]).toBe(b.changes[0]);
    expect(table.reads - reads).toBe(1);
  });

  test('replays what a client missed, then continues live without gap or duplicate [D10]', async () => {
    const { feed, table } = await givenFeed([1, 2, 3, 4]);
    const client = listen(feed, 2);
    await table.record(5);
    expect(client.told).toEqual([3, 4, 5]);
    expect(client.snapshots).toEqual([]);
  });

  test('gives a first-time client the newest events, newest first [D10]', async () => {
    const { feed } = await givenFeed(numbers(1, 80));
    const client = listen(feed, null);
    expect(client.told).toEqual([]);
    expect(client.snapshots.map(({ told, position }) => ({ told, position }))).toEqual([{ told: false, position: 80 }]);
    expect(client.snapshots[0]?.ids).toEqual(numbers(31, 80).toReversed());
  });

  test('resynchronises a client whose position is no longer held [D10]', async () => {
    const { feed, table } = await givenFeed(numbers(1, 1_500));
    const client = listen(feed, 100);
    expect(client.snapshots.map(({ told }) => told)).toEqual([true]);
    await table.record(1_501);
    expect(client.told).toEqual([1_501]);
  });

  test('resynchronises a client whose position is unknown [D10]', async () => {
    const { feed } = await givenFeed([1, 2]);
    expect(listen(feed, 99).snapshots.map(({ told }) => told)).toEqual([true]);
  });

  test('resynchronises all clients when an event becomes visible after a later one', async () => {
    const { feed, table } = await givenFeed([1]);
    const client = listen(feed, 1);
    await table.record(3);
    await table.record(2);
    expect(client.told).toEqual([3]);
    expect(client.snapshots.map(({ told, ids }) => ({ told, ids }))).toEqual([{ told: true, ids: [3, 2, 1] }]);
  });

  test('resynchronises a client that was away when an event became visible before its position [I8]', async () => {
    const { feed, table } = await givenFeed([1]);
    await table.record(3);
    await table.record(2);
    await table.record(4);
    expect(listen(feed, 3).snapshots.map(({ told }) => told)).toEqual([true]);
    expect(listen(feed, 1).told).toEqual([2, 3, 4]);
    expect(listen(feed, 4).snapshots).toEqual([]);
  });

  test('shows an acknowledgement in the snapshot of later clients', async () => {
    const { feed, table } = await givenFeed([1]);
    await table.acknowledge(1, 2);
    expect(listen(feed, null).acknowledged).toEqual([[1, 20]]);
  });

  test('finds by polling an event without a signal', async () => {
    const { feed, table, clock } = await givenFeed([1]);
    const client = listen(feed, 1);
    table.recordSilently(2);
    await clock.pass(5_000);
    expect(client.told).toEqual([2]);
  });

  test('keeps reading after a failed read', async () => {
    const { feed, table, clock } = await givenFeed([1]);
    const client = listen(feed, 1);
    table.fail = true;
    await table.record(2);
    expect(client.told).toEqual([]);
    table.fail = false;
    await clock.pass(5_000);
    expect(client.told).toEqual([2]);
  });

  test('sends nothing after the listener stopped', async () => {
    const { feed, table } = await givenFeed([]);
    const client = listen(feed, 0);
    client.stop();
    await table.record(1);
    expect(client.told).toEqual([]);
  });
});

async function givenFeed(positions: readonly number[]) {
  const table = eventTable();
  const clock = manualClock();
  table.recordSilently(...positions);
  const feed = await startRuntimeEventFeed({ events: table, signals: table.signals, clock, ids: () => 'life', log: silentLog });
  return { feed, table, clock };
}

function eventTable() {
  const signals = localRuntimeEventSignals();
  let changes: RuntimeEventChange[] = [];
  const add = (change: RuntimeEventChange) => {
    changes = [...changes, change].sort((a, b) => a.position - b.position);
  };
  return {
    signals,
    fail: false,
    reads: 0,
    async changesAfter(position: number, limit: number) {
      this.reads += 1;
      if (this.fail) throw new Error('no database');
      return changes.filter(change => change.position > position).slice(0, limit);
    },
    lastPosition: async () => changes.at(-1)?.position ?? 0,
    recordSilently: (...positions: number[]) => {
      for (const position of positions) add({ position, kind: 'recorded', event: eventOf(position, null) });
    },
    async record(...positions: number[]) {
      this.recordSilently(...positions);
      signals.publish();
      await settled();
    },
    async acknowledge(id: number, position: number) {
      add({ position, kind: 'acknowledged', event: eventOf(id, position * 10) });
      signals.publish();
      await settled();
    },
  };
}

function listen(feed: Awaited<ReturnType<typeof startRuntimeEventFeed>>, position: number | null) {
  const changes: RuntimeEventChange[] = [];
  const seen: { events: readonly RuntimeEvent[]; cursor: string; told: boolean }[] = [];
  let isLost = false;
  const next = (event: RuntimeEventsEvent) => {
    if (event.kind === 'change') changes.push(event.change);
    if (event.kind === 'snapshot') seen.push({ events: event.state, cursor: event.cursor, told: isLost });
    isLost = event.kind === 'resync';
  };
  const channel = feed.channel();
  channel.since(position === null ? null : String(position)).forEach(next);
  const stop = channel.follow(next, () => undefined);
  return {
    changes,
    stop,
    get told() {
      return changes.map(change => change.position);
    },
    get snapshots() {
      return seen.map(({ events, cursor, told }) => ({ told, position: Number(cursor), ids: events.map(({ id }) => id) }));
    },
    get acknowledged() {
      return seen.flatMap(({ events }) => events.map(event => [event.id, event.acknowledgedAt]));
    },
  };
}

function eventOf(id: number, acknowledgedAt: number | null): RuntimeEvent {
  return {
    id,
    level: 'info',
    type: 'campaign.started',
    title: '活动已启动',
    message: '',
    campaignId: null,
    attemptId: null,
    cellId: null,
    detail: null,
    acknowledgedAt,
    acknowledgedBy: null,
    createdAt: 0,
    updatedAt: 0,
  };
}

function manualClock(): Clock & { pass(ms: number): Promise<void> } {
  let now = 0;
  let tasks: { at: number; task: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    schedule(delayMs, task) {
      const entry = { at: now + delayMs, task };
      tasks.push(entry);
      return () => {
        tasks = tasks.filter(other => other !== entry);
      };
    },
    async pass(ms) {
      now += ms;
      const due = tasks.filter(({ at }) => at <= now);
      tasks = tasks.filter(({ at }) => at > now);
      for (const { task } of due) task();
      await settled();
    },
  };
}

/** Waits for the feed's reads, which take only a few promise turns. */
async function settled(): Promise<void> {
  await setImmediate();
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Signals within one process; other instances learn of new events when their feed polls. */
function localRuntimeEventSignals(): RuntimeEventSignals {
  const listeners = new Set<() => void>();
  return {
    publish() {
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}
