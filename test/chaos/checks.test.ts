import { describe, expect, test } from '@jest/globals';
import {
  afterFaults,
  bindingMs,
  dialledTwice,
  type EditedDial,
  exceededLimits,
  rateWithin,
  recoveryMs,
  type SeenChannel,
} from './checks.ts';
import type { Edit } from './edits.ts';

let nextUuid = 1;
const channel = (startedAt: number, endedAt: number | null, more: Partial<SeenChannel> = {}): SeenChannel => ({
  uuid: `u${nextUuid++}`,
  number: '13100000001',
  cell: 'cell-1',
  campaign: '1',
  caller: '021',
  startedAt,
  answeredAt: null,
  endedAt,
  ...more,
});

describe('violations found in the records of the switches', () => {
  test('one number on two cells at the same time [I2]', () => {
    expect(dialledTwice([channel(0, 100), channel(99, 200, { cell: 'cell-2' })])).toHaveLength(1);
    expect(dialledTwice([channel(0, 100), channel(100, 200)])).toEqual([]);
  });

  test('a channel without an end, beside a later one for the same number [I2]', () => {
    expect(dialledTwice([channel(0, null), channel(50_000, 50_100)])).toHaveLength(1);
  });

  test.each(['campaign', 'caller', 'cell'] as const)('one channel above the limit of a %s [I1]', by => {
    const channels = [channel(0, 100, { number: 'a' }), channel(10, 90, { number: 'b' })];
    const name = channels[0]?.[by] ?? '';
    expect(exceededLimits(channels, by, { [name]: 1 })).toHaveLength(1);
    expect(exceededLimits(channels, by, { [name]: 2 })).toEqual([]);
  });

  test('a silence that overlaps a fault counts from the end of the fault [I9]', () => {
    const silence = { startedAt: 10_000, endedAt: 30_000 };
    const fault = (startedAt: number, endedAt: number) => ({ startedAt, endedAt });
    expect(afterFaults(silence, [])).toBe(silence);
    expect(afterFaults(silence, [fault(1_000, 6_000), fault(31_000, 40_000)])).toBe(silence);
    expect(afterFaults(silence, [fault(5_000, 12_000), fault(9_000, 25_000)])).toEqual({ startedAt: 25_000, endedAt: 30_000 });
    expect(afterFaults(silence, [fault(20_000, 60_000)])).toEqual({ startedAt: 30_000, endedAt: 30_000 });
  });

  test('the last dial that an edit should have stopped, for its numbers and its time only [D8.6]', () => {
    const edit: Edit = { kind: 'policy', campaignId: 1, numbers: '1310', answeredAt: 1_000, liftedAt: 3_000 };
    const dial = (at: number, more: Partial<EditedDial> = {}) => ({ at, campaign: '1', number: '13100000001', ...more });
    const dials = [999, 1_200, 1_700, 3_500].map(at => dial(at));
    expect(bindingMs(edit, [...dials, dial(2_500, { number: '132' }), dial(2_500, { campaign: '2' })])).toBe(700);
    expect(bindingMs(edit, [])).toBe(0);
  });

  test('the recovery time is that of the slowest campaign', () => {
    const starts = new Map([
      ['1', [900, 1_100]],
      ['2', [950, 4_000]],
    ]);
    expect(recoveryMs({ startedAt: 800, endedAt: 1_000 }, starts, 9_000)).toBe(3_000);
    expect(recoveryMs({ startedAt: 800, endedAt: 1_000 }, starts, 3_999)).toBeNull();
  });

  test('dials per second within a span', () => {
    expect(rateWithin([0, 500, 999, 1_000], { startedAt: 0, endedAt: 1_000 })).toBe(3);
  });
});
