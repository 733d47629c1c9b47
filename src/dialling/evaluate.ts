import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import { SKIP_REASON_TEXTS, type SkipReason } from '#campaigns/decisions/skip-reason.ts';
import { localTimeAt, MS_PER_DAY, parseDate } from '#kernel/calendar.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { isBarredCode } from '#phone-numbers/short-code.ts';
import type { Platform } from '#platform/platform.ts';
import { prepareWindow } from '#policies/decisions/calling-window.ts';
import { evaluatePolicies } from '#policies/decisions/evaluate.ts';
import type { PolicyLimits } from '#policies/decisions/policy-kind.ts';
import type { Policy } from '#policies/policy.ts';
import { zonesOfContact } from '#contacts/contact.ts';
import { type Assessment, assessPlan, decideContact, type Place, recentAttempts } from './decisions/assess.ts';
import { type DialingDay, dialingDays } from './decisions/dialing-days.ts';
import type { RecentDial } from './dial-store.ts';
import { readCampaignRules, readCommonQuestion, readCommonRules, readDialsSince, readQuestion } from './plan-statements.ts';
import { preparePolicies } from '#policies/decisions/prepare-policies.ts';

interface EvaluationInput {
  /** Null: as for a campaign without own window, limits or policies. */
  campaignId: number | null;
  phoneNumber: string;
  /** UTC ms; defaults to now. */
  at?: number | undefined;
}

export interface Evaluation {
  allowed: boolean;
  /** Chinese; null when allowed. */
  reason: string | null;
  /** Null when allowed. */
  skipReason: SkipReason | null;
  /** UTC ms from which all rules would allow the dial; null when allowed, and when waiting alone does not help. */
  nextEligibleAt: number | null;
  matchedPolicies: Policy[];
  effectiveLimits: PolicyLimits;
}

type EvaluationApp = Place & Pick<Platform, 'db' | 'clock'>;

/**
 * Decides as for a first dial of the number at `at`, with the code that admits dials: policies, do-not-call list, campaign window and the
 * number itself. `matchedPolicies` contains policies only.
 *
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 2.9, 4.9, 4.10, D8.5
 */
export async function evaluateDial(app: EvaluationApp, { campaignId, phoneNumber, at: requestedAt }: EvaluationInput): Promise<Evaluation> {
  const at = requestedAt ?? app.clock.now();
  const key = dialKey(phoneNumber, app.region);
  const question = campaignId === null ? await readCommonQuestion(app.db, key) : await readQuestion(app.db, campaignId, key);
  if (question === null) throw notFound('活动');
  const assessment = assessPlan({ ...question, at }, app);
  const dials = await readRecentDials(app, assessment, [key]);
  // For a time in the past later dials are ignored; without a time none is, even if the database clock is ahead of ours.
  const recentDials = dials.filter(dial => dial.at <= (requestedAt ?? Infinity));
  const { doNotCall, consents, lastAbandonedAt } = question;
  const facts = { dialKey: key, recentDials, zones: question.zones, doNotCall, consents, lastAbandonedAt };
  const decision = decideContact(assessment, { ...facts, attemptCount: 0, lastEndedAt: null });
  const zones = zonesOfContact(question.zones, assessment.zone);
  const verdict = evaluatePolicies({
    ...assessment,
    zones,
    dialKey: key,
    consents,
    lastAbandonedAt,
    recentAttempts: recentAttempts(recentDials, question.campaign.id),
  });
  const refusal = decision.admit ? null : decision;
  return {
    allowed: decision.admit,
    reason: refusal && (refusal.detail ?? SKIP_REASON_TEXTS[refusal.reason]),
    skipReason: refusal && refusal.reason,
    nextEligibleAt: refusal && refusal.nextEligibleAt,
    matchedPolicies: verdict.matchedPolicies,
    effectiveLimits: verdict.effectiveLimits,
  };
}

/** Earlier dials of the numbers, as far back as the campaign's policies count. */
export async function readRecentDials(
  { db }: Pick<EvaluationApp, 'db'>,
  { policies: { frequencyDays }, at }: Assessment,
  keys: readonly string[],
): Promise<RecentDial[]> {
  return frequencyDays === 0 ? [] : readDialsSince(db, keys, at - frequencyDays * MS_PER_DAY);
}

/**
 * Why a user may not call the number with this `dialKey` now, in Chinese: it is a short code, or a policy, global or of this campaign, blocks
 * dates or numbers. Null when the call is allowed.
 *
 * Why:    windows and limits pace the dispatcher, whereas a block protects the called persons and must also bind manual calls
 * Source: D12.3, D8.2
 */
export async function numberRefusal(app: EvaluationApp, key: string, campaignId: number | null): Promise<string | null> {
  if (isBarredCode(key, app)) return SKIP_REASON_TEXTS.short_code;
  const { policies, campaign, zones, consents } = await questionOf(app, key, campaignId);
  const blocks = policies.filter(policy => policy.action === 'block');
  const verdict = evaluatePolicies({
    policies: preparePolicies(blocks, campaignId ?? 0, app.region),
    // Limits are irrelevant here: they pace the campaign.
    campaign: CAMPAIGN_DEFAULTS,
    dialKey: key,
    consents,
    recentAttempts: () => [],
    at: app.clock.now(),
    zones: zonesOfContact(zones, campaign.timeZone ?? app.timeZone),
  });
  return verdict.allowed ? null : verdict.reason;
}

async function questionOf({ db }: Pick<Platform, 'db'>, key: string, campaignId: number | null) {
  const question = campaignId === null ? null : await readQuestion(db, campaignId, key);
  if (question !== null) return question;
  const common = await readCommonQuestion(db, key);
  return campaignId === null ? common : { ...common, policies: [] };
}

/**
 * Why the number with this `dialKey` may not be called into a conference now, in Chinese; null when it may. With a campaign all of its rules
 * apply, without one the do-not-call list and the global block policies.
 *
 * Source: D8.2, D12.3
 */
export async function meetingRefusal(
  app: NumberFactsPart & Place & Pick<Platform, 'db' | 'clock'>,
  campaignId: number | null,
  key: string,
): Promise<string | null> {
  if (campaignId !== null) return (await evaluateDial(app, { campaignId, phoneNumber: key })).reason;
  if (await app.callTargets.isListed(key)) return SKIP_REASON_TEXTS.dnc;
  return numberRefusal(app, key, null);
}

/** Reads whether a number may be called now: the do-not-call list and its current call. Errors: DATABASE_UNAVAILABLE */
export interface NumberFacts {
  /** Whether the number is currently on the do-not-call list. */
  isListed(dialKey: string): Promise<boolean>;
  /** Description of the number's current call, in Chinese; null when it has ended. */
  holderOf(dialKey: string): Promise<string | null>;
}

export interface NumberFactsPart {
  callTargets: NumberFacts;
}

/** Limit of days per response; the search horizon for openings is four times as long. */
const MAX_DAYS = 100;
const DEFAULT_DAYS = 28;
/** Limit of the distance between the first day and today. */
const MAX_DISTANCE_DAYS = 3_660;

interface DialingDaysInput {
  /** Null: rules that apply to every campaign. */
  campaignId: number | null;
  /** `YYYY-MM-DD`; null = today. */
  from: string | null;
  days?: number | undefined;
}

export interface DialingCalendar {
  /** The campaign's time zone, else the installation's; contacts elsewhere have these hours in their own. */
  timeZone: string;
  days: DialingDay<Policy>[];
}

/**
 * Dialling hours of consecutive days, for every campaign or for one.
 *
 * Errors: NOT_FOUND when the campaign does not exist; INVALID_ARGUMENT naming `from` or `days`
 * Source: D5.3, D8.1
 */
export async function listDialingDays(
  app: EvaluationApp,
  { campaignId, from, days = DEFAULT_DAYS }: DialingDaysInput,
): Promise<DialingCalendar> {
  const { timeZone, region } = app;
  const today = localTimeAt(timeZone, app.clock.now()).day;
  const first = from === null ? today : parseDate(from);
  if (first === null) throw invalidArgument('from', 'date');
  if (Math.abs(first - today) > MAX_DISTANCE_DAYS) throw invalidArgument('from', 'farFromToday', { max: MAX_DISTANCE_DAYS });
  if (days < 1 || days > MAX_DAYS) throw invalidArgument('days', 'between', { min: 1, max: MAX_DAYS });
  const rules = campaignId === null ? await readCommonRules(app.db) : await readCampaignRules(app.db, campaignId);
  if (rules === null) throw notFound('活动');
  const zone = rules.campaign.timeZone ?? timeZone;
  const prepared = {
    window: prepareWindow(rules.campaign),
    policies: preparePolicies(rules.policies, rules.campaign.id, region),
    zone,
  };
  return { timeZone: zone, days: dialingDays(prepared, first, days) };
}
