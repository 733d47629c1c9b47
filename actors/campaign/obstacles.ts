import { type CampaignPhase, NO_SCRIPT_TEXT } from '#campaigns/decisions/campaign-states.ts';
import { type Breaker, type BreakerSettings, dialsAllowed, type FailureReport, isWaiting } from '#campaigns/decisions/breaker.ts';
import { remedyOf, SILENT_LINE_REMEDY } from '#protocol/call-status.ts';
import { WINDOW_TEXTS } from '#policies/decisions/calling-window.ts';
import { type PhaseCause, SKIP_DETAIL_TEXTS, SKIP_REASON_TEXTS, type SlotSkipReason } from '#campaigns/decisions/skip-reason.ts';
import type { CampaignContext } from './context.ts';
import type { CampaignAlert } from './effects.ts';
import type { TurnFindings } from './events.ts';

/** Interval after which the dispatcher looks again even without a `wake` message (slot, monitor, cell), in case it was lost. */
export const RECHECK_MS = 5_000;
/** The same where only an event can change anything. */
const REST_MS = 60_000;
/** A wake-up that differs by less than this is not rescheduled, ms. */
const SAME_WAKE_MS = 250;
/** Reason for reverting claims when the breaker opens. */
export const BREAKER_WITHDRAWS = '活动呼叫大量失败，已暂停外呼';
/** Reason for reverting claims when there is no script left. */
const SCRIPTLESS_WITHDRAWS = '没有可用话术，已停止外呼';
/** Reason for reverting claims when too many calls were abandoned. */
const ABANDONMENT_WITHDRAWS = '接通后无人应答的来电超过上限，已停止外呼';
/** Number of causes named in the text; the event's detail has all of them. */
const NAMED_CAUSES = 3;

/** A condition that stops a running campaign, with its phase and the Chinese reason shown in the console. */
export interface Obstacle {
  phase: CampaignPhase;
  meets: (found: TurnFindings, context: CampaignContext) => boolean;
  reason: (found: TurnFindings, context: CampaignContext) => string;
  /** Code of the reason; absent when the phase alone is specific enough. */
  cause?: (found: TurnFindings) => PhaseCause | null;
  /** Refusal that it implies for all dialable contacts; absent when it does not concern slots or the switch. */
  refusal?: (found: TurnFindings) => SlotSkipReason | null;
  /** UTC ms of the next scheduled turn; null when only an event can change anything. */
  wakeAt: (found: TurnFindings, context: CampaignContext) => number | null;
  /** Alert raised by the first turn that meets it; null: none this time. */
  alert?: (found: TurnFindings, context: CampaignContext) => CampaignAlert | null;
  /** Reason for reverting undialled claims when the alert is raised. */
  withdraws?: string;
}

const soon = ({ at }: TurnFindings) => at + RECHECK_MS;
const now = ({ at }: TurnFindings) => at;
const refusedBy =
  (...reasons: SlotSkipReason[]) =>
  ({ slotRefusal }: TurnFindings) =>
    slotRefusal !== null && reasons.includes(slotRefusal.reason);
const hasNoLine = ({ slotRefusal, hasLine }: TurnFindings) => slotRefusal?.reason === 'line_full' && !hasLine;
const refusalText = (found: TurnFindings) =>
  hasNoLine(found) ? SKIP_DETAIL_TEXTS.no_line : SKIP_REASON_TEXTS[found.slotRefusal?.reason ?? 'campaign_full'];
const slotCause = (found: TurnFindings) => (hasNoLine(found) ? 'no_line' : slotReason(found));
const slotReason = ({ slotRefusal }: TurnFindings) => slotRefusal?.reason ?? null;
const noSwitch = () => 'switch_unreachable' as const;
const whenFree = (found: TurnFindings) => found.slotRefusal?.nextEligibleAt ?? soon(found);

/** Obstacles that prevent a turn from claiming. Source: D5.1, D5.6 */
const BEFORE_CLAIM: readonly Obstacle[] = [
  {
    phase: 'DRAINING',
    meets: found => (isOver(found) || awaitsNobody(found)) && found.activeCalls > 0,
    reason: ({ activeCalls }) => `等待 ${activeCalls} 个进行中的通话结束`,
    wakeAt: soon,
  },
  {
    phase: 'IDLE',
    meets: awaitsNobody,
    reason: () => '没有待呼叫的联系人',
    wakeAt: now,
  },
  { phase: 'WAITING_RETRY', meets: awaitsRetry, reason: () => '等待下次重试时间', wakeAt: ({ nextRetryAt }) => nextRetryAt },
  {
    phase: 'WAITING_RETRY',
    meets: found => awaitsHold(found) && found.nextHold?.reason === 'callback',
    cause: () => 'callback',
    reason: () => SKIP_REASON_TEXTS.callback,
    wakeAt: ({ at, nextHold }) => Math.max(at, nextHold?.until ?? at),
  },
  {
    phase: 'WAITING_WINDOW',
    meets: found => awaitsHold(found) && found.nextHold?.reason === 'outside_window',
    reason: () => '联系人所在时区都不在可呼时段内',
    wakeAt: holdEnds,
  },
  {
    phase: 'BLOCKED_BY_POLICY',
    meets: found => awaitsHold(found) && found.nextHold?.reason === 'dnc',
    cause: () => 'do_not_call',
    reason: () => '联系人都在勿扰名单中，等待条目到期',
    wakeAt: holdEnds,
  },
  {
    phase: 'BLOCKED_BY_POLICY',
    meets: awaitsHold,
    cause: () => 'policy',
    reason: ({ nextHold }) => `联系人都在等待限制解除：${SKIP_REASON_TEXTS[nextHold?.reason ?? 'frequency_cap']}`,
    wakeAt: holdEnds,
  },
  {
    phase: 'BLOCKED_BY_POLICY',
    meets: found => !found.hasFlow,
    cause: () => 'no_script',
    reason: () => NO_SCRIPT_TEXT,
    wakeAt: soon,
    alert: ({ at }) => ({ kind: 'noScript', at }),
    withdraws: SCRIPTLESS_WITHDRAWS,
  },
  {
    phase: 'BLOCKED_BY_POLICY',
    meets: ({ scriptless }) => scriptless !== null,
    cause: () => 'no_script',
    reason: ({ scriptless }) => scriptless?.reason ?? '',
    wakeAt: soon,
    alert: ({ scriptless }) => scriptless && { kind: 'scriptless', ...scriptless },
    withdraws: SCRIPTLESS_WITHDRAWS,
  },
  {
    phase: 'WAITING_WINDOW',
    meets: ({ window }) => !window.open,
    cause: ({ window }) => window.cause,
    reason: ({ window }) => (window.cause === null ? SKIP_REASON_TEXTS.outside_window : WINDOW_TEXTS[window.cause]),
    wakeAt: ({ opensAt }) => opensAt,
  },
  {
    phase: 'BLOCKED_BY_POLICY',
    meets: ({ policy }) => policy.blockedBy === 'abandonment_limit',
    cause: () => 'abandonment_limit',
    reason: ({ policy }) => policy.reason ?? SKIP_REASON_TEXTS.abandonment_limit,
    wakeAt: ({ opensAt }) => opensAt,
    alert: ({ policy, opensAt, at }) => ({ kind: 'abandonment', reason: policy.reason ?? '', until: opensAt, at }),
    withdraws: ABANDONMENT_WITHDRAWS,
  },
  {
    phase: 'BLOCKED_BY_POLICY',
    meets: ({ policy }) => !policy.allowed,
    cause: () => 'policy',
    reason: ({ policy }) => policy.reason ?? '外呼策略禁止调度',
    wakeAt: ({ opensAt }) => opensAt,
  },
];

/** The turn has claimed a probe, whose results decide. */
const PROBING: Obstacle = {
  phase: 'SWITCH_UNREACHABLE',
  meets: ({ probe }, { breaker }) => probe !== null && breaker.kind !== 'closed',
  cause: () => 'calls_fail',
  reason: (_, { breaker }) => breakerReason(breaker),
  refusal: noSwitch,
  wakeAt: breakerUntil,
  alert: (_, context) => openingAlert(context),
};
/** The breaker is open and no probe is due. */
const OPEN_BREAKER: Obstacle = {
  ...PROBING,
  meets: ({ at }, { breaker }) => isWaiting(breaker, at),
  withdraws: BREAKER_WITHDRAWS,
};

const DISPATCHING: Obstacle = {
  phase: 'DISPATCHING',
  meets: () => true,
  reason: () => '正在调度外呼',
  wakeAt: now,
};

/** Obstacles found by a claim. Source: D5.1 */
const AT_CLAIM: readonly Obstacle[] = [
  {
    phase: 'SWITCH_UNREACHABLE',
    meets: found => !found.isCellReachable || refusedBy('switch_unreachable')(found),
    cause: noSwitch,
    reason: () => SKIP_REASON_TEXTS.switch_unreachable,
    refusal: noSwitch,
    wakeAt: soon,
  },
  PROBING,
  OPEN_BREAKER,
  { phase: 'WAITING_MONITOR', meets: refusedBy('no_monitor'), cause: slotCause, reason: refusalText, refusal: slotReason, wakeAt: soon },
  {
    phase: 'WAITING_RUNTIME',
    meets: refusedBy('no_runtime', 'runtime_full'),
    cause: slotCause,
    reason: refusalText,
    refusal: slotReason,
    wakeAt: soon,
    alert: runtimeAlert,
  },
  { phase: 'WAITING_INTERVAL', meets: refusedBy('interval'), cause: slotCause, reason: refusalText, refusal: slotReason, wakeAt: whenFree },
  {
    phase: 'WAITING_SLOT',
    meets: ({ slotRefusal }) => slotRefusal !== null,
    cause: slotCause,
    reason: refusalText,
    refusal: slotReason,
    wakeAt: whenFree,
  },
  DISPATCHING,
];

/** In order of precedence; one of them always applies. */
export const OBSTACLES: readonly Obstacle[] = [...BEFORE_CLAIM, ...AT_CLAIM];

/** Phases in which a campaign claims, and which an opening breaker ends. */
export const CLAIMING_PHASES: ReadonlySet<CampaignPhase> = new Set(AT_CLAIM.map(({ phase }) => phase));

/** Upper limit of dials that a turn may claim: null when unlimited, 0 while an obstacle applies. */
export function claimLimit(found: TurnFindings, context: CampaignContext, settings: BreakerSettings): number | null {
  return BEFORE_CLAIM.some(({ meets }) => meets(found, context)) ? 0 : dialsAllowed(context.breaker, found.at, settings);
}

export interface Sight {
  phase: CampaignPhase;
  reason: string;
  cause: PhaseCause | null;
  refusal: SlotSkipReason | null;
  wakeAt: number;
}

/** Phase, reason and wake-up to show after a turn. */
export function sightOf(found: TurnFindings, context: CampaignContext): Sight {
  const { phase, reason, cause, refusal, wakeAt } = OBSTACLES.find(({ meets }) => meets(found, context)) ?? DISPATCHING;
  return {
    phase,
    reason: reason(found, context),
    cause: cause?.(found) ?? null,
    refusal: refusal?.(found) ?? null,
    wakeAt: Math.max(found.at, untilEnd(found, whileCalled(found, wakeAt(found, context) ?? found.at + REST_MS))),
  };
}

/** Whether the planned end has passed. */
export function isOver({ at, endsAt }: TurnFindings): boolean {
  return endsAt !== null && at >= endsAt;
}

/** The end of a call may bring an earlier dial than the one that is waited for, and the message of that end may be lost. */
function whileCalled({ at, activeCalls }: TurnFindings, wakeAt: number): number {
  return activeCalls === 0 ? wakeAt : Math.min(wakeAt, at + REST_MS);
}

/** Limits the wake-up to the planned end, which no message announces. */
function untilEnd(found: TurnFindings, wakeAt: number): number {
  return found.endsAt === null || isOver(found) ? wakeAt : Math.min(wakeAt, found.endsAt);
}

/** Whether a turn found only what the campaign already shows, so that no commit is needed. */
export function isShown(phase: CampaignPhase, context: CampaignContext, found: TurnFindings): boolean {
  const sight = sightOf(found, context);
  const { reason, cause, refusal, wakeAt } = context;
  if (!found.hasWork || isOver(found) || found.probe !== null) return false;
  if (sight.phase !== phase || sight.reason !== reason || sight.cause !== cause || sight.refusal !== refusal) return false;
  if (wakeAt === null || wakeAt <= found.at) return false;
  return Math.abs(sight.wakeAt - wakeAt) < SAME_WAKE_MS;
}

/** Nothing can be dialled now, and the hours do not make the campaign wait beyond the next retry. */
function awaitsRetry({ pendingCount, nextRetryAt, nextHold, at, window, policy, opensAt }: TurnFindings): boolean {
  if (pendingCount > 0 || nextRetryAt === null || nextRetryAt <= at) return false;
  if (nextHold !== null && nextHold.until < nextRetryAt) return false;
  const isOpen = window.open && policy.allowed;
  return isOpen || (opensAt !== null && opensAt <= nextRetryAt);
}

function awaitsNobody({ pendingCount, nextRetryAt, nextHold }: TurnFindings): boolean {
  return pendingCount === 0 && nextRetryAt === null && nextHold === null;
}

/** The next dialable contact is on hold for a reason of its own. */
function awaitsHold({ pendingCount, nextRetryAt, nextHold }: TurnFindings): boolean {
  return pendingCount === 0 && nextHold !== null && (nextRetryAt === null || nextHold.until < nextRetryAt);
}

/** An earlier end of the hold wakes the campaign. */
function holdEnds({ at, nextHold }: TurnFindings): number {
  return nextHold !== null && nextHold.until > at ? nextHold.until : at + RECHECK_MS;
}

function breakerUntil({ probe }: TurnFindings, { breaker }: CampaignContext): number | null {
  return breaker.kind === 'closed' ? null : (probe?.until ?? breaker.until);
}

export function breakerReason(breaker: Breaker): string {
  return breaker.kind === 'closed' ? '' : blockedReason(breaker.report);
}

/** One opening raises one alert, no matter how many probes fail. */
export function openingAlert({ breaker, reason }: CampaignContext): CampaignAlert | null {
  if (breaker.kind === 'closed' || blockedReason(breaker.report) === reason) return null;
  return { kind: 'breaker', openedAt: breaker.openedAt, report: breaker.report };
}

function runtimeAlert({ slotRefusal, businessCode, at }: TurnFindings, context: CampaignContext): CampaignAlert | null {
  const reason = slotRefusal?.reason;
  // From full to none raises a new alert; from none back to full does not.
  if (context.refusal === reason || (context.refusal === 'no_runtime' && reason === 'runtime_full')) return null;
  return reason === 'no_runtime' || reason === 'runtime_full' ? { kind: 'runtime', reason, businessCode, at } : null;
}

/** Reason shown while the breaker is open. Chinese. */
export function blockedReason({ dials, failures, causes, silentLines = [] }: FailureReport): string {
  // Most frequent first; the database does not keep the order of keys.
  const counted = Object.entries(causes).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const remedy = silentLines.length > 0 ? SILENT_LINE_REMEDY : (counted.map(([cause]) => remedyOf(cause)).find(Boolean) ?? null);
  const named = counted.slice(0, NAMED_CAUSES).map(([cause, times]) => `${cause} ${times} 次`);
  return `最近 ${dials} 次呼叫有 ${failures} 次因网络或交换机原因失败（${named.join('，')}），已暂停外呼，稍后自动试呼${remedy === null ? '' : `。${remedy}`}`;
}
