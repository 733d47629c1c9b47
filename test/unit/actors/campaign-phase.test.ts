import { BREAKER_DEFAULTS } from '#platform/config/defaults.ts';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { TurnFindings } from '#actors/campaign/events.ts';
import { blockedReason, claimLimit, isShown, RECHECK_MS } from '#actors/campaign/obstacles.ts';
import { CAMPAIGN_PHASES, type CampaignPhase, NO_SCRIPT_TEXT, scriptlessReason } from '#campaigns/decisions/campaign-states.ts';
import { AT, failures, found, given, PROBE, start, tried, turn } from '#test/support/campaign-turns.ts';

const report = { dials: 20, failures: 20, causes: { NORMAL_TEMPORARY_FAILURE: 20 } };
const STOPPED = { calls: 3, script: '', since: 5 };
const SCRIPTLESS = { ...STOPPED, reason: scriptlessReason(STOPPED, null) ?? '' };
const open = { open: true, cause: null };
const allowed = { allowed: true, reason: null };
const refused = (reason: NonNullable<TurnFindings['slotRefusal']>['reason']): Partial<TurnFindings> => ({
  slotRefusal: { reason, nextEligibleAt: null },
});

const over = { open: false, cause: 'schedule_over' as const };
const shut = { open: false, cause: 'outside_hours' as const };
const abandoning = { allowed: false, reason: '策略「x」：弃呼过多', blockedBy: 'abandonment_limit' as const };
const forbidden = { allowed: false, reason: '策略「x」：2026-02-17 禁止外呼' };

test.each<[string, Partial<TurnFindings>, object]>([
  ['runs and may dial', {}, { phase: 'DISPATCHING', refusal: null, cause: null, nextWakeAt: AT }],
  ['has only live calls left', { pendingCount: 0, activeCalls: 1 }, { phase: 'DRAINING', nextWakeAt: AT + RECHECK_MS }],
  ['has nothing left', { pendingCount: 0 }, { phase: 'IDLE', nextWakeAt: AT }],
  ['waits for a retry', { pendingCount: 0, nextRetryAt: AT + 7 }, { phase: 'WAITING_RETRY', nextWakeAt: AT + 7 }],
  [
    'waits for a retry while another contact is held back for longer',
    { pendingCount: 0, nextRetryAt: AT + 7, nextHold: { reason: 'frequency_cap', until: AT + 9 } },
    { phase: 'WAITING_RETRY', nextWakeAt: AT + 7 },
  ],
  [
    'has only contacts that a policy holds back',
    { pendingCount: 0, activeCalls: 1, nextHold: { reason: 'frequency_cap', until: AT + 60_000 } },
    {
      phase: 'BLOCKED_BY_POLICY',
      phaseReason: '联系人都在等待限制解除：号码已达到联系频次上限',
      cause: 'policy',
      nextWakeAt: AT + 60_000,
    },
  ],
  [
    'has only contacts that wait for a promised callback',
    { pendingCount: 0, nextHold: { reason: 'callback', until: AT + 7_200_000 } },
    { phase: 'WAITING_RETRY', phaseReason: '等待约定的回访时间', cause: 'callback', nextWakeAt: AT + 7_200_000 },
  ],
  [
    'waits for tomorrow, but looks again within a minute while a call may bring an earlier retry',
    { pendingCount: 0, activeCalls: 1, nextRetryAt: AT + 7_200_000 },
    { phase: 'WAITING_RETRY', nextWakeAt: AT + 60_000 },
  ],
  [
    'has only contacts that wait for the end of their do-not-call entries',
    { pendingCount: 0, nextHold: { reason: 'dnc', until: AT + 7_200_000 } },
    { phase: 'BLOCKED_BY_POLICY', phaseReason: '联系人都在勿扰名单中，等待条目到期', cause: 'do_not_call', nextWakeAt: AT + 7_200_000 },
  ],
  [
    'has a contact that was held back until now',
    { pendingCount: 0, nextHold: { reason: 'frequency_cap', until: AT } },
    { phase: 'BLOCKED_BY_POLICY', nextWakeAt: AT + RECHECK_MS },
  ],
  ['has a retry that is due', { pendingCount: 0, nextRetryAt: AT }, { phase: 'DISPATCHING' }],
  [
    'is outside its window',
    { window: shut, opensAt: AT + 60_000 },
    { phase: 'WAITING_WINDOW', phaseReason: '不在活动的可呼时段内', cause: 'outside_hours', nextWakeAt: AT + 60_000 },
  ],
  ['is outside a window that never opens again', { window: shut, opensAt: null }, { phase: 'WAITING_WINDOW', nextWakeAt: AT + 60_000 }],
  [
    'is forbidden by a policy',
    { policy: forbidden, opensAt: AT + 90_000 },
    { phase: 'BLOCKED_BY_POLICY', phaseReason: forbidden.reason, cause: 'policy', nextWakeAt: AT + 90_000 },
  ],
  [
    'has abandoned too many calls',
    { policy: abandoning, opensAt: AT + 90_000 },
    { phase: 'BLOCKED_BY_POLICY', phaseReason: abandoning.reason, cause: 'abandonment_limit', nextWakeAt: AT + 90_000 },
  ],
  [
    'waits for both its window and a policy',
    { window: shut, policy: forbidden, opensAt: AT + 90_000 },
    { phase: 'WAITING_WINDOW', nextWakeAt: AT + 90_000 },
  ],
  [
    'waits for a retry that is due before the window opens',
    { pendingCount: 0, nextRetryAt: AT + 7, window: shut, opensAt: AT + 60_000 },
    { phase: 'WAITING_WINDOW', nextWakeAt: AT + 60_000 },
  ],
  [
    'waits for a retry that is due after the window opens',
    { pendingCount: 0, nextRetryAt: AT + 99_000, window: shut, opensAt: AT + 60_000 },
    { phase: 'WAITING_RETRY', nextWakeAt: AT + 99_000 },
  ],
  [
    'has passed its planned end with a call open',
    { endsAt: AT, activeCalls: 2, window: over },
    { phase: 'DRAINING', phaseReason: '等待 2 个进行中的通话结束' },
  ],
  [
    'waits for a retry after its planned end',
    { pendingCount: 0, nextRetryAt: AT + 99_000, endsAt: AT + 50_000 },
    { phase: 'WAITING_RETRY', nextWakeAt: AT + 50_000 },
  ],
  [
    'has calls that ended because a script was missing',
    { scriptless: SCRIPTLESS },
    { phase: 'BLOCKED_BY_POLICY', phaseReason: SCRIPTLESS.reason, cause: 'no_script' },
  ],
  ['has no script any more', { hasFlow: false }, { phase: 'BLOCKED_BY_POLICY', phaseReason: NO_SCRIPT_TEXT, cause: 'no_script' }],
  [
    'has no runtime',
    refused('no_runtime'),
    { phase: 'WAITING_RUNTIME', phaseReason: '没有在线的话术引擎', refusal: 'no_runtime', nextWakeAt: AT + RECHECK_MS },
  ],
  [
    'finds no free place at a runtime',
    refused('runtime_full'),
    { phase: 'WAITING_RUNTIME', phaseReason: '话术引擎没有空闲名额', refusal: 'runtime_full', cause: 'runtime_full' },
  ],
  [
    'cannot reach a switch',
    { isCellReachable: false },
    {
      phase: 'SWITCH_UNREACHABLE',
      phaseReason: '交换机不可达',
      refusal: 'switch_unreachable',
      cause: 'switch_unreachable',
      nextWakeAt: AT + RECHECK_MS,
    },
  ],
  ['cannot reach a switch, outside its window', { isCellReachable: false, window: shut }, { phase: 'WAITING_WINDOW', refusal: null }],
  [
    'has no agent to monitor it',
    { slotRefusal: { reason: 'no_monitor', nextEligibleAt: null } },
    { phase: 'WAITING_MONITOR', phaseReason: '没有可用的监控坐席', nextWakeAt: AT + RECHECK_MS },
  ],
  [
    'waits for the interval between its dials',
    { slotRefusal: { reason: 'interval', nextEligibleAt: AT + 300 } },
    { phase: 'WAITING_INTERVAL', refusal: 'interval', nextWakeAt: AT + 300 },
  ],
  [
    'has a full line',
    { slotRefusal: { reason: 'line_full', nextEligibleAt: null } },
    { phase: 'WAITING_SLOT', phaseReason: '线路并发已满', refusal: 'line_full', cause: 'line_full', nextWakeAt: AT + RECHECK_MS },
  ],
  [
    'has numbers that have all made their dials',
    { slotRefusal: { reason: 'number_cap', nextEligibleAt: AT + 1_800_000 } },
    {
      phase: 'WAITING_SLOT',
      phaseReason: '主叫号码已达到呼叫上限或在休息',
      refusal: 'number_cap',
      cause: 'number_cap',
      nextWakeAt: AT + 1_800_000,
    },
  ],
  [
    'has no line that is enabled',
    { slotRefusal: { reason: 'line_full', nextEligibleAt: null }, hasLine: false },
    { phase: 'WAITING_SLOT', phaseReason: '活动的线路均已停用', refusal: 'line_full', cause: 'no_line' },
  ],
  [
    'was refused because no agent monitors it',
    { slotRefusal: { reason: 'no_monitor', nextEligibleAt: null } },
    { phase: 'WAITING_MONITOR' },
  ],
  [
    'was refused because no switch was reachable',
    { slotRefusal: { reason: 'switch_unreachable', nextEligibleAt: null } },
    { phase: 'SWITCH_UNREACHABLE' },
  ],
])('a campaign that %s [D5.1]', (_what, changes, expected) => {
  const { value, context, timers } = given(start).when(turn(changes));
  const { running: phase } = value as { running: CampaignPhase };
  const { reason: phaseReason, cause, refusal, wakeAt: nextWakeAt } = context;
  expect({ phase, phaseReason, refusal, cause, nextWakeAt }).toMatchObject(expected);
  expect(timers).toEqual({ wakeUp: Number(nextWakeAt) - AT });
});

test('every turn ends in a listed phase with a Chinese reason, and a wake-up is never in the past [D5.1]', () => {
  const later = fc.option(fc.integer({ min: AT, max: AT + 1_000_000 }));
  fc.assert(
    fc.property(
      fc.record({
        window: fc.constantFrom(open, shut),
        policy: fc.constantFrom(allowed, forbidden),
        opensAt: later,
        pendingCount: fc.integer({ min: 0, max: 2 }),
        nextRetryAt: fc.option(fc.integer({ min: AT - 100, max: AT + 100_000 })),
        activeCalls: fc.integer({ min: 0, max: 2 }),
        slotRefusal: fc.option(fc.record({ reason: fc.constantFrom('interval' as const, 'cell_full' as const), nextEligibleAt: later })),
        isCellReachable: fc.boolean(),
      }),
      changes => {
        const { value, context } = given(start).when(turn(changes));
        expect(CAMPAIGN_PHASES).toContain((value as { running: string }).running);
        expect(context.reason).toMatch(/[\u4e00-\u9fff]/);
        expect(context.wakeAt).toBeGreaterThanOrEqual(AT);
      },
    ),
  );
});

describe('alerts', () => {
  test.each<[string, Partial<TurnFindings>, string[]]>([
    ['calls without a script', { scriptless: SCRIPTLESS }, ['raiseAlert', 'cancelClaims']],
    ['a missing runtime', refused('no_runtime'), ['raiseAlert']],
    ['too many abandoned calls', { policy: abandoning, opensAt: AT + 90_000 }, ['raiseAlert', 'cancelClaims']],
  ])('%s raises an alert at the first turn that finds it, and again after a recovery [D14.3]', (_what, changes, expected) => {
    const names = (...events: Parameters<typeof given>) =>
      given(start, ...events)
        .when(turn(changes))
        .effects.map(({ type }) => type);
    expect(names()).toEqual(expected);
    expect(names(turn(changes))).toEqual([]);
    expect(names(turn(changes), turn())).toEqual(expected);
  });

  test('runtimes that were full and then drain count as missing; runtimes that come back full raise no alert [D14.3]', () => {
    const reasons = (...events: Parameters<typeof given>) =>
      given(start, ...events)
        .when(turn(refused('no_runtime')))
        .effects.map(({ params }) => params);
    expect(reasons(turn(refused('runtime_full')))).toMatchObject([{ kind: 'runtime', reason: 'no_runtime' }]);
    const again = given(start, turn(refused('no_runtime'))).when(turn(refused('runtime_full')));
    expect(again.effects).toEqual([]);
  });

  test('other phases raise no alert', () => {
    expect(given(start).when(turn({ isCellReachable: false })).effects).toEqual([]);
  });
});

describe('the breaker', () => {
  const alert = { type: 'raiseAlert', params: { kind: 'breaker', openedAt: AT, report } };
  const withdrawal = { type: 'cancelClaims', params: { reason: '活动呼叫大量失败，已暂停外呼' } };
  const blocked = { running: 'SWITCH_UNREACHABLE' };
  const waiting = [turn({ window: shut }), turn({ pendingCount: 0, activeCalls: 1 })];
  const later = { at: AT + 30_000 };

  test('opens on failed dials, which stops a dialling campaign at once with an alert, until a probe is due', () => {
    const step = given(start, turn()).when(failures);
    expect(step).toMatchObject({
      value: blocked,
      breaker: 'open',
      context: { reason: blockedReason(report), cause: 'calls_fail', refusal: 'switch_unreachable', wakeAt: AT + 30_000 },
      timers: { wakeUp: 30_000 },
    });
    expect(step.effects).toEqual([alert, withdrawal]);
  });

  test('raises one alert, whether the opening or a later turn finds it', () => {
    expect(given(start, turn(), failures).when(turn()).effects).toEqual([]);
    for (const rest of waiting) {
      expect(given(start, rest, failures).when(turn())).toMatchObject({ value: blocked, effects: [alert, withdrawal] });
      expect(given(start, rest, failures, turn()).when(turn()).effects).toEqual([]);
    }
  });

  test('stays silent for a campaign that waits for its hours or drains, until its next turn', () => {
    for (const rest of waiting) {
      const { value } = given(start).when(rest);
      expect(given(start, rest).when(failures)).toMatchObject({ value, breaker: 'open', effects: [], timers: {} });
    }
  });

  test('stays open across a pause', () => {
    expect(given(start, failures, { type: 'pauseRequested', by: 'x' }, start).when(turn())).toMatchObject({
      value: blocked,
      breaker: 'open',
    });
  });

  test('keeps the campaign blocked during a probe until the probe dials have ended, and takes back none of them', () => {
    const step = given(start, turn(), failures).when(turn({ ...later, probe: PROBE }));
    expect(step).toMatchObject({ value: blocked, breaker: 'probing', context: { wakeAt: PROBE.until }, effects: [] });
    const first = given(start, waiting[0] ?? start, failures).when(turn({ ...later, probe: PROBE }));
    expect(first).toMatchObject({ value: blocked, breaker: 'probing', effects: [alert] });
  });

  test('closes after a probe reached customers, and the dispatcher runs at once', () => {
    const step = given(start, turn(), failures, turn({ ...later, probe: PROBE })).when(tried('reached'));
    expect(step).toMatchObject({ value: blocked, breaker: 'closed', context: { wakeAt: null }, timers: { wakeUp: 0 } });
    expect(step.effects).toEqual([{ type: 'wakeDispatch', params: null }]);
  });

  test('stays open twice as long after a failed probe, without another alert', () => {
    const step = given(start, turn(), failures, turn({ ...later, probe: PROBE })).when(tried('failed'));
    expect(step).toMatchObject({ value: blocked, breaker: 'open', timers: { wakeUp: 60_000 }, effects: [] });
  });

  test('ignores dials from before it opened, without a commit', () => {
    expect(given(start, turn(), failures).when(failures).ignored).toBe(true);
  });
});

describe('a settled call', () => {
  const settled = { type: 'callSettled', at: AT + 10 } as const;

  test.each<[string, Partial<TurnFindings>]>([
    ['a slot', refused('line_full')],
    ['the last calls', { pendingCount: 0, activeCalls: 2 }],
  ])('wakes a campaign that waits for %s, once', (_what, changes) => {
    const step = given(start, turn(changes)).when(settled);
    expect(step).toMatchObject({ timers: { wakeUp: 0 }, effects: [{ type: 'wakeDispatch', params: null }] });
    expect(given(start, turn(changes), settled).when(settled).ignored).toBe(true);
  });

  test('is ignored by a campaign that is dialling', () => {
    expect(given(start, turn()).when(settled).ignored).toBe(true);
  });
});

describe('a turn that changes nothing visible needs no commit', () => {
  const shown = given(start, turn(refused('line_full'))).state.context;
  const isShownNow = (changes: Partial<TurnFindings>) => isShown('WAITING_SLOT', shown, found({ ...refused('line_full'), ...changes }));

  test.each<[string, Partial<TurnFindings>, boolean]>([
    ['the same', {}, true],
    ['the same a moment later', { at: AT + 100 }, true],
    ['another wake-up', { at: AT + 1_000 }, false],
    ['another reason', refused('cell_full'), false],
    ['another phase', { slotRefusal: null }, false],
    ['a wake-up that is due', { at: AT + RECHECK_MS }, false],
    ['nothing left', { hasWork: false }, false],
    ['a probe', { probe: PROBE }, false],
  ])('%s', (_what, changes, expected) => {
    expect(isShownNow(changes)).toBe(expected);
  });

  test("a row that stores only the reason's text, from an earlier version, is written again", () => {
    expect(isShown('WAITING_SLOT', { ...shown, refusal: null }, found(refused('line_full')))).toBe(false);
    expect(isShown('WAITING_SLOT', { ...shown, cause: null }, found(refused('line_full')))).toBe(false);
  });
});

test.each<[Partial<TurnFindings>, number | null]>([
  [{}, null],
  [{ isCellReachable: false }, null],
  [{ pendingCount: 0 }, 0],
  [{ scriptless: SCRIPTLESS }, 0],
  [{ window: shut }, 0],
  [{ policy: { allowed: false, reason: null } }, 0],
])('a turn that found %j may claim at most %s', (changes, expected) => {
  expect(claimLimit(found(changes), given(start).state.context, BREAKER_DEFAULTS)).toBe(expected);
});

test.each([
  [AT + 29_999, 0],
  [AT + 30_000, BREAKER_DEFAULTS.probeDials],
])('with an open breaker a turn at %i may claim at most %i', (at, expected) => {
  expect(claimLimit(found({ at }), given(start, failures).state.context, BREAKER_DEFAULTS)).toBe(expected);
});

test.each([
  [{ DESTINATION_OUT_OF_ORDER: 3 }, 'DESTINATION_OUT_OF_ORDER 3 次', 'fsctl pause'],
  [{ GATEWAY_DOWN: 2, INVALID_GATEWAY: 1 }, 'GATEWAY_DOWN 2 次，INVALID_GATEWAY 1 次', '检查运营商连接'],
  [{ NORMAL_TEMPORARY_FAILURE: 2, RUNTIME_UNAVAILABLE: 1 }, 'RUNTIME_UNAVAILABLE 1 次', '话术引擎是否在线'],
])('the reason names the failures and the remedy: %j', (causes, named, remedy) => {
  const reason = blockedReason({ dials: 4, failures: 3, causes });
  expect(reason).toContain('最近 4 次呼叫有 3 次');
  expect(reason).toContain(named);
  expect(reason).toContain(remedy);
});

test('the reason names no remedy for mere network failures', () => {
  expect(blockedReason({ dials: 4, failures: 3, causes: { NORMAL_TEMPORARY_FAILURE: 3 } })).toMatch(/稍后自动试呼$/);
});
