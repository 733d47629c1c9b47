import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { evaluateCampaign, evaluatePolicies } from '#policies/decisions/evaluate.ts';
import type { Policy } from '#policies/decisions/policy-kind.ts';
import type { PolicyType } from '#policies/decisions/policy-table.ts';
import { openingAt } from '#policies/decisions/week-schedule.ts';
import { eligibleAt, prepared as prepare, LIMITS, policy } from './builders.ts';
import { DAY, MINUTE, NEW_YORK, SHANGHAI } from '#test/support/zones.ts';

/** Start of the tested days, which include a clock change of New York. */
const START = Date.UTC(2026, 2, 6);

const hhmm = fc
  .integer({ min: 0, max: 95 })
  .map(quarter => `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`);
const hours = fc.tuple(hhmm, hhmm).filter(([start, end]) => start !== end);
const date = fc.integer({ min: -1, max: 9 }).map(offset => new Date(START + offset * DAY).toISOString().slice(0, 10));
const number = fc.constantFrom('13800138000', '17012345678', '+85261234567', '95588');
const scoped = (type: PolicyType, config: fc.Arbitrary<unknown>): fc.Arbitrary<Policy> =>
  fc
    .record({ config, isCampaign: fc.boolean(), priority: fc.integer({ min: 0, max: 3 }), id: fc.integer({ min: 1, max: 99 }) })
    .map(({ config, isCampaign, priority, id }) =>
      policy(type, config, { id, priority, ...(isCampaign ? { scope: 'campaign' as const, campaignId: 7 } : {}) }),
    );

const dates = scoped('blocked_dates', fc.record({ dates: fc.array(date, { maxLength: 4 }) }));
const daily = scoped(
  'daily_window',
  hours.map(([start, end]) => ({ start, end })),
);
const weekly = scoped(
  'weekly_window',
  fc.tuple(hours, fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1 })).map(([[start, end], days]) => ({ start, end, days })),
);
const block = fc.oneof(
  dates,
  scoped('holiday_blocklist', fc.record({ dates: fc.array(date, { maxLength: 3 }), workdayOverrides: fc.array(date, { maxLength: 2 }) })),
  scoped('phone_blacklist', fc.record({ numbers: fc.array(number, { maxLength: 2 }) })),
  scoped('phone_prefix_blocklist', fc.record({ prefixes: fc.array(fc.constantFrom('170', '+852', '9'), { maxLength: 2 }) })),
);
const frequency = scoped(
  'contact_frequency_limit',
  fc.record({ days: fc.integer({ min: 1, max: 5 }), maxAttempts: fc.integer({ min: 1, max: 4 }) }),
);
const limit = fc.oneof(
  frequency,
  scoped('rate_limit', fc.record({ callIntervalMs: fc.integer({ min: 0, max: 5_000 }) })),
  scoped('retry_rule', fc.record({ maxRetries: fc.integer({ min: 0, max: 5 }), retryIntervalSeconds: fc.integer({ min: 0, max: 900 }) })),
  scoped('concurrency_limit', fc.record({ maxConcurrency: fc.integer({ min: 1, max: 20 }) })),
);
const anyPolicies = fc.array(fc.oneof(block, limit, daily, weekly), { maxLength: 5 });
const moment = fc.record({
  at: fc.integer({ min: 0, max: 5 * 24 * 60 }).map(minutes => START + minutes * MINUTE),
  zones: fc.constantFrom([SHANGHAI], [NEW_YORK], [SHANGHAI, NEW_YORK]),
});
const dials = fc.array(fc.integer({ min: 0, max: 5 * 24 * 60 }), { maxLength: 5 });

function allows(policies: Policy[], question: { at: number; zones: readonly string[] }, phoneNumber: string, dialsAgo: number[]): boolean {
  const recentAttempts = () => dialsAgo.map(minutes => question.at - minutes * MINUTE);
  return evaluatePolicies({
    ...question,
    policies: prepare(...policies),
    campaign: LIMITS,
    dialKey: dialKey(phoneNumber, 'CN'),
    recentAttempts,
  }).allowed;
}

/** The first sampled instant with a property; one `expect` each would take longer than what they compare. */
function firstOf(from: number, until: number, stepMs: number, holds: (at: number) => boolean): number | null {
  for (let at = from; at < until; at += stepMs) if (holds(at)) return at;
  return null;
}

test('an added block or limit policy never allows more [D8.3]', () => {
  fc.assert(
    fc.property(anyPolicies, fc.oneof(block, limit), moment, number, dials, (policies, added, question, number, dials) => {
      if (!allows(policies, question, number, dials)) expect(allows([...policies, added], question, number, dials)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('a window added to a scope without windows never allows more [D8.3]', () => {
  fc.assert(
    fc.property(anyPolicies, daily, moment, number, dials, (policies, window, question, number, dials) => {
      fc.pre(!policies.some(({ action, scope }) => action === 'allow_window' && scope === window.scope));
      if (!allows(policies, question, number, dials)) expect(allows([...policies, window], question, number, dials)).toBe(false);
    }),
  );
});

test('a stricter policy never allows more [D8.3]', () => {
  const stricter = fc.oneof(
    fc.tuple(dates, date).map(([loose, extra]) => [loose, { ...loose, config: { dates: [...datesOf(loose), extra] } }] as const),
    frequency.map(loose => [loose, { ...loose, config: { ...frequencyOf(loose), maxAttempts: 1 } }] as const),
    frequency.map(loose => [loose, { ...loose, config: { ...frequencyOf(loose), days: 6 } }] as const),
  );
  fc.assert(
    fc.property(anyPolicies, stricter, moment, number, dials, (policies, [loose, strict], question, number, dials) => {
      if (allows([...policies, strict], question, number, dials)) expect(allows([...policies, loose], question, number, dials)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('limits only become stricter, whatever the order of policies [D8.3]', () => {
  fc.assert(
    fc.property(anyPolicies, moment, (policies, question) => {
      const limits = evaluateCampaign({ ...question, policies: prepare(...policies), campaign: LIMITS }).effectiveLimits;
      expect(limits.maxConcurrency).toBeLessThanOrEqual(LIMITS.maxConcurrency);
      expect(limits.maxRetries).toBeLessThanOrEqual(LIMITS.maxRetries);
      expect(limits.retryIntervalSeconds).toBeGreaterThanOrEqual(LIMITS.retryIntervalSeconds);
      expect(limits.callIntervalMs).toBeGreaterThanOrEqual(LIMITS.callIntervalMs);
      expect(evaluateCampaign({ ...question, policies: prepare(...policies.toReversed()), campaign: LIMITS }).effectiveLimits).toEqual(
        limits,
      );
    }),
  );
});

test('a permission holds until the hours close, a refusal until they open [D8.3]', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(dates, daily, weekly), { minLength: 1, maxLength: 4 }), moment, (list, { at, zones }) => {
      const policies = prepare(...list);
      const allowedAt = (at: number) => evaluateCampaign({ policies, campaign: LIMITS, at, zones }).allowed;
      const verdict = evaluateCampaign({ policies, campaign: LIMITS, at, zones });
      const opening = openingAt(policies.hours, zones, at);
      const turnsAt = verdict.allowed ? opening.closesAt : opening.nextOpenAt;
      const sampledUntil = Math.min(turnsAt ?? Infinity, at + 10 * DAY);
      expect(firstOf(at, sampledUntil, 15 * MINUTE, t => allowedAt(t) !== verdict.allowed)).toBeNull();
      if (turnsAt === null || turnsAt > at + 300 * DAY) return;
      expect(allowedAt(turnsAt - 1)).toBe(verdict.allowed);
      expect(allowedAt(turnsAt)).toBe(!verdict.allowed);
    }),
    { numRuns: 150 },
  );
});

test('a number is eligible at its next eligible time, and not before [D7.10]', () => {
  fc.assert(
    fc.property(anyPolicies, moment, number, dials, (list, { at, zones }, phoneNumber, dialsAgo) => {
      const policies = prepare(...list);
      const recentAttempts = () => dialsAgo.map(minutes => at - minutes * MINUTE);
      const ask = (at: number) =>
        evaluatePolicies({ policies, campaign: LIMITS, at, zones, dialKey: dialKey(phoneNumber, 'CN'), recentAttempts });
      const nextEligibleAt = eligibleAt({ policies, campaign: LIMITS, at, zones, dialKey: dialKey(phoneNumber, 'CN'), recentAttempts });
      if (nextEligibleAt === null) return;
      expect(nextEligibleAt).toBeGreaterThan(at);
      expect(ask(nextEligibleAt).allowed).toBe(true);
      expect(firstOf(at, Math.min(nextEligibleAt, at + 6 * DAY), 30 * MINUTE, t => ask(t).allowed)).toBeNull();
    }),
    { numRuns: 150 },
  );
});

function datesOf({ config }: Policy): string[] {
  return (config as { dates: string[] }).dates;
}

function frequencyOf({ config }: Policy): { days: number; maxAttempts: number } {
  return config as { days: number; maxAttempts: number };
}
