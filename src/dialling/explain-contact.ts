import { notFound } from '#kernel/errors.ts';
import { type ListDeps, requireRow, rowsById } from '#platform/postgres/listing.ts';
import type { Contact } from '#contacts/contact.ts';
import type { Attempt } from '#attempts/attempt.ts';
import type { DialDecision } from './decisions/dial-admission.ts';
import { SKIP_REASON_TEXTS, type SkipReason, STANDSTILL_TEXTS, UNKNOWN_OUTCOME_TEXT } from '#campaigns/decisions/skip-reason.ts';
import { readRecentDials } from './evaluate-dial.ts';
import { findNumberHolder, readDialKey, readIsInCall, readQuestion } from './number-question.ts';
import { type Assessment, assessPlan, decideContact, type Place } from './decisions/assess.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';
import { ATTEMPT_TABLE } from '#attempts/attempt-store.ts';
import type { DialPlan, DialStore } from './dial-store.ts';

export interface ExplainContactDeps extends ListDeps, Place {
  dials: Pick<DialStore, 'loadPlan'>;
}

export interface NotDialed {
  reason: SkipReason;
  /** Chinese. */
  message: string;
  /** UTC ms; null when the reason has no recorded start, such as a window. */
  since: number | null;
  /** UTC ms; null when waiting alone does not help. */
  nextEligibleAt: number | null;
}

/**
 * Why a contact is not dialled now, determined by the code that admits dials.
 *
 * Shape:  null when it was reached, is in a call, or will be dialled in the next turn
 * Errors: NOT_FOUND
 * Source: D7.10
 */
export async function explainContact(deps: ExplainContactDeps, contactId: number): Promise<NotDialed | null> {
  const contact = await requireRow(deps, CONTACT_TABLE, contactId, '联系人');
  if (contact.status === 'completed' || contact.status === 'submitted') return null;
  const [plan, lastAttempt] = await Promise.all([deps.dials.loadPlan(contact.campaignId), readLastAttempt(deps, contact)]);
  if (!plan) throw notFound('活动');
  if (contact.status === 'failed' && contact.retryAt === null) {
    const reason = contact.holdReason === 'invalid_number' ? contact.holdReason : 'attempts_exhausted';
    return explained(reason, endText(reason, plan, lastAttempt), lastAttempt?.endedAt ?? null);
  }
  const decision = await decide(deps, { contact, plan, lastAttempt });
  if (decision.admit) return null;
  const refused = notDialed(decision, { contact, plan, lastAttempt });
  return decision.reason === 'in_call_elsewhere' ? { ...refused, message: await inCallText(deps, contactId, refused.message) } : refused;
}

/** Null when attempts are used up. */
function endText(reason: SkipReason, { campaign }: DialPlan, lastAttempt: Attempt | null): string | null {
  const isUnknown = reason === 'attempts_exhausted' && lastAttempt?.status === 'outcome_unknown' && !campaign.retryUnknown;
  return isUnknown ? UNKNOWN_OUTCOME_TEXT : null;
}

/** Adds the campaign or agent that has the number in a call. */
async function inCallText({ db }: Pick<ListDeps, 'db'>, contactId: number, text: string): Promise<string> {
  const holder = await findNumberHolder(db, await readDialKey(db, contactId));
  return holder === null ? text : `${text}：${holder}`;
}

interface ContactInput {
  contact: Contact;
  plan: DialPlan;
  lastAttempt: Attempt | null;
}

async function decide(deps: ExplainContactDeps, { contact, plan, lastAttempt }: ContactInput): Promise<DialDecision> {
  const { campaign } = plan;
  const { attemptCount, status } = contact;
  const assessment = assessPlan(plan, deps);
  const dialKey = await readDialKey(deps.db, contact.id);
  const [question, recentDials, isInCall] = await Promise.all([
    readQuestion(deps.db, campaign.id, dialKey),
    readRecentDials(deps, assessment, dialKey),
    readIsInCall(deps.db, dialKey),
  ]);
  return decideContact(assessment, {
    dialKey,
    attemptCount,
    isPaused: status === 'paused' || campaign.status !== 'running',
    lastEndedAt: lastAttempt?.endedAt ?? null,
    doNotCall: question?.doNotCall ?? null,
    recentDials,
    isInCall,
    slotRefusal: slotRefusal(plan, assessment),
  });
}

/** The refusal that the campaign's last turn met at the slot registry or the switch. */
function slotRefusal({ campaign, phaseRefusal }: DialPlan, { mayDial }: Assessment) {
  const reason = mayDial ? phaseRefusal : null;
  return reason && { reason, nextEligibleAt: reason === 'interval' ? campaign.nextWakeAt : null };
}

function notDialed(refusal: Extract<DialDecision, { admit: false }>, { contact, plan, lastAttempt }: ContactInput): NotDialed {
  const { reason, detail, nextEligibleAt } = refusal;
  const message = standstill(reason, contact, plan) ?? (reason === plan.phaseRefusal ? plan.campaign.phaseReason : detail);
  return { ...explained(reason, message, sinceOf(reason, { contact, plan, lastAttempt })), nextEligibleAt };
}

/** Text for a campaign that is not running; null when the contact itself is paused. */
function standstill(reason: SkipReason, contact: Contact, { campaign }: DialPlan): string | null {
  return reason === 'paused' && contact.status !== 'paused' && campaign.status !== 'running' ? STANDSTILL_TEXTS[campaign.status] : null;
}

function sinceOf(reason: SkipReason, { contact, plan, lastAttempt }: ContactInput): number | null {
  if (reason === 'paused') return contact.status === 'paused' ? contact.updatedAt : plan.campaign.updatedAt;
  if (reason === 'retry_wait') return lastAttempt?.endedAt ?? null;
  return contact.holdReason === reason ? contact.updatedAt : null;
}

function explained(reason: SkipReason, message: string | null, since: number | null): NotDialed {
  return { reason, message: message ?? SKIP_REASON_TEXTS[reason], since, nextEligibleAt: null };
}

async function readLastAttempt(deps: ExplainContactDeps, { lastAttemptId }: Contact): Promise<Attempt | null> {
  if (lastAttemptId === null) return null;
  const [attempt] = await rowsById(deps, ATTEMPT_TABLE, [lastAttemptId]);
  return attempt ?? null;
}
