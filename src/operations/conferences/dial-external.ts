import { CalloutError, conflict, invalidArgument } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession, NewConferenceLeg } from '#ports/conference-store.ts';
import type { DialPlan, DialStore } from '#ports/dial-store.ts';
import type { SlotBook, SlotGrant } from '#ports/slot-book.ts';
import type { SwitchPort } from '#ports/switch.ts';
import { CAMPAIGN_DEFAULTS } from '#rules/campaign-bounds.ts';
import { weightOf } from '#rules/fair-share.ts';
import { destinationNumber } from '#rules/phone-number.ts';
import { assessPlan } from '../dispatch/assess.ts';
import { slotLines } from '../dispatch/claim-dials.ts';
import { confirmSlot } from '../dispatch/confirm-slot.ts';
import { evaluateDial, type EvaluateDeps } from '../policies/evaluate-policies.ts';
import type { ConferenceDeps } from './deps.ts';
import { dialLeg, type LegTarget } from './dial-leg.ts';

export interface ExternalDeps extends EvaluateDeps {
  dials: Pick<DialStore, 'loadPlan'>;
  slots: Pick<SlotBook, 'reserve' | 'confirm' | 'permit' | 'release'>;
  switchPort: ConferenceDeps['switchPort'] & Pick<SwitchPort, 'cells' | 'subscribe'>;
}

type ExternalWish = Omit<NewConferenceLeg, 'agentId' | 'legUuid' | 'holdsSlot'>;

/**
 * Calls somebody outside into the conference over the campaign's line.
 *
 * Why:    whoever is dialled is dialled by the rules of a dial: do-not-call, policies, window, and slots of line, number and cell
 * Errors: INVALID_ARGUMENT for no number; POLICY_FORBIDS; CONFLICT without a campaign, or when nothing is free
 * Source: D12.3, D12.6, A6 steps 2–6
 */
export async function dialExternal(
  deps: ConferenceDeps & ExternalDeps,
  session: ConferenceSession,
  wish: ExternalWish,
): Promise<ConferenceLeg> {
  const destination = destinationNumber(wish.targetNumber);
  if (destination === null) throw invalidArgument('targetNumber', '格式不正确');
  const plan = session.campaignId === null ? null : await deps.dials.loadPlan(session.campaignId);
  if (plan === null) throw conflict('会议不属于任何活动，无法外呼号码');
  const verdict = await evaluateDial(deps, { campaignId: plan.campaign.id, phoneNumber: destination });
  if (!verdict.allowed) throw new CalloutError('POLICY_FORBIDS', `当前外呼策略禁止调度：${verdict.reason ?? ''}`);
  const legUuid = deps.ids();
  const grant = await takeSlot(deps, session, plan, legUuid);
  const leg = await enter(deps, { ...wish, agentId: null, legUuid, holdsSlot: true });
  // The wait for its turn must not make the verdict old (D8.6).
  const mayLeave = async () => (await evaluateDial(deps, { campaignId: plan.campaign.id, phoneNumber: destination })).allowed;
  if (!(await dialLeg(deps, session, leg, { ...targetOver(plan, grant, destination), mayLeave }))) throw conflict('号码无法呼出');
  return leg;
}

async function takeSlot(deps: ExternalDeps, session: ConferenceSession, plan: DialPlan, legUuid: string): Promise<SlotGrant> {
  const cells = deps.switchPort.cells().filter(cell => cell.cellId === session.cellId && cell.isEnabled && cell.state === 'up');
  const { limits } = assessPlan(plan, deps.timeZone);
  const { grants } = await deps.slots.reserve({
    campaignId: plan.campaign.id,
    weight: weightOf(plan.campaign.businessConfig.monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority),
    campaignMax: limits.maxConcurrency,
    callIntervalMs: 0,
    startsNow: true,
    lines: slotLines(plan),
    cells: cells.map(cell => ({ cellId: cell.cellId, max: cell.maxConcurrency, maxPerSecond: cell.maxOriginatesPerSecond })),
    requestIds: [legUuid],
  });
  const [grant] = grants;
  if (grant === undefined) throw conflict('线路、号码或交换机单元没有空闲名额');
  if ((await confirmSlot(deps, legUuid)) === 'confirmed') return grant;
  await deps.slots.release([legUuid]);
  throw conflict('线路、号码或交换机单元没有空闲名额');
}

async function enter(deps: ConferenceDeps, leg: NewConferenceLeg): Promise<ConferenceLeg> {
  const entered = await deps.conferences.addLeg(leg);
  if (entered !== null) return entered;
  await deps.slots.release([leg.legUuid]);
  throw conflict('会议已结束');
}

function targetOver(plan: DialPlan, grant: SlotGrant, destination: string): LegTarget {
  const line = plan.lines.find(each => each.id === grant.lineId);
  if (line === undefined) throw conflict('线路不存在');
  return {
    destinationNumber: destination,
    dialStringTemplate: line.dialStringTemplate,
    callerIdNumber: grant.number ?? line.callerIdNumber,
    callerIdName: line.callerIdName,
    callerIdHeaderMode: line.callerIdHeaderMode,
  };
}
