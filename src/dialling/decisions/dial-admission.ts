import { campaignOpensAt } from './campaign-opening.ts';
import { decideWindow } from '#rules/calling-window.ts';
import type { PreparedWindow } from '#rules/calling-window.ts';
import { destinationNumber } from '#rules/phone-number.ts';
import { evaluatePolicies, numberFreeAt } from '#rules/policies/evaluate-policies.ts';
import type { RecentAttempts } from '#rules/policies/evaluate-policies.ts';
import { effectiveLimits } from '#rules/policies/effective-limits.ts';
import type { PolicyLimits } from '#rules/policies/policy.ts';
import type { PreparedPolicies } from '#rules/policies/prepare-policies.ts';
import { attemptsAllowed, retryDueAt } from './contact-outcome.ts';
import type { SkipReason, SlotRefusal } from '#rules/skip-reason.ts';
import type { RecentDial } from '#ports/dial-store.ts';

export interface DialQuestion {
  /** The campaign's own limits and window. */
  campaign: PolicyLimits & { window: PreparedWindow };
  policies: PreparedPolicies;
  contact: DialContact;
  /** The do-not-call entry of the number, null when none; `expiresAt` UTC ms, null = permanent. */
  doNotCall: { expiresAt: number | null } | null;
  /** It would reach an emergency or a service, and nobody has allowed that. */
  isShortCode?: boolean;
  recentAttempts: RecentAttempts;
  /** Another call has the number now. Absent: nobody asked. */
  isInCall?: boolean;
  /** What the slot registry and the switch answer; null or absent when they do not refuse or were not asked. */
  slotRefusal?: SlotRefusal | null;
  /** UTC ms. */
  at: number;
  /** Business time zone. */
  zone: string;
}

export interface DialContact {
  dialKey: string;
  /** Held back by a person: the contact, or its campaign when the scheduler asks. */
  isPaused: boolean;
  /** Attempts that count since the last reset. */
  attemptCount: number;
  /** End of the last of these, UTC ms; null when none has ended. */
  lastEndedAt: number | null;
}

export type DialDecision =
  | { admit: true }
  | {
      admit: false;
      reason: SkipReason;
      /** Chinese, of the policy that refuses; null when the reason's own text says all. */
      detail: string | null;
      /** UTC instant from which every rule would let the contact through; null when waiting alone does not. */
      nextEligibleAt: number | null;
    };

/**
 * Whether a contact is dialled at this instant; the same answer explains why it is not.
 *
 * Why:    one function admits and explains, so a page never shows a reason that the dialler does not know.
 *         What waiting cannot change is named first, the moment's slots last
 * Source: D4.5, D5.3, D5.5, D7.10, D8.3–5, D8.7
 */
export function decideDial(question: DialQuestion): DialDecision {
  const { contact, at } = question;
  if (destinationNumber(contact.dialKey) === null) return refuse('invalid_number', null);
  if (question.isShortCode) return refuse('short_code', null);
  const limits = effectiveLimits(question.campaign, question.policies);
  if (contact.attemptCount >= attemptsAllowed(limits.maxRetries)) return refuse('attempts_exhausted', null);
  const verdict = evaluatePolicies({ ...question, dialKey: contact.dialKey });
  const freeAt = verdict.allowed ? at : numberFreeAt({ ...question, dialKey: contact.dialKey });
  const dueAt = retryAt(contact, limits);
  const reason = refusalOf(question, freeAt === null ? 'blacklist' : verdict.blockedBy, dueAt > at);
  if (reason === null) return { admit: true };
  return refuse(reason, nextEligibleAt(question, reason, freeAt, dueAt), reason === verdict.blockedBy ? verdict.reason : null);
}

function refusalOf(question: DialQuestion, policy: SkipReason | null, awaitsRetry: boolean): SkipReason | null {
  const { contact, doNotCall, campaign, at, zone } = question;
  if (doNotCall !== null && doNotCallUntil(doNotCall) > at) return 'dnc';
  if (policy === 'blacklist') return policy;
  const common = commonRefusal({ isPaused: contact.isPaused, policy, isWindowOpen: decideWindow(campaign.window, at, zone).open });
  if (common !== null) return common;
  if (awaitsRetry) return 'retry_wait';
  return question.isInCall === true ? 'in_call_elsewhere' : (question.slotRefusal?.reason ?? null);
}

/** What keeps back every contact for which nothing of its own speaks, before slots are asked for. */
export function commonRefusal(facts: { isPaused: boolean; policy: SkipReason | null; isWindowOpen: boolean }): SkipReason | null {
  if (facts.isPaused) return 'paused';
  return facts.policy ?? (facts.isWindowOpen ? null : 'outside_window');
}

/** Dials to the number by the scope that a frequency policy counts. */
export function recentAttempts(dials: readonly RecentDial[], campaignId: number): RecentAttempts {
  return scope => dials.filter(dial => scope === 'global' || dial.campaignId === campaignId).map(({ at }) => at);
}

/** -Infinity when no wait binds; a count reset by POST retry ends the wait too (D5.5). */
function retryAt(contact: DialContact, limits: PolicyLimits): number {
  if (contact.attemptCount === 0 || contact.lastEndedAt === null) return -Infinity;
  return retryDueAt(contact.lastEndedAt, limits.retryIntervalSeconds);
}

/** Expired entries do not block. Source: D8.7 */
function doNotCallUntil(entry: { expiresAt: number | null }): number {
  return entry.expiresAt ?? Infinity;
}

/** All rules at once: the latest of the waits, then the first opening after it. */
function nextEligibleAt(question: DialQuestion, reason: SkipReason, freeAt: number | null, dueAt: number): number | null {
  const { contact, campaign, policies, doNotCall, slotRefusal, at, zone } = question;
  // Only the end of that call can show.
  if (contact.isPaused || freeAt === null || reason === 'in_call_elsewhere') return null;
  if (reason === slotRefusal?.reason && slotRefusal.nextEligibleAt === null) return null;
  const from = Math.max(at, freeAt, dueAt, slotRefusal?.nextEligibleAt ?? at, doNotCall ? doNotCallUntil(doNotCall) : at);
  return Number.isFinite(from) ? campaignOpensAt(campaign.window, policies, from, zone) : null;
}

function refuse(reason: SkipReason, nextEligibleAt: number | null, detail: string | null = null): DialDecision {
  return { admit: false, reason, detail, nextEligibleAt };
}
