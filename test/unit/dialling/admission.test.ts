import { describe, expect, test } from '@jest/globals';
import { admission, assessPlan, decideContact } from '#dialling/decisions/assess.ts';
import type { Policy } from '#policies/policy.ts';
import { campaignRecord } from '#test/support/campaign-record.ts';
import type { DialCandidate } from '#dialling/dial-store.ts';

const ZONE = 'Asia/Shanghai';
const AT = Date.UTC(2026, 10, 23, 2);

const campaign = campaignRecord(AT, {
  name: '',
  maxConcurrency: 10,
  maxRetries: 2,
  retryIntervalSeconds: 60,
  status: 'running',
  phase: 'DISPATCHING',
});

const blacklist: Policy = {
  id: 1,
  name: '黑名单',
  scope: 'global',
  campaignId: null,
  type: 'phone_blacklist',
  action: 'block',
  priority: 0,
  config: { numbers: ['13800000001'] },
  isEnabled: true,
  ruleId: null,
  createdAt: AT,
  updatedAt: AT,
};

function decide(doNotCall: DialCandidate['doNotCall'], policies: Policy[]) {
  const candidate: DialCandidate = {
    contactId: 1,
    phoneNumber: '13800000001',
    dialKey: '+8613800000001',
    attemptCount: 0,
    lastEndedAt: null,
    lastCallerNumber: null,
    callbackAt: null,
    retryAt: null,
    notBefore: null,
    notAfter: null,
    isInCall: false,
    doNotCall,
    recentDials: [],
    zones: null,
    numbers: [],
  };
  return admission(assessPlan({ at: AT, campaign, policies }, { timeZone: ZONE, region: 'CN' }))(candidate, AT);
}

test('a short code is held indefinitely instead of failed, so it costs no attempt [D4.6]', () => {
  const assessment = assessPlan({ at: AT, campaign, policies: [] }, { timeZone: ZONE, region: 'CN' });
  const candidate = { contactId: 1, phoneNumber: '0110', dialKey: '0110', attemptCount: 0, lastEndedAt: null, lastCallerNumber: null };
  const facts = {
    ...candidate,
    callbackAt: null,
    retryAt: null,
    notBefore: null,
    notAfter: null,
    doNotCall: null,
    isInCall: false,
    recentDials: [],
    zones: null,
    numbers: [],
  };
  expect(admission(assessment)(facts, AT)).toEqual({
    kind: 'hold',
    reason: 'short_code',
    until: null,
  });
});

describe('a contact that was promised a call [D7.12]', () => {
  const assessment = assessPlan({ at: AT, campaign: { ...campaign, maxRetries: 0 }, policies: [] }, { timeZone: ZONE, region: 'CN' });
  const contact = { dialKey: '+8613800000001', attemptCount: 9, lastEndedAt: AT - 1, doNotCall: null, recentDials: [], zones: null };

  test('waits for its time', () => {
    const decision = decideContact(assessment, { ...contact, callbackAt: AT + 60_000 });
    expect(decision).toEqual({ admit: false, reason: 'callback', detail: null, nextEligibleAt: AT + 60_000 });
  });

  test('is dialled then, whatever attempts are left and however recent the last one is', () => {
    expect(decideContact(assessment, { ...contact, callbackAt: AT })).toEqual({ admit: true });
    expect(decideContact(assessment, contact)).toMatchObject({ admit: false, reason: 'attempts_exhausted' });
  });

  test('is not dialled while it is on the do-not-call list', () => {
    const decision = decideContact(assessment, { ...contact, callbackAt: AT, doNotCall: { expiresAt: null } });
    expect(decision).toMatchObject({ admit: false, reason: 'dnc' });
  });
});

describe('a hold ends when its own reason ends', () => {
  test('a hold for a temporary do-not-call entry ends with the entry, even if another rule also forbids the number [D8.7]', () => {
    const expiresAt = AT + 40_000;
    expect(decide({ expiresAt }, [])).toEqual({ kind: 'hold', reason: 'dnc', until: expiresAt });
    expect(decide({ expiresAt }, [blacklist])).toEqual({ kind: 'hold', reason: 'dnc', until: expiresAt });
  });

  test('a permanent entry and a blacklist hold the contact until they are edited [D8.6]', () => {
    expect(decide({ expiresAt: null }, [])).toEqual({ kind: 'hold', reason: 'dnc', until: null });
    expect(decide(null, [blacklist])).toEqual({ kind: 'hold', reason: 'blacklist', until: null });
  });
});

describe('a dial that was asked for [D7.15]', () => {
  const HOUR_MS = 3_600_000;
  const ask = (bounds: Partial<DialCandidate>, policies: Policy[] = []) => {
    const assessment = assessPlan({ at: AT, campaign, policies }, { timeZone: ZONE, region: 'CN' });
    const candidate = { contactId: 1, phoneNumber: '13800000001', dialKey: '+8613800000001', attemptCount: 0, lastEndedAt: null };
    const facts = {
      lastCallerNumber: null,
      callbackAt: null,
      retryAt: null,
      doNotCall: null,
      isInCall: false,
      recentDials: [],
      zones: null,
    };
    return admission(assessment)({ ...candidate, ...facts, notBefore: null, notAfter: null, ...bounds }, AT);
  };

  test('is permitted until its latest instant', () => {
    expect(ask({ notAfter: AT + HOUR_MS })).toEqual({ kind: 'admit', validUntil: AT + HOUR_MS });
  });

  test('is held from its latest instant on, for good', () => {
    expect(ask({ notAfter: AT })).toEqual({ kind: 'hold', reason: 'not_after_passed', until: null });
  });

  test('is held until its earliest instant', () => {
    expect(ask({ notBefore: AT + 1 })).toEqual({ kind: 'hold', reason: 'not_before', until: AT + 1 });
    expect(ask({ notBefore: AT })).toEqual({ kind: 'admit', validUntil: null });
  });

  test('a wait of its own does not depend on a policy, whose removal would not end it', () => {
    const untilEleven: Policy = { ...blacklist, type: 'daily_window', action: 'allow_window', config: { start: '09:00', end: '11:00' } };
    const dueAt = AT + 2 * HOUR_MS;
    expect(ask({ notBefore: dueAt }, [untilEleven])).toEqual({ kind: 'hold', reason: 'not_before', until: dueAt });
    expect(ask({ callbackAt: dueAt }, [untilEleven])).toEqual({ kind: 'hold', reason: 'callback', until: dueAt });
  });

  test('a promised call has its own time instead', () => {
    expect(ask({ notAfter: AT - 1, notBefore: AT + HOUR_MS, callbackAt: AT })).toEqual({ kind: 'admit', validUntil: null });
  });

  test('waits for its retry where that is later than its earliest instant', () => {
    const retry = { attemptCount: 1, lastEndedAt: AT - 1_000 };
    expect(ask({ ...retry, notBefore: AT + 1_000 })).toEqual({ kind: 'hold', reason: 'retry_wait', until: AT + 59_000 });
    expect(ask({ ...retry, notBefore: AT + HOUR_MS })).toEqual({ kind: 'hold', reason: 'not_before', until: AT + HOUR_MS });
  });
});
