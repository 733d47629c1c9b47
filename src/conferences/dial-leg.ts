import { phoneRealm } from '#agents/sip-config.ts';
import { weightOf } from '#campaigns/campaign.ts';
import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import { assessPlan } from '#dialling/decisions/assess.ts';
import { meetingRefusal, type MeetingRefusalDeps } from '#dialling/evaluate.ts';
import { confirmSlot } from '#dialling/send.ts';
import { CalloutError, conflict, invalidArgument } from '#kernel/errors.ts';
import {
  type Callee,
  dialPerson,
  lineCallee,
  NO_CAMPAIGN,
  type PersonLineDeps,
  personLines,
  phoneCallee,
  reserveLine,
  type SlotAccount,
} from '#legs/dial-person.ts';
import { customerLegOf } from '#legs/leg.ts';
import { numberBusy } from '#legs/number-busy.ts';
import type { Line } from '#lines/line.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotGrant, SlotsPart } from '#slots/slot-registry.ts';
import type { ConferenceDeps } from './conference-actor.ts';
import type { ConferenceLeg, ConferenceSession, NewConferenceLeg } from './conference.ts';
import { addOutsideLeg, sendToConference, sendToLeg } from './send-to-conference.ts';

/**
 * Calls an agent's phone into the conference, like `dialLeg`.
 *
 * Errors: those of `dialLeg`
 */
export async function dialPhone(
  deps: ConferenceDeps,
  session: ConferenceSession,
  leg: ConferenceLeg,
  phoneExtension: string,
): Promise<boolean> {
  const { cellId } = session;
  const callee =
    cellId === null ? null : phoneCallee(phoneRealm(deps, phoneExtension, cellId), phoneExtension, await customerNumberOf(deps, session));
  return callee === null ? endUndialledLeg(deps, leg, 'USER_NOT_REGISTERED') : dialLeg(deps, session, leg, { callee });
}

/** Number that the agent's phone shows: the customer's. Null while the session has no customer. */
async function customerNumberOf({ conferences }: ConferenceDeps, session: ConferenceSession): Promise<string | null> {
  const customer = customerLegOf(session)?.targetNumber;
  if (customer !== undefined || session.requestId === null) return customer ?? null;
  const call = await conferences.findCall({ requestId: session.requestId });
  return call?.phoneNumber ?? null;
}

/**
 * Originates a leg into its conference, once. Returns false when it is certain not to ring; what it held is then released.
 *
 * Why:    an originate that may have left is never sent again; events or the reconciler settle an unknown outcome (A6). A consulted party is
 *         called only once the customer can no longer listen
 * Errors: in a consultation, CONFLICT or SWITCH_UNAVAILABLE when the customer could not be deafened and muted; what the leg held is released
 */
async function dialLeg(
  deps: ConferenceDeps,
  session: ConferenceSession,
  leg: ConferenceLeg,
  { callee, ...refusal }: { callee: Callee; refusal?: () => Promise<string | null> },
): Promise<boolean> {
  if (leg.mode === 'consult') await putCustomerAside(deps, session, leg);
  const { cellId, conferenceName } = session;
  if (cellId === null) return false;
  const { conferenceSettings: settings } = deps;
  const dialed = await dialPerson(deps, {
    ...refusal,
    command: {
      ...callee,
      cellId,
      requestId: leg.legUuid,
      timeoutSeconds: settings.ringTimeoutSeconds,
      variables: { callout_conference_id: String(session.id), callout_softphone_call_id: String(leg.softphoneCallId) },
      conference: { name: conferenceName, profile: settings.profileOf(cellId), muted: !leg.canSpeak },
    },
    slotId: leg.holdsSlot ? leg.legUuid : null,
    mark: () => sendToLeg(deps, leg.legUuid, { type: 'legDialled' }),
  });
  // Another instance sent it, or the session has ended: this instance must not end the leg.
  if (dialed.kind === 'sent' || dialed.kind === 'not_ours') return dialed.kind === 'sent';
  return endUndialledLeg(deps, leg, dialed.kind === 'refused' ? dialed.cause : UNSENT_CAUSES[dialed.kind]);
}

const UNSENT_CAUSES = { barred: 'OUTGOING_CALL_BARRED', not_sent: 'DESTINATION_OUT_OF_ORDER' } as const;

/** Ends a leg that is certain not to ring, which releases what it holds. */
async function endUndialledLeg(deps: ConferenceDeps, { legUuid }: ConferenceLeg, cause: string): Promise<false> {
  await sendToLeg(deps, legUuid, { type: 'legLeft', at: deps.clock.now(), cause });
  return false;
}

async function putCustomerAside(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg): Promise<void> {
  try {
    if ((await sendToConference(deps, session, { type: 'consultationBegun' })) === null) throw conflict('CONFERENCE_ENDED', '会议已结束');
  } catch (error) {
    await endUndialledLeg(deps, leg, 'NOT_SENT');
    throw error;
  }
}

export interface ExternalDeps extends MeetingRefusalDeps, PersonLineDeps, SlotsPart, Pick<Platform, 'switchPort'> {}

type ExternalRequest = Omit<NewConferenceLeg, 'agentId' | 'legUuid' | 'slot'>;

/**
 * Calls an outside number into the conference, over a line of its campaign or, without a campaign, over any enabled line.
 *
 * Why:    every dial to a line follows the same rules: do-not-call, policies, window, and slots of line, number and cell
 * Errors: INVALID_ARGUMENT for an invalid number; POLICY_FORBIDS; CONFLICT without a line or a free slot
 * Source: D12.3, D12.6, A6 steps 2–6
 */
export async function dialExternal(
  deps: ConferenceDeps & ExternalDeps,
  session: ConferenceSession,
  request: ExternalRequest,
): Promise<ConferenceLeg> {
  if (destinationNumber(request.dialKey) === null) throw invalidArgument('targetNumber', 'wrongForm');
  const route = await routeOf(deps, session.campaignId);
  const refusal = () => meetingRefusal(deps, session.campaignId, request.dialKey);
  const barred = await refusal();
  if (barred !== null) throw new CalloutError('POLICY_FORBIDS', `当前外呼策略禁止调度：${barred}`);
  const legUuid = deps.ids();
  const grant = await takeSlot(deps, session, route, legUuid);
  const { lineId, number } = grant;
  const leg = await enter(deps, { ...request, agentId: null, legUuid, slot: { lineId, number } });
  if (
    await dialLeg(deps, session, leg, {
      callee: lineCallee(route.lines, grant, { dialKey: request.dialKey, region: deps.region }),
      refusal,
    })
  )
    return leg;
  throw conflict('UNREACHED', '号码无法呼出');
}

/** The lines and slot limits for a call from a conference to an outside number. */
interface ExternalRoute {
  lines: Line[];
  account: SlotAccount;
}

/** Returns the campaign's lines and limits; without a campaign, every enabled line. */
async function routeOf(deps: ExternalDeps, campaignId: number | null): Promise<ExternalRoute> {
  const found = await personLines(deps, campaignId);
  if (found === null) throw conflict('CAMPAIGN_MISSING', '会议所属的活动不存在，无法外呼号码');
  const { plan, lines } = found;
  if (plan === null && lines.length === 0) throw conflict('LINE_MISSING', '没有可用的外呼线路');
  const weight = weightOf(plan?.campaign.businessConfig.monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority);
  if (plan === null) return { lines, account: { ...NO_CAMPAIGN, weight } };
  const campaignMax = assessPlan(plan, deps).limits.maxConcurrency;
  return { lines, account: { campaignId: plan.campaign.id, campaignMax, weight } };
}

async function takeSlot(deps: ExternalDeps, { cellId }: ConferenceSession, route: ExternalRoute, legUuid: string): Promise<SlotGrant> {
  const { grant } = await reserveLine(deps, { ...route, cellId, requestId: legUuid });
  if (grant !== undefined && (await confirmSlot(deps, legUuid)) === 'confirmed') return grant;
  if (grant !== undefined) await deps.slots.release([legUuid]);
  throw conflict('NO_CAPACITY', '线路、号码或交换机单元没有空闲名额');
}

async function enter(deps: ConferenceDeps & ExternalDeps, leg: NewConferenceLeg & { dialKey: string }): Promise<ConferenceLeg> {
  const entered = await addOutsideLeg(deps, leg);
  if (entered !== null && entered !== 'number_busy') return entered;
  await deps.slots.release([leg.legUuid]);
  if (entered === 'number_busy') throw await numberBusy(deps.callTargets, leg.dialKey);
  throw conflict('CONFERENCE_ENDED', '会议已结束');
}
