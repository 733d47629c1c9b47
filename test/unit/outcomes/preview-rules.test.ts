import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '#attempts/decisions/evidence.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import { type PastAttempt, previewRules } from '#outcomes/decisions/preview-rules.ts';
import { ALWAYS } from '#policies/decisions/week-schedule.ts';

const MONDAY = Date.parse('2026-11-30T02:00:00Z');
const place = {
  attemptsAllowed: 21,
  intervalSeconds: 0,
  open: { schedules: [{ schedule: ALWAYS, isMakeUpDay: null }], blocksDay: null },
  zone: 'Asia/Shanghai',
};

/** One contact for each list of outcomes; its dials are an hour apart. */
function attemptsOf(...histories: Outcome[][]): PastAttempt[] {
  let id = 0;
  return histories.flatMap((outcomes, contactId) =>
    outcomes.map((outcome, index) => {
      const startedAt = MONDAY + index * 3_600_000;
      return { id: ++id, contactId, outcome, startedAt, endedAt: startedAt + 20_000 };
    }),
  );
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

  test('counts dials after the end by the rules as saved, and the customers whom they reached as lost', () => {
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
    expect(preview).toMatchObject({ dialsSaved: 0, triedAgain: 10, reachedMore: 6 });
  });

  test('nobody is tried again beyond the attempts of the rules', () => {
    expect(previewRules(rules, attemptsOf(['busy', 'busy', 'busy']), place).triedAgain).toBe(0);
    expect(previewRules(rules, attemptsOf(['busy', 'busy']), place).triedAgain).toBe(1);
  });
});
