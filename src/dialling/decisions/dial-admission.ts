import { campaignOpensAt } from './campaign-opening.ts';
import { decideWindow, type PreparedWindow } from '#policies/decisions/calling-window.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import {
  effectiveLimits,
  evaluatePolicies,
  numberFreeAt,
  type PreparedPolicies,
  type RecentAttempts,
} from '#policies/decisions/evaluate.ts';
import type { PolicyLimits } from '#policies/decisions/policy-kind.ts';
import { attemptsAllowed, retryDueAt } from '#outcomes/decisions/contact-outcome.ts';
import type { SkipReason, SlotRefusal } from '#campaigns/decisions/skip-reason.ts';
import type { RecentDial } from '../dial-store.ts';

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
  /** The number is in another call. Absent: not checked. */
  isInCall?: boolean;
  /** Refusal of the slot registry or the switch; null or absent when they do not refuse or were not queried. */
  slotRefusal?: SlotRefusal | null;
  /** UTC ms. */
  at: number;
  /** Business time zone. */
  zone: string;
}

export interface DialContact {
  dialKey: string;
  /** Paused by a user: the contact, or, for the scheduler, its campaign. */
  isPaused: boolean;
  /** Counted attempts since the last reset. */
  attemptCount: number;
  /** End of the latest of them, UTC ms; null when none has ended. */
  lastEndedAt: number | null;
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
  const { contact, campaign, policies, doNotCall, slotRefusal, at, zone } = question;
  // Only the end of the other call can tell.
  if (contact.isPaused || freeAt === null || reason === 'in_call_elsewhere') return null;
  if (reason === slotRefusal?.reason && slotRefusal.nextEligibleAt === null) return null;
  const from = Math.max(at, freeAt, dueAt, slotRefusal?.nextEligibleAt ?? at, doNotCall ? doNotCallUntil(doNotCall) : at);
  return Number.isFinite(from) ? campaignOpensAt(campaign.window, policies, from, zone) : null;
}

function refuse(reason: SkipReason, nextEligibleAt: number | null, detail: string | null = null): DialDecision {
  return { admit: false, reason, detail, nextEligibleAt };
}
