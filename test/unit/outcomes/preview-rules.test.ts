import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '#attempts/decisions/evidence.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import { answerRates, type History, NO_ROW, previewRules as replay, sumOfPreviews } from '#outcomes/decisions/preview-rules.ts';
import { ALWAYS } from '#policies/decisions/week-schedule.ts';

const MONDAY = Date.parse('2026-11-30T02:00:00Z');
const place = {
  attemptsAllowed: 21,
  intervalSeconds: 0,
  open: { schedules: [{ schedule: ALWAYS, isMakeUpDay: null }], blocksDay: null },
  retryUnknown: false,
};

/** One contact for each list of outcomes; its dials are an hour apart. */
function attemptsOf(...histories: Outcome[][]): History[] {
  let id = 0;
  return histories.map(outcomes => ({
    zones: ['Asia/Shanghai'],
    attempts: outcomes.map((outcome, index) => {
      const startedAt = MONDAY + index * 3_600_000;
      return { id: ++id, outcome, isUnknown: false, startedAt, endedAt: startedAt + 20_000 };
    }),
  }));
}

function previewRules(...input: Parameters<typeof replay>) {
  const { applied: _rows, ...counts } = replay(...input);
  return counts;
}

const rules: OutcomeRules = {
  maxAttempts: 3,
  rules: [
    { outcomes: ['busy'], from: 1, to: null, number: 'any', next: { kind: 'again', afterSeconds: 900, jitterSeconds: 0 } },
    { outcomes: ['no_answer'], from: 1, to: 1, number: 'any', next: { kind: 'again', afterSeconds: 3_600, jitterSeconds: 0 } },
  ],
  otherwise: { kind: 'not_reached' },
};

describe('the preview of rules on past attempts [D7.14]', () => {
  test('an empty past gives an empty preview', () => {
    expect(previewRules(rules, [], place)).toEqual({
      contacts: 0,
      attempts: 0,
      dialsSaved: 0,
      reachedLost: 0,
      triedAgain: 0,
      reachedMore: 0,
    });
  });

  test('counts dials after the end by the rules as saved, and the customers that they reached as lost', () => {
    const past = attemptsOf(['rejected', 'rejected', 'rejected'], ['no_answer', 'no_answer', 'completed'], ['busy', 'completed']);
    expect(previewRules(rules, past, place)).toEqual({
      contacts: 3,
      attempts: 8,
      dialsSaved: 3,
      reachedLost: 1,
      triedAgain: 0,
      reachedMore: 0,
    });
  });

  test('contacts that were given up are tried again, and reached at the rate of that dial in the same week', () => {
    const reached = Array.from({ length: 6 }, (): Outcome[] => ['busy', 'completed']);
    const missed = Array.from({ length: 4 }, (): Outcome[] => ['busy', 'rejected']);
    const givenUp = Array.from({ length: 10 }, (): Outcome[] => ['busy']);
    const preview = previewRules(rules, attemptsOf(...reached, ...missed, ...givenUp), place);
    expect(preview).toMatchObject({ dialsSaved: 0, triedAgain: 10 });
    expect(preview.reachedMore).toBeCloseTo(6);
  });

  test('counts how often each row decided, and how often none did', () => {
    const past = attemptsOf(['busy', 'no_answer', 'no_answer'], ['rejected']);
    expect(replay(rules, past, place).applied).toEqual({ 0: 1, 1: 1, [NO_ROW]: 2 });
  });

  test('an unknown end is followed by a dial only where the campaign says so', () => {
    const past = attemptsOf(['busy']).map(history => ({
      ...history,
      attempts: history.attempts.map(each => ({ ...each, isUnknown: true })),
    }));
    expect(replay(rules, past, place).triedAgain).toBe(0);
    expect(replay(rules, past, { ...place, retryUnknown: true }).triedAgain).toBe(1);
  });

  test('groups of contacts add up to the whole', () => {
    const past = attemptsOf(['busy', 'completed'], ['busy'], ['no_answer', 'no_answer', 'completed'], ['busy']);
    const rates = answerRates(past);
    const parts = [past.slice(0, 2), past.slice(2)].map(part => replay(rules, part, place, rates));
    expect(sumOfPreviews(parts)).toEqual(replay(rules, past, place));
  });

  test('nobody is tried again beyond the attempts of the rules', () => {
    expect(previewRules(rules, attemptsOf(['busy', 'busy', 'busy']), place).triedAgain).toBe(0);
    expect(previewRules(rules, attemptsOf(['busy', 'busy']), place).triedAgain).toBe(1);
  });
});
