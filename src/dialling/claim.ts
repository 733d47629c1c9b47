import { needsMonitor, weightOf } from '#campaigns/campaign.ts';
import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import { sleep } from '#kernel/clock.ts';
import { dispatchedCallUuid } from '#platform/freeswitch/channel-uuid.ts';
import type { Platform } from '#platform/platform.ts';
import type { ReserveRequest, ReserveResult, SlotRefusal, SlotsPart } from '#slots/slot-registry.ts';
import { heeding } from './ask-first.ts';
import type { PreDialVerdict } from '#pre-dial/pre-dial.ts';
import { admission, type Assessment } from './decisions/assess.ts';
import { campaignLines, grantsFor, offeredLines, slotCells, wishOf } from './decisions/slot-offer.ts';
import { daysAround, placesOf, reserveCounted } from './number-offer.ts';
import type { ClaimedDial, ClaimOutcome, DialGrant, DialPlan, DialsPart, InvalidDial } from './dial-store.ts';
import type { UnregisteredRuntimesPart } from '#runtimes/watch-runtimes.ts';
import type { DispatchPart } from './settings.ts';

interface Withdrawal {
  requestIds: readonly string[];
  /** Whether they may be marked `dialing` although nothing was sent. */
  alsoDialing: boolean;
  reason: string;
}

export interface Withdrawals {
  /** Withdraws dials that were certainly not sent; repeated later if the stores are unavailable. */
  withdraw(withdrawal: Withdrawal): Promise<void>;
  /** Repeats failed withdrawals until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface WithdrawalsPart {
  withdrawals: Withdrawals;
}

const RETRY_MS = 1_000;
/** Limit of pending withdrawals; beyond it the reconciler finds the claims by their age. */
const MAX_WAITING = 1_000;

/**
 * Remembers what this instance claimed and did not send while the stores are unavailable.
 *
 * Why:    only this process can distinguish them from dials that may have been sent. If forgotten, a claim would be blocked for its whole
 *         lease, and a marked one would cost its contact an attempt that never rang
 * Source: A6 steps 3 and 5
 */
export function createWithdrawals(app: DialsPart & SlotsPart & Pick<Platform, 'clock' | 'log'>): Withdrawals {
  let waiting: Withdrawal[] = [];

  async function attempt({ requestIds, alsoDialing, reason }: Withdrawal): Promise<boolean> {
    try {
      await app.dials.revert(requestIds, { alsoDialing, reason });
      await app.slots.release(requestIds);
      return true;
    } catch (error) {
      app.log.debug({ err: error, count: requestIds.length }, 'withdrawn dials wait for the stores');
      return false;
    }
  }

  async function tryAgain(): Promise<void> {
    const now = waiting;
    waiting = [];
    for (const withdrawal of now) if (!(await attempt(withdrawal))) waiting.push(withdrawal);
  }

  return {
    async withdraw(withdrawal) {
      if (withdrawal.requestIds.length === 0 || (await attempt(withdrawal))) return;
      if (waiting.length < MAX_WAITING) waiting.push(withdrawal);
      app.log.warn(
        { count: withdrawal.requestIds.length },
        'dials were withdrawn while a store is unavailable; they will be written when it returns',
      );
    },
    async run(signal) {
      while (!signal.aborted) {
        await sleep(app.clock, RETRY_MS, signal);
        if (waiting.length > 0) await tryAgain();
      }
    },
  };
}

export interface ClaimApp
  extends DialsPart,
    SlotsPart,
    WithdrawalsPart,
    UnregisteredRuntimesPart,
    DispatchPart,
    Pick<Platform, 'wake' | 'switchPort' | 'ids' | 'log'> {}

interface ClaimOrder {
  source: 'auto' | 'manual';
  requestedLimit: number;
  effectiveLimit: number;
  createdBy: number | null;
  /** Verdicts of the campaign's pre-dial hook on the next contacts; null or absent when the campaign has no hook. */
  verdicts?: ReadonlyMap<number, PreDialVerdict> | null;
}

export interface ClaimedBatch {
  /** Null when nothing was claimed. */
  batchId: number | null;
  dials: ClaimedDial[];
  invalid: InvalidDial[];
  remainingPending: number;
  /** Contacts that the claim put on hold. */
  held: number;
  /** Why fewer slots were granted than requested; null when slots were not the limit. */
  refusal: SlotRefusal | null;
  retryInMs: number | null;
  /** The plan is outdated and must be read again. */
  isStale: boolean;
  /** Nothing was claimed, because the numbers were chosen for other contacts. */
  hasDeferred?: boolean;
}

const UNHEARD = '未拨出：数据库未应答';

/**
 * Steps 2 and 3 of a dispatch: reserves slots, then claims contacts and creates attempts in one transaction; unused slots are released.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE: nothing remains claimed
 * Source: A6 steps 2–3
 */
export async function claimDials(app: ClaimApp, plan: DialPlan, assessment: Assessment, order: ClaimOrder): Promise<ClaimedBatch> {
  // Surplus slots would count against the campaign's share and block other campaigns until released.
  const wanted = Math.min(order.effectiveLimit, plan.counts.pending + plan.counts.dueRetries);
  const { grants, refusal, retryInMs } = await reserveSlots(app, plan, assessment, wanted);
  const claimed = await claimGrants(app, plan, { assessment, order, grants, refusal, retryInMs });
  return claimed.hasDeferred === true ? claimDeferred(app, plan.campaign.id, { assessment, order }) : claimed;
}

interface GrantedClaim extends Pick<ReserveResult, 'refusal' | 'retryInMs'> {
  assessment: Assessment;
  order: ClaimOrder;
  grants: readonly DialGrant[];
}

/** Once more for the contacts that come first now, with caller numbers that are chosen for them; this time nothing is deferred. */
async function claimDeferred(
  app: ClaimApp,
  campaignId: number,
  { assessment, order }: Pick<GrantedClaim, 'assessment' | 'order'>,
): Promise<ClaimedBatch> {
  const plan = await app.dials.loadPlan(campaignId);
  if (plan === null) return { ...nothing(0), refusal: null, retryInMs: null };
  const wanted = Math.min(order.effectiveLimit, plan.counts.pending + plan.counts.dueRetries);
  const { grants, refusal, retryInMs } = await reserveSlots(app, plan, assessment, wanted);
  const anyone = grants.map(grant => (grant.contactId === plan.takers[0]?.contactId ? grant : { ...grant, mayRepeat: true }));
  return claimGrants(app, plan, { assessment, order, grants: anyone, refusal, retryInMs });
}

/** Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE: nothing remains claimed */
async function claimGrants(
  app: ClaimApp,
  plan: DialPlan,
  { assessment, order: { verdicts, ...order }, grants, refusal, retryInMs }: GrantedClaim,
): Promise<ClaimedBatch> {
  if (grants.length === 0) return { ...nothing(plan.counts.pending + plan.counts.retryable), refusal, retryInMs };

  const requestIds = grants.map(grant => grant.requestId);
  const claiming = app.dials.claim({
    campaignId: plan.campaign.id,
    grants,
    ...order,
    instanceId: app.settings.instanceId,
    campaignUpdatedAt: plan.campaign.updatedAt,
    policyVersion: plan.policyVersion,
    frequencyDays: assessment.policies.frequencyDays,
    purposes: assessment.policies.purposes,
    readsAbandoned: assessment.policies.hasRest,
    validUntil: assessment.closesAt,
    admit: verdicts ? heeding(admission(assessment), verdicts) : admission(assessment),
    script: plan.script,
  });
  const outcome = await claiming.catch((error: unknown) => {
    // The claim may have been committed although the reply was lost. Not awaited: the lock must not be held while a store is down.
    void app.withdrawals.withdraw({ requestIds, alsoDialing: false, reason: UNHEARD });
    throw error;
  });
  await giveBack(app, unusedSlots(outcome, requestIds));
  return { ...claimedBatch(outcome), refusal, retryInMs };
}

/** The claimed dials proceed even if the cache does not take the unused slots back: their leases expire by themselves. */
async function giveBack({ slots, log }: ClaimApp, unused: readonly string[]): Promise<void> {
  await slots
    .release(unused)
    .catch((error: unknown) => log.warn({ err: error, count: unused.length }, 'unused slots end with their leases'));
}

/**
 * Wakes campaigns that wait for slots which this campaign leaves free, and ends its own wait.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export async function passOnSlots(app: ClaimApp, plan: DialPlan, assessment: Assessment): Promise<void> {
  await reserveSlots(app, plan, assessment, 0);
}

type Reserved = Omit<ReserveResult, 'grants'> & { grants: DialGrant[] };

async function reserveSlots(app: ClaimApp, plan: DialPlan, assessment: Assessment, wanted: number): Promise<Reserved> {
  const { runtimes, wake } = app;
  const reserve = async (isOpenEnded: boolean): Promise<Reserved> => {
    const request = reserveRequest(app, plan, assessment, { wanted, isOpenEnded });
    const { grants, ...reserved } = await reserveCounted(app, request);
    return { ...reserved, grants: grantsFor(grants, request.requestIds, { ...plan, wishes: request.wishes ?? [] }) };
  };
  const first = await reserve(runtimes.hasUnregistered());
  const isShort = first.grants.length === 0 && (first.refusal === 'no_runtime' || first.refusal === 'runtime_full');
  // The bus is queried only when the result matters, not before every claim.
  const reserved = isShort && (await runtimes.isOpenEnded()) ? await reserve(true) : first;
  for (const campaignId of reserved.yieldTo) wake.campaign(campaignId);
  return reserved;
}

function reserveRequest(
  { settings, switchPort, ids }: ClaimApp,
  plan: DialPlan,
  { limits }: Assessment,
  { wanted, isOpenEnded }: { wanted: number; isOpenEnded: boolean },
): ReserveRequest {
  const { at, lines } = plan;
  const takers = plan.takers.slice(0, wanted);
  const placeOf = placesOf(settings.region);
  return {
    campaignId: plan.campaign.id,
    weight: weightOf(plan.campaign.businessConfig.monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority),
    campaignMax: limits.maxConcurrency,
    needsMonitor: needsMonitor(plan.campaign.businessConfig),
    // The capacity of runtimes that pick up calls at the switch is unknown.
    ...(settings.runtime === 'rest' ? {} : { runtime: { businessCode: plan.campaign.businessCode, isOpenEnded } }),
    callIntervalMs: limits.callIntervalMs,
    lines: campaignLines(offeredLines(plan, settings.breaker.probeDials), { at, placeOf }),
    cells: slotCells(plan, switchPort.cells()),
    avoid: lines.some(({ numberRules }) => numberRules.changesOnRetry) ? takers.map(({ lastCallerNumber }) => lastCallerNumber) : [],
    wishes: takers.map(taker => wishOf(taker, lines, placeOf)),
    days: daysAround(settings.timeZone, at),
    requestIds: Array.from({ length: wanted }, () => dispatchedCallUuid(ids())),
  };
}

function unusedSlots(outcome: ClaimOutcome, granted: readonly string[]): readonly string[] {
  return outcome.kind === 'claimed' ? outcome.unusedRequestIds : granted;
}

function claimedBatch(outcome: ClaimOutcome): Omit<ClaimedBatch, 'refusal' | 'retryInMs'> {
  switch (outcome.kind) {
    case 'claimed':
      return { ...outcome, isStale: false };
    case 'nothing':
      return { ...nothing(outcome.remainingPending), held: outcome.held, hasDeferred: outcome.hasDeferred === true };
    case 'stale':
      return { ...nothing(0), isStale: true };
    default:
      return outcome satisfies never;
  }
}

function nothing(remainingPending: number) {
  return { batchId: null, dials: [], invalid: [], remainingPending, held: 0, isStale: false };
}
