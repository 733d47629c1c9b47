import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CAMPAIGN_PHASES, decidePhase, RECHECK_MS } from '#rules/campaign-phase.ts';
import type { PhaseFacts } from '#rules/campaign-phase.ts';
import { CAMPAIGN_STATUSES } from '#rules/campaign-status.ts';

const AT = 1_000_000;

const open = { open: true, nextOpenAt: null, reason: null };
const allowed = { allowed: true, nextAllowedAt: null, reason: null };
const facts = (changes: Partial<PhaseFacts> = {}): PhaseFacts => ({
  status: 'running',
  at: AT,
  window: open,
  policy: allowed,
  opensAt: AT,
  pendingCount: 5,
  nextRetryAt: null,
  activeCalls: 0,
  slotRefusal: null,
  isCellReachable: true,
  blocked: null,
  ...changes,
});

const shut = { open: false, nextOpenAt: AT + 60_000, reason: '不在活动的工作时段内' };
const forbidden = { allowed: false, nextAllowedAt: AT + 90_000, reason: '策略「x」：2026-02-17 禁止外呼' };

test.each<[string, Partial<PhaseFacts>, object]>([
  ['runs and may dial', {}, { phase: 'DISPATCHING', nextWakeAt: AT }],
  ['is not running', { status: 'paused' }, { phase: 'IDLE', nextWakeAt: null }],
  [
    'is paused with live calls',
    { status: 'paused', activeCalls: 2 },
    { phase: 'DRAINING', phaseReason: '还有 2 个进行中的通话', nextWakeAt: null },
  ],
  [
    'fails in the network',
    { blocked: { reason: '最近 20 次呼叫有 20 次因网络或交换机原因失败', until: AT + 30_000 } },
    { phase: 'SWITCH_UNREACHABLE', phaseReason: '最近 20 次呼叫有 20 次因网络或交换机原因失败', nextWakeAt: AT + 30_000 },
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
  [
    'is outside its window for good',
    { window: { ...shut, nextOpenAt: null }, opensAt: null },
    { phase: 'WAITING_WINDOW', nextWakeAt: null },
  ],
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
  expect(decidePhase(facts(changes))).toMatchObject(expected);
});

test('always a phase of the list with a Chinese reason; a wake-up is never in the past [D5.1]', () => {
  const later = fc.option(fc.integer({ min: AT, max: AT + 1_000_000 }));
  fc.assert(
    fc.property(
      fc.record({
        status: fc.constantFrom(...CAMPAIGN_STATUSES),
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
        const { phase, phaseReason, nextWakeAt } = decidePhase(facts(changes));
        expect(CAMPAIGN_PHASES).toContain(phase);
        expect(phaseReason).toMatch(/[\u4e00-\u9fff]/);
        expect(nextWakeAt ?? AT).toBeGreaterThanOrEqual(AT);
      },
    ),
  );
});
