import { describe, expect, test } from '@jest/globals';
import { ALARM_SCORE, type AnswerTest, expectedAnswers, NO_EVIDENCE, testAnswers } from '#lines/decisions/answer-test.ts';
import { dice, type Dice } from '../../simulation/dice.ts';

const NUMBERS = 20;
/** Dials of all numbers between two looks of the watch. */
const DIALS_PER_LOOK = 60;
const LOOKS_PER_HOUR = 10;
/** Answer rates of the hours, in turn: a list is answered differently over the day. */
const HOURLY_RATES = [0.12, 0.2, 0.28, 0.22, 0.18, 0.2];
const DROP = 0.12 / 0.88 / (0.2 / 0.8);

/** A line whose numbers dial in turn, at random; `odds` of a number relative to the others. */
function line(draw: Dice, odds: (number: number) => number) {
  const tests = new Map<number, AnswerTest>(Array.from({ length: NUMBERS }, (_, number) => [number, NO_EVIDENCE]));
  let look = 0;
  return {
    tests,
    /** One look; returns the dials of each number. */
    look(): { number: number; dials: number; isAlarm: boolean; isNew: boolean }[] {
      const rate = HOURLY_RATES[Math.floor(look / LOOKS_PER_HOUR) % HOURLY_RATES.length] ?? 0;
      look += 1;
      const made = Array.from({ length: NUMBERS }, () => ({ dials: 0, answered: 0 }));
      for (let dial = 0; dial < DIALS_PER_LOOK; dial += 1) {
        const number = draw.between(0, NUMBERS - 1);
        const own = made[number];
        const ratio = (rate / (1 - rate)) * odds(number);
        if (own) Object.assign(own, { dials: own.dials + 1, answered: own.answered + (draw.chance(ratio / (1 + ratio)) ? 1 : 0) });
      }
      const answered = made.reduce((sum, each) => sum + each.answered, 0);
      return made.flatMap((own, number) => {
        if (own.dials === 0) return [];
        const before = tests.get(number) ?? NO_EVIDENCE;
        const others = { otherDials: DIALS_PER_LOOK - own.dials, otherAnswered: answered - own.answered };
        const after = testAnswers(before, { at: look, ...own, ...others });
        const isAlarm = after.score >= ALARM_SCORE;
        tests.set(number, isAlarm ? NO_EVIDENCE : after);
        return [{ number, dials: own.dials, isAlarm, isNew: before.since === null }];
      });
    },
  };
}

describe('the test of a number against the others of its line [D4.9]', () => {
  test('finds a drop from 20 % to 12 % in a median of at most 400 dials', () => {
    const RUNS = 300;
    const found = Array.from({ length: RUNS }, (_, run) => {
      const draw = dice(run, 'a drop');
      let hasDropped = false;
      const pool = line(draw, number => (number === 0 && hasDropped ? DROP : 1));
      for (let look = 0; look < 200; look += 1) pool.look();
      hasDropped = true;
      for (let dials = 0; ; ) {
        const own = pool.look().find(({ number }) => number === 0);
        dials += own?.dials ?? 0;
        if (own?.isAlarm) return dials;
      }
    }).sort((a, b) => a - b);
    const at = (share: number) => found[Math.floor(RUNS * share)] ?? Infinity;
    process.stdout.write(`a drop from 20 % to 12 %: median ${at(0.5)} dials, 90 % within ${at(0.9)}, ${RUNS} runs\n`);
    expect(at(0.5)).toBeLessThanOrEqual(400);
  });

  test('ends in a false alarm in at most 1 of 10,000 tests of healthy numbers', () => {
    const LOOKS = 150_000;
    const pool = line(dice(7, 'healthy'), () => 1);
    let [dials, tests, alarms] = [0, 0, 0];
    for (let look = 0; look < LOOKS; look += 1)
      for (const own of pool.look()) {
        dials += own.dials;
        tests += own.isNew ? 1 : 0;
        alarms += own.isAlarm ? 1 : 0;
      }
    process.stdout.write(`healthy numbers: ${alarms} false alarms in ${tests} tests, ${dials} dials\n`);
    expect(tests).toBeGreaterThan(100_000);
    expect(alarms / tests).toBeLessThanOrEqual(1 / 10_000);
  });

  test('a hard list or a bad hour is no evidence: the others of the campaign and hour are as bad', () => {
    const hard = { at: 0, dials: 1_000, answered: 20, otherDials: 1_000, otherAnswered: 20 };
    expect(testAnswers(NO_EVIDENCE, hard)).toEqual(NO_EVIDENCE);
    expect(testAnswers(NO_EVIDENCE, { ...hard, otherAnswered: 200 }).score).toBeGreaterThan(ALARM_SCORE);
  });

  test.each([
    ['alone', { otherDials: 0, otherAnswered: 0 }],
    ['where nobody answers', { answered: 0, otherDials: 50, otherAnswered: 0 }],
    ['where everybody answers', { answered: 10, otherDials: 50, otherAnswered: 50 }],
  ])('a number %s proves nothing', (_, changes) => {
    expect(testAnswers(NO_EVIDENCE, { at: 0, dials: 10, answered: 2, ...changes })).toEqual(NO_EVIDENCE);
  });

  test('shows the dials, the answers, what was expected and since when', () => {
    const first = testAnswers(NO_EVIDENCE, { at: 5, dials: 20, answered: 1, otherDials: 100, otherAnswered: 20 });
    expect(first).toMatchObject({ since: 5, dials: 20, answered: 1, expected: 4 });
    const second = testAnswers(first, { at: 9, dials: 10, answered: 0, otherDials: 50, otherAnswered: 25 });
    expect(second).toMatchObject({ since: 5, dials: 30, answered: 1, expected: 9 });
    expect(expectedAnswers({ at: 0, dials: 3, answered: 1, otherDials: 0, otherAnswered: 0 })).toBe(1);
  });

  test('the evidence is a likelihood ratio: its mean over what healthy numbers answer is 1', () => {
    const [dials, otherDials, all] = [6, 20, 8];
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    const outcomes = Array.from({ length: dials + 1 }, (_, answered) => {
      const share = (choose(dials, answered) * choose(otherDials, all - answered)) / choose(dials + otherDials, all);
      const score =
        testAnswers({ ...NO_EVIDENCE, score: 100 }, { at: 0, dials, answered, otherDials, otherAnswered: all - answered }).score - 100;
      return share * Math.exp(score);
    });
    expect(outcomes.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
  });
});
