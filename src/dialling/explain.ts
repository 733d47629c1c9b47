import { ATTEMPT_TABLE } from '#attempts/attempt-store.ts';
import type { Attempt } from '#attempts/attempt.ts';
import {
  SKIP_DETAIL_TEXTS,
  SKIP_REASON_TEXTS,
  SKIP_REASONS,
  type SkipDetail,
  type SkipReason,
  type SlotSkipReason,
} from '#campaigns/decisions/skip-reason.ts';
import { type CampaignProgress, readProgress } from '#campaigns/progress.ts';
import type { Waiting } from '#contacts/contact-filter.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';
import type { Contact } from '#contacts/contact.ts';
import { notFound } from '#kernel/errors.ts';
import { readRulesVersion } from '#outcomes/rule-statements.ts';
import { readHookReason } from '#pre-dial/hook-store.ts';
import { requireRow, rowsById } from '#platform/postgres/listing.ts';
import {
  type Assessment,
  assessPlan,
  commonRefusal,
  decideContact,
  type DialDecision,
  endOfPermission,
  type Place,
} from './decisions/assess.ts';
import { firstAdmitted, otherNumbers } from './decisions/choose-number.ts';
import type { CandidateNumber, DialPlan, DialsPart } from './dial-store.ts';
import { readRecentDials } from './evaluate.ts';
import { findNumberHolder, heldByReason, readIdentity, readIsInCall, readQuestion } from './plan-statements.ts';
import type { Platform } from '#platform/platform.ts';

interface NotDialedCount extends Explanation {
  contacts: number;
}

/** A reason, and its specific case when it covers several. */
interface Explanation {
  reason: SkipReason;
  detail: SkipDetail | null;
  /** Chinese. */
  message: string;
}

type ExplanationApp = DialsPart & Place & Pick<Platform, 'db'>;

/**
 * Number of contacts of each campaign that are not dialled now, by reason; the most frequent first, without reasons that do not occur.
 *
 * Shape:  by campaign, without unknown ones
 * Source: D7.10
 */
export async function explainCampaigns(app: ExplanationApp, campaignIds: readonly number[]): Promise<Map<number, NotDialedCount[]>> {
  const [plans, held, progress] = await Promise.all([
    app.dials.loadPlans(campaignIds),
    heldByReason(app.db, campaignIds),
    readProgress(app, campaignIds),
  ]);
  const planOf = new Map(plans.map(plan => [plan.campaign.id, plan]));
  return new Map(
    progress.flatMap(each => {
      const plan = planOf.get(each.campaignId);
      return plan ? [[each.campaignId, countReasons(plan, { held: held.get(each.campaignId) ?? {}, progress: each, place: app })]] : [];
    }),
  );
}

/** The contacts that `explainCampaigns` counts for a reason. Errors: NOT_FOUND */
export async function waitingFor(
  app: Pick<ExplanationApp, 'dials' | keyof Place>,
  campaignId: number,
  reason: SkipReason,
): Promise<Waiting> {
  const [plan] = await app.dials.loadPlans([campaignId]);
  if (plan === undefined) throw notFound('活动');
  return { reason, isCommon: commonReason(plan, app) === reason };
}

interface ReasonInput {
  held: Readonly<Record<string, number>>;
  progress: CampaignProgress;
  place: Place;
}

function countReasons(plan: DialPlan, { held, progress, place }: ReasonInput): NotDialedCount[] {
  const counts = new Map<SkipReason, number>();
  const add = (reason: SkipReason, contacts: number) => counts.set(reason, (counts.get(reason) ?? 0) + contacts);
  for (const reason of SKIP_REASONS) add(reason, held[reason] ?? 0);
  for (const [reason, contacts] of ownReasons(plan, progress, held)) add(reason, contacts);
  const common = commonReason(plan, place);
  if (common !== null) add(common, plan.counts.pending + plan.counts.dueRetries);
  return Array.from(counts, ([reason, contacts]) => ({ ...explanationOf(reason, plan), contacts }))
    .filter(({ contacts }) => contacts > 0)
    .sort((a, b) => b.contacts - a.contacts);
}

/** Reasons that concern the individual contact. */
function ownReasons({ counts }: DialPlan, progress: CampaignProgress, held: ReasonInput['held']): [SkipReason, number][] {
  const ended = (held.invalid_number ?? 0) + (held.not_after_passed ?? 0);
  return [
    ['paused', progress.paused],
    ['attempts_exhausted', progress.failed - progress.awaitingRetry - ended],
    ['retry_wait', counts.retryable - counts.dueRetries],
  ];
}

/** Reason that stops all otherwise dialable contacts; null when there is none. */
function commonReason(plan: DialPlan, place: Place): SkipReason | null {
  const { campaign } = plan;
  const { windowDecision, verdict } = assessPlan(plan, place);
  const facts = { isPaused: campaign.status !== 'running', policy: verdict.blockedBy, isWindowOpen: windowDecision.open };
  return commonRefusal(facts) ?? plan.phaseRefusal;
}

function explanationOf(reason: SkipReason, plan: DialPlan, own: string | null = null): Explanation {
  const { status } = plan.campaign;
  if (reason === 'paused' && status !== 'running') return detailed(reason, `campaign_${status}`);
  return reason === plan.phaseRefusal ? shownBy(reason, plan) : { reason, detail: null, message: own ?? SKIP_REASON_TEXTS[reason] };
}

/** The campaign's own text for the refusal that its last turn met. */
function shownBy(reason: SkipReason, { campaign, phaseCause }: DialPlan): Explanation {
  const detail = phaseCause === 'no_line' || phaseCause === 'calls_fail' ? phaseCause : null;
  return { reason, detail, message: campaign.phaseReason ?? SKIP_REASON_TEXTS[reason] };
}

function detailed(reason: SkipReason, detail: Exclude<SkipDetail, 'calls_fail'>): Explanation {
  return { reason, detail, message: SKIP_DETAIL_TEXTS[detail] };
}

interface NotDialed extends Explanation {
  /** UTC ms; null when the reason has no recorded start, such as a window. */
  since: number | null;
  /** UTC ms; null when waiting alone does not help. */
  nextEligibleAt: number | null;
  /** The outcome rule after the last attempt, where it is the reason. */
  rule: DecidingRule | null;
}

/** The row of outcome rules that decided, and who wrote it. Source: D7.14 */
interface DecidingRule {
  /** From 0; null: `otherwise`. */
  row: number | null;
  version: number;
  /** Null when no user wrote it, or the user was deleted. */
  author: string | null;
  /** The row wanted another dial, but no attempt was left. */
  isBudgetSpent: boolean;
}

/**
 * Why a contact is not dialled now, determined by the code that admits dials.
 *
 * Shape:  null when it was reached, is in a call, or will be dialled in the next turn
 * Errors: NOT_FOUND
 * Source: D7.10
 */
export async function explainContact(app: ExplanationApp, contactId: number): Promise<NotDialed | null> {
  const contact = await requireRow(app, CONTACT_TABLE, contactId, '联系人');
  if (contact.status === 'completed' || contact.status === 'submitted') return null;
  const [plan, lastAttempt] = await Promise.all([app.dials.loadPlan(contact.campaignId), readLastAttempt(app, contact)]);
  if (!plan) throw notFound('活动');
  if (contact.status === 'failed' && contact.retryAt === null) {
    const end = endOf(contact, plan, lastAttempt);
    return withRule({ ...end, since: lastAttempt?.endedAt ?? null, nextEligibleAt: null, rule: await ruleAfter(app, lastAttempt) });
  }
  if (contact.holdReason === 'pre_dial_hook') return keptByHook(app, contact);
  const decision = await decide(app, { contact, plan, lastAttempt });
  if (decision.admit) return null;
  const refused = notDialed(decision, { contact, plan, lastAttempt });
  if (decision.reason === 'retry_wait') return withRule({ ...refused, rule: await ruleAfter(app, lastAttempt) });
  return decision.reason === 'in_call_elsewhere' ? { ...refused, message: await inCallText(app, contactId, refused.message) } : refused;
}

/** Explains a contact that the pre-dial hook holds back, with the reason of its latest answer. Source: D15.7 */
async function keptByHook({ db }: Pick<Platform, 'db'>, { id, updatedAt, holdUntil }: Contact): Promise<NotDialed> {
  const said = await readHookReason(db, id);
  const message = said === null ? SKIP_REASON_TEXTS.pre_dial_hook : `${SKIP_REASON_TEXTS.pre_dial_hook}：${said}`;
  return { reason: 'pre_dial_hook', detail: null, message, since: updatedAt, nextEligibleAt: holdUntil, rule: null };
}

/** The row of the outcome rules that decided after the last attempt; null when none did. */
async function ruleAfter({ db }: Pick<Platform, 'db'>, lastAttempt: Attempt | null): Promise<DecidingRule | null> {
  const rule = lastAttempt?.evidence?.rule ?? null;
  const written = rule && (await readRulesVersion(db, rule.rulesId));
  return rule && written ? { row: rule.row, isBudgetSpent: rule.isBudgetSpent, ...written } : null;
}

/** Adds the rule to the message. */
function withRule(why: NotDialed): NotDialed {
  if (why.rule === null) return why;
  const { row, version, author, isBudgetSpent } = why.rule;
  const place = row === null ? '其余情况' : `第 ${row + 1} 行`;
  const spent = isBudgetSpent ? '，次数已用完' : '';
  return { ...why, message: `${why.message}：结果规则第 ${version} 版${place}${spent}${author ? `（${author}）` : ''}` };
}

/** Why a contact will not be dialled again. */
function endOf({ holdReason }: Contact, plan: DialPlan, lastAttempt: Attempt | null): Explanation {
  if (holdReason === 'invalid_number' || holdReason === 'not_after_passed') return explanationOf(holdReason, plan);
  const isUnknown = lastAttempt?.status === 'outcome_unknown' && !plan.campaign.retryUnknown;
  return isUnknown ? detailed('attempts_exhausted', 'unknown_outcome') : explanationOf('attempts_exhausted', plan);
}

/** Adds the campaign or agent that has the number in a call. */
async function inCallText({ db }: Pick<Platform, 'db'>, contactId: number, text: string): Promise<string> {
  const holder = await findNumberHolder(db, (await readIdentity(db, contactId)).dialKey);
  return holder === null ? text : `${text}：${holder}`;
}

interface ContactInput {
  contact: Contact;
  plan: DialPlan;
  lastAttempt: Attempt | null;
}

async function decide(app: ExplanationApp, { contact, plan, lastAttempt }: ContactInput): Promise<DialDecision> {
  const { campaign } = plan;
  const { attemptCount, status, callbackAt, retryAt } = contact;
  const assessment = assessPlan(plan, app);
  const { dialKey, numbers, ...identity } = await readIdentity(app.db, contact.id);
  const [question, recentDials, isInCall] = await Promise.all([
    readQuestion(app.db, campaign.id, dialKey),
    readRecentDials(app, assessment, numbers.length === 0 ? [dialKey] : numbers.map(number => number.dialKey)),
    readIsInCall(app.db, dialKey),
  ]);
  const facts = {
    ...identity,
    attemptCount,
    isPaused: status === 'paused' || campaign.status !== 'running',
    lastEndedAt: lastWaitFrom(lastAttempt, numbers),
    callbackAt,
    retryAt,
    consents: question?.consents ?? [],
    lastAbandonedAt: question?.lastAbandonedAt ?? null,
    recentDials,
    isInCall,
    slotRefusal: slotRefusal(plan, assessment),
  };
  const own = { dialKey, doNotCall: question?.doNotCall ?? null };
  const asked = [own, ...otherNumbers(numbers, dialKey)].map(number => () => decideContact(assessment, { ...facts, ...number }));
  return inTime(firstAdmitted(asked), endOfPermission({ ...identity, callbackAt }));
}

/** A number that does not exist costs its person no wait, as in a claim. */
function lastWaitFrom(lastAttempt: Attempt | null, numbers: readonly CandidateNumber[]): number | null {
  return numbers.length > 0 && lastAttempt?.outcome === 'invalid_number' ? null : (lastAttempt?.endedAt ?? null);
}

/** Waiting does not help a dial that is not made after `until`. */
function inTime(decision: DialDecision, until: number): DialDecision {
  const isTooLate = !decision.admit && decision.nextEligibleAt !== null && decision.nextEligibleAt >= until;
  return isTooLate ? { ...decision, nextEligibleAt: null } : decision;
}

/** The refusal that the campaign's last turn met at the slot registry or the switch. */
function slotRefusal({ campaign, phaseRefusal }: DialPlan, { mayDial }: Assessment) {
  const reason = mayDial ? phaseRefusal : null;
  return reason && { reason, nextEligibleAt: isTimed(reason) ? campaign.nextWakeAt : null };
}

/** Refusals whose end the last turn knew; the campaign wakes then. */
const isTimed = (reason: SlotSkipReason): boolean => reason === 'interval' || reason === 'number_cap' || reason === 'pre_dial_hook';

function notDialed(refusal: Extract<DialDecision, { admit: false }>, { contact, plan, lastAttempt }: ContactInput): NotDialed {
  const { reason, detail, nextEligibleAt } = refusal;
  const isOwnPause = reason === 'paused' && contact.status === 'paused';
  const explanation = isOwnPause ? { reason, detail: null, message: SKIP_REASON_TEXTS.paused } : explanationOf(reason, plan, detail);
  return { ...explanation, since: sinceOf(reason, { contact, plan, lastAttempt }), nextEligibleAt, rule: null };
}

function sinceOf(reason: SkipReason, { contact, plan, lastAttempt }: ContactInput): number | null {
  if (reason === 'paused') return contact.status === 'paused' ? contact.updatedAt : plan.campaign.updatedAt;
  if (reason === 'retry_wait') return lastAttempt?.endedAt ?? null;
  return contact.holdReason === reason ? contact.updatedAt : null;
}

async function readLastAttempt(app: ExplanationApp, { lastAttemptId }: Contact): Promise<Attempt | null> {
  if (lastAttemptId === null) return null;
  const [attempt] = await rowsById(app, ATTEMPT_TABLE, [lastAttemptId]);
  return attempt ?? null;
}
