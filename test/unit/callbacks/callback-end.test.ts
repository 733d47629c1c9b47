import { describe, expect, test } from '@jest/globals';
import { decideCallback, type KnownPromise, queuedAt } from '#callbacks/decisions/callback-end.ts';
import { CALLBACK_RULE_DEFAULTS } from '#campaigns/decisions/callback-rules.ts';

const MINUTE_MS = 60_000;
const DUE = Date.parse('2026-12-01T06:00:00Z');
const ENDED = DUE + 2 * MINUTE_MS;

const promise = (fields: Partial<KnownPromise> = {}): KnownPromise => ({
  ...CALLBACK_RULE_DEFAULTS,
  dueAt: DUE,
  until: null,
  misses: 0,
  claimedAt: DUE + 1_000,
  agentId: 7,
  zone: 'Asia/Shanghai',
  ...fields,
});
const missed = { isReached: false, isVoid: false, endedAt: ENDED };

describe('a callback whose call has ended [D7.12]', () => {
  test('is kept by a person who answers', () => {
    expect(decideCallback(promise(), { ...missed, isReached: true })).toEqual({ status: 'kept', misses: 0 });
  });

  test('is called again after the wait of its campaign, by the same agent', () => {
    const next = decideCallback(promise({ callbackAgainMinutes: 40 }), missed);
    expect(next).toEqual({ status: 'promised', misses: 1, dueAt: ENDED + 40 * MINUTE_MS, agentId: 7 });
  });

  test('is no longer its agent’s where anybody takes over', () => {
    expect(decideCallback(promise({ callbackMissed: 'anybody' }), missed)).toMatchObject({ agentId: null, dueAt: ENDED + 15 * MINUTE_MS });
  });

  test('is called on the next day of the contact, at the time of day that was promised', () => {
    expect(decideCallback(promise({ callbackMissed: 'next_day' }), missed)).toMatchObject({ dueAt: DUE + 86_400_000, agentId: 7 });
    // Two minutes before midnight there: the call ended on the day after.
    const late = promise({ callbackMissed: 'next_day', dueAt: Date.parse('2026-12-01T15:58:00Z') });
    const next = decideCallback({ ...late, claimedAt: late.dueAt }, { ...missed, endedAt: late.dueAt + 5 * MINUTE_MS });
    expect(next).toMatchObject({ dueAt: Date.parse('2026-12-02T15:58:00Z') });
    // A campaign that was paused called three days late.
    const paused = decideCallback(promise({ callbackMissed: 'next_day' }), { ...missed, endedAt: DUE + 3 * 86_400_000 + MINUTE_MS });
    expect(paused).toMatchObject({ dueAt: DUE + 4 * 86_400_000 });
  });

  test('keeps its time of day across a change of clocks', () => {
    const known = promise({ callbackMissed: 'next_day', zone: 'America/New_York', dueAt: Date.parse('2026-10-31T14:00:00Z') });
    const next = decideCallback({ ...known, claimedAt: known.dueAt }, { ...missed, endedAt: known.dueAt + MINUTE_MS });
    expect(next).toMatchObject({ dueAt: Date.parse('2026-11-01T15:00:00Z') });
  });

  test.each([
    ['the campaign says so', promise({ callbackMissed: 'give_up' })],
    ['it was missed as often as the campaign allows', promise({ misses: 2 })],
    ['its last instant comes first', promise({ until: ENDED + 10 * MINUTE_MS })],
  ])('is given up when %s', (_why, known) => {
    expect(decideCallback(known, missed)).toEqual({ status: 'given_up', misses: known.misses + 1 });
  });

  test('is repeated soon after a failure that says nothing about the person, without a miss', () => {
    const next = decideCallback(promise({ callbackMissed: 'give_up' }), { ...missed, isVoid: true });
    expect(next).toEqual({ status: 'promised', misses: 0, dueAt: ENDED + 30_000, agentId: 7 });
  });

  test('stays as it was promised during the call', () => {
    const known = promise({ dueAt: DUE + 60 * MINUTE_MS });
    expect(decideCallback(known, { ...missed, isReached: true })).toEqual({
      status: 'promised',
      misses: 0,
      dueAt: known.dueAt,
      agentId: 7,
    });
  });
});

test('the queue leaves a personal callback to its agent first [D7.12]', () => {
  expect(queuedAt({ dueAt: DUE, agentId: 7 }, 10)).toBe(DUE + 10 * MINUTE_MS);
  expect(queuedAt({ dueAt: DUE, agentId: null }, 10)).toBe(DUE);
});
