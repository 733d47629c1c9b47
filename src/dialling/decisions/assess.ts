import type { Campaign } from '#campaigns/campaign.ts';
import { zonesOfContact } from '#contacts/contact.ts';
import type { SkipReason, SlotRefusal } from '#campaigns/decisions/skip-reason.ts';
import { attemptsAllowed, retryDueAt } from '#outcomes/decisions/contact-outcome.ts';
import { underRules } from '#outcomes/decisions/outcome-rules.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import { type DiallingPlace, isBarredCode } from '#phone-numbers/short-code.ts';
import { decideWindow, ownHours, type PreparedWindow, prepareWindow, type WindowDecision } from '#policies/decisions/calling-window.ts';
import {
  abandonedUntil,
  effectiveLimits,
  evaluateCampaign,
  evaluatePolicies,
  lastingRefusal,
  numberFreeAt,
  type RecentAttempts,
  type Verdict,
} from '#policies/decisions/evaluate.ts';
import type { AbandonmentCount } from '#policies/decisions/person-kinds.ts';
import type { PolicyLimits } from '#policies/decisions/policy-kind.ts';
import { firstOpenAt, jointSchedules, type OpenHours, openingAt, type Zones } from '#policies/decisions/week-schedule.ts';
import type { Policy } from '#policies/policy.ts';
import type { AdmitDial, DialCandidate, DialPlan, RecentDial } from '../dial-store.ts';
import { type PreparedPolicies, preparePolicies } from '#policies/decisions/prepare-policies.ts';

/**
 * The first instant from `from` on at which the campaign's window and the policies' dates and windows all allow dialling.
 *
 * Units:  UTC ms
 * Shape:  null when there is none within the horizon
 * Source: D5.3, D8.3
 */
export function campaignOpensAt(window: PreparedWindow, policies: PreparedPolicies, from: number, zones: Zones): number | null {
  if (!window.isValid) return null;
  const opensAt = firstOpenAt(jointHours(window, policies), zones, Math.max(from, window.startsAt));
  return opensAt !== null && opensAt < window.endsAt ? opensAt : null;
}

/**
 * The instant at which the campaign's window or a policy ends the dialling that is allowed at `at`.
 *
 * Shape: null when dialling is not allowed at `at`, or has no end
 */
export function campaignClosesAt(window: PreparedWindow, policies: PreparedPolicies, at: number, zones: Zones): number | null {
  if (at < window.startsAt || at >= window.endsAt) return null;
  const opening = openingAt(jointHours(window, policies), zones, at);
  if (!opening.open) return null;
  const closesAt = Math.min(opening.closesAt ?? Infinity, window.endsAt);
  return Number.isFinite(closesAt) ? closesAt : null;
}

/** Hours in which the window and the policies both allow dialling, without the window's first and last instant. */
export function jointHours(window: PreparedWindow, policies: PreparedPolicies): OpenHours {
  const { schedules, blocksDay } = policies.hours;
  return { schedules: jointSchedules([...ownHours(window).schedules, ...schedules]), blocksDay };
}

export interface DialQuestion {
  /** Limits and window of the campaign itself. */
  campaign: PolicyLimits & { window: PreparedWindow };
  policies: PreparedPolicies;
  contact: DialContact;
  /** The number's do-not-call entry, null when there is none; `expiresAt` UTC ms, null = permanent. */
  doNotCall: { expiresAt: number | null } | null;
  /** The number would reach an emergency or service number that is not allowed. */
  isShortCode?: boolean;
  recentAttempts: RecentAttempts;
  /** Purposes for which the person's consent holds. Absent: none. */
  consents?: readonly string[];
  /** End of the last call to the number that was abandoned, UTC ms. Absent or null: none. */
  lastAbandonedAt?: number | null;
  /** Answered and abandoned calls of the campaign. Absent: none. */
  abandonment?: readonly AbandonmentCount[];
  /** The number is in another call. Absent: not checked. */
  isInCall?: boolean;
  /** Refusal of the slot registry or the switch; null or absent when they do not refuse or were not queried. */
  slotRefusal?: SlotRefusal | null;
  /** UTC ms. */
  at: number;
  /** Time zones in which the contact may be; it is dialled only when the rules allow it in each of them. */
  zones: Zones;
  /** `campaignOpensAt` of these rules and zones, for callers that keep its results. */
  opensFrom?: (from: number) => number | null;
}

interface DialContact {
  dialKey: string;
  /** Paused by a user: the contact, or, for the scheduler, its campaign. */
  isPaused: boolean;
  /** Counted attempts since the last reset. */
  attemptCount: number;
  /** End of the latest of them, UTC ms; null when none has ended. */
  lastEndedAt: number | null;
  /** When the contact was promised a call, UTC ms. Absent or null: it was not. */
  callbackAt?: number | null;
  /** When the last attempt's end allows another, UTC ms. Absent or null: none waits. */
  retryAt?: number | null;
  /** Bounds of a requested dial, UTC ms. Absent or null: none. A promised call has its own. */
  notBefore?: number | null;
  notAfter?: number | null;
}

export type DialDecision =
  | { admit: true }
  | {
      admit: false;
      reason: SkipReason;
      /** Chinese text about the refusing policy; null when the reason's own text is sufficient. */
      detail: string | null;
      /** UTC instant from which all rules allow the contact; null when waiting alone does not help. */
      nextEligibleAt: number | null;
    };

/**
 * Decides whether a contact is dialled now; the same result explains why it is not.
 *
 * Why:    a single function admits and explains, so a page never shows a reason that the dialler does not have.
 *         Reasons that waiting cannot change come first, temporary ones of slots last
 * Source: D4.5, D5.3, D5.5, D7.10, D7.15, D8.3–5, D8.7
 */
export function decideDial(question: DialQuestion): DialDecision {
  const { contact, at } = question;
  const limits = effectiveLimits(question.campaign, question.policies);
  const final = finalRefusal(question, limits);
  if (final !== null) return refuse(final, null);
  const ofNumber = { ...question, dialKey: contact.dialKey };
  const verdict = evaluatePolicies(ofNumber);
  const freeAt = verdict.allowed ? at : numberFreeAt(ofNumber);
  const due = dueOf(contact, limits);
  const reason = refusalOf(question, lastingRefusal(ofNumber) ?? verdict.blockedBy, due.at <= at ? null : due.awaits);
  if (reason === null) return { admit: true };
  return refuse(reason, nextEligibleAt(question, reason, freeAt, due.at), refusalTextOf(verdict, reason));
}

/** The text of a policy that refuses for the reason; null when none does. */
function refusalTextOf({ refusals }: Pick<Verdict, 'refusals'>, reason: SkipReason): string | null {
  return Object.entries(refusals).find(([code]) => code === reason)?.[1] ?? null;
}

/** A refusal that neither a policy nor time lifts; a promise is kept, however often the contact was called before. */
function finalRefusal({ contact, isShortCode, at }: DialQuestion, limits: PolicyLimits): SkipReason | null {
  if (destinationNumber(contact.dialKey) === null) return 'invalid_number';
  if (isShortCode) return 'short_code';
  if (endOfPermission(contact) <= at) return 'not_after_passed';
  return !isPromised(contact) && contact.attemptCount >= attemptsAllowed(limits.maxRetries) ? 'attempts_exhausted' : null;
}

function isPromised({ callbackAt = null }: Pick<DialContact, 'callbackAt'>): boolean {
  return callbackAt !== null;
}

/** The latest instant of a requested dial; Infinity when there is none, or when a promise has taken its place. Source: D7.15 */
export function endOfPermission(contact: Pick<DialContact, 'callbackAt' | 'notAfter'>): number {
  return isPromised(contact) ? Infinity : (contact.notAfter ?? Infinity);
}

type Awaited = 'callback' | 'not_before' | 'retry_wait';

/** When the contact itself is due, and for what it waits until then. */
function dueOf(contact: DialContact, limits: PolicyLimits): { at: number; awaits: Awaited } {
  const { callbackAt = null, notBefore = null } = contact;
  if (callbackAt !== null) return { at: callbackAt, awaits: 'callback' };
  const again = Math.max(retryAt(contact, limits), contact.retryAt ?? -Infinity);
  return notBefore !== null && notBefore > again ? { at: notBefore, awaits: 'not_before' } : { at: again, awaits: 'retry_wait' };
}

function refusalOf(question: DialQuestion, policy: SkipReason | null, awaits: Awaited | null): SkipReason | null {
  const { contact, doNotCall, campaign, at, zones } = question;
  if (doNotCall !== null && doNotCallUntil(doNotCall) > at) return 'dnc';
  if (policy === 'blacklist' || policy === 'consent_missing') return policy;
  const common = commonRefusal({ isPaused: contact.isPaused, policy, isWindowOpen: decideWindow(campaign.window, at, zones).open });
  if (common !== null) return common;
  if (awaits !== null) return awaits;
  return question.isInCall === true ? 'in_call_elsewhere' : (question.slotRefusal?.reason ?? null);
}

/** Refusal of all contacts that have no reason of their own, before slots are requested. */
export function commonRefusal(facts: { isPaused: boolean; policy: SkipReason | null; isWindowOpen: boolean }): SkipReason | null {
  if (facts.isPaused) return 'paused';
  return facts.policy ?? (facts.isWindowOpen ? null : 'outside_window');
}

/** Dials to the number, by the scope of a frequency policy. */
export function recentAttempts(dials: readonly RecentDial[], campaignId: number): RecentAttempts {
  return scope => dials.filter(dial => scope === 'global' || dial.campaignId === campaignId).map(({ at }) => at);
}

/** -Infinity when no wait applies; resetting the count with POST retry ends the wait, too (D5.5). */
function retryAt(contact: DialContact, limits: PolicyLimits): number {
  if (contact.attemptCount === 0 || contact.lastEndedAt === null) return -Infinity;
  return retryDueAt(contact.lastEndedAt, limits.retryIntervalSeconds);
}

/** Expired entries do not block. Source: D8.7 */
function doNotCallUntil(entry: { expiresAt: number | null }): number {
  return entry.expiresAt ?? Infinity;
}

/** Considers all rules: the latest of the waits, then the first opening after it. */
function nextEligibleAt(question: DialQuestion, reason: SkipReason, freeAt: number | null, dueAt: number): number | null {
  const { contact, campaign, policies, doNotCall, slotRefusal, at, zones } = question;
  // Only the end of the other call can tell.
  if (contact.isPaused || freeAt === null || reason === 'in_call_elsewhere') return null;
  if (reason === slotRefusal?.reason && slotRefusal.nextEligibleAt === null) return null;
  const from = Math.max(at, freeAt, dueAt, slotRefusal?.nextEligibleAt ?? at, doNotCall ? doNotCallUntil(doNotCall) : at);
  if (!Number.isFinite(from)) return null;
  return question.opensFrom ? question.opensFrom(from) : campaignOpensAt(campaign.window, policies, from, zones);
}

function refuse(reason: SkipReason, nextEligibleAt: number | null, detail: string | null = null): DialDecision {
  return { admit: false, reason, detail, nextEligibleAt };
}

/** The fields of a campaign that dialling rules need, besides its policies. */
export type RuledCampaign = Pick<Campaign, 'id' | 'timeZone' | keyof PolicyLimits | keyof Parameters<typeof prepareWindow>[0]>;

/** Result of the rules for contacts in the same zones, at the instant of the plan. */
interface ZoneAssessment {
  windowDecision: WindowDecision;
  verdict: Verdict<Policy>;
  /** First instant at which window and policies both allow dialling; null when never. */
  opensAt: number | null;
  /** End of the current permission; null when it has no end. */
  closesAt: number | null;
  /** Whether a contact there may be dialled now, apart from its own rules. */
  mayDial: boolean;
}

/**
 * Evaluation of the rules for a campaign at the instant `at`. The members of `ZoneAssessment` are those of the zones in which the campaign may
 * dial longest, or otherwise first.
 */
export interface Assessment extends ZoneAssessment {
  campaign: RuledCampaign;
  /** UTC ms. */
  at: number;
  /** The zone of contacts whose own is unknown: the campaign's, else the installation's. */
  zone: string;
  place: DiallingPlace;
  window: PreparedWindow;
  policies: PreparedPolicies<Policy>;
  abandonment: readonly AbandonmentCount[];
  limits: PolicyLimits;
  /** First instant from `from` on at which contacts in these zones may be dialled; null when never. */
  opensFrom: (zones: Zones, from: number) => number | null;
  /** End of the permission for these zones that stands at `at`; null when it has no end. */
  closesFrom: (zones: Zones, at: number) => number | null;
}

/** Location of the business. */
export interface Place extends DiallingPlace {
  timeZone: string;
}

/**
 * Evaluates a campaign and its policies once, so that checking a number is cheap.
 *
 * Why:   the campaign as a whole may dial while any of its contacts may; each contact is then decided in its own zones
 * Shape: `contactZones`: the distinct zones of the campaign's contacts as stored, '' for unknown ones; empty like ['']
 */
export function assessPlan(
  plan: Pick<DialPlan, 'at' | 'policies' | 'outcomeRules' | 'abandonment'> & { campaign: RuledCampaign; contactZones?: readonly string[] },
  { timeZone, region, allowedShortCodes = [] }: Place,
): Assessment {
  const { at, contactZones = [], abandonment = [] } = plan;
  const campaign = underRules(plan.campaign, plan.outcomeRules ?? null);
  const window = prepareWindow(campaign);
  // A stored policy of an unknown type forbids dialling, because its config cannot be read.
  const policies = preparePolicies(plan.policies, campaign.id, region);
  const zone = campaign.timeZone ?? timeZone;
  const waitsUntil = abandonedUntil(policies, abandonment) ?? -Infinity;
  const opensFrom = remembering((zones, from) => campaignOpensAt(window, policies, Math.max(from, waitsUntil), zones));
  const closesFrom = remembering((zones, from) => campaignClosesAt(window, policies, from, zones));
  const inZones = (zones: Zones): ZoneAssessment => {
    const windowDecision = decideWindow(window, at, zones);
    const verdict = evaluateCampaign({ policies, campaign, at, zones, abandonment });
    const opens = { opensAt: opensFrom(zones, at), closesAt: closesFrom(zones, at) };
    return { windowDecision, verdict, ...opens, mayDial: windowDecision.open && verdict.allowed };
  };
  const everywhere = [...new Set(contactZones.map(stored => stored || zone))].map(stored => inZones(stored.split(' ')));
  const asWhole = everywhere.length === 0 ? inZones([zone]) : everywhere.reduce(sooner);
  const place = { region, allowedShortCodes };
  const rules = { campaign, at, zone, place, window, policies, abandonment };
  return { ...rules, limits: asWhole.verdict.effectiveLimits, opensFrom, closesFrom, ...asWhole };
}

function sooner(one: ZoneAssessment, other: ZoneAssessment): ZoneAssessment {
  if (one.mayDial !== other.mayDial) return one.mayDial ? one : other;
  if (one.mayDial) return (other.closesAt ?? Infinity) > (one.closesAt ?? Infinity) ? other : one;
  return (other.opensAt ?? Infinity) < (one.opensAt ?? Infinity) ? other : one;
}

/** Contacts of one claim ask the same few questions; a search for an opening may walk over a year of days in several zones. */
function remembering(answer: (zones: Zones, from: number) => number | null): (zones: Zones, from: number) => number | null {
  const known = new Map<string, number | null>();
  return (zones, from) => {
    const name = `${zones.join(' ')} ${from}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const result = answer(zones, from);
    known.set(name, result);
    return result;
  };
}

/** Facts about a contact and its number that decide whether it is dialled. */
interface ContactFacts
  extends Pick<
    DialCandidate,
    'dialKey' | 'attemptCount' | 'lastEndedAt' | 'doNotCall' | 'recentDials' | 'zones' | 'consents' | 'lastAbandonedAt'
  > {
  /** Absent: null. */
  callbackAt?: number | null;
  retryAt?: number | null;
  notBefore?: number | null;
  notAfter?: number | null;
  /** Absent: false. */
  isPaused?: boolean;
  isInCall?: boolean;
  /** Refusal of the slot registry or the switch; absent when they were not queried. */
  slotRefusal?: SlotRefusal | null;
}

/** Decides whether a contact of the campaign is dialled now. */
export function decideContact(
  { campaign, window, policies, abandonment, zone, place, opensFrom, ...read }: Assessment,
  contact: ContactFacts,
  at = read.at,
): DialDecision {
  const { isPaused = false, isInCall = false, slotRefusal = null, doNotCall, recentDials, consents = [], lastAbandonedAt = null } = contact;
  const zones = zonesOfContact(contact.zones, zone);
  return decideDial({
    campaign: { ...campaign, window },
    policies,
    contact: { ...contact, isPaused },
    doNotCall,
    isInCall,
    isShortCode: isBarredCode(contact.dialKey, place),
    recentAttempts: recentAttempts(recentDials, campaign.id),
    consents,
    lastAbandonedAt,
    abandonment,
    slotRefusal,
    at,
    zones,
    opensFrom: from => opensFrom(zones, from),
  });
}

/** Until when an admitted contact may be dialled, UTC ms; null = no end. */
function permittedUntil(assessment: Assessment, candidate: DialCandidate, at: number): number | null {
  const closesAt = assessment.closesFrom(zonesOfContact(candidate.zones, assessment.zone), at);
  const until = Math.min(closesAt ?? Infinity, endOfPermission(candidate));
  return Number.isFinite(until) ? until : null;
}

/** Longest hold for a number in another call, in case the end of that call is not reported, ms. */
const IN_CALL_HOLD_MS = 60_000;

/** Admits one number within the claim's transaction, by the same rules that explain a refusal (D7.10). */
export function admission(assessment: Assessment): AdmitDial {
  return (candidate, at) => {
    const decision = decideContact(assessment, candidate, at);
    if (decision.admit) return { kind: 'admit', validUntil: permittedUntil(assessment, candidate, at) };
    if (decision.reason === 'invalid_number') return { kind: 'fail', callStatus: 'invalid_number' };
    return { kind: 'hold', reason: decision.reason, until: heldUntil(decision, candidate, at) };
  };
}

/** Edits of policies do not end the holds of a contact's own: such a hold must not depend on a policy. */
function heldUntil({ reason, nextEligibleAt }: DialDecision & { admit: false }, candidate: DialCandidate, at: number): number | null {
  if (reason === 'dnc') return candidate.doNotCall?.expiresAt ?? null;
  if (reason === 'callback') return candidate.callbackAt;
  if (reason === 'not_before') return candidate.notBefore ?? null;
  // The end of the other call wakes the campaign; the hold expires by itself if that message is lost.
  return reason === 'in_call_elsewhere' ? at + IN_CALL_HOLD_MS : nextEligibleAt;
}
