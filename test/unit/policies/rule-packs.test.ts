import { describe, expect, test } from '@jest/globals';
import { admission, assessPlan } from '#dialling/decisions/assess.ts';
import type { DialCandidate } from '#dialling/dial-store.ts';
import { consentAt } from '#consent/decisions/consent-at.ts';
import { type Choices, findPack, policiesOf, RULE_PACKS } from '#policies/decisions/rule-packs.ts';
import type { AbandonmentCount } from '#policies/decisions/person-kinds.ts';
import { policyFault } from '#policies/decisions/policy-table.ts';
import type { Policy } from '#policies/policy.ts';
import { campaignRecord } from '#test/support/campaign-record.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Noon in Shanghai, 04:00 in London, 23:00 the day before in New York. */
const AT = Date.UTC(2026, 10, 23, 4);
const ZONES = { cn: 'Asia/Shanghai', us: 'America/New_York', uk: 'Europe/London', eu: 'Europe/Paris' } as const;

type PackId = keyof typeof ZONES;

interface Facts extends Partial<Omit<DialCandidate, 'contactId' | 'phoneNumber'>> {
  /** By the hours of the limit that counts them. */
  abandonment?: Omit<AbandonmentCount, 'policyId'>;
}

/** How a dial is decided at an instant under one pack alone. */
function decide(packId: PackId, { abandonment, ...facts }: Facts, { at = AT, choices = {} }: { at?: number; choices?: Choices } = {}) {
  const pack = findPack(packId);
  if (!pack) throw new Error(`no pack ${packId}`);
  const policies = policiesOf(pack, choices).map(
    (rule, index): Policy => ({ ...rule, id: index + 1, scope: 'global', campaignId: null, isEnabled: true, createdAt: AT, updatedAt: AT }),
  );
  const counts = policies
    .filter(({ type }) => type === 'abandonment_limit')
    .map(({ id }) => ({ policyId: id, answered: 0, abandonedAt: [], ...abandonment }));
  const campaign = campaignRecord(at, {
    name: '',
    maxConcurrency: 10,
    maxRetries: 9,
    retryIntervalSeconds: 0,
    status: 'running',
    phase: 'DISPATCHING',
  });
  const assessment = assessPlan({ at, campaign, policies, abandonment: counts }, { timeZone: ZONES[packId], region: 'CN' });
  const candidate: DialCandidate = {
    contactId: 1,
    phoneNumber: '13800000001',
    dialKey: '+8613800000001',
    attemptCount: 0,
    lastEndedAt: null,
    lastCallerNumber: null,
    callbackAt: null,
    retryAt: null,
    isInCall: false,
    doNotCall: null,
    recentDials: [],
    consents: ['marketing'],
    notBefore: null,
    notAfter: null,
    zones: null,
    ...facts,
  };
  const decision = admission(assessment)(candidate, at);
  return decision.kind === 'hold' ? { reason: decision.reason, until: decision.until } : decision.kind;
}

/** An instant of 23 November 2026 by the clock of the pack's zone; no zone changes its clock that week. */
function clock(packId: PackId, hour: number, minute = 0): number {
  const offset = { cn: 8, us: -5, uk: 0, eu: 1 }[packId];
  return Date.UTC(2026, 10, 23, hour - offset, minute);
}

const abandoned = (count: number, at: number) => Array.from({ length: count }, (_, index) => at - (count - index) * 60_000);
const dials = (count: number, at: number) => Array.from({ length: count }, (_, index) => ({ at: at - (index + 1) * HOUR, campaignId: 99 }));

describe('China [D8.11]', () => {
  test('cn/calling-hours: calls only from 8 to 21', () => {
    expect(decide('cn', {}, { at: clock('cn', 7, 59) })).toEqual({ reason: 'outside_window', until: clock('cn', 8) });
    expect(decide('cn', {}, { at: clock('cn', 8) })).toBe('admit');
    expect(decide('cn', {}, { at: clock('cn', 20, 59) })).toBe('admit');
    expect(decide('cn', {}, { at: clock('cn', 21) })).toMatchObject({ reason: 'outside_window' });
  });

  test('cn/calling-hours: or from 9 to 20 where so agreed', () => {
    const choices = { 'cn/calling-hours': '9-20' };
    expect(decide('cn', {}, { at: clock('cn', 8, 59), choices })).toMatchObject({ reason: 'outside_window' });
    expect(decide('cn', {}, { at: clock('cn', 9), choices })).toBe('admit');
    expect(decide('cn', {}, { at: clock('cn', 20), choices })).toMatchObject({ reason: 'outside_window' });
  });

  test.each([
    ['3', 3],
    ['2', 2],
    ['5', 5],
  ])('cn/calls-per-day: the number is called %s times in 24 hours, by whatever campaign', (choice, most) => {
    const choices = { 'cn/calls-per-day': choice };
    const at = clock('cn', 14);
    expect(decide('cn', { recentDials: dials(most - 1, at) }, { at, choices })).toBe('admit');
    // The earliest of them, `most` hours ago, leaves the span first.
    expect(decide('cn', { recentDials: dials(most, at) }, { at, choices })).toEqual({
      reason: 'frequency_cap',
      until: at - most * HOUR + DAY,
    });
  });

  test('cn/refusals: people who have refused are not called', () => {
    expect(decide('cn', { doNotCall: { expiresAt: null } }, { at: clock('cn', 12) })).toEqual({ reason: 'dnc', until: null });
  });

  test('cn/consent: marketing needs a consent where it is checked', () => {
    const at = clock('cn', 12);
    expect(decide('cn', { consents: [] }, { at })).toBe('admit');
    expect(decide('cn', { consents: [] }, { at, choices: { 'cn/consent': 'marketing' } })).toEqual({
      reason: 'consent_missing',
      until: null,
    });
    expect(decide('cn', {}, { at, choices: { 'cn/consent': 'marketing' } })).toBe('admit');
  });
});

describe('United States [D8.11]', () => {
  test("us/calling-hours: calls only from 8 a.m. to 9 p.m. in the called person's time", () => {
    expect(decide('us', {}, { at: clock('us', 7, 59) })).toEqual({ reason: 'outside_window', until: clock('us', 8) });
    expect(decide('us', {}, { at: clock('us', 8) })).toBe('admit');
    expect(decide('us', {}, { at: clock('us', 21) })).toMatchObject({ reason: 'outside_window' });
    // 08:30 in New York is 05:30 in Los Angeles.
    expect(decide('us', { zones: 'America/Los_Angeles' }, { at: clock('us', 8, 30) })).toEqual({
      reason: 'outside_window',
      until: clock('us', 11),
    });
  });

  test('us/abandonment: three percent of the calls that people answered in 30 days, and not one more', () => {
    const at = clock('us', 12);
    const first = at - 30 * 60_000;
    expect(decide('us', { abandonment: { answered: 1_000, abandonedAt: abandoned(30, at) } }, { at })).toBe('admit');
    expect(decide('us', { abandonment: { answered: 1_000, abandonedAt: [first - HOUR, ...abandoned(30, at)] } }, { at })).toEqual({
      reason: 'abandonment_limit',
      // 30 days after the first of the 31; that is 10:30 of a day.
      until: first - HOUR + 30 * DAY,
    });
  });

  test('us/abandonment: is measured on a hundred answered calls at least', () => {
    const at = clock('us', 12);
    expect(decide('us', { abandonment: { answered: 3, abandonedAt: abandoned(3, at) } }, { at })).toBe('admit');
    expect(decide('us', { abandonment: { answered: 4, abandonedAt: abandoned(4, at) } }, { at })).toMatchObject({
      reason: 'abandonment_limit',
    });
  });

  test('us/consent: marketing needs a consent that holds, unless nothing is sold', () => {
    const at = clock('us', 12);
    expect(decide('us', { consents: [] }, { at })).toEqual({ reason: 'consent_missing', until: null });
    expect(decide('us', { consents: ['survey'] }, { at })).toMatchObject({ reason: 'consent_missing' });
    expect(decide('us', { consents: [] }, { at, choices: { 'us/consent': 'off' } })).toBe('admit');
  });

  test('us/reassigned-numbers: a reassignment ends the consent of the former subscriber, a later consent holds', () => {
    const given = { id: 1, kind: 'given', purpose: 'marketing', at: AT - 9 * DAY, until: null } as const;
    const reassigned = { id: 2, kind: 'revoked', purpose: '', at: AT - 5 * DAY, until: null } as const;
    const again = { ...given, id: 3, at: AT - DAY };
    expect(consentAt([given], 'marketing', AT)).toBe(true);
    expect(consentAt([given, reassigned], 'marketing', AT)).toBe(false);
    expect(consentAt([given, reassigned, again], 'marketing', AT)).toBe(true);
  });

  test('us/do-not-call: listed numbers are not called', () => {
    expect(decide('us', { doNotCall: { expiresAt: null } }, { at: clock('us', 12) })).toEqual({ reason: 'dnc', until: null });
  });
});

describe('United Kingdom [D8.11]', () => {
  test('uk/rest-after-abandoned: 72 hours after an abandoned call', () => {
    const at = clock('uk', 12);
    expect(decide('uk', { lastAbandonedAt: at - 72 * HOUR + 1 }, { at })).toEqual({ reason: 'abandoned_recently', until: at + 1 });
    expect(decide('uk', { lastAbandonedAt: at - 72 * HOUR }, { at })).toBe('admit');
  });

  test('uk/abandonment: three percent in 24 hours', () => {
    const at = clock('uk', 12);
    expect(decide('uk', { abandonment: { answered: 200, abandonedAt: abandoned(6, at) } }, { at })).toBe('admit');
    expect(decide('uk', { abandonment: { answered: 200, abandonedAt: abandoned(7, at) } }, { at })).toEqual({
      reason: 'abandonment_limit',
      until: at - 7 * 60_000 + DAY,
    });
  });

  test('uk/consent: recorded marketing needs prior consent', () => {
    expect(decide('uk', { consents: [] }, { at: clock('uk', 12) })).toEqual({ reason: 'consent_missing', until: null });
    expect(decide('uk', { consents: [] }, { at: clock('uk', 12), choices: { 'uk/consent': 'off' } })).toBe('admit');
  });

  test('uk/do-not-call: people who objected are not called', () => {
    expect(decide('uk', { doNotCall: { expiresAt: null } }, { at: clock('uk', 12) })).toEqual({ reason: 'dnc', until: null });
  });
});

describe('European Union [D8.11]', () => {
  test('eu/consent: automated marketing needs prior consent, in no case without', () => {
    expect(decide('eu', {}, { at: clock('eu', 12) })).toBe('admit');
    expect(decide('eu', { consents: [] }, { at: clock('eu', 12) })).toEqual({ reason: 'consent_missing', until: null });
  });

  test('eu/objection: people who objected are not called', () => {
    expect(decide('eu', { doNotCall: { expiresAt: null } }, { at: clock('eu', 12) })).toEqual({ reason: 'dnc', until: null });
  });
});

describe('every rule [D8.11]', () => {
  const rules = RULE_PACKS.flatMap(pack => pack.rules.map(rule => ({ pack, rule })));

  test('has an id of its own in its pack, a source, and the words trade practice where no law was found', () => {
    expect(new Set(rules.map(({ rule }) => rule.id)).size).toBe(rules.length);
    for (const { pack, rule } of rules) {
      expect(rule.id).toMatch(new RegExp(`^${pack.id}/[a-z-]+$`));
      expect([rule.source.zh.includes('行业惯例：'), rule.source.en.startsWith('Trade practice')]).toEqual([
        rule.isTradePractice,
        rule.isTradePractice,
      ]);
      expect(rule.lastChecked).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      if (rule.inForceFrom !== null) expect(rule.inForceFrom < rule.lastChecked).toBe(true);
    }
  });

  test('is carried out by a policy that users could write too, in each of its ways', () => {
    for (const { pack, rule } of rules) {
      for (const { id, config } of rule.policy?.choices ?? []) {
        const made = policiesOf(pack, { [rule.id]: id }).find(({ ruleId }) => ruleId === rule.id);
        if (config === null) expect(made).toBeUndefined();
        else
          expect(
            policyFault({ ...made, type: made?.type ?? '', action: made?.action ?? '', config, scope: 'global', campaignId: null }),
          ).toBeNull();
      }
    }
  });
});
