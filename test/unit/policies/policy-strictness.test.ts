import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { evaluatePolicies } from '#policies/decisions/evaluate.ts';
import type { Policy } from '#policies/decisions/policy-kind.ts';
import { POLICY_TYPES, type PolicyType } from '#policies/decisions/policy-table.ts';
import { POLICY_CASES, POLICY_DAYS_START } from '#test/support/policy-cases.ts';
import { campaignPolicy, LIMITS, policy, prepared } from './builders.ts';
import { MINUTE, NEW_YORK, SHANGHAI } from '#test/support/zones.ts';

interface Question {
  at: number;
  zones: readonly string[];
  phoneNumber: string;
  dialsAgo: number[];
}

const inScope = (type: PolicyType, config: object, isCampaign: boolean): Policy =>
  isCampaign ? campaignPolicy(type, config, { id: 50 }) : policy(type, config, { id: 51 });

/** Other policies in both scopes. Windows are left out, because a second window in the same scope would allow more (D8.3). */
const others = fc.array(
  fc
    .constantFrom(...POLICY_TYPES.filter(type => type !== 'daily_window' && type !== 'weekly_window'))
    .chain(type => fc.tuple(POLICY_CASES[type].stricter, fc.boolean()).map(([[config], isCampaign]) => inScope(type, config, isCampaign))),
  { maxLength: 3 },
);
const question: fc.Arbitrary<Question> = fc.record({
  at: fc.integer({ min: 0, max: 5 * 24 * 60 * 60 }).map(seconds => POLICY_DAYS_START + seconds * 1_000),
  zones: fc.constantFrom([SHANGHAI], [NEW_YORK], [SHANGHAI, NEW_YORK]),
  phoneNumber: fc.constantFrom('13800138000', '+86 170 1234 5678', '95588', '13911112222'),
  dialsAgo: fc.array(fc.nat(5 * 24 * 60), { maxLength: 5 }),
});

function decide(policies: Policy[], { dialsAgo, phoneNumber, ...asked }: Question) {
  const recentAttempts = () => dialsAgo.map(minutes => asked.at - minutes * MINUTE);
  return evaluatePolicies({
    ...asked,
    dialKey: dialKey(phoneNumber, 'CN'),
    policies: prepared(...policies),
    campaign: LIMITS,
    recentAttempts,
  });
}

describe('a stricter policy never allows more, for every type and both scopes [OCS 4.9, D8.3]', () => {
  test.each(POLICY_TYPES)('%s', type => {
    fc.assert(
      fc.property(others, POLICY_CASES[type].stricter, fc.boolean(), question, (beside, [loose, strict], isCampaign, asked) => {
        const loosely = decide([...beside, inScope(type, loose, isCampaign)], asked);
        const strictly = decide([...beside, inScope(type, strict, isCampaign)], asked);
        if (strictly.allowed) expect(loosely.allowed).toBe(true);
        expect(strictly.effectiveLimits.maxConcurrency).toBeLessThanOrEqual(loosely.effectiveLimits.maxConcurrency);
        expect(strictly.effectiveLimits.maxRetries).toBeLessThanOrEqual(loosely.effectiveLimits.maxRetries);
        expect(strictly.effectiveLimits.retryIntervalSeconds).toBeGreaterThanOrEqual(loosely.effectiveLimits.retryIntervalSeconds);
        expect(strictly.effectiveLimits.callIntervalMs).toBeGreaterThanOrEqual(loosely.effectiveLimits.callIntervalMs);
      }),
      { numRuns: 400 },
    );
  });
});

test.each(POLICY_TYPES)('a second %s in the other scope never allows more than one alone [OCS 4.9 "both must pass"]', type => {
  fc.assert(
    fc.property(POLICY_CASES[type].stricter, question, ([one, two], asked) => {
      const alone = decide([inScope(type, one, false)], asked);
      const both = decide([inScope(type, one, false), inScope(type, two, true)], asked);
      if (both.allowed) expect(alone.allowed).toBe(true);
      expect(both.effectiveLimits.maxConcurrency).toBeLessThanOrEqual(alone.effectiveLimits.maxConcurrency);
      expect(both.effectiveLimits.callIntervalMs).toBeGreaterThanOrEqual(alone.effectiveLimits.callIntervalMs);
    }),
    { numRuns: 200 },
  );
});
