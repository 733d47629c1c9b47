import type { CampaignStatus } from './campaign-status.ts';
import type { WindowDecision } from './calling-window.ts';
import type { Verdict } from './policies/evaluate-policies.ts';
import { SKIP_REASON_TEXTS } from './skip-reason.ts';
import type { SlotRefusal } from './skip-reason.ts';

/** Source: D5.1 */
export const CAMPAIGN_PHASES = [
  'IDLE',
  'DISPATCHING',
  'WAITING_WINDOW',
  'WAITING_INTERVAL',
  'WAITING_RETRY',
  'WAITING_SLOT',
  'WAITING_MONITOR',
  'WAITING_RUNTIME',
  'BLOCKED_BY_POLICY',
  'DRAINING',
  'SWITCH_UNREACHABLE',
] as const;

export type CampaignPhase = (typeof CAMPAIGN_PHASES)[number];

/** Looks again at what a `wake` message normally reports (slot, monitor, cell), should the message be lost. */
export const RECHECK_MS = 5_000;

export interface PhaseFacts {
  status: CampaignStatus;
  /** UTC ms. */
  at: number;
  window: Pick<WindowDecision, 'open' | 'nextOpenAt' | 'reason'>;
  policy: Pick<Verdict, 'allowed' | 'reason'>;
  /** First instant at which window and policies are both open (`campaignOpensAt`); null when never. */
  opensAt: number | null;
  /** Contacts that may be dialled now, due retries included. */
  pendingCount: number;
  /** UTC instant at which the next contact that must wait is due; null when none waits. */
  nextRetryAt: number | null;
  activeCalls: number;
  /** Why the last reservation gave nothing; null when it did or none was tried. */
  slotRefusal: SlotRefusal | null;
  isCellReachable: boolean;
  /** The campaign's last dials failed in the network: nothing is dialled until then (UTC ms). Null when they did not. */
  blocked: { reason: string; until: number } | null;
  /** Runtimes ended its last calls for want of a script: nothing is dialled until that changes. Null when they did not. */
  scriptless?: string | null;
  /** Absent: there is one. */
  hasScript?: boolean;
}

export interface PhaseDecision {
  phase: CampaignPhase;
  /** Chinese. */
  phaseReason: string;
  /** UTC instant at which the dispatcher looks again without being asked; null when only an event can change anything. */
  nextWakeAt: number | null;
}

/**
 * What a campaign is doing and why, in the order in which the dispatcher would be stopped.
 *
 * Source: D5.1, OCS 4.12 rule 4
 */
export function decidePhase(facts: PhaseFacts): PhaseDecision {
  return (
    notRunning(facts) ??
    nothingDue(facts) ??
    withoutScript(facts) ??
    closed(facts) ??
    unreachable(facts) ??
    refused(facts) ??
    dispatching(facts)
  );
}

function notRunning({ status, activeCalls }: PhaseFacts): PhaseDecision | null {
  if (status === 'running') return null;
  if (activeCalls > 0) return { phase: 'DRAINING', phaseReason: `还有 ${activeCalls} 个进行中的通话`, nextWakeAt: null };
  return { phase: 'IDLE', phaseReason: '活动未运行', nextWakeAt: null };
}

function nothingDue(facts: PhaseFacts): PhaseDecision | null {
  const { pendingCount, nextRetryAt, activeCalls, at } = facts;
  if (pendingCount > 0) return null;
  if (nextRetryAt === null) {
    if (activeCalls > 0) return { phase: 'DRAINING', phaseReason: `等待 ${activeCalls} 个进行中的通话结束`, nextWakeAt: at + RECHECK_MS };
    return { phase: 'IDLE', phaseReason: '没有待呼叫的联系人', nextWakeAt: at };
  }
  if (nextRetryAt <= at || opensAfter(facts, nextRetryAt)) return null;
  return { phase: 'WAITING_RETRY', phaseReason: '等待下次重试时间', nextWakeAt: nextRetryAt };
}

function withoutScript({ scriptless, at }: PhaseFacts): PhaseDecision | null {
  if (scriptless === null || scriptless === undefined) return null;
  return { phase: 'BLOCKED_BY_POLICY', phaseReason: scriptless, nextWakeAt: at + RECHECK_MS };
}

/** Whether the hours keep the campaign waiting for longer than the retry does. */
function opensAfter({ window, policy, opensAt }: PhaseFacts, retryAt: number): boolean {
  return (!window.open || !policy.allowed) && (opensAt === null || opensAt > retryAt);
}

function closed({ window, policy, opensAt }: PhaseFacts): PhaseDecision | null {
  if (!window.open) return { phase: 'WAITING_WINDOW', phaseReason: window.reason ?? SKIP_REASON_TEXTS.outside_window, nextWakeAt: opensAt };
  if (!policy.allowed) return { phase: 'BLOCKED_BY_POLICY', phaseReason: policy.reason ?? '外呼策略禁止调度', nextWakeAt: opensAt };
  return null;
}

function unreachable({ isCellReachable, blocked, slotRefusal, at }: PhaseFacts): PhaseDecision | null {
  if (!isCellReachable || slotRefusal?.reason === 'switch_unreachable') {
    return { phase: 'SWITCH_UNREACHABLE', phaseReason: SKIP_REASON_TEXTS.switch_unreachable, nextWakeAt: at + RECHECK_MS };
  }
  if (blocked !== null) return { phase: 'SWITCH_UNREACHABLE', phaseReason: blocked.reason, nextWakeAt: blocked.until };
  if (slotRefusal?.reason === 'no_monitor') {
    return { phase: 'WAITING_MONITOR', phaseReason: SKIP_REASON_TEXTS.no_monitor, nextWakeAt: at + RECHECK_MS };
  }
  if (slotRefusal?.reason === 'no_runtime' || slotRefusal?.reason === 'runtime_full') {
    return { phase: 'WAITING_RUNTIME', phaseReason: SKIP_REASON_TEXTS[slotRefusal.reason], nextWakeAt: at + RECHECK_MS };
  }
  return null;
}

function refused({ slotRefusal, at }: PhaseFacts): PhaseDecision | null {
  if (slotRefusal === null) return null;
  const phase = slotRefusal.reason === 'interval' ? 'WAITING_INTERVAL' : 'WAITING_SLOT';
  return { phase, phaseReason: SKIP_REASON_TEXTS[slotRefusal.reason], nextWakeAt: slotRefusal.nextEligibleAt ?? at + RECHECK_MS };
}

function dispatching({ at, hasScript }: PhaseFacts): PhaseDecision {
  const phaseReason = hasScript === false ? '正在调度外呼，该业务没有启用的话术' : '正在调度外呼';
  return { phase: 'DISPATCHING', phaseReason, nextWakeAt: at };
}
