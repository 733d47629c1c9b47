import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '#kernel/random.ts';
import { GIVE_UP_AFTER_MS, healthAfter, messagePauseMs } from '#webhooks/decisions/delivery-plan.ts';

const HOUR = 3_600_000;
const round = { at: 10 * 24 * HOUR, succeeded: 0, isGone: false, failingSince: null, failures: 0 };

describe('the plan of deliveries [D15.3]', () => {
  test('a message is tried at growing pauses with jitter, at least 20 times in 72 h', () => {
    const random = seededRandom(3);
    const pauses = Array.from({ length: 12 }, (_, index) => messagePauseMs(index + 1, random));
    expect(pauses[0]).toBeGreaterThanOrEqual(5_000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(4 * HOUR);
    let [tries, passed] = [1, 0];
    for (; passed < GIVE_UP_AFTER_MS; tries += 1) passed += messagePauseMs(tries, random);
    expect(tries).toBeGreaterThanOrEqual(20);
    expect(new Set([1, 2, 3, 4].map(seed => messagePauseMs(5, seededRandom(seed)))).size).toBe(4);
  });

  test('an endpoint rests longer with each round of failures, up to a quarter of an hour', () => {
    const random = seededRandom(5);
    const first = healthAfter(round, random);
    expect(first).toMatchObject({ failures: 1, failingSince: round.at, isDisabled: false });
    expect(first.restMs).toBeLessThanOrEqual(2_000);
    const late = healthAfter({ ...round, failures: 40, failingSince: round.at - HOUR }, random);
    expect(late.restMs).toBeGreaterThanOrEqual(450_000);
    expect(late.restMs).toBeLessThanOrEqual(900_000);
  });

  test('one success ends its failures', () => {
    const health = healthAfter({ ...round, succeeded: 1, failures: 9, failingSince: 1 }, seededRandom(1));
    expect(health).toEqual({ failingSince: null, failures: 0, restMs: 0, isDisabled: false });
  });

  test('it is disabled after five days without one, or at once when its receiver is gone', () => {
    const since = (hours: number) => healthAfter({ ...round, failures: 3, failingSince: round.at - hours * HOUR }, seededRandom(1));
    expect(since(119.9).isDisabled).toBe(false);
    expect(since(120).isDisabled).toBe(true);
    expect(healthAfter({ ...round, isGone: true }, seededRandom(1)).isDisabled).toBe(true);
  });
});
