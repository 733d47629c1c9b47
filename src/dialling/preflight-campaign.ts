import { notFound } from '#kernel/errors.ts';
import { listBusinesses } from '#businesses/business-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import { MONITORED_BUSINESS, type MonitoringMode } from '#campaigns/campaign.ts';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import { readDialTemplate } from '#platform/freeswitch/dial-template.ts';
import type { Attempt } from '#attempts/attempt.ts';
import type { Business } from '#businesses/business.ts';
import type { Policy } from '#policies/policy.ts';
import type { Line } from '#lines/line.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import type { SwitchPort } from '#platform/freeswitch/switch.ts';
import { localTimeAt, MS_PER_MINUTE } from '#kernel/calendar.ts';
import { dialingDays } from './decisions/dialing-days.ts';
import { slotCells } from './decisions/slot-offer.ts';
import { type Assessment, assessPlan, type Place } from './decisions/assess.ts';
import { heldByReason, type PreflightCandidate, preflightCandidates } from './preflight-candidates.ts';
import type { Platform } from '#platform/platform.ts';
import { campaignAttempts } from '#attempts/attempt-store.ts';
import { type ListDeps, readSlices } from '#platform/postgres/listing.ts';
import { readRuntimeRoom, type SurveyDeps, type RuntimeRoom } from '#runtimes/survey-runtimes.ts';
import { countSkips, type SkipCounts } from './decisions/count-skips.ts';
import { estimateFinish, slotsOf } from './decisions/estimate-finish.ts';
import { findLackingVariables } from './find-lacking-variables.ts';
import { type LackingVariable, type PreflightCheck, preflightChecks } from './decisions/preflight-checks.ts';
import type { DialPlan, DialStore } from './dial-store.ts';

/** Most contacts whose skips are evaluated one by one; beyond that, the first ones serve as a sample. */
const MAX_CANDIDATES = 5_000;
/** Every weekday once. */
const DAYS_LOOKED_AT = 7;
/** Attempts from which the typical length of a call is taken. */
const RECENT_ATTEMPTS = 50;
/** Assumed ringing and talk time of one dial while the campaign has no ended attempt, in ms. */
const ASSUMED_CALL_MS = 60_000;

export interface PreflightDeps extends SurveyDeps, ListDeps, Place, Pick<Platform, 'clock'> {
  dials: Pick<DialStore, 'loadPlans'>;
  db: Database;
  slots: Pick<SlotRegistry, 'usage' | 'watchable'>;
  switchPort: Pick<SwitchPort, 'cells' | 'gatewayDomain'>;
}

/** Source: D5.6 */
export interface Preflight {
  canStart: boolean;
  status: CampaignStatus;
  pendingContacts: number;
  retryableContacts: number;
  activeCalls: number;
  window: { openNow: boolean; nextOpenAt: number | null; nextCloseAt: number | null };
  lines: { id: number; name: string; isEnabled: boolean; maxConcurrency: number; active: number }[];
  policies: { allowed: boolean; reason: string | null; matchedPolicies: Policy[] };
  skips: SkipCounts;
  /** `capacity`: further calls of a strict campaign that monitors could take now; null when no monitor is needed, or the number is unknown. */
  monitoring: { mode: MonitoringMode | null; capacity: number | null };
  cell: { id: string | null; reachable: boolean };
  estimatedFinishAt: number | null;
  checks: PreflightCheck[];
}

/**
 * Evaluates what a start would meet now.
 *
 * Errors: NOT_FOUND; CACHE_UNAVAILABLE when the slots in use are unknown
 * Source: OCS 4.5, D5.6
 */
export async function preflightCampaign(deps: PreflightDeps, campaignId: number): Promise<Preflight> {
  const preflight = (await preflightCampaigns(deps, [campaignId])).get(campaignId);
  if (preflight === undefined) throw notFound('活动');
  return preflight;
}

/**
 * Like `preflightCampaign` for several campaigns, which share every statement.
 *
 * Shape: by campaign; unknown campaigns are left out
 */
export async function preflightCampaigns(deps: PreflightDeps, campaignIds: readonly number[]): Promise<Map<number, Preflight>> {
  const plans = (await deps.dials.loadPlans(campaignIds)).map(plan => ({
    plan,
    assessment: assessPlan({ ...plan, at: deps.clock.now() }, deps),
    mode: monitoringMode(plan),
  }));
  const ids = plans.map(({ plan }) => plan.campaign.id);
  const lineIds = [...new Set(plans.flatMap(({ plan }) => plan.lines.map(({ id }) => id)))];
  const [held, candidates, lacking, businesses, recent, active, roomFor, capacities, closed] = await Promise.all([
    heldByReason(deps.db, ids),
    preflightCandidates(
      deps.db,
      plans.map(({ plan, assessment }) => ({ campaignId: plan.campaign.id, frequencyDays: assessment.policies.frequencyDays })),
      MAX_CANDIDATES,
    ),
    findLackingVariables(
      deps.db,
      plans.map(({ plan }) => plan),
      MAX_CANDIDATES,
    ),
    listBusinesses(deps),
    readSlices(deps, campaignAttempts, ids, { limit: RECENT_ATTEMPTS }),
    deps.slots.usage(lineIds.map(lineId => ({ kind: 'line', lineId }))),
    readRuntimeRoom(deps),
    Promise.all(plans.map(async ({ plan, mode }) => (mode === 'strict' ? deps.slots.watchable(plan.campaign.id) : null))),
    Promise.all(plans.map(({ plan }) => closedGateways(deps, plan))),
  ]);
  const activeOf = new Map(lineIds.map((id, index) => [id, active[index] ?? 0]));
  const candidatesOf = Map.groupBy(candidates, ({ campaignId }) => campaignId);
  const judged = plans.map(({ plan, assessment, mode }, index) => {
    const { id } = plan.campaign;
    const preflight = judge(deps, {
      plan,
      assessment,
      monitoring: { mode, capacity: capacities[index] ?? null },
      held: held.get(id) ?? {},
      candidates: candidatesOf.get(id) ?? [],
      lacking: lacking.get(id) ?? [],
      businesses,
      recent: recent[index]?.rows ?? [],
      runtimes: roomFor(plan.campaign.businessCode),
      activeOf,
      closedGateways: closed[index] ?? [],
    });
    return [id, preflight] as const;
  });
  return new Map(judged);
}

/** Data read for one campaign. */
interface Reading {
  plan: DialPlan;
  assessment: Assessment;
  monitoring: Preflight['monitoring'];
  held: Readonly<Record<string, number>>;
  candidates: readonly PreflightCandidate[];
  lacking: readonly LackingVariable[];
  businesses: readonly Business[];
  recent: readonly Attempt[];
  runtimes: RuntimeRoom;
  /** Active calls by line id. */
  activeOf: ReadonlyMap<number, number>;
  closedGateways: readonly string[];
}

function judge(deps: PreflightDeps, reading: Reading): Preflight {
  const { plan, assessment, monitoring, runtimes, held, candidates, lacking, businesses, recent, activeOf, closedGateways } = reading;
  const { campaign, counts, lines } = plan;
  const dials = counts.pending + counts.retryable;
  return assemble({
    plan,
    assessment,
    monitoring,
    runtimes,
    lacking,
    lines: lines.map(line => ({ ...line, active: activeOf.get(line.id) ?? 0 })),
    cell: cellState(deps, plan),
    businessEnabled: businesses.some(({ businessCode }) => businessCode === campaign.businessCode),
    closedGateways,
    skips: countSkips(held, candidates, assessment),
    skipsSampled: candidates.length === MAX_CANDIDATES && dials > MAX_CANDIDATES,
    estimatedFinishAt: estimateFinish({ ...assessment, dials, callMs: typicalCallMs(recent), lines }),
  });
}

interface Findings {
  plan: DialPlan;
  assessment: Assessment;
  lacking: readonly LackingVariable[];
  monitoring: Preflight['monitoring'];
  runtimes: RuntimeRoom;
  lines: (Line & { active: number })[];
  cell: { id: string | null; declared: boolean; reachable: boolean };
  businessEnabled: boolean;
  closedGateways: readonly string[];
  skips: SkipCounts;
  skipsSampled: boolean;
  estimatedFinishAt: number | null;
}

function assemble(findings: Findings): Preflight {
  const { plan, assessment, lines, cell, monitoring, runtimes, skips, businessEnabled, skipsSampled, estimatedFinishAt } = findings;
  const { campaign, counts } = plan;
  const { verdict, windowDecision } = assessment;
  const window = { openNow: windowDecision.open, nextOpenAt: windowDecision.nextOpenAt, nextCloseAt: windowDecision.closesAt };
  const enabled = lines.filter(({ isEnabled }) => isEnabled);
  const checks = preflightChecks({
    status: campaign.status,
    counts,
    businessEnabled,
    hasScript: plan.script !== null,
    runtimeBringsFlow: plan.runtimeBringsFlow,
    lacking: findings.lacking,
    runtimes,
    enabledLines: enabled.length,
    freeLines: enabled.filter(({ active, maxConcurrency }) => active < maxConcurrency).length,
    slots: slotsOf(lines),
    maxConcurrency: assessment.limits.maxConcurrency,
    restingNumbers: enabled.flatMap(restingNumbers),
    window: { ...window, reason: windowDecision.reason },
    longestDayMinutes: longestDayMinutes(assessment),
    policies: verdict,
    cell,
    monitoring,
    closedGateways: findings.closedGateways,
    skips,
    skipsSampled,
  });
  return {
    canStart: checks.every(({ level }) => level !== 'error'),
    status: campaign.status,
    pendingContacts: counts.pending + counts.held,
    retryableContacts: counts.retryable,
    activeCalls: counts.active,
    window,
    lines: lines.map(({ id, name, isEnabled, maxConcurrency, active }) => ({ id, name, isEnabled, maxConcurrency, active })),
    policies: { allowed: verdict.allowed, reason: verdict.reason, matchedPolicies: verdict.matchedPolicies },
    skips,
    monitoring,
    cell: { id: cell.id, reachable: cell.reachable },
    estimatedFinishAt,
    checks,
  };
}

/** Disabled numbers of a pool. */
function restingNumbers({ allocationMode, numbers }: Line): string[] {
  return allocationMode === 'single_shared' ? [] : numbers.filter(({ isEnabled }) => !isEnabled).map(({ number }) => number);
}

/** Open minutes of the longest of the campaign's first whole days; null when none of them is open. */
function longestDayMinutes({ at, zone, window, policies }: Assessment): number | null {
  const first = localTimeAt(zone, Math.max(at, Number.isFinite(window.startsAt) ? window.startsAt : at)).day;
  const minutes = dialingDays({ window, policies, zone }, first, DAYS_LOOKED_AT).map(({ open }) =>
    open.reduce((sum, { opensAt, closesAt }) => sum + (closesAt - opensAt) / MS_PER_MINUTE, 0),
  );
  const longest = Math.max(...minutes);
  return longest === 0 ? null : Math.floor(longest);
}

/** Gateways of enabled lines that set From and for which at least one usable cell does not know the domain. */
async function closedGateways({ switchPort }: PreflightDeps, plan: DialPlan): Promise<string[]> {
  const setsFrom = plan.lines.filter(line => line.isEnabled && line.callerIdHeaderMode === 'from_and_p_preferred_identity');
  const templates = setsFrom.map(({ dialStringTemplate }) => readDialTemplate(dialStringTemplate));
  const gateways = new Set(templates.flatMap(read => (read.kind === 'allowed' ? (read.closedGateway ?? []) : [])));
  const cells = slotCells(plan, switchPort.cells());
  const closed = [...gateways].map(async gateway => {
    const domains = await Promise.all(cells.map(({ cellId }) => switchPort.gatewayDomain(cellId, gateway)));
    return domains.length === 0 || domains.includes(null) ? [gateway] : [];
  });
  return (await Promise.all(closed)).flat();
}

function monitoringMode({ campaign }: DialPlan): MonitoringMode | null {
  return campaign.businessCode === MONITORED_BUSINESS ? (campaign.businessConfig.monitoringMode ?? 'unattended') : null;
}

/** A campaign without its own cell uses any cell that is up. */
function cellState(deps: Pick<PreflightDeps, 'switchPort'>, plan: DialPlan): Findings['cell'] {
  const { cellId: id } = plan.campaign;
  const cells = deps.switchPort.cells();
  return { id, declared: id === null || cells.some(({ cellId }) => cellId === id), reachable: slotCells(plan, cells).length > 0 };
}

function typicalCallMs(attempts: readonly Attempt[]): number {
  const durations = attempts.flatMap(({ startedAt, endedAt }) => (startedAt === null || endedAt === null ? [] : [endedAt - startedAt]));
  const total = durations.reduce((sum, duration) => sum + Math.max(0, duration), 0);
  return durations.length === 0 ? ASSUMED_CALL_MS : Math.max(1, total / durations.length);
}
