import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { decideWindow, prepareWindow } from '#policies/decisions/calling-window.ts';
import type { CallingWindow } from '#policies/decisions/calling-window.ts';
import { HOUR, local, MINUTE, NEW_YORK, SHANGHAI } from '#test/support/zones.ts';
import { NO_WINDOW } from '#test/support/no-window.ts';

const workday = (workdayStart: string | null, workdayEnd: string | null): CallingWindow => ({ ...NO_WINDOW, workdayStart, workdayEnd });

describe('workday window', () => {
  test('is half-open: open at the start, closed at the end [D5.3]', () => {
    const window = workday('09:00', '18:00');
    const opens = local(SHANGHAI, '2026-02-17T09:00');
    const closes = local(SHANGHAI, '2026-02-17T18:00');
    expect(decideWindow(window, opens - 1, [SHANGHAI])).toEqual({
      open: false,
      nextOpenAt: opens,
      closesAt: null,
      cause: 'outside_hours',
    });
    expect(decideWindow(window, opens, [SHANGHAI])).toEqual({ open: true, nextOpenAt: null, closesAt: closes, cause: null });
    expect(decideWindow(window, closes - 1, [SHANGHAI]).open).toBe(true);
    expect(decideWindow(window, closes, [SHANGHAI])).toMatchObject({ open: false, nextOpenAt: local(SHANGHAI, '2026-02-18T09:00') });
  });

  test('may cross midnight [D5.3]', () => {
    const window = workday('20:00', '02:00');
    expect(decideWindow(window, local(SHANGHAI, '2026-02-17T23:59'), [SHANGHAI]).closesAt).toBe(local(SHANGHAI, '2026-02-18T02:00'));
    expect(decideWindow(window, local(SHANGHAI, '2026-02-18T00:00'), [SHANGHAI]).open).toBe(true);
    expect(decideWindow(window, local(SHANGHAI, '2026-02-18T02:00'), [SHANGHAI]).nextOpenAt).toBe(local(SHANGHAI, '2026-02-18T20:00'));
  });

  test('an end of 24:00 means midnight, and 00:00 to 24:00 the whole day [D5.3]', () => {
    const midnight = local(SHANGHAI, '2026-02-18T00:00');
    expect(decideWindow(workday('22:00', '24:00'), midnight - 1, [SHANGHAI])).toMatchObject({ open: true, closesAt: midnight });
    expect(decideWindow(workday('22:00', '24:00'), midnight, [SHANGHAI])).toMatchObject({ open: false, nextOpenAt: midnight + 22 * HOUR });
    expect(decideWindow(workday('00:00', '24:00'), midnight, [SHANGHAI])).toEqual({
      open: true,
      nextOpenAt: null,
      closesAt: null,
      cause: null,
    });
  });

  test('no window at all means always open', () => {
    expect(decideWindow(NO_WINDOW, 0, [SHANGHAI])).toEqual({ open: true, nextOpenAt: null, closesAt: null, cause: null });
  });

  test('follows local time across a clock change', () => {
    const window = workday('02:30', '04:00');
    const jump = local(NEW_YORK, '2026-03-08T03:00');
    expect(decideWindow(window, jump - HOUR, [NEW_YORK]).nextOpenAt).toBe(jump);
    expect(decideWindow(window, jump, [NEW_YORK])).toMatchObject({ open: true, closesAt: jump + HOUR });
    const autumn = decideWindow(workday('00:30', '01:30'), local(NEW_YORK, '2026-11-01T01:00', 'later'), [NEW_YORK]);
    expect(autumn).toMatchObject({ open: true, closesAt: local(NEW_YORK, '2026-11-01T01:30', 'later') });
  });
});

describe('planned range', () => {
  const startsAt = local(SHANGHAI, '2026-02-17T12:00');
  const endsAt = local(SHANGHAI, '2026-02-18T10:00');
  const window = { ...workday('09:00', '18:00'), scheduledStartAt: startsAt, scheduledEndAt: endsAt };

  test('opens at the planned start inside the workday, closes at the planned end [D5.3]', () => {
    expect(decideWindow(window, startsAt - 1, [SHANGHAI])).toEqual({
      open: false,
      nextOpenAt: startsAt,
      closesAt: null,
      cause: 'schedule_ahead',
    });
    expect(decideWindow(window, startsAt, [SHANGHAI]).closesAt).toBe(local(SHANGHAI, '2026-02-17T18:00'));
    expect(decideWindow(window, endsAt - 1, [SHANGHAI])).toMatchObject({ open: true, closesAt: endsAt });
    expect(decideWindow(window, endsAt, [SHANGHAI])).toEqual({ open: false, nextOpenAt: null, closesAt: null, cause: 'schedule_over' });
  });

  test('never opens again if it ends before the workday starts', () => {
    const early = { ...window, scheduledEndAt: local(SHANGHAI, '2026-02-18T09:00') };
    expect(decideWindow(early, local(SHANGHAI, '2026-02-17T18:00'), [SHANGHAI]).nextOpenAt).toBeNull();
  });

  test('a planned start outside the workday waits for the workday', () => {
    const night = { ...window, scheduledStartAt: local(SHANGHAI, '2026-02-17T20:00') };
    expect(decideWindow(night, startsAt, [SHANGHAI]).nextOpenAt).toBe(local(SHANGHAI, '2026-02-18T09:00'));
  });
});

test.each<[string, CallingWindow]>([
  ['only a start', workday('09:00', null)],
  ['only an end', workday(null, '18:00')],
  ['equal values', workday('09:00', '09:00')],
  ['no time', workday('9 Uhr', '18:00')],
  ['a start at the end of the day', workday('24:00', '09:00')],
  ['an hour too many', workday('09:00', '24:01')],
  ['an end before the start', { ...NO_WINDOW, scheduledStartAt: 2, scheduledEndAt: 1 }],
  ['an end at the start', { ...NO_WINDOW, scheduledStartAt: 2, scheduledEndAt: 2 }],
  ['an invalid instant', { ...NO_WINDOW, scheduledStartAt: Number.NaN }],
])('%s closes the window permanently [D5.3]', (_what, window) => {
  for (const at of [0, Date.UTC(2026, 1, 17, 4), Date.UTC(2030, 0, 1)]) {
    expect(decideWindow(window, at, [SHANGHAI])).toEqual({
      open: false,
      nextOpenAt: null,
      closesAt: null,
      cause: 'window_invalid',
    });
  }
});

test('the announced times are right: open until it closes, closed until it opens [D5.3, D5.6]', () => {
  const hhmm = fc
    .integer({ min: 0, max: 1439 })
    .map(minute => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`);
  const near = fc.oneof(fc.constant(Date.UTC(2026, 2, 8)), fc.constant(Date.UTC(2026, 10, 1)), fc.constant(Date.UTC(2026, 6, 1)));
  fc.assert(
    fc.property(
      hhmm,
      hhmm,
      near,
      fc.integer({ min: 0, max: 48 * 60 }),
      fc.constantFrom(SHANGHAI, NEW_YORK),
      (start, end, day, offset, zone) => {
        const window = prepareWindow(workday(start, end));
        const at = day + offset * MINUTE;
        const decision = decideWindow(window, at, [zone]);
        const turnsAt = decision.open ? decision.closesAt : decision.nextOpenAt;
        if (turnsAt === null) return expect(start).toBe(end);
        expect(decideWindow(window, turnsAt, [zone]).open).toBe(!decision.open);
        for (let t = at; t < turnsAt; t += 7 * MINUTE) expect(decideWindow(window, t, [zone]).open).toBe(decision.open);
        return expect(decideWindow(window, turnsAt - 1, [zone]).open).toBe(decision.open);
      },
    ),
    { numRuns: 300 },
  );
});
