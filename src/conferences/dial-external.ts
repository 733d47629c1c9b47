import { CalloutError, conflict, invalidArgument } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import type { NewConferenceLeg } from './ports-conference-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotGrant, SlotsPart } from '#slots/slot-registry.ts';
import type { Line } from '#lines/line.ts';
import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import { weightOf } from '#campaigns/campaign.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import { assessPlan } from '#dialling/decisions/assess.ts';
import { confirmSlot } from '#dialling/send.ts';
import { lineCallee, NO_CAMPAIGN, type PersonLineDeps, personLines, reserveLine, type SlotAccount } from '#legs/dial-person.ts';
import { meetingRefusal, type MeetingRefusalDeps } from '#dialling/evaluate.ts';
import { numberBusy } from '#legs/number-busy.ts';
import type { ConferenceDeps } from './deps.ts';
import { dialLeg } from './dial-leg.ts';
import { addOutsideLeg } from './send-to-conference.ts';

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
  if (destinationNumber(request.dialKey) === null) throw invalidArgument('targetNumber', '格式不正确');
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
