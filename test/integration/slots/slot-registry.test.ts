import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import { type RegistryMaker, REGISTRIES } from '#test/support/stores/both-registries.ts';
import { slotIds as ids, slotRequest as ask } from '#test/support/slot-request.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Longer than any stall. */
const PRESENCE_MS = 3_600_000;

describe.each(Object.entries(REGISTRIES))('slot registry: %s', (_name, open) => {
  let registries: RegistryMaker;
  let registry: SlotRegistry;

  beforeAll(async () => {
    registries = await open();
  });
  afterAll(() => registries.close());
  beforeEach(async () => {
    registry = await registries.make();
  });

  describe('limits are one atomic step [A6 step 2, I1]', () => {
    test("grants up to the campaign's limit and returns what stopped the rest", async () => {
      const result = await registry.reserve(ask({ campaignMax: 3, requestIds: ids(5) }));
      expect(result.grants).toHaveLength(3);
      expect(result.refusal).toBe('campaign_full');
      expect(result.grants[0]).toMatchObject({ lineId: 7, number: '02100000000', cellId: 'cell-1' });
    });

    test.each([
      ['line_full', { lines: [{ lineId: 7, max: 2, mode: 'single_shared', numbers: [], sharedNumber: null }] }],
      ['cell_full', { cells: [{ cellId: 'cell-1', max: 2, maxPerSecond: 1_000 }] }],
      [
        'number_full',
        {
          lines: [
            {
              lineId: 7,
              max: 9,
              mode: 'number_pool',
              sharedNumber: null,
              numbers: [
                { number: '1', weight: 1, max: 1 },
                { number: '2', weight: 1, max: 1 },
              ],
            },
          ],
        },
      ],
    ] as const)('%s after two', async (refusal, limit) => {
      const result = await registry.reserve(ask({ ...limit, requestIds: ids(4) }));
      expect(result.grants).toHaveLength(2);
      expect(result.refusal).toBe(refusal);
    });

    test('no reachable cell is a reason of its own', async () => {
      expect(await registry.reserve(ask({ cells: [] }))).toEqual({
        grants: [],
        refusal: 'switch_unreachable',
        retryInMs: null,
        yieldTo: [],
      });
    });

    test('campaigns share the limit of a line; 40 concurrent requests never exceed it', async () => {
      const lines = [{ lineId: 7, max: 10, mode: 'single_shared' as const, numbers: [], sharedNumber: null }];
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) => registry.reserve(ask({ campaignId: index + 1, lines, requestIds: ids(2) }))),
      );
      expect(results.flatMap(result => result.grants)).toHaveLength(10);
      expect(
        await registry.usage([
          { kind: 'line', lineId: 7 },
          { kind: 'cell', cellId: 'cell-1' },
        ]),
      ).toEqual([10, 10]);
    });

    test('repeating a request with the same ids gives the same grants: a lost response costs no slot', async () => {
      const request = ask({ requestIds: ids(2) });
      const first = await registry.reserve(request);
      const second = await registry.reserve(request);
      expect(second.grants).toEqual(first.grants.map(grant => ({ ...grant, startsInMs: expect.any(Number) })));
      expect(await registry.usage([{ kind: 'campaign', campaignId: 1 }])).toEqual([2]);
    });
  });

  describe('choice', () => {
    test('number_pool rotates smoothly by weight [D4.3]', async () => {
      const numbers = [
        { number: 'a', weight: 3, max: 100 },
        { number: 'b', weight: 1, max: 100 },
      ];
      const { grants } = await registry.reserve(
        ask({ lines: [{ lineId: 7, max: 100, mode: 'number_pool', sharedNumber: null, numbers }], requestIds: ids(8) }),
      );
      expect(grants.map(grant => grant.number).join('')).toBe('aabaaaba');
    });

    test('a retry gets another number than its last one while one is free [D4.3]', async () => {
      const numbers = [
        { number: 'a', weight: 1_000, max: 2 },
        { number: 'b', weight: 1, max: 2 },
      ];
      const pool = [{ lineId: 7, max: 100, mode: 'number_pool' as const, sharedNumber: null, numbers }];
      const callers = [];
      for (const avoid of [['a'], ['a'], ['a'], ['a', 'b']]) {
        const { grants } = await registry.reserve(ask({ lines: pool, avoid, requestIds: ids(1) }));
        callers.push(grants[0]?.number);
      }
      expect(callers).toEqual(['b', 'b', 'a', 'a']);
    });

    test('the cell with the most capacity takes the next call', async () => {
      const cells = [
        { cellId: 'small', max: 2, maxPerSecond: 1_000 },
        { cellId: 'large', max: 4, maxPerSecond: 1_000 },
      ];
      const { grants } = await registry.reserve(ask({ cells, requestIds: ids(6) }));
      expect(grants.filter(grant => grant.cellId === 'large')).toHaveLength(4);
      expect(grants[0]?.cellId).toBe('large');
    });

    test('a full line leaves the call to the next one', async () => {
      const line = (lineId: number, max: number) => ({ lineId, max, mode: 'single_shared' as const, numbers: [], sharedNumber: null });
      const { grants } = await registry.reserve(ask({ lines: [line(1, 1), line(2, 1)], requestIds: ids(3) }));
      expect(grants.map(grant => grant.lineId).toSorted((a, b) => a - b)).toEqual([1, 2]);
    });
  });

  describe('pacing', () => {
    test('grants of one campaign start a call interval apart [D5.3 callIntervalMs]', async () => {
      const { grants } = await registry.reserve(ask({ callIntervalMs: 200, requestIds: ids(4) }));
      expect(grants.map(grant => grant.startsInMs)).toEqual([0, 200, 400, 600]);
    });

    test('beyond the horizon it returns when to request again', async () => {
      const { grants, refusal, retryInMs } = await registry.reserve(ask({ callIntervalMs: 6_000, requestIds: ids(4) }));
      expect(grants).toHaveLength(2);
      expect(refusal).toBe('interval');
      expect(retryInMs).toBeGreaterThan(0);
    });

    test('a confirmation before its start is early, and confirmations keep the interval', async () => {
      const request = ask({ callIntervalMs: 5_000, requestIds: ids(2) });
      await registry.reserve(request);
      const [first, second] = await registry.confirm(request.requestIds);
      expect(first?.outcome).toBe('confirmed');
      expect(second?.outcome).toBe('early');
      expect(second?.waitMs).toBeGreaterThan(4_000);
    });

    test('a cell never gets more than its originates per second, minus one; each may be 20 ms late [esl §5]', async () => {
      const { grants } = await registry.reserve(ask({ cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: 11 }], requestIds: ids(4) }));
      expect(grants.map(grant => grant.startsInMs)).toEqual([0, 103, 205, 307]);
    });
  });

  describe('the life of a reservation', () => {
    test('confirming twice is idempotent', async () => {
      const request = ask({});
      await registry.reserve(request);
      expect(await registry.confirm(request.requestIds)).toEqual(await registry.confirm(request.requestIds));
    });

    test('an expired reservation cannot be confirmed and is purged [A6 step 2]', async () => {
      const short = await registries.make(0);
      const request = ask({});
      await short.reserve(request);
      expect((await short.confirm(request.requestIds))[0]?.outcome).toBe('gone');
      expect(await short.purgeExpired(10)).toEqual(request.requestIds);
      expect(await short.usage([{ kind: 'campaign', campaignId: 1 }])).toEqual([0]);
    });

    test("a contact's next dial waits until the last one has released its slot: its channel may still exist [I2]", async () => {
      const [last, next] = [ask({}), ask({})];
      await registry.reserve(last);
      await registry.confirm(last.requestIds);
      await registry.reserve(next);
      const [nextId, lastId] = [next.requestIds[0] ?? '', last.requestIds[0] ?? ''];
      const [early] = await registry.confirm([nextId], { [nextId]: lastId });
      expect(early).toEqual({ requestId: nextId, outcome: 'early', waitMs: 1_000 });
      await registry.release([lastId]);
      await waitUntil('the start', async () => (await registry.confirm([nextId], { [nextId]: lastId }))[0]?.outcome === 'confirmed');
    });

    test('a confirmed slot outlives its lease', async () => {
      const short = await registries.make(200);
      const request = ask({});
      await short.reserve(request);
      await short.confirm(request.requestIds);
      const other = ask({});
      await short.reserve(other);
      await waitUntil('the lease to end', async () => (await short.purgeExpired(10)).length > 0);
      expect((await short.listHeld('0', 100)).held).toEqual([
        { requestId: request.requestIds[0], campaignId: 1, lineId: 7, number: null, cellId: 'cell-1' },
      ]);
    });

    test('releasing twice is idempotent [A1.4]', async () => {
      const request = ask({ requestIds: ids(2) });
      await registry.reserve(request);
      expect(await registry.release(request.requestIds)).toBe(2);
      expect(await registry.release(request.requestIds)).toBe(0);
      expect(
        await registry.usage([
          { kind: 'campaign', campaignId: 1 },
          { kind: 'line', lineId: 7 },
          { kind: 'cell', cellId: 'cell-1' },
        ]),
      ).toEqual([0, 0, 0]);
    });
  });

  describe('COLD [A3, A6 step 10]', () => {
    test('a wiped registry refuses until it is restored and opened; then its holders count', async () => {
      const request = ask({});
      await registry.reserve(request);
      await registries.wipe();
      expect(await registry.isCold()).toBe(true);
      expect((await registry.reserve(ask({}))).refusal).toBe('cold');
      expect((await registry.confirm(request.requestIds))[0]?.outcome).toBe('gone');
      const held = { requestId: randomUUID(), campaignId: 1, lineId: 7, number: '9', cellId: 'cell-1', needsMonitor: false };
      await registry.startRebuild('r');
      await registry.restore('r', [held, held]);
      expect(await registry.open('r')).toBe(true);
      expect(
        await registry.usage([
          { kind: 'campaign', campaignId: 1 },
          { kind: 'number', lineId: 7, number: '9' },
        ]),
      ).toEqual([1, 1]);
      expect((await registry.reserve(ask({ campaignMax: 1 }))).refusal).toBe('campaign_full');
    });

    test('a registry that is lost again during a rebuild is not opened half empty [I1]', async () => {
      const held = { requestId: randomUUID(), campaignId: 1, lineId: 7, number: null, cellId: 'cell-1', needsMonitor: false };
      await registries.wipe();
      await registry.startRebuild('first');
      await registry.restore('first', [held]);
      await registries.wipe();
      expect(await registry.open('first')).toBe(false);
      await registry.startRebuild('second');
      await registry.restore('first', [held]);
      expect(await registry.open('first')).toBe(false);
      expect(await registry.isCold()).toBe(true);
      expect(await registry.open('second')).toBe(true);
      expect(await registry.usage([{ kind: 'campaign', campaignId: 1 }])).toEqual([0]);
    });

    test('calls of strict campaigns count against the capacity of all of them after a loss too [OCS 4.12 rule 4]', async () => {
      const strict = (campaignId: number, wanted = 5) => registry.reserve(ask({ campaignId, needsMonitor: true, requestIds: ids(wanted) }));
      const join = () =>
        registries.monitors().beat({
          userId: 1,
          displayName: '',
          agentId: 1,
          cellId: null,
          capacity: 5,
          campaignId: null,
          tabId: 't',
          ttlMs: PRESENCE_MS,
        });
      await join();
      expect((await strict(1, 3)).grants).toHaveLength(3);
      await registries.wipe();
      await registry.startRebuild('r');
      await registry.restore(
        'r',
        ids(3).map(requestId => ({ requestId, campaignId: 1, lineId: 7, number: null, cellId: 'cell-1', needsMonitor: true })),
      );
      await registry.open('r');
      // No monitor is known before a heartbeat has come.
      expect(await strict(2)).toMatchObject({ grants: [], refusal: 'no_monitor' });
      await join();
      const other = await strict(2);
      expect(other.refusal).toBe('no_monitor');
      expect(other.grants).toHaveLength(2);
    });

    test('the present monitors are listed with their load, and none that has left [D9.4]', async () => {
      const monitors = registries.monitors();
      const join = (userId: number) =>
        monitors.beat({
          userId,
          displayName: `用户${userId}`,
          agentId: null,
          cellId: null,
          capacity: userId,
          campaignId: null,
          tabId: 't',
          ttlMs: PRESENCE_MS,
        });
      for (const userId of [3, 2, 1]) await join(userId);
      await monitors.leave(3);
      const call = { campaignId: 1, cellId: 'cell-1', priority: 0, hasIntent: false, isStrict: false };
      await monitors.offer({ ...call, requestId: randomUUID() });
      await monitors.offer({ ...call, requestId: randomUUID() });
      expect(await monitors.present()).toEqual([
        { userId: 1, displayName: '用户1', capacity: 1, watched: 1 },
        { userId: 2, displayName: '用户2', capacity: 2, watched: 1 },
      ]);
    });

    test('an open registry is never restored over', async () => {
      await registry.startRebuild('r');
      await registry.restore('r', [
        { requestId: randomUUID(), campaignId: 1, lineId: 7, number: null, cellId: 'cell-1', needsMonitor: false },
      ]);
      expect(await registry.usage([{ kind: 'campaign', campaignId: 1 }])).toEqual([0]);
    });
  });
});
