import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ReserveRequest, SlotLine, SlotNumber, SlotRegistry } from '#slots/slot-registry.ts';
import { type RegistryMaker, REGISTRIES } from '#test/support/stores/both-registries.ts';
import { slotIds as ids, slotRequest as ask } from '#test/support/slot-request.ts';
import { waitUntil } from '#test/support/wait-until.ts';

describe.each(Object.entries(REGISTRIES))('caller numbers in the slot registry: %s', (_name, open) => {
  let registries: RegistryMaker;
  let registry: SlotRegistry;

  beforeAll(async () => {
    registries = await open();
  });
  afterAll(() => registries.close());
  beforeEach(async () => {
    registry = await registries.make();
  });

  const DAY_MS = 86_400_000;
  const days = () => [-1, 0, 1].map(day => Date.now() - 3_600_000 + day * DAY_MS);
  const pool = (...numbers: SlotNumber[]) => [{ lineId: 7, max: 100, mode: 'number_pool' as const, sharedNumber: null, numbers }];
  const number = (name: string, fields: Partial<SlotNumber> = {}): SlotNumber => ({ number: name, weight: 1, max: 100, ...fields });
  const picked = async (lines: SlotLine[], request: Partial<ReserveRequest>) =>
    (await registry.reserve(ask({ lines, days: days(), ...request }))).grants.map(grant => grant.number).join('');

  test('the one that reached the person comes first, then the city, then the province, then another than last time [D4.8]', async () => {
    const lines = pool(number('a', { city: '广州市', province: '广东省' }), number('b', { province: '广东省' }), number('c'), number('d'));
    const place = { city: '广州市', province: '广东省' };
    const cases = [
      [{ keep: 'c', ...place }, null, 'c'],
      [place, null, 'a'],
      [{ city: '深圳市', province: '广东省' }, null, '[ab]'],
      [{ city: '深圳市', province: '广东省' }, 'a', 'b'],
      [place, 'a', 'a'],
      [null, 'c', '[abd]'],
      [{ keep: 'gone' }, 'd', '[abc]'],
    ] as const;
    for (const [wish, avoided, expected] of cases)
      expect(await picked(lines, { wishes: [wish], avoid: [avoided] })).toMatch(new RegExp(`^${expected}$`));
  });

  test('a line is chosen by its numbers, too: a retry that is dialled alone leaves over another line [D4.3]', async () => {
    const shared = (lineId: number, sharedNumber: string, max: number) => ({
      lineId,
      max,
      mode: 'single_shared' as const,
      numbers: [],
      sharedNumber,
    });
    expect(await picked([shared(1, 'x', 50), shared(2, 'y', 5)], { avoid: ['x'] })).toBe('y');
    expect(await picked([shared(1, 'x', 50), shared(2, 'y', 5)], { avoid: ['y'] })).toBe('x');
    expect(await picked([shared(1, 'x', 50)], { avoid: ['x'] })).toBe('x');
  });

  test('a bounded number dials only after its dials have been counted, and then up to its bound [D4.7]', async () => {
    const lines = pool(number('a', { bounds: { hour: 3 } }));
    const request = () => ask({ lines, days: days(), requestIds: ids(5) });
    expect(await registry.reserve(request())).toMatchObject({ grants: [], refusal: 'number_cap', uncounted: ['a'] });
    const at = Date.now() - 600_000;
    await registry.countDials(['a'], [{ requestId: ids(1)[0] ?? '', number: 'a', at }], lines);
    const reserved = await registry.reserve(request());
    expect(reserved).toMatchObject({ refusal: 'number_cap', grants: [{ number: 'a' }, { number: 'a' }] });
    // Two seconds while reserved dials may come back; then when the oldest is an hour old.
    expect((await registry.reserve(request())).retryInMs).toBeLessThanOrEqual(3_000_000);
    const granted = reserved.grants.map(({ requestId }) => requestId);
    await waitUntil('the starts', async () => (await registry.confirm(granted)).every(({ outcome }) => outcome === 'confirmed'));
    await registry.permit(reserved.grants.map(({ requestId }) => ({ requestId, withinMs: 1_000, missed: 0 })));
    await registry.release(reserved.grants.map(({ requestId }) => requestId));
    const full = await registry.reserve(request());
    expect(full).toMatchObject({ grants: [], refusal: 'number_cap' });
    expect(Math.abs((full.retryInMs ?? 0) - 3_000_000)).toBeLessThan(10_000);
  });

  test('a dial that was taken back does not count; telling dials twice changes nothing [D4.7]', async () => {
    const lines = pool(number('a', { bounds: { day: 2 } }));
    const request = () => ask({ lines, days: days(), requestIds: ids(2) });
    const told = [{ requestId: ids(1)[0] ?? '', number: 'a', at: Date.now() - 1_000 }];
    for (let times = 0; times < 3; times += 1) await registry.countDials(['a'], told, lines);
    const first = await registry.reserve(request());
    expect(first.grants).toHaveLength(1);
    await registry.release(first.grants.map(({ requestId }) => requestId));
    const second = await registry.reserve(request());
    expect(second.grants).toHaveLength(1);
    await registry.countDials(['a'], told, lines);
    expect((await registry.reserve(request())).grants).toHaveLength(0);
  });

  test('calls that hold a slot when a cap is new count, also after their end [D4.7]', async () => {
    const [open, capped] = [pool(number('a')), pool(number('a', { bounds: { hour: 2 } }))];
    const calls = await registry.reserve(ask({ lines: open, days: days(), requestIds: ids(2) }));
    const requestIds = calls.grants.map(({ requestId }) => requestId);
    await registry.confirm(requestIds);
    await registry.countDials(['a'], [], capped);
    await registry.release(requestIds);
    expect((await registry.reserve(ask({ lines: capped, days: days() }))).grants).toEqual([]);
  });

  test('rests after its dials for as long as its rule says, and while an operator has set it to rest [D4.7]', async () => {
    const lines = pool(number('a', { bounds: { restAfter: 2, restMs: 600_000 } }), number('b', { bounds: { restingMs: 1_200_000 } }));
    const ago = (...minutes: number[]) =>
      minutes.map(minute => ({ requestId: ids(1)[0] ?? '', number: 'a', at: Date.now() - minute * 60_000 }));
    await registry.countDials(['a'], ago(5, 30), lines);
    const once = await registry.reserve(ask({ lines, days: days(), requestIds: ids(2) }));
    expect(once.grants.map(grant => grant.number)).toEqual(['a']);
    registry = await registries.make();
    await registry.countDials(['a'], ago(4, 5, 30), lines);
    const { grants, refusal, retryInMs } = await registry.reserve(ask({ lines, days: days() }));
    expect([grants, refusal]).toEqual([[], 'number_cap']);
    expect(Math.abs((retryInMs ?? 0) - 360_000)).toBeLessThan(10_000);
    registry = await registries.make();
    await registry.countDials(['a'], ago(11, 12, 30), lines);
    expect((await registry.reserve(ask({ lines, days: days() }))).grants).toHaveLength(1);
  });

  test('a number that is only busy is waited for as before, and calls of people are not bounded [D4.7]', async () => {
    const lines = pool(number('a', { bounds: { hour: 1 } }), number('b', { max: 1 }));
    await registry.countDials(['a'], [{ requestId: ids(1)[0] ?? '', number: 'a', at: Date.now() }], lines);
    const { grants, refusal } = await registry.reserve(ask({ lines, days: days(), requestIds: ids(2) }));
    expect([grants.map(grant => grant.number), refusal]).toEqual([['b'], 'number_full']);
    expect((await registry.reserve(ask({ lines }))).grants).toHaveLength(1);
  });
});
