import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { TurnFindings } from '#actors/campaign/events.ts';
import { blockedReason, isShown, mayClaim, RECHECK_MS } from '#actors/campaign/obstacles.ts';
import { CAMPAIGN_PHASES } from '#rules/campaign-bounds.ts';
import { AT, found, given, start, turn } from '#test/support/campaign-turns.ts';

const report = { dials: 20, failures: 20, causes: { NORMAL_TEMPORARY_FAILURE: 20 } };
const OPENING = { openedAt: AT, until: AT + 30_000, report };
const SCRIPTLESS = { calls: 3, script: '', since: 5, reason: '连续 3 个通话接通后因无话术被挂断' };
const open = { open: true, reason: null };
const allowed = { allowed: true, reason: null };
const refused = (reason: NonNullable<TurnFindings['slotRefusal']>['reason']): Partial<TurnFindings> => ({
  slotRefusal: { reason, nextEligibleAt: null },
});

const shut = { open: false, reason: '不在活动的工作时段内' };
const forbidden = { allowed: false, reason: '策略「x」：2026-02-17 禁止外呼' };

test.each<[string, Partial<TurnFindings>, object]>([
  ['runs and may dial', {}, { phase: 'DISPATCHING', nextWakeAt: AT }],
  [
    'fails in the network',
    { breaker: OPENING },
    {
      phase: 'SWITCH_UNREACHABLE',
      phaseReason: expect.stringContaining('最近 20 次呼叫有 20 次因网络或交换机原因失败'),
      nextWakeAt: AT + 30_000,
    },
  ],
  ['has only live calls left', { pendingCount: 0, activeCalls: 1 }, { phase: 'DRAINING', nextWakeAt: AT + RECHECK_MS }],
  ['has nothing left', { pendingCount: 0 }, { phase: 'IDLE', nextWakeAt: AT }],
  ['awaits a retry', { pendingCount: 0, nextRetryAt: AT + 7 }, { phase: 'WAITING_RETRY', nextWakeAt: AT + 7 }],
  ['has a retry that is due', { pendingCount: 0, nextRetryAt: AT }, { phase: 'DISPATCHING' }],
  [
    'is outside its window',
    { window: shut, opensAt: AT + 60_000 },
    { phase: 'WAITING_WINDOW', phaseReason: shut.reason, nextWakeAt: AT + 60_000 },
  ],
  ['is outside its window for good', { window: shut, opensAt: null }, { phase: 'WAITING_WINDOW', nextWakeAt: AT + 60_000 }],
  [
    'is forbidden by a policy',
    { policy: forbidden, opensAt: AT + 90_000 },
    { phase: 'BLOCKED_BY_POLICY', phaseReason: forbidden.reason, nextWakeAt: AT + 90_000 },
  ],
  [
    'awaits window and policy',
    { window: shut, policy: forbidden, opensAt: AT + 90_000 },
    { phase: 'WAITING_WINDOW', nextWakeAt: AT + 90_000 },
  ],
  [
    'awaits a retry that comes before the window',
    { pendingCount: 0, nextRetryAt: AT + 7, window: shut, opensAt: AT + 60_000 },
    { phase: 'WAITING_WINDOW', nextWakeAt: AT + 60_000 },
  ],
  [
    'awaits a retry that comes after the window opens',
    { pendingCount: 0, nextRetryAt: AT + 99_000, window: shut, opensAt: AT + 60_000 },
    { phase: 'WAITING_RETRY', nextWakeAt: AT + 99_000 },
  ],
  ['has calls that ended for want of a script', { scriptless: SCRIPTLESS }, { phase: 'BLOCKED_BY_POLICY', phaseReason: SCRIPTLESS.reason }],
  ['has no script', { hasScript: false }, { phase: 'DISPATCHING', phaseReason: '正在调度外呼，该业务没有启用的话术' }],
  ['has no runtime', refused('no_runtime'), { phase: 'WAITING_RUNTIME', phaseReason: '没有在线的话术运行时', nextWakeAt: AT + RECHECK_MS }],
  ['has no place at a runtime', refused('runtime_full'), { phase: 'WAITING_RUNTIME', phaseReason: '话术运行时没有空闲名额' }],
  ['has no switch', { isCellReachable: false }, { phase: 'SWITCH_UNREACHABLE', phaseReason: '交换机不可达', nextWakeAt: AT + RECHECK_MS }],
  ['has no switch, at night', { isCellReachable: false, window: shut }, { phase: 'WAITING_WINDOW' }],
  [
    'has no monitor',
    { slotRefusal: { reason: 'no_monitor', nextEligibleAt: null } },
    { phase: 'WAITING_MONITOR', phaseReason: '没有可用的监控坐席', nextWakeAt: AT + RECHECK_MS },
  ],
  ['paces', { slotRefusal: { reason: 'interval', nextEligibleAt: AT + 300 } }, { phase: 'WAITING_INTERVAL', nextWakeAt: AT + 300 }],
  [
    'has a full line',
    { slotRefusal: { reason: 'line_full', nextEligibleAt: null } },
    { phase: 'WAITING_SLOT', phaseReason: '线路并发已满', nextWakeAt: AT + RECHECK_MS },
  ],
  ['was refused for want of monitors', { slotRefusal: { reason: 'no_monitor', nextEligibleAt: null } }, { phase: 'WAITING_MONITOR' }],
  [
    'was refused for want of a switch',
    { slotRefusal: { reason: 'switch_unreachable', nextEligibleAt: null } },
    { phase: 'SWITCH_UNREACHABLE' },
  ],
])('a campaign that %s [D5.1]', (_what, changes, expected) => {
  const { value, context, timers } = given(start).when(turn(changes));
  const { running: phase } = value as { running: string };
  const { reason: phaseReason, wakeAt: nextWakeAt } = context;
  expect({ phase, phaseReason, nextWakeAt }).toMatchObject(expected);
  expect(timers).toEqual({ wakeUp: Number(nextWakeAt) - AT });
});

test('always a phase of the list with a Chinese reason; a wake-up is never in the past [D5.1]', () => {
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
    ['an open breaker', { breaker: OPENING }, ['raiseAlert', 'cancelClaims']],
    ['calls without a script', { scriptless: SCRIPTLESS }, ['raiseAlert', 'cancelClaims']],
    ['a missing runtime', refused('no_runtime'), ['raiseAlert']],
  ])('%s is told by the first turn that meets it, and again after it was over [D14.3]', (_what, changes, expected) => {
    const names = (...events: Parameters<typeof given>) =>
      given(start, ...events)
        .when(turn(changes))
        .effects.map(({ type }) => type);
    expect(names()).toEqual(expected);
    expect(names(turn(changes))).toEqual([]);
    expect(names(turn(changes), turn())).toEqual(expected);
  });

  test('a phase without one tells nothing', () => {
    expect(given(start).when(turn({ isCellReachable: false })).effects).toEqual([]);
  });
});

describe('the breaker', () => {
  const opened = { type: 'breakerOpened', at: AT, opening: OPENING } as const;

  test('stops a campaign that claims at once, with an alert, until a try is due', () => {
    const step = given(start, turn()).when(opened);
    expect(step).toMatchObject({
      value: { running: 'SWITCH_UNREACHABLE' },
      context: { reason: blockedReason(report) },
      timers: { wakeUp: 30_000 },
      effects: [
        { type: 'raiseAlert', params: { kind: 'breaker', openedAt: AT, report } },
        { type: 'cancelClaims', params: { reason: '活动呼叫大量失败，已暂停外呼' } },
      ],
    });
  });

  test('is told once, by the event or by the turn', () => {
    expect(given(start, turn({ breaker: OPENING })).when(opened).ignored).toBe(true);
    expect(given(start, turn(), opened).when(turn({ breaker: OPENING })).effects).toEqual([]);
  });

  test('means nothing to a campaign that waits for its hours or drains: its next turn finds it', () => {
    for (const waiting of [turn({ window: shut }), turn({ pendingCount: 0, activeCalls: 1 })]) {
      expect(given(start, waiting).when(opened).ignored).toBe(true);
    }
  });

  test('closed, it lets the dispatcher look at once', () => {
    const { value, effects } = given(start, turn({ breaker: OPENING })).when({ type: 'breakerClosed' });
    expect({ value, effects }).toEqual({ value: { running: 'SWITCH_UNREACHABLE' }, effects: [{ type: 'wakeDispatch', params: null }] });
  });
});

describe('a settled call', () => {
  const settled = { type: 'callSettled', at: AT + 10 } as const;

  test.each<[string, Partial<TurnFindings>]>([
    ['a slot', refused('line_full')],
    ['the last calls', { pendingCount: 0, activeCalls: 2 }],
  ])('ends a wait for %s, once', (_what, changes) => {
    const step = given(start, turn(changes)).when(settled);
    expect(step).toMatchObject({ timers: { wakeUp: 0 }, effects: [{ type: 'wakeDispatch', params: null }] });
    expect(given(start, turn(changes), settled).when(settled).ignored).toBe(true);
  });

  test('is no news to a campaign that dials', () => {
    expect(given(start, turn()).when(settled).ignored).toBe(true);
  });
});

describe('a turn that finds what the campaign shows costs no commit', () => {
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
  ])('%s', (_what, changes, expected) => {
    expect(isShownNow(changes)).toBe(expected);
  });
});

test.each<[Partial<TurnFindings>, boolean]>([
  [{}, true],
  [{ isCellReachable: false }, true],
  [{ pendingCount: 0 }, false],
  [{ scriptless: SCRIPTLESS }, false],
  [{ window: { open: false, reason: null } }, false],
  [{ policy: { allowed: false, reason: null } }, false],
])('a turn that found %j claims: %s', (changes, expected) => {
  expect(mayClaim(found(changes))).toBe(expected);
});

test.each([
  [{ DESTINATION_OUT_OF_ORDER: 3 }, 'DESTINATION_OUT_OF_ORDER 3 次', 'fsctl pause'],
  [{ GATEWAY_DOWN: 2, INVALID_GATEWAY: 1 }, 'GATEWAY_DOWN 2 次，INVALID_GATEWAY 1 次', '检查运营商连接'],
  [{ NORMAL_TEMPORARY_FAILURE: 2, RUNTIME_UNAVAILABLE: 1 }, 'RUNTIME_UNAVAILABLE 1 次', '话术运行时是否在线'],
])('the reason names what failed and what to mend: %j', (causes, named, remedy) => {
  const reason = blockedReason({ dials: 4, failures: 3, causes });
  expect(reason).toContain('最近 4 次呼叫有 3 次');
  expect(reason).toContain(named);
  expect(reason).toContain(remedy);
});

test('causes of the network alone name nothing to mend', () => {
  expect(blockedReason({ dials: 4, failures: 3, causes: { NORMAL_TEMPORARY_FAILURE: 3 } })).toMatch(/稍后自动试呼$/);
});
