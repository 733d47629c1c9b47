import { CalloutError, conflict, invalidArgument } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession, NewConferenceLeg } from '#ports/conference-store.ts';
import type { SlotBook, SlotGrant } from '#ports/slot-book.ts';
import { destinationNumber } from '#rules/phone-number.ts';
import { slotLines } from '#dialling/claim-dials.ts';
import { confirmSlot } from '#dialling/confirm-slot.ts';
import type { ConferenceDeps } from './deps.ts';
import { dialLeg, type LegTarget } from './dial-leg.ts';
import { externalRefusal, externalRoute, type ExternalRoute, type ExternalRouteDeps } from './external-route.ts';

export interface ExternalDeps extends ExternalRouteDeps {
  slots: Pick<SlotBook, 'reserve' | 'confirm' | 'permit' | 'release'>;
  switchPort: ConferenceDeps['switchPort'];
}

type ExternalWish = Omit<NewConferenceLeg, 'agentId' | 'legUuid' | 'slot'>;

/**
 * Calls somebody outside into the conference, over a line of its campaign or, without one, over any.
 *
 * Why:    whoever is dialled is dialled by the rules of a dial: do-not-call, policies, window, and slots of line, number and cell
 * Errors: INVALID_ARGUMENT for no number; POLICY_FORBIDS; CONFLICT without a line, or when nothing is free
 * Source: D12.3, D12.6, A6 steps 2–6
 */
export async function dialExternal(
  deps: ConferenceDeps & ExternalDeps,
  session: ConferenceSession,
  wish: ExternalWish,
): Promise<ConferenceLeg> {
  const destination = destinationNumber(wish.targetNumber);
  if (destination === null) throw invalidArgument('targetNumber', '格式不正确');
  const route = await externalRoute(deps, session.campaignId);
  const refusal = await externalRefusal(deps, session.campaignId, destination);
  if (refusal !== null) throw new CalloutError('POLICY_FORBIDS', `当前外呼策略禁止调度：${refusal}`);
  const legUuid = deps.ids();
  const grant = await takeSlot(deps, session, route, legUuid);
  const { lineId, number } = grant;
  const leg = await enter(deps, { ...wish, agentId: null, legUuid, slot: { lineId, number } });
  // The wait for its turn must not make the verdict old (D8.6).
  const mayLeave = async () => (await externalRefusal(deps, session.campaignId, destination)) === null;
  if (!(await dialLeg(deps, session, leg, { ...targetOver(route, grant, destination), mayLeave }))) throw conflict('号码无法呼出');
  return leg;
}

async function takeSlot(deps: ExternalDeps, session: ConferenceSession, route: ExternalRoute, legUuid: string): Promise<SlotGrant> {
  const cells = deps.switchPort.cells().filter(cell => cell.cellId === session.cellId && cell.isEnabled && cell.state === 'up');
  const { grants } = await deps.slots.reserve({
    campaignId: route.campaignId,
    weight: route.weight,
    campaignMax: route.campaignMax,
    callIntervalMs: 0,
    startsNow: true,
    lines: slotLines(route),
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

function targetOver(route: ExternalRoute, grant: SlotGrant, destination: string): LegTarget {
  const line = route.lines.find(each => each.id === grant.lineId);
  if (line === undefined) throw conflict('线路不存在');
  return {
    destinationNumber: destination,
    dialStringTemplate: line.dialStringTemplate,
    callerIdNumber: grant.number ?? line.callerIdNumber,
    callerIdName: line.callerIdName,
    callerIdHeaderMode: line.callerIdHeaderMode,
  };
}
