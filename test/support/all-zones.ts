import { describe, expect, test } from '@jest/globals';
import { type CallingWindow, decideWindow, prepareWindow } from '#policies/decisions/calling-window.ts';
import { evaluateCampaign } from '#policies/decisions/evaluate.ts';
import type { Policy } from '#policies/decisions/policy-kind.ts';
import { campaignClosesAt, campaignOpensAt } from '#dialling/decisions/assess.ts';
import { NO_WINDOW } from '#test/support/no-window.ts';
import { campaignPolicy, LIMITS, policy, prepared } from '#test/unit/policies/builders.ts';

/*
 * The product computes with minutes of the day and offsets. Here the same rules are written a second time, over the fields of
 * Temporal.ZonedDateTime, and both are asked around every clock change of every zone.
 */

const FROM = Temporal.Instant.from('2020-01-01T00:00Z');
const UNTIL = Temporal.Instant.from('2036-01-01T00:00Z');
const ZONES = Intl.supportedValuesOf('timeZone');
const HOUR = 3_600_000;

type Local = Temporal.ZonedDateTime;
type Rule = (at: Local) => boolean;

interface Kind {
  name: string;
  window: CallingWindow;
  policies: Policy[];
  allows: Rule;
}

const clock = (text: string) => Temporal.PlainTime.from(text);
const isBefore = (at: Local, end: string) => end === '24:00' || Temporal.PlainTime.compare(at.toPlainTime(), clock(end)) < 0;
const isFrom = (at: Local, start: string) => Temporal.PlainTime.compare(at.toPlainTime(), clock(start)) >= 0;
const dayBefore = (at: Local) => at.toPlainDate().subtract({ days: 1 });

/** [start, end) of the days that `isDay` names; a window across midnight belongs to the day on which it starts. */
function hours(start: string, end: string, isDay: (date: Temporal.PlainDate) => boolean): Rule {
  const crosses = end !== '24:00' && Temporal.PlainTime.compare(clock(end), clock(start)) < 0;
  return at => {
    if (!crosses) return isDay(at.toPlainDate()) && isFrom(at, start) && isBefore(at, end);
    return (isDay(at.toPlainDate()) && isFrom(at, start)) || (isDay(dayBefore(at)) && isBefore(at, end));
  };
}

const daily = (start: string, end: string) => hours(start, end, () => true);
const MONDAY_TO_FRIDAY = [1, 2, 3, 4, 5];
const workday = (date: Temporal.PlainDate) => MONDAY_TO_FRIDAY.includes(date.dayOfWeek);
/** Each Saturday of an even month is worked instead of the month's 3rd to 5th. */
const isMadeUp = (date: Temporal.PlainDate) => date.dayOfWeek === 6 && date.month % 2 === 0;
const isHoliday = (date: Temporal.PlainDate) => date.day >= 3 && date.day <= 5;

const DATES = everyDate();
const dates = DATES.filter(date => isHoliday(date)).map(String);
const madeUp = DATES.filter(isMadeUp).map(String);
const own = (workdayStart: string, workdayEnd: string): CallingWindow => ({ ...NO_WINDOW, workdayStart, workdayEnd });
const weekly = (start: string, end: string) => policy('weekly_window', { days: MONDAY_TO_FRIDAY, start, end }, { id: 3 });
const holidays = policy('holiday_blocklist', { dates, workdayOverrides: madeUp });

const KINDS: Kind[] = [
  { name: 'campaign window', window: own('08:00', '21:00'), policies: [], allows: daily('08:00', '21:00') },
  { name: 'campaign window across midnight', window: own('22:30', '02:30'), policies: [], allows: daily('22:30', '02:30') },
  { name: 'campaign window to 24:00', window: own('01:15', '24:00'), policies: [], allows: daily('01:15', '24:00') },
  { name: 'whole day', window: own('00:00', '24:00'), policies: [], allows: () => true },
  {
    name: 'daily',
    window: NO_WINDOW,
    policies: [policy('daily_window', { start: '02:00', end: '03:00' })],
    allows: daily('02:00', '03:00'),
  },
  { name: 'weekly', window: NO_WINDOW, policies: [weekly('00:30', '23:30')], allows: hours('00:30', '23:30', workday) },
  { name: 'weekly across midnight', window: NO_WINDOW, policies: [weekly('20:00', '02:00')], allows: hours('20:00', '02:00', workday) },
  { name: 'dates', window: NO_WINDOW, policies: [policy('blocked_dates', { dates })], allows: at => !isHoliday(at.toPlainDate()) },
  {
    name: 'holidays of every year',
    window: NO_WINDOW,
    policies: [policy('holiday_blocklist', { recurringDates: ['03-29', '10-25', '11-01'] })],
    allows: at => !['03-29', '10-25', '11-01'].includes(at.toPlainDate().toString().slice(5)),
  },
  {
    name: 'holidays with make-up days',
    window: own('00:00', '24:00'),
    policies: [holidays, weekly('09:00', '18:00')],
    allows: at =>
      (!isHoliday(at.toPlainDate()) || isMadeUp(at.toPlainDate())) && hours('09:00', '18:00', date => workday(date) || isMadeUp(date))(at),
  },
  {
    name: 'make-up days across midnight within a campaign window',
    window: own('12:00', '04:00'),
    policies: [holidays, campaignPolicy('weekly_window', { days: MONDAY_TO_FRIDAY, start: '20:00', end: '02:00' })],
    allows: at =>
      (!isHoliday(at.toPlainDate()) || isMadeUp(at.toPlainDate())) &&
      daily('12:00', '04:00')(at) &&
      hours('20:00', '02:00', date => workday(date) || isMadeUp(date))(at),
  },
  {
    name: "a campaign's make-up days do not loosen a global window",
    window: NO_WINDOW,
    policies: [weekly('09:00', '18:00'), campaignPolicy('holiday_blocklist', { dates, workdayOverrides: madeUp })],
    allows: at => (!isHoliday(at.toPlainDate()) || isMadeUp(at.toPlainDate())) && hours('09:00', '18:00', workday)(at),
  },
];

interface Change {
  zone: string;
  at: number;
}

/** Declares the comparison around every `share`-th clock change, from the `seed`-th on. */
export function compareAllZones(share: number, seed: number): void {
  describe(`every kind of window around every clock change, one of ${share} from ${seed % share} on [D8.1, D8.8]`, () => {
    const changes = ZONES.flatMap(changesOf).filter((_, index) => index % share === seed % share);
    const prepare = ({ window, policies }: Kind) => ({ window: prepareWindow(window), policies: prepared(...policies) });

    test('there are enough of them', () => {
      expect(changes.length * share).toBeGreaterThan(4_000);
    });

    test.each(KINDS)('$name', kind => {
      const rules = prepare(kind);
      const differences: string[] = [];
      for (const { zone, at } of changes) {
        for (const instant of around(at)) {
          const expected = kind.allows(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone));
          if (isOpen(rules, [zone], instant) !== expected)
            differences.push(`${zone} ${new Date(instant).toISOString()} must be ${expected}`);
        }
      }
      expect(differences).toEqual([]);
    });

    test.each(KINDS)('$name: opens and closes when it says', kind => {
      const rules = prepare(kind);
      const differences: string[] = [];
      for (const { zone, at } of changes.filter((_, index) => index % 5 === 0)) {
        const allows = (instant: number) => kind.allows(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone));
        const from = at - 2 * HOUR;
        const open = allows(from);
        const turns = open
          ? campaignClosesAt(rules.window, rules.policies, from, [zone])
          : campaignOpensAt(rules.window, rules.policies, from, [zone]);
        if (turns === null) continue;
        // The horizon of the search is no end of the hours.
        const isTurned = allows(turns) !== open || turns - from >= 399 * 24 * HOUR;
        if (!isTurned || allows(turns - 1) !== open)
          differences.push(`${zone} from ${new Date(from).toISOString()}: ${new Date(turns).toISOString()}`);
      }
      expect(differences).toEqual([]);
    });

    test('in two zones the hours are open when they are in both', () => {
      const differences: string[] = [];
      for (const [index, { zone, at }] of changes.entries()) {
        const other = ZONES[(index * 31) % ZONES.length] ?? zone;
        const kind = KINDS[index % KINDS.length];
        if (kind === undefined) continue;
        const rules = prepare(kind);
        const allows = (instant: number) =>
          [zone, other].every(each => kind.allows(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(each)));
        for (const instant of around(at))
          if (isOpen(rules, [zone, other], instant) !== allows(instant)) differences.push(`${zone} ${other} ${instant}`);
        const opensAt = campaignOpensAt(rules.window, rules.policies, at, [zone, other]);
        if (opensAt !== null && (!allows(opensAt) || (opensAt > at && allows(opensAt - 1))))
          differences.push(`${zone} ${other} opens ${opensAt}`);
      }
      expect(differences).toEqual([]);
    });
  });
}

function isOpen(
  { window, policies }: { window: ReturnType<typeof prepareWindow>; policies: ReturnType<typeof prepared> },
  zones: string[],
  at: number,
) {
  const open = decideWindow(window, at, zones).open && evaluateCampaign({ policies, campaign: LIMITS, at, zones }).allowed;
  // The joint hours, by which campaigns wake up and permissions end, must agree with the verdict on each dial.
  const opensAt = campaignOpensAt(window, policies, at, zones);
  if ((opensAt === at) !== open) throw new Error(`${zones.join(' ')} ${at}: open is ${open}, the joint hours open at ${opensAt}`);
  return open;
}

/** The change itself, both sides of it, and the hours of the days around it. */
function around(at: number): number[] {
  const steps = Array.from({ length: 13 }, (_, index) => at + (index - 6) * 4.25 * HOUR);
  return [at - 1, at, at + 1, at - HOUR, at + HOUR - 1, at + HOUR, ...steps];
}

function changesOf(zone: string): Change[] {
  const changes: Change[] = [];
  let next: Temporal.ZonedDateTime | null = FROM.toZonedDateTimeISO(zone);
  // A zone without clock changes is checked at the start of a month.
  changes.push({ zone, at: Temporal.PlainDateTime.from('2026-03-01T00:00').toZonedDateTime(zone).epochMilliseconds });
  while ((next = next.getTimeZoneTransition('next')) !== null && Temporal.Instant.compare(next.toInstant(), UNTIL) < 0)
    changes.push({ zone, at: next.epochMilliseconds });
  return changes;
}

function everyDate(): Temporal.PlainDate[] {
  const first = Temporal.PlainDate.from('2019-06-01');
  return Array.from({ length: 6_500 }, (_, index) => first.add({ days: index }));
}
