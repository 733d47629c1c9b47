import { describe, expect, test } from '@jest/globals';
import { estimateFinish, type FinishQuestion } from '#dialling/decisions/preflight-checks.ts';
import { NUMBER_RULE_DEFAULTS } from '#lines/decisions/number-rules.ts';
import type { Line } from '#lines/line.ts';
import { prepareWindow } from '#policies/decisions/calling-window.ts';
import { NO_WINDOW } from '#test/support/no-window.ts';
import { preparePolicies } from '#policies/decisions/prepare-policies.ts';

const HOUR = 3_600_000;
/** 2026-12-01 10:00 in Shanghai. */
const AT = Date.UTC(2026, 11, 1, 2);

const LINE: Line = {
  id: 1,
  name: '',
  code: '',
  dialStringTemplate: '',
  callerIdNumber: null,
  callerIdName: null,
  maxConcurrency: 10,
  allocationMode: 'single_shared',
  callerIdHeaderMode: 'caller_id_only',
  numberFormat: 'national',
  localPrefixes: '',
  numberRules: NUMBER_RULE_DEFAULTS,
  isEnabled: true,
  description: '',
  numbers: [],
  createdAt: 0,
  updatedAt: 0,
};

function estimate(overrides: Partial<FinishQuestion>): number | null {
  return estimateFinish({
    dials: 100,
    callMs: 60_000,
    limits: { maxConcurrency: 10, maxRetries: 0, retryIntervalSeconds: 0, callIntervalMs: 0 },
    lines: [LINE],
    window: prepareWindow(NO_WINDOW),
    policies: preparePolicies([], 1, 'CN'),
    at: AT,
    zone: 'Asia/Shanghai',
    ...overrides,
  });
}

describe('estimated end of a campaign', () => {
  test('all slots are used: 100 calls of 1 min on 10 slots take 10 min [D5.6]', () => {
    expect(estimate({})).toBe(AT + 10 * 60_000);
  });

  test('a line narrower than the campaign is the limit, and a number pool is as wide as its enabled numbers [D5.6]', () => {
    expect(estimate({ lines: [{ ...LINE, maxConcurrency: 2 }] })).toBe(AT + 50 * 60_000);
    const number = {
      id: 1,
      number: '1',
      weight: 1,
      maxConcurrency: 1,
      isEnabled: true,
      hourlyCap: null,
      dailyCap: null,
      restingUntil: null,
    };
    const pool: Line = { ...LINE, allocationMode: 'number_pool', numbers: [number, { ...number, id: 2, isEnabled: false }] };
    expect(estimate({ lines: [pool] })).toBe(AT + 100 * 60_000);
  });

  test('a slower call interval is the limit [D5.6]', () => {
    expect(estimate({ limits: { maxConcurrency: 10, maxRetries: 0, retryIntervalSeconds: 0, callIntervalMs: 60_000 } })).toBe(
      AT + 100 * 60_000,
    );
  });

  test('closed hours are skipped: 10 h of work from 10:00 in a window 09:00–18:00 end at 11:00 of the next day [D5.6]', () => {
    const window = prepareWindow({ ...NO_WINDOW, workdayStart: '09:00', workdayEnd: '18:00' });
    expect(estimate({ dials: 100, callMs: HOUR, window })).toBe(AT + 25 * HOUR);
  });

  test.each([
    [{ dials: 0 }],
    [{ lines: [] }],
    [{ lines: [{ ...LINE, isEnabled: false }] }],
    [{ window: prepareWindow({ ...NO_WINDOW, scheduledEndAt: AT + 60_000 }) }],
  ])('there is no estimate for %j [D5.6]', overrides => {
    expect(estimate(overrides)).toBeNull();
  });
});
