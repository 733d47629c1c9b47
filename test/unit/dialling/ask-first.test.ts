import { describe, expect, test } from '@jest/globals';
import { heeding } from '#dialling/ask-first.ts';
import type { AdmitVerdict, DialCandidate } from '#dialling/dial-store.ts';
import type { PreDialVerdict } from '#pre-dial/pre-dial.ts';

const AT = 1_000_000;
const candidate = (contactId: number): DialCandidate => ({
  contactId,
  phoneNumber: '13800138000',
  dialKey: '13800138000',
  attemptCount: 0,
  lastEndedAt: null,
  lastCallerNumber: null,
  callbackAt: null,
  retryAt: null,
  notBefore: null,
  notAfter: null,
  doNotCall: null,
  isInCall: false,
  recentDials: [],
  zones: null,
});
const VERDICTS = new Map<number, PreDialVerdict>([
  [1, { kind: 'allow' }],
  [2, { kind: 'hold', until: null, reason: '已退费' }],
  [3, { kind: 'hold', until: AT + 60_000, reason: '' }],
]);
const admit = (own: AdmitVerdict, contactId: number) => heeding(() => own, VERDICTS)(candidate(contactId), AT);

describe('rules and hook together [D15.7]', () => {
  test('what the rules admit needs the hook, with its end', () => {
    expect(admit({ kind: 'admit', validUntil: 7 }, 1)).toEqual({ kind: 'admit', validUntil: 7 });
    expect(admit({ kind: 'admit' }, 2)).toEqual({ kind: 'hold', reason: 'pre_dial_hook', until: null });
    expect(admit({ kind: 'admit' }, 3)).toEqual({ kind: 'hold', reason: 'pre_dial_hook', until: AT + 60_000 });
  });

  test('a contact that nobody asked about waits a moment', () => {
    expect(admit({ kind: 'admit' }, 4)).toEqual({ kind: 'hold', reason: 'pre_dial_hook', until: AT + 1_000 });
  });

  test('what the rules forbid, no hook allows', () => {
    expect(admit({ kind: 'hold', reason: 'dnc', until: null }, 1)).toEqual({ kind: 'hold', reason: 'dnc', until: null });
    expect(admit({ kind: 'fail', callStatus: 'invalid_number' }, 2)).toEqual({ kind: 'fail', callStatus: 'invalid_number' });
  });
});
