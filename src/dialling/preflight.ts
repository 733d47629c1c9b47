import { sql } from 'kysely';
import { campaignAttempts } from '#attempts/attempt-store.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { listBusinesses } from '#businesses/business-store.ts';
import type { Business } from '#businesses/business.ts';
import { MONITORED_BUSINESS, type MonitoringMode } from '#campaigns/campaign.ts';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import { dateText, localTimeAt, timeOfDayText } from '#kernel/calendar.ts';
import { notFound } from '#kernel/errors.ts';
import type { Line } from '#lines/line.ts';
import { readDialTemplate } from '#platform/freeswitch/dial-template.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { readSlices } from '#platform/postgres/listing.ts';
import { json } from '#platform/postgres/values.ts';
import type { Policy } from '#policies/policy.ts';
import { readRuntimeRoom, type RuntimeRoom } from '#runtimes/survey-runtimes.ts';
import type { RuntimeScript } from '#scripts/decisions/compile.ts';
import { isFilled, NAME_VARIABLE, neededVariables, nodesSpeaking } from '#scripts/decisions/needed-variables.ts';
import { type Assessment, assessPlan, type Place } from './decisions/assess.ts';
import { dayHours } from './decisions/day-hours.ts';
import {
  countSkips,
  estimateFinish,
  type LackingVariable,
  type NumberRoom,
  type PreflightCheck,
  type PromisedCount,
  preflightChecks,
  type SkipCounts,
  slotsOf,
  type PreflightCandidate,
} from './decisions/preflight-checks.ts';
import { type NumberCount, numberRoom } from './decisions/number-room.ts';
import { campaignLines, slotCells } from './decisions/slot-offer.ts';
import { countNumbers } from './number-dials.ts';
import { daysAround } from './number-offer.ts';
import type { DialPlan, DialsPart } from './dial-store.ts';
import { heldByReason, preflightCandidates, promisedCallbacks } from './plan-statements.ts';
import { FRESH, RETRIES } from './queue-conditions.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { RuntimePoolPart } from '#runtimes/runtime-pool.ts';
import type { UnregisteredRuntimesPart } from '#runtimes/watch-runtimes.ts';
import type { RuntimeSettingsPart } from '#runtimes/decisions/runtime-care.ts';

/** Most variables examined for one campaign. */
const MAX_VARIABLES = 50;

type ScriptedCampaign = Pick<DialPlan, 'script'> & { campaign: Pick<DialPlan['campaign'], 'id' | 'businessConfig'> };

/**
 * Finds the variables that the campaigns' scripts use and their next contacts lack, examining at most `limit` contacts each.
 *
 * Shape:  by campaign, in the order of its script; campaigns that lack nothing are left out
 * Source: D5.6
 */
async function findLackingVariables(
  db: Pick<Sql, 'rows'>,
  plans: readonly ScriptedCampaign[],
  limit: number,
): Promise<Map<number, LackingVariable[]>> {
  const scripts = await readRuntimes(db, plans);
  const required = plans.flatMap(({ campaign: { id, businessConfig }, script }) => {
    const runtime = script && scripts.get(script.scriptId);
    const given = businessConfig.variables ?? {};
    return (runtime ? neededVariables(runtime) : [])
      .filter(name => !isFilled(given[name]))
      .slice(0, MAX_VARIABLES)
      .map(name => ({ campaignId: id, name }));
  });
  if (required.length === 0) return new Map();
  const counted = await countLacking(db, required, limit);
  const scriptOf = new Map(plans.map(({ campaign, script }) => [campaign.id, script && scripts.get(script.scriptId)]));
  const lacking = counted.map(found => {
    const script = scriptOf.get(found.campaignId);
    return { ...found, nodes: script ? nodesSpeaking(script, found.name) : [] };
  });
  return Map.groupBy(lacking, ({ campaignId }) => campaignId);
}

async function readRuntimes(db: Pick<Sql, 'rows'>, plans: readonly ScriptedCampaign[]): Promise<Map<number, RuntimeScript>> {
  const taken = plans.flatMap(({ script }) => script ?? []);
  if (taken.length === 0) return new Map();
  const rows = await db.rows(sql<{ scriptId: number; runtime: RuntimeScript }>`
    select v.script_id, v.runtime from jsonb_to_recordset(${json(taken)}) as t ("scriptId" int, version int)
    join script_version v on v.script_id = t."scriptId" and v.version = t.version`);
  return new Map(rows.map(({ scriptId, runtime }) => [scriptId, runtime]));
}

type CountedVariable = Omit<LackingVariable, 'nodes'> & { campaignId: number };

/** Each half of the queue is read from its own index. */
function countLacking(
  db: Pick<Sql, 'rows'>,
  required: readonly { campaignId: number; name: string }[],
  limit: number,
): Promise<CountedVariable[]> {
  const first = ({ where, order }: typeof RETRIES) => sql`select * from (
    select k.customer_name, k.metadata from contact k where k.campaign_id = asked.id and ${where} order by ${order} limit ${limit}) as part`;
  return db.rows(sql<CountedVariable>`
    with need as (select n.id, n.name, n.position from rows from (
      jsonb_to_recordset(${json(required.map(({ campaignId: id, name }) => ({ id, name })))}) as (id int, name text)) with ordinality as n (id, name, position))
    select need.id as campaign_id, need.name, count(*)::int as contacts
    from (select distinct id from need) as asked
    cross join lateral (${first(RETRIES)} union all ${first(FRESH)} limit ${limit}) as first
    join need on need.id = asked.id
    where coalesce(first.metadata ->> need.name, '') = '' and (need.name <> ${NAME_VARIABLE} or first.customer_name = '')
    group by need.id, need.name, need.position order by need.id, need.position`);
}

/** Most contacts whose skips are evaluated one by one; beyond that, the first ones serve as a sample. */
const MAX_CANDIDATES = 5_000;
/** Attempts from which the typical length of a call is taken. */
const RECENT_ATTEMPTS = 50;
/** Assumed ringing and talk time of one dial while the campaign has no ended attempt, in ms. */
const ASSUMED_CALL_MS = 60_000;

export interface PreflightApp
  extends DialsPart,
    SlotsPart,
    RuntimePoolPart,
    UnregisteredRuntimesPart,
    RuntimeSettingsPart,
    Place,
    Pick<Platform, 'db' | 'switchPort' | 'clock'> {}

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
export async function preflightCampaign(app: PreflightApp, campaignId: number): Promise<Preflight> {
  const preflight = (await preflightCampaigns(app, [campaignId])).get(campaignId);
  if (preflight === undefined) throw notFound('活动');
  return preflight;
}

/**
 * Like `preflightCampaign` for several campaigns, which share every statement.
 *
 * Shape: by campaign; unknown campaigns are left out
 */
export async function preflightCampaigns(app: PreflightApp, campaignIds: readonly number[]): Promise<Map<number, Preflight>> {
  const plans = (await app.dials.loadPlans(campaignIds)).map(plan => ({
    plan,
    assessment: assessPlan({ ...plan, at: app.clock.now() }, app),
    mode: monitoringMode(plan),
  }));
  const ids = plans.map(({ plan }) => plan.campaign.id);
  const lineIds = [...new Set(plans.flatMap(({ plan }) => plan.lines.map(({ id }) => id)))];
  const [held, callbacks, candidates, lacking, businesses, recent, active, roomFor, capacities, closed, numberCounts] = await Promise.all([
    heldByReason(app.db, ids),
    promisedCallbacks(app.db, ids),
    preflightCandidates(
      app.db,
      plans.map(({ plan, assessment }) => ({ campaignId: plan.campaign.id, frequencyDays: assessment.policies.frequencyDays })),
      MAX_CANDIDATES,
    ),
    findLackingVariables(
      app.db,
      plans.map(({ plan }) => plan),
      MAX_CANDIDATES,
    ),
    listBusinesses(app),
    readSlices(app, campaignAttempts, ids, { limit: RECENT_ATTEMPTS }),
    app.slots.usage(lineIds.map(lineId => ({ kind: 'line', lineId }))),
    readRuntimeRoom(app),
    Promise.all(plans.map(async ({ plan, mode }) => (mode === 'strict' ? app.slots.watchable(plan.campaign.id) : null))),
    Promise.all(plans.map(({ plan }) => closedGateways(app, plan))),
    countDials(app, plans),
  ]);
  const activeOf = new Map(lineIds.map((id, index) => [id, active[index] ?? 0]));
  const candidatesOf = Map.groupBy(candidates, ({ campaignId }) => campaignId);
  const judged = plans.map(({ plan, assessment, mode }, index) => {
    const { id } = plan.campaign;
    const preflight = judge(app, {
      plan,
      assessment,
      monitoring: { mode, capacity: capacities[index] ?? null },
      held: held.get(id) ?? {},
      callbacks: callbacks.get(id) ?? { promised: 0, beyondEnd: 0 },
      candidates: candidatesOf.get(id) ?? [],
      lacking: lacking.get(id) ?? [],
      businesses,
      recent: recent[index]?.rows ?? [],
      runtimes: roomFor(plan.campaign.businessCode),
      activeOf,
      closedGateways: closed[index] ?? [],
      numberCounts,
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
  callbacks: PromisedCount;
  candidates: readonly PreflightCandidate[];
  lacking: readonly LackingVariable[];
  businesses: readonly Business[];
  recent: readonly Attempt[];
  runtimes: RuntimeRoom;
  /** Active calls by line id. */
  activeOf: ReadonlyMap<number, number>;
  closedGateways: readonly string[];
  numberCounts: readonly NumberCount[];
}

function judge(app: PreflightApp, reading: Reading): Preflight {
  const { plan, assessment, monitoring, runtimes, held, candidates, lacking, businesses, recent, activeOf, closedGateways } = reading;
  const { campaign, counts, lines } = plan;
  const dials = counts.pending + counts.retryable;
  return assemble({
    plan,
    assessment,
    monitoring,
    runtimes,
    lacking,
    callbacks: reading.callbacks,
    lines: lines.map(line => ({ ...line, active: activeOf.get(line.id) ?? 0 })),
    cell: cellState(app, plan),
    numberRoom: roomOfNumbers(app, reading),
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
  callbacks: PromisedCount;
  monitoring: Preflight['monitoring'];
  runtimes: RuntimeRoom;
  lines: (Line & { active: number })[];
  cell: { id: string | null; declared: boolean; reachable: boolean };
  numberRoom: NumberRoom | null;
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
    numberRoom: findings.numberRoom,
    window: { ...window, cause: windowDecision.cause },
    ...dayHours(assessment),
    policies: verdict,
    ruleIds: [...new Set(plan.policies.flatMap(({ ruleId }) => ruleId ?? []))],
    cell,
    monitoring,
    closedGateways: findings.closedGateways,
    skips,
    skipsSampled,
    callbacks: findings.callbacks,
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

/** Dials of the numbers that have a bound; a campaign without any costs no statement. */
async function countDials({ db, clock, timeZone }: PreflightApp, plans: readonly { plan: DialPlan }[]): Promise<NumberCount[]> {
  const lines = campaignLines(
    plans.flatMap(({ plan }) => plan.lines),
    { at: clock.now(), placeOf: () => ({}) },
  );
  const own = lines.flatMap(({ numbers }) => numbers.filter(({ bounds }) => bounds).map(({ number }) => number));
  const shared = lines.flatMap(({ sharedBounds, sharedNumber }) => (sharedBounds && sharedNumber !== null ? [sharedNumber] : []));
  return countNumbers(db, [...own, ...shared], daysAround(timeZone, clock.now())[1] ?? 0);
}

function roomOfNumbers({ timeZone, clock }: PreflightApp, { plan, numberCounts }: Reading): NumberRoom | null {
  const at = clock.now();
  const nextDay = daysAround(timeZone, at)[2] ?? at;
  const show = (instant: number) => {
    const { day, minute } = localTimeAt(timeZone, instant);
    return `${instant < nextDay ? '' : `${dateText(day)} `}${timeOfDayText(minute)}`;
  };
  return numberRoom(plan.lines, numberCounts, { at, nextDay, show });
}

/** Disabled numbers of a pool. */
function restingNumbers({ allocationMode, numbers }: Line): string[] {
  return allocationMode === 'single_shared' ? [] : numbers.filter(({ isEnabled }) => !isEnabled).map(({ number }) => number);
}

/** Gateways of enabled lines that set From and for which at least one usable cell does not know the domain. */
async function closedGateways({ switchPort }: PreflightApp, plan: DialPlan): Promise<string[]> {
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
function cellState(app: Pick<PreflightApp, 'switchPort'>, plan: DialPlan): Findings['cell'] {
  const { cellId: id } = plan.campaign;
  const cells = app.switchPort.cells();
  return { id, declared: id === null || cells.some(({ cellId }) => cellId === id), reachable: slotCells(plan, cells).length > 0 };
}

function typicalCallMs(attempts: readonly Attempt[]): number {
  const durations = attempts.flatMap(({ startedAt, endedAt }) => (startedAt === null || endedAt === null ? [] : [endedAt - startedAt]));
  const total = durations.reduce((sum, duration) => sum + Math.max(0, duration), 0);
  return durations.length === 0 ? ASSUMED_CALL_MS : Math.max(1, total / durations.length);
}
