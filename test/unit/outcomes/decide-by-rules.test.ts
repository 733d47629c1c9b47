import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { OUTCOMES, type Outcome } from '#attempts/decisions/evidence.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import {
  counted,
  decideByRules,
  jitterOf,
  type OutcomeCounts,
  type RuledAttempt,
  type RuleDecision,
} from '#outcomes/decisions/decide-by-rules.ts';
import { outcomeRules, type OutcomeRule, type OutcomeRules, type OutcomeStep } from '#outcomes/decisions/outcome-rules.ts';
import { PARTS_OF_DAY, type PartOfDay, partOfDayAt, withPartsOf } from '#outcomes/decisions/parts-of-day.ts';
import { RULE_TEMPLATES, TEMPLATE_KEYS } from '#outcomes/decisions/rule-templates.ts';
import { ALWAYS, dailySchedule, type OpenHours, type WeekSchedule } from '#policies/decisions/week-schedule.ts';

const ZONE = 'Asia/Shanghai';
/** A Monday, 10:00 in Shanghai. */
const MONDAY = Date.parse('2026-11-30T02:00:00Z');
const HOUR = 3_600_000;

const hoursOf = (schedule: WeekSchedule): OpenHours => ({ schedules: [{ schedule, isMakeUpDay: null }], blocksDay: null });

const again = (afterSeconds: number): OutcomeStep => ({ kind: 'again', afterSeconds, jitterSeconds: 0 });
const rule = (outcomes: Outcome[], next: OutcomeStep, more: Partial<OutcomeRule> = {}): OutcomeRule => ({
  outcomes,
  from: 1,
  to: null,
  number: 'any',
  next,
  ...more,
});
const table = (rules: OutcomeRule[], more: Partial<OutcomeRules> = {}): OutcomeRules => ({
  maxAttempts: 5,
  rules,
  otherwise: { kind: 'not_reached' },
  ...more,
});

const attempt: RuledAttempt = {
  outcome: 'busy',
  counts: { busy: 1 },
  attemptCount: 1,
  attemptsAllowed: 21,
  intervalSeconds: 0,
  isFirstNumber: true,
  hasNextNumber: false,
  partsTried: 0,
  endedAt: MONDAY,
  open: hoursOf(ALWAYS),
  zones: [ZONE],
  jitter: 0,
};

describe('what follows an attempt by rules [D7.14]', () => {
  test('the first row that matches wins', () => {
    const rules = table([rule(['no_answer'], again(60)), rule(['busy'], again(900)), rule(['busy', 'no_answer'], again(1_800))]);
    expect(decideByRules(rules, attempt)).toEqual({ kind: 'again', at: MONDAY + 900_000, row: 1, isBudgetSpent: false });
  });

  test('a row counts the outcomes of its set so far, this one included', () => {
    const rules = table([rule(['busy', 'no_answer'], again(900), { to: 2 }), rule(['busy'], { kind: 'block', days: 2 }, { from: 2 })]);
    expect(decideByRules(rules, { ...attempt, counts: { busy: 1, no_answer: 1 } })).toMatchObject({ kind: 'again', row: 0 });
    expect(decideByRules(rules, { ...attempt, counts: { busy: 2, no_answer: 1 } })).toMatchObject({
      kind: 'blocked',
      at: MONDAY + 2 * MS_PER_DAY,
      row: 1,
    });
  });

  test('the last attempt ends the contact, by the rules or by a policy', () => {
    const rules = table([rule(['busy'], again(900))], { maxAttempts: 3 });
    const spent = { kind: 'not_reached', row: 0, isBudgetSpent: true };
    expect(decideByRules(rules, { ...attempt, attemptCount: 2 })).toMatchObject({ kind: 'again' });
    expect(decideByRules(rules, { ...attempt, attemptCount: 3 })).toEqual(spent);
    expect(decideByRules(rules, { ...attempt, attemptCount: 2, attemptsAllowed: 2 })).toEqual(spent);
  });

  test('an end stays that end, even with the last attempt', () => {
    const rules = table([rule(['busy'], { kind: 'do_not_call' })], { maxAttempts: 1 });
    expect(decideByRules(rules, attempt)).toEqual({ kind: 'do_not_call', row: 0, isBudgetSpent: false });
  });

  test('the interval of a policy is the shortest wait', () => {
    const rules = table([rule(['busy'], again(60))]);
    expect(decideByRules(rules, { ...attempt, intervalSeconds: 600 })).toMatchObject({ at: MONDAY + 600_000 });
  });

  test('jitter adds its share of the row', () => {
    const rules = table([rule(['busy'], { kind: 'again', afterSeconds: 60, jitterSeconds: 100 })]);
    expect(decideByRules(rules, { ...attempt, jitter: 0.5 })).toMatchObject({ at: MONDAY + 110_000 });
  });

  test('the next number falls through when there is none', () => {
    const rules = table([rule(['busy'], { kind: 'next_number', afterSeconds: 0 }), rule(['busy'], again(900))]);
    expect(decideByRules(rules, { ...attempt, hasNextNumber: true })).toMatchObject({ kind: 'next_number', at: MONDAY });
    expect(decideByRules(rules, attempt)).toMatchObject({ kind: 'again', row: 1 });
  });

  test('a message is left by a further call', () => {
    const rules = table([rule(['voicemail'], { kind: 'leave_message', afterSeconds: 3_600, text: '请回电' })]);
    const voicemail = { ...attempt, outcome: 'voicemail' as const, counts: { voicemail: 1 } };
    expect(decideByRules(rules, voicemail)).toEqual({
      kind: 'again',
      at: MONDAY + HOUR,
      mailboxText: '请回电',
      row: 0,
      isBudgetSpent: false,
    });
    expect(decideByRules(rules, { ...voicemail, attemptCount: 5 })).toEqual({ kind: 'not_reached', row: 0, isBudgetSpent: true });
  });

  test('a row may hold for the first number alone', () => {
    const rules = table([rule(['busy'], again(60), { number: 'other' }), rule(['busy'], again(120), { number: 'first' })]);
    expect(decideByRules(rules, attempt)).toMatchObject({ row: 1 });
    expect(decideByRules(rules, { ...attempt, isFirstNumber: false })).toMatchObject({ row: 0 });
  });

  test('a part that two zones share only in summer, from 28 March on, is none in December', () => {
    const rules = table([rule(['busy'], { kind: 'another_part_of_day', parts: ['morning', 'noon'] }), rule(['busy'], again(60))]);
    const zones = ['Europe/London', 'Asia/Shanghai'];
    const partsTried = withPartsOf(0, zones, Date.parse('2026-12-04T14:00:00Z'));
    expect(decideByRules(rules, { ...attempt, zones, partsTried })).toMatchObject({ row: 1 });
  });

  test('another part of the day is the first of the list that was not tried, within the hours of the campaign', () => {
    const rules = table([
      rule(['busy'], { kind: 'another_part_of_day', parts: ['morning', 'afternoon', 'evening'] }),
      rule(['busy'], again(60)),
    ]);
    const tried = (...at: number[]) => at.reduce((mask, each) => withPartsOf(mask, [ZONE], each), 0);
    const decide = (partsTried: number, schedule = ALWAYS) => decideByRules(rules, { ...attempt, partsTried, open: hoursOf(schedule) });
    expect(decide(tried(MONDAY))).toMatchObject({ row: 0, at: MONDAY + 4 * HOUR });
    expect(decide(tried(MONDAY, MONDAY + 4 * HOUR))).toMatchObject({ row: 0, at: MONDAY + 8 * HOUR });
    expect(decide(tried(MONDAY, MONDAY + 4 * HOUR, MONDAY + 9 * HOUR))).toMatchObject({ row: 1 });
    // The campaign closes at 16:00: no evening is left.
    const short = dailySchedule(9 * 60, 16 * 60);
    expect(decide(tried(MONDAY, MONDAY + 4 * HOUR), short)).toMatchObject({ row: 1 });
    expect(decide(tried(MONDAY), short)).toMatchObject({ row: 0, at: MONDAY + 4 * HOUR });
  });

  test('a person in several zones is tried in a part that is new in each of them, and no part is tried twice in any', () => {
    const rules = table([
      rule(['busy'], { kind: 'another_part_of_day', parts: ['morning', 'afternoon', 'evening'] }),
      rule(['busy'], again(60)),
    ]);
    const zones = ['America/New_York', 'America/Los_Angeles'];
    // Monday, 13:30 in New York, 10:30 in Los Angeles: noon here, morning there.
    const first = Date.parse('2026-11-30T18:30:00Z');
    const decide = (partsTried: number, endedAt: number) => decideByRules(rules, { ...attempt, zones, partsTried, endedAt });
    const tried = withPartsOf(0, zones, first);
    expect(PARTS_OF_DAY.filter((_, bit) => (tried & (1 << bit)) !== 0)).toEqual(['morning', 'noon']);
    // 14:00 in Los Angeles, 17:00 in New York.
    const second = Date.parse('2026-11-30T22:00:00Z');
    expect(decide(tried, first)).toMatchObject({ row: 0, at: second });
    // 18:00 in Los Angeles, 21:00 in New York.
    expect(decide(withPartsOf(tried, zones, second), second)).toMatchObject({ row: 0, at: Date.parse('2026-12-01T02:00:00Z') });
    expect(decide(withPartsOf(withPartsOf(tried, zones, second), zones, Date.parse('2026-12-01T02:00:00Z')), second)).toMatchObject({
      row: 1,
    });
  });

  test.each([
    ['2026-11-30T06:00', 'morning'],
    ['2026-11-30T11:59', 'morning'],
    ['2026-11-30T12:00', 'noon'],
    ['2026-11-30T14:00', 'afternoon'],
    ['2026-11-30T18:00', 'evening'],
    ['2026-12-01T00:00', null],
    ['2026-12-05T10:00', 'weekend'],
    ['2026-12-06T23:59', 'weekend'],
    ['2026-12-05T05:59', null],
  ])('%s is %s', (local, part) => {
    expect(partOfDayAt(ZONE, Date.parse(`${local}:00+08:00`))).toBe(part);
  });
});

describe('a table of rules is validated as a whole [D7.14]', () => {
  const faults = (rules: unknown) => outcomeRules.safeParse(rules).error?.issues.map(({ path }) => path.join('.')) ?? [];

  test.each(TEMPLATE_KEYS)('the template %s passes', key => {
    expect(faults(RULE_TEMPLATES[key])).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['an unknown outcome', table([rule(['engaged' as Outcome], again(60))]), 'rules.0.outcomes.0'],
    ['no outcome', table([rule(['busy'], again(60)), rule([], again(60))]), 'rules.1.outcomes'],
    ['an unknown member', { ...table([]), extra: 1 }, ''],
    ['a repetition', table([rule(['busy', 'busy'], again(60))]), 'rules.0.outcomes.1'],
    ['a range that ends before it begins', table([rule(['busy'], again(60), { from: 3, to: 2 })]), 'rules.0.to'],
    ['a count beyond the attempts', table([rule(['busy'], again(60), { from: 6 })]), 'rules.0.from'],
    ['a row that another hides', table([rule(['busy', 'no_answer'], again(60)), rule(['busy'], again(90), { from: 2 })]), 'rules.1'],
    ['a dial after a wish for none', table([rule(['opted_out'], { kind: 'next_number', afterSeconds: 0 })]), 'rules.0.next.kind'],
    ['a dial of a number that does not exist', table([rule(['busy', 'invalid_number'], again(60))]), 'rules.0.next.kind'],
    ['a dial after a conversation', table([rule(['completed'], { kind: 'block', days: 1 })]), 'rules.0.next.kind'],
    ['a dial at once', table([rule(['busy'], again(29))]), 'rules.0.next.afterSeconds'],
    ['an empty message', table([rule(['voicemail'], { kind: 'leave_message', afterSeconds: 60, text: ' ' })]), 'rules.0.next.text'],
    [
      'a message after a conversation',
      table([rule(['completed'], { kind: 'leave_message', afterSeconds: 60, text: 'x' })]),
      'rules.0.next.kind',
    ],
    ['a table that does not end', { ...table([]), otherwise: again(60) }, 'otherwise.kind'],
    ['a repeated part', table([rule(['busy'], { kind: 'another_part_of_day', parts: ['noon', 'noon'] })]), 'rules.0.next.parts'],
    ['too many attempts', table([], { maxAttempts: 22 }), 'maxAttempts'],
  ])('%s is refused by its field', (_, rules, field) => {
    expect(faults(rules)).toEqual([field]);
  });

  test('what only looks hidden passes', () => {
    const parts: OutcomeStep = { kind: 'another_part_of_day', parts: ['noon'] };
    expect(faults(table([rule(['busy'], parts), rule(['busy'], again(60))]))).toEqual([]);
    expect(faults(table([rule(['busy'], again(60), { to: 2 }), rule(['busy'], again(90))]))).toEqual([]);
    expect(faults(table([rule(['busy'], again(60), { number: 'first' }), rule(['busy'], again(90))]))).toEqual([]);
    // The wider row counts more outcomes, so its bound may be passed earlier.
    expect(faults(table([rule(['busy', 'fax'], again(60), { to: 2 }), rule(['busy'], again(90), { to: 2 })]))).toEqual([]);
  });
});

/** The table read literally, row by row over the history itself; slow and independent of the engine. */
function interpret(
  rules: OutcomeRules,
  past: readonly { outcome: Outcome; startedAt: number }[],
  now: RuledAttempt,
): Partial<RuleDecision> {
  const allowed = Math.min(rules.maxAttempts, now.attemptsAllowed);
  const isLast = past.length >= allowed;
  const wait = (seconds: number) => now.endedAt + 1_000 * (seconds > now.intervalSeconds ? seconds : now.intervalSeconds);
  const dial = (decision: Partial<RuleDecision>) =>
    isLast ? { kind: 'not_reached' as const, row: decision.row as number, isBudgetSpent: true } : decision;
  for (let row = 0; row < rules.rules.length; row += 1) {
    const { outcomes, from, to, number, next } = rules.rules[row] as OutcomeRule;
    let count = 0;
    for (const { outcome } of past) for (const each of outcomes) if (each === outcome) count += 1;
    if (!outcomes.some(each => each === now.outcome) || count < from || (to !== null && count > to)) continue;
    if ((number === 'first' && !now.isFirstNumber) || (number === 'other' && now.isFirstNumber)) continue;
    const base = { row, isBudgetSpent: false };
    if (next.kind === 'done' || next.kind === 'not_reached' || next.kind === 'do_not_call') return { kind: next.kind, ...base };
    if (next.kind === 'block') return dial({ kind: 'blocked', at: now.endedAt + next.days * 86_400_000, ...base });
    if (next.kind === 'again')
      return dial({
        kind: 'again',
        at: wait(next.afterSeconds) + Math.floor(next.jitterSeconds * 1_000 * now.jitter),
        ...base,
      });
    if (next.kind === 'leave_message') return dial({ kind: 'again', at: wait(next.afterSeconds), mailboxText: next.text, ...base });
    if (next.kind === 'next_number') {
      if (now.hasNextNumber) return dial({ kind: 'next_number', at: wait(next.afterSeconds), ...base });
      continue;
    }
    const tried = past.flatMap(({ startedAt }) => now.zones.map(zone => clockPart(startedAt, zone)));
    const at = scan(
      next.parts.filter(part => !tried.includes(part)),
      now,
      wait(30),
    );
    if (at !== null) return dial({ kind: 'again', at, ...base });
  }
  return { kind: rules.otherwise.kind, row: null, isBudgetSpent: false };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, made);
  return made;
}

function clock(at: number, timeZone: string): { isWeekend: boolean; weekday: number; minutes: number } {
  const part = Object.fromEntries(
    formatIn(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(part['weekday'] ?? '') + 1;
  return { isWeekend: weekday > 5, weekday, minutes: Number(part['hour']) * 60 + Number(part['minute']) };
}

function clockPart(at: number, zone: string): PartOfDay | null {
  const { isWeekend, minutes } = clock(at, zone);
  if (minutes < 360) return null;
  if (isWeekend) return 'weekend';
  return minutes < 720 ? 'morning' : minutes < 840 ? 'noon' : minutes < 1_080 ? 'afternoon' : 'evening';
}

/** Steps in quarters of an hour, since all borders lie on them; within eight days each week has been seen. */
function scan(parts: readonly PartOfDay[], { open, zones }: RuledAttempt, from: number): number | null {
  const quarter = 900_000;
  const fitsIn = (zone: string, at: number) => {
    const { weekday, minutes } = clock(at, zone);
    const isOpen = open.schedules.every(({ schedule }) =>
      (schedule[weekday - 1] ?? []).some(({ start, end }) => minutes >= start && minutes < end),
    );
    return isOpen && parts.some(part => part === clockPart(at, zone));
  };
  const fits = (at: number) => zones.every(zone => fitsIn(zone, at));
  if (fits(from)) return from;
  for (let at = Math.ceil(from / quarter) * quarter; at < from + 8 * MS_PER_DAY; at += quarter) if (fits(at)) return at;
  return null;
}

const outcome = fc.constantFrom(...OUTCOMES);
const seconds = fc.integer({ min: 30, max: 200_000 });
const anyStep: fc.Arbitrary<OutcomeStep> = fc.oneof(
  fc.record({ kind: fc.constant('again' as const), afterSeconds: seconds, jitterSeconds: fc.integer({ min: 0, max: 3_600 }) }),
  fc.record({
    kind: fc.constant('another_part_of_day' as const),
    parts: fc.uniqueArray(fc.constantFrom(...PARTS_OF_DAY), { minLength: 1 }),
  }),
  fc.record({ kind: fc.constant('next_number' as const), afterSeconds: fc.integer({ min: 0, max: 9_000 }) }),
  fc.record({ kind: fc.constant('leave_message' as const), afterSeconds: seconds, text: fc.constantFrom('请回电', '您的快递到了') }),
  fc.record({ kind: fc.constant('block' as const), days: fc.integer({ min: 1, max: 30 }) }),
  fc.constantFrom<OutcomeStep>({ kind: 'done' }, { kind: 'not_reached' }, { kind: 'do_not_call' }),
);
const anyRule: fc.Arbitrary<OutcomeRule> = fc.record({
  outcomes: fc.uniqueArray(outcome, { minLength: 1, maxLength: 5 }),
  from: fc.integer({ min: 1, max: 4 }),
  to: fc.option(fc.integer({ min: 1, max: 6 })),
  number: fc.constantFrom('any' as const, 'first' as const, 'other' as const),
  next: anyStep,
});
const anyRules: fc.Arbitrary<OutcomeRules> = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 8 }),
  rules: fc.array(anyRule, { maxLength: 10 }),
  otherwise: fc.constantFrom({ kind: 'done' as const }, { kind: 'not_reached' as const }, { kind: 'do_not_call' as const }),
});
const anyHistory = fc.record({
  dials: fc.array(
    fc.record({ outcome, pauseMinutes: fc.integer({ min: 1, max: 4_000 }), isFirstNumber: fc.boolean(), hasNextNumber: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 10,
    },
  ),
  attemptsAllowed: fc.integer({ min: 1, max: 21 }),
  intervalSeconds: fc.constantFrom(0, 300, 7_200),
  zones: fc.uniqueArray(fc.constantFrom(ZONE, 'America/New_York', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/London'), {
    minLength: 1,
    maxLength: 3,
  }),
  open: fc.constantFrom(ALWAYS, dailySchedule(540, 1_080), dailySchedule(1_200, 480)),
  offset: fc.integer({ min: 0, max: 7 * 1_440 }),
});

describe('the engine agrees with the table read literally [D7.14]', () => {
  test('over random tables and histories', () => {
    fc.assert(
      fc.property(anyRules, anyHistory, (rules, history) => {
        const past: { outcome: Outcome; startedAt: number }[] = [];
        let [at, partsTried] = [MONDAY + history.offset * 60_000, 0];
        let counts: OutcomeCounts = {};
        for (const { outcome, pauseMinutes, isFirstNumber, hasNextNumber } of history.dials) {
          at += pauseMinutes * 60_000;
          past.push({ outcome, startedAt: at });
          counts = counted(counts, outcome);
          partsTried = withPartsOf(partsTried, history.zones, at);
          const { attemptsAllowed, intervalSeconds, zones } = history;
          const now: RuledAttempt = {
            outcome,
            counts,
            attemptCount: past.length,
            attemptsAllowed,
            intervalSeconds,
            isFirstNumber,
            hasNextNumber,
            partsTried,
            endedAt: at + 20_000,
            open: hoursOf(history.open),
            zones,
            jitter: jitterOf(past.length),
          };
          expect(decideByRules(rules, now)).toEqual(interpret(rules, past, now));
        }
      }),
      { numRuns: 400 },
    );
  });

  test('no contact has more dials than the table allows, and none after an end', () => {
    fc.assert(
      fc.property(anyRules, fc.array(outcome, { minLength: 30, maxLength: 30 }), (rules, outcomes) => {
        let [counts, at, dials] = [{} as OutcomeCounts, MONDAY, 0];
        for (const each of outcomes) {
          dials += 1;
          counts = counted(counts, each);
          const decision = decideByRules(rules, { ...attempt, outcome: each, counts, attemptCount: dials, endedAt: at });
          if (!('at' in decision)) break;
          expect(decision.at).toBeGreaterThanOrEqual(at);
          at = decision.at;
        }
        expect(dials).toBeLessThanOrEqual(rules.maxAttempts);
      }),
      { numRuns: 500 },
    );
  });
});
