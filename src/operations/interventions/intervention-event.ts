import type { InterventionStatus } from '#actors/intervention/context.ts';
import type { InterventionEffects } from '#actors/intervention/effects.ts';
import type { NewRuntimeEvent } from '#ports/runtime-event-store.ts';
import type { CallMeta } from '../calls/call-actor.ts';

const TITLES: Readonly<Record<InterventionStatus, string>> = {
  requested: '已申请人工介入',
  transferring: '人工介入开始转接',
  active: '人工已接入通话',
  ended: '人工介入结束',
  cancelled: '人工介入已取消',
  failed: '人工介入失败',
  expired: '人工介入申请已失效',
};

/** The runtime event of a step of an intervention. Source: D14.3 `intervention.*` */
export function interventionEvent(
  { id, status, initiatorId, reason, isUnasked }: InterventionEffects['notifyIntervention'],
  call: Pick<CallMeta, 'requestId' | 'campaignId' | 'attemptId' | 'cellId'>,
): NewRuntimeEvent {
  const { requestId, campaignId, attemptId, cellId } = call;
  return {
    level: isUnasked ? 'error' : status === 'failed' ? 'warning' : 'info',
    type: `intervention.${status}`,
    title: isUnasked ? `${TITLES[status]}：没有有效的申请` : TITLES[status],
    message: isUnasked ? '运行时在申请取消、失效后或没有申请时完成了转接，系统按事实接受，请人工核实' : (reason ?? ''),
    campaignId,
    attemptId,
    cellId,
    detail: { requestId, interventionId: id, initiatorId, reason, isUnasked },
    dedupeKey: `intervention:${requestId}:${id}:${status}`,
  };
}
