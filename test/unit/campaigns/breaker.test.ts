import { BREAKER_DEFAULTS } from '#platform/config/defaults.ts';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  afterEnds,
  beginProbe,
  type Breaker,
  dialsAllowed,
  CLOSED_BREAKER,
  type DialEnd,
  newSilentLines,
  silentLinesAt,
} from '#campaigns/decisions/breaker.ts';

const SETTINGS = BREAKER_DEFAULTS;
const AT = 1_000_000;
const CONGESTED = 'NORMAL_CIRCUIT_CONGESTION';

let sequence = 0;
const ends = (outcome: DialEnd['outcome'], count: number, cause: string | null = outcome === 'failed' ? CONGESTED : null): DialEnd[] =>
  Array.from({ length: count }, () => ({ requestId: `r${sequence++}`, outcome, cause }));

const after = (breaker: Breaker, list: readonly DialEnd[], at = AT) => afterEnds(breaker, list, at, SETTINGS);
const opened = (at = AT) => after(CLOSED_BREAKER, ends('failed', 20), at);

describe('the breaker on network failures', () => {
  test('opens when half of 20 dials failed, and not before', () => {
    const nineteen = after(CLOSED_BREAKER, [...ends('reached', 9), ...ends('failed', 10)]);
    expect(nineteen.kind).toBe('closed');
    expect(after(nineteen, ends('reached', 1)).kind).toBe('open');
    expect(after(nineteen, ends('reached', 2)).kind).toBe('closed');
    expect(after(CLOSED_BREAKER, [...ends('reached', 11), ...ends('failed', 9)]).kind).toBe('closed');
  });

  test('reports the causes, the most frequent first', () => {
    const breaker = after(CLOSED_BREAKER, [...ends('failed', 4, 'GATEWAY_DOWN'), ...ends('failed', 10), ...ends('reached', 6)]);
    expect(dialsAllowed(breaker, AT, SETTINGS)).toBe(0);
    expect(breaker).toMatchObject({ kind: 'open', until: AT + 30_000, report: { dials: 20, failures: 14 } });
    expect(breaker.kind === 'open' && Object.entries(breaker.report.causes)).toEqual([
      [CONGESTED, 10],
      ['GATEWAY_DOWN', 4],
    ]);
  });

  test('counts only the last 120 s', () => {
    const early = after(CLOSED_BREAKER, ends('failed', 15));
    expect(after(early, ends('failed', 5), AT + 119_999).kind).toBe('open');
    expect(after(early, ends('failed', 5), AT + 120_000).kind).toBe('closed');
  });

  test('stores a bounded number of periods and causes, however long it runs', () => {
    let breaker = CLOSED_BREAKER;
    for (let index = 0; index < 2_000; index++) {
      breaker = after(breaker, [...ends('reached', 3), ...ends('failed', 1, `CAUSE_${index}`)], AT + index * 777);
    }
    expect(breaker.kind === 'closed' && breaker.periods.length).toBeLessThanOrEqual(12);
    expect(JSON.stringify(breaker).length).toBeLessThan(10_000);
  });

  test('ignores dials that were never sent', () => {
    expect(after(CLOSED_BREAKER, ends('void', 50))).toBe(CLOSED_BREAKER);
  });
});

describe('the breaker on local failures', () => {
  const local = (count: number, cause = 'GATEWAY_DOWN'): DialEnd[] => ends('failed', count, cause).map(end => ({ ...end, isLocal: true }));

  test('opens at the third in a row, whether they were counted together or one by one', () => {
    const two = after(CLOSED_BREAKER, local(2));
    expect(two.kind).toBe('closed');
    const third = after(two, local(1), AT + 50_000);
    expect(third).toMatchObject({ kind: 'open', openedAt: AT + 50_000, until: AT + 80_000, report: { failures: 3 } });
    expect(after(CLOSED_BREAKER, local(3)).kind).toBe('open');
  });

  test.each(['reached', 'failed'] as const)('starts counting afresh after a dial that was sent and %s', outcome => {
    const breaker = after(CLOSED_BREAKER, [...local(2), ...ends(outcome, 1), ...local(2)]);
    expect(breaker.kind).toBe('closed');
    expect(after(after(breaker, ends(outcome, 1)), local(2)).kind).toBe('closed');
    expect(after(breaker, local(1)).kind).toBe('open');
  });

  test('ignores a dial that was not sent, without starting afresh', () => {
    expect(after(CLOSED_BREAKER, [...local(2), ...ends('void', 5)]).kind).toBe('closed');
    expect(after(CLOSED_BREAKER, [...local(2), ...ends('void', 5), ...local(1)]).kind).toBe('open');
  });

  test('accepts a stored state from before rows of failures were counted', () => {
    expect(after({ kind: 'closed', periods: [] }, local(3)).kind).toBe('open');
  });

  test('closes after a probe reached customers, and starts counting afresh', () => {
    const probing = beginProbe(after(CLOSED_BREAKER, local(3)), { requestIds: ['a', 'b'], until: AT + 150_000 });
    const closed = after(probing, [
      { requestId: 'a', outcome: 'reached', cause: null },
      { requestId: 'b', outcome: 'reached', cause: null },
    ]);
    expect(closed).toEqual(CLOSED_BREAKER);
    expect(after(closed, local(2)).kind).toBe('closed');
  });
});

describe('the breaker on dials without any response of the line [D7.1]', () => {
  const over = (lineId: number, list: readonly DialEnd[]) => list.map(end => ({ ...end, lineId }));
  test('names the line of a dead gateway whose calls open it [D7.1]', () => {
    const dead = over(1, ends('failed', 3, 'GATEWAY_DOWN')).map(end => ({ ...end, isLocal: true, isSilent: true }));
    expect(newSilentLines(CLOSED_BREAKER, dead)).toEqual([1]);
    expect(after(CLOSED_BREAKER, dead).kind).toBe('open');
    expect(newSilentLines(CLOSED_BREAKER, dead.slice(1))).toEqual([]);
    expect(
      newSilentLines(
        CLOSED_BREAKER,
        dead.map(end => ({ ...end, isSilent: false })),
      ),
    ).toEqual([]);
  });

  const silent = (count: number, lineId = 1) => over(lineId, ends('failed', count, 'NO_ANSWER')).map(end => ({ ...end, isSilent: true }));

  test('opens at the fifth in a row and names the line', () => {
    const four = after(CLOSED_BREAKER, silent(4));
    expect(four.kind).toBe('closed');
    expect(newSilentLines(CLOSED_BREAKER, silent(4))).toEqual([]);
    expect(newSilentLines(four, silent(1))).toEqual([1]);
    expect(after(four, silent(1))).toMatchObject({ kind: 'open', report: { failures: 5, silentLines: [1] } });
  });

  test.each([
    ['rings', ends('reached', 1, 'NO_ANSWER')],
    ['is refused by the far end', ends('failed', 1)],
  ])('starts counting afresh after a dial that %s', (_what, shown) => {
    const breaker = after(CLOSED_BREAKER, [...silent(4), ...over(1, shown), ...silent(4)]);
    expect(breaker.kind).toBe('closed');
    expect(after(breaker, silent(1)).kind).toBe('open');
  });

  test('stays closed while another line reaches customers, and reports the silent line once', () => {
    const alive = over(2, ends('reached', 20));
    const breaker = after(CLOSED_BREAKER, [...alive, ...silent(5)]);
    expect(breaker.kind).toBe('closed');
    expect(newSilentLines(CLOSED_BREAKER, [...alive, ...silent(5)])).toEqual([1]);
    expect(newSilentLines(breaker, silent(1))).toEqual([]);
    expect(after(breaker, silent(4, 2)).kind).toBe('closed');
    expect(after(breaker, silent(5, 2))).toMatchObject({ kind: 'open', report: { silentLines: [1, 2] } });
  });

  test('a silent line rests while another works, longer after each silent try, and no more once it has rung [D7.1]', () => {
    const alive = over(2, ends('reached', 20));
    const first = after(CLOSED_BREAKER, [...alive, ...silent(5)]);
    expect(silentLinesAt(first, AT + 29_999)).toEqual({ silent: new Set([1]), resting: new Set([1]) });
    expect(silentLinesAt(first, AT + 30_000)).toEqual({ silent: new Set([1]), resting: new Set() });
    // Calls that were under way when its rest began do not prolong it.
    expect(silentLinesAt(after(first, silent(3), AT + 5_000), AT + 30_000).resting.size).toBe(0);
    const again = after(first, silent(2), AT + 31_000);
    expect(silentLinesAt(again, AT + 90_999).resting.has(1)).toBe(true);
    expect(silentLinesAt(again, AT + 91_000).resting.has(1)).toBe(false);
    const back = after(again, over(1, ends('reached', 1)), AT + 92_000);
    expect(silentLinesAt(back, AT + 92_000)).toEqual({ silent: new Set(), resting: new Set() });
    expect(silentLinesAt(null, AT).silent.size).toBe(0);
  });

  test('ignores a dial that was not sent, without starting afresh', () => {
    expect(after(CLOSED_BREAKER, [...silent(4), ...over(1, ends('void', 3))]).kind).toBe('closed');
    expect(after(CLOSED_BREAKER, [...silent(4), ...over(1, ends('void', 3)), ...silent(1)]).kind).toBe('open');
  });
});

describe('a probe of the breaker', () => {
  const probing = (breaker: Breaker, ids: readonly string[], at: number) =>
    beginProbe(breaker, { requestIds: ids, until: at + SETTINGS.windowMs });
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const end = (requestId: string, outcome: DialEnd['outcome']): DialEnd => ({ requestId, outcome, cause: CONGESTED });

  test('is due after the pause, with a few dials', () => {
    expect(dialsAllowed(opened(), AT + 29_999, SETTINGS)).toBe(0);
    expect(dialsAllowed(opened(), AT + 30_000, SETTINGS)).toBe(5);
  });

  test('lets no other dial through while it runs', () => {
    expect(dialsAllowed(probing(opened(), ids, AT + 30_000), AT + 30_001, SETTINGS)).toBe(0);
  });

  test('closes the breaker when most of its dials reach a customer', () => {
    const breaker = after(probing(opened(), ids, AT + 30_000), [end('a', 'reached'), end('b', 'failed'), end('c', 'reached')]);
    expect(breaker.kind).toBe('probing');
    expect(after(breaker, [end('d', 'reached')])).toEqual(CLOSED_BREAKER);
  });

  test('doubles the pause up to its limit when it fails', () => {
    let breaker: Breaker = opened();
    let at = AT;
    const pauses: number[] = [];
    for (let round = 0; round < 7; round++) {
      at = breaker.kind === 'open' ? breaker.until : at;
      breaker = after(
        probing(breaker, ids, at),
        ids.slice(0, 3).map(id => end(id, 'failed')),
        at,
      );
      pauses.push(breaker.kind === 'open' ? breaker.until - at : NaN);
    }
    expect(pauses).toEqual([60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000]);
  });

  test('counts only its own dials, not earlier ones', () => {
    const breaker = probing(opened(), ids, AT + 30_000);
    expect(after(breaker, ends('reached', 50))).toBe(breaker);
    expect(after(opened(), ends('reached', 50)).kind).toBe('open');
  });

  test('is repeated at once if none of its dials was sent', () => {
    const breaker = after(
      probing(opened(), ['a'], AT + 30_000),
      ids.map(id => end(id, 'void')),
      AT + 30_010,
    );
    expect(dialsAllowed(breaker, AT + 30_010, SETTINGS)).toBe(5);
  });

  test('is repeated after the window if it gets no result', () => {
    const breaker = probing(opened(), ids, AT + 30_000);
    expect(dialsAllowed(breaker, AT + 149_999, SETTINGS)).toBe(0);
    expect(dialsAllowed(breaker, AT + 150_000, SETTINGS)).toBe(5);
  });
});

test('whatever happens, a campaign is never blocked permanently', () => {
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 100_000 }),
    failed: fc.integer({ min: 0, max: 30 }),
    reached: fc.integer({ min: 0, max: 10 }),
    probes: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      let breaker = CLOSED_BREAKER;
      let at = AT;
      for (const { waitMs, failed, reached, probes } of steps) {
        at += waitMs;
        const list = [...ends('failed', failed), ...ends('reached', reached)];
        const requestIds = list.slice(0, 5).map(({ requestId }) => requestId);
        if (probes && requestIds.length > 0 && dialsAllowed(breaker, at, SETTINGS) === 5)
          breaker = beginProbe(breaker, { requestIds, until: at + SETTINGS.windowMs });
        breaker = after(breaker, list, at);
        if (breaker.kind !== 'closed') expect(breaker.until).toBeLessThanOrEqual(at + SETTINGS.longestPauseMs);
      }
    }),
  );
});
