import { getAttempt } from '#attempts/attempt-store.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { hasFlow, NO_SCRIPT_TEXT } from '#campaigns/decisions/campaign-states.ts';
import { SKIP_REASON_TEXTS } from '#campaigns/decisions/skip-reason.ts';
import type { ClaimApp } from '#dialling/claim.ts';
import { slotCells, slotLines } from '#dialling/decisions/slot-offer.ts';
import type { DialPlan } from '#dialling/dial-store.ts';
import { dialAll, type DialApp, type DialResult } from '#dialling/dial.ts';
import { numberRefusal, type NumberFactsPart } from '#dialling/evaluate.ts';
import { requireDialAllowed } from '#dialling/send.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import { dialKey, extensionOf } from '#phone-numbers/dial-key.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import { type DiallingPlace, isBarredCode } from '#phone-numbers/short-code.ts';
import { dispatchedCallUuid } from '#platform/freeswitch/channel-uuid.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotGrant, SlotRefusal } from '#slots/slot-registry.ts';
import { NO_LINE, ownPhone, type OwnPhoneApp, type TestTarget } from './own-phone.ts';
import { insertTestCall, type WrittenTestCall } from './test-rows.ts';

export type TestCallApp = ClaimApp &
  DialApp &
  AuditPart &
  NumberFactsPart &
  OwnPhoneApp &
  DiallingPlace & { timeZone: string } & Pick<Platform, 'db'>;

export interface TestCallInput {
  campaignId: number;
  contactId: number;
  /** The phone to ring, as entered; null: the softphone of the user's agent. */
  phoneNumber: string | null;
}

/** The campaign's own limit is not touched; a user who waits comes before the dispatcher on a shared line. */
const OF_NO_CAMPAIGN = { campaignId: 0, campaignMax: 1_000_000, weight: 101, callIntervalMs: 0, startsNow: true } as const;
const FORBIDDEN = '当前外呼策略禁止拨打';

/**
 * Rings a user's own phone with the data of a contact and the script of its campaign. Contact, counts and limits stay as they are.
 *
 * Why:    it is dialled like a dispatch by hand, so that what is tested is what customers hear
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; INVALID_ARGUMENT; POLICY_FORBIDS by a block policy, or without a script; CONFLICT for a do-not-call
 *         number, a number in a call, a second test call of the user, full lines; CACHE_UNAVAILABLE; BUS_UNAVAILABLE
 * Source: D7.16, D12.3
 */
export async function placeTestCall(app: TestCallApp, caller: Caller, input: TestCallInput): Promise<Attempt> {
  requireDialAllowed(app.dialGate);
  const plan = await requirePlan(app, input.campaignId);
  const target = input.phoneNumber === null ? await ownPhone(app, caller, plan) : await enteredPhone(app, input.phoneNumber, plan);
  const grant = await reserveOne(app, target.plan);
  const written = await record(app, caller, { target, contactId: input.contactId, grant }).catch(async (error: unknown) => {
    await app.slots.release([grant.requestId]).catch(() => 0);
    throw error;
  });
  await audit(app, caller, {
    action: 'campaign.tested',
    targetType: 'campaign',
    targetId: input.campaignId,
    summary: `测试呼叫活动「${plan.campaign.name}」`,
    detail: { contactId: input.contactId, attemptId: written.attemptId },
  });
  const dial = { ...dialOf(input.contactId, target, grant, written), extension: extensionOf(target.phoneNumber, app.region) };
  const [result] = await dialAll({ ...app, waitMs: app.settings.manualWaitMs }, target.plan, [dial]);
  requireSent(result);
  return getAttempt(app, written.attemptId);
}

/** The rules of a dispatch by hand (D7.4): the campaign may wait, but is not over, and something leads the call. */
async function requirePlan({ dials }: TestCallApp, campaignId: number): Promise<DialPlan> {
  const plan = await dials.loadPlan(campaignId);
  if (plan === null) throw notFound('活动');
  const { status } = plan.campaign;
  if (status === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能测试呼叫');
  if (status === 'completed') throw conflict('STATUS_FORBIDS', '活动已完成，重新启动或暂停后才能测试呼叫');
  if (!hasFlow(plan)) throw new CalloutError('POLICY_FORBIDS', `${FORBIDDEN}：${NO_SCRIPT_TEXT}`);
  return plan;
}

/** Source: D12.3 */
async function enteredPhone(app: TestCallApp, phoneNumber: string, plan: DialPlan): Promise<TestTarget> {
  const key = dialKey(phoneNumber, app.region);
  if (destinationNumber(key) === null) throw invalidArgument('phoneNumber', 'undiallable');
  if (isBarredCode(key, app)) throw invalidArgument('phoneNumber', 'barredCode');
  const refusal = await numberRefusal(app, key, plan.campaign.id);
  if (refusal !== null) throw new CalloutError('POLICY_FORBIDS', `${FORBIDDEN}：${refusal}`);
  if (await app.callTargets.isListed(key)) throw conflict('DO_NOT_CALL', '号码在勿扰名单中，不能拨打');
  return { phoneNumber, dialKey: key, plan };
}

async function reserveOne(app: TestCallApp, plan: DialPlan): Promise<SlotGrant> {
  const { settings, switchPort, ids, runtimes } = app;
  const { businessCode } = plan.campaign;
  const { grants, refusal } = await app.slots.reserve({
    ...OF_NO_CAMPAIGN,
    ...(settings.runtime === 'rest' ? {} : { runtime: { businessCode, isOpenEnded: await runtimes.isOpenEnded() } }),
    lines: slotLines(plan),
    cells: slotCells(plan, switchPort.cells()),
    requestIds: [dispatchedCallUuid(ids())],
  });
  const [grant] = grants;
  if (!grant) throw noCapacity(refusal);
  return grant;
}

function noCapacity(refusal: SlotRefusal | null): CalloutError {
  if (refusal === 'cold') return new CalloutError('CACHE_UNAVAILABLE', '共享缓存正在恢复，请稍后重试');
  if (refusal === null || refusal === 'switch_unreachable') return new CalloutError('SWITCH_UNAVAILABLE', '交换机无应答，请稍后重试');
  return conflict('NO_CAPACITY', `现在不能呼叫：${SKIP_REASON_TEXTS[refusal]}`);
}

interface Recording {
  target: TestTarget;
  contactId: number;
  grant: SlotGrant;
}

/** Users who are all the same person, where nobody signs in, have one test call between them. */
const NOBODY = 0;

async function record(app: TestCallApp, caller: Caller, { target, contactId, grant }: Recording): Promise<WrittenTestCall> {
  const written = await insertTestCall(app.db, {
    ...target,
    contactId,
    testedBy: caller.userId ?? NOBODY,
    instanceId: app.settings.instanceId,
    grant,
    lineId: grant.lineId === NO_LINE ? null : grant.lineId,
  });
  if (written === 'not_found') throw notFound('联系人');
  if (written === 'testing') throw conflict('TEST_CALL_OPEN', '您的另一个测试呼叫还没有结束');
  if (written === 'busy') throw conflict('PERSON_IN_CALL', '该号码正在另一通电话中');
  return written;
}

function dialOf(contactId: number, { phoneNumber, dialKey: key }: TestTarget, grant: SlotGrant, written: WrittenTestCall) {
  const { requestId, lineId, number, cellId, startsInMs } = grant;
  const call = { requestId, lineId, callerNumber: number, cellId, startsInMs, isTest: true };
  const contact = { contactId, phoneNumber, dialKey: key, previousRequestId: null, isRetry: false };
  return { ...call, ...contact, ...written, batchId: null, mailboxText: null, callback: null };
}

/** Nothing was dialled: the rules or the campaign changed while it was prepared, or the switch did not take it. */
function requireSent(result: DialResult | undefined): void {
  const reply = result?.reply;
  if (reply === undefined) throw conflict('UNREACHED', '测试呼叫未能拨出，请重试');
  if (reply.kind === 'withdrawn' || reply.kind === 'not_sent') throw conflict('UNREACHED', reply.replyText);
}
