import { isLive } from '#actors/call/stage.ts';
import type { TakeOverEffects } from '#actors/intervention/effects.ts';
import { interventionStatus, type InterventionStatus, isOpen } from '#actors/intervention/take-over.ts';
import { audit, type AuditPart, type AuditEntry } from '#audit/audit.ts';
import { type CallHost, type CallMeta, type CallState, parseMeta } from '#calls/call-actor.ts';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import { placeCalls } from '#monitoring/allocation.ts';
import { messageSender } from '#platform/actor-host/actor-router.ts';
import type { Platform } from '#platform/platform.ts';
import type { NewRuntimeEvent, RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';
import type { EffectContext, Executors } from '#platform/actor-host/aggregate.ts';
import type { MonitorsPart } from '#monitoring/monitor-registry.ts';

interface ConsumeAnswer {
  /** Whether the runtime transfers the call now. */
  consumed: boolean;
  /** Null when there was no such request. */
  status: InterventionStatus | null;
  agentId: number | null;
  initiatorId: number | null;
}

/**
 * Decides whether a runtime that has reached a node boundary transfers the call: the same commit decides between transfer and cancel. A repeated
 * request gets the same response.
 *
 * Errors: NOT_FOUND for an unknown call; CACHE_UNAVAILABLE
 * Source: A7, OCS 3 "node boundary reached"
 */
export async function consumeIntervention(
  app: AuditPart & { calls: CallHost } & Pick<Platform, 'clock'>,
  caller: Caller,
  requestId: string,
  interventionId: string,
): Promise<ConsumeAnswer> {
  if (!isUuid(requestId)) throw notFound('通话');
  const event = { type: 'interventionConsumed', id: interventionId, at: app.clock.now() } as const;
  const outcome = await app.calls.send(requestId.toLowerCase(), event, `consume:${interventionId}`);
  if (outcome.kind === 'absent') throw notFound('通话');
  if (outcome.kind === 'applied') await audit(app, caller, consumed(requestId.toLowerCase(), interventionId));
  const { intervention } = outcome.state;
  const isThis = intervention?.context.id === interventionId;
  const status = isThis ? interventionStatus(intervention) : null;
  return {
    consumed: status === 'transferring' || status === 'active',
    status,
    agentId: isThis ? intervention.context.agentId : null,
    initiatorId: isThis ? intervention.context.initiatorId : null,
  };
}

function consumed(requestId: string, interventionId: string): AuditEntry {
  return {
    action: 'intervention.consumed',
    targetType: 'call',
    targetId: requestId,
    summary: '话术引擎开始转接',
    detail: { interventionId },
  };
}

type Context = EffectContext<CallState>;
/**
 * Executors of an intervention's effects. A command that the runtime does not acknowledge stays in the outbox until the state has moved on.
 *
 * Source: A3, A4 `callout.v1.command.<requestId>.intervene`
 */
export function interventionEffects(
  app: MonitorsPart & RuntimeEventsPart & RuntimePart & Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>,
): Executors<TakeOverEffects, CallState> {
  const place = (step: Parameters<typeof placeCalls>[1]) => placeCalls(app, step);
  return {
    async signalIntervene({ id, initiatorId, agentId, when }, context) {
      if (!isAt(context, id, ['requested'])) return;
      await app.runtime.command(context.id, 'intervene', { interventionId: id, initiatorId, agentId, when });
    },
    async signalCancel({ id }, context) {
      if (!isAt(context, id, ['cancelled', 'expired'])) return;
      await app.runtime.command(context.id, 'cancel', { interventionId: id });
    },
    async focusMonitor({ userId }, context) {
      if (userId === null || !isInitiatorsOpen(context, userId)) return;
      await place(await app.monitors.focus(userId, context.id));
    },
    async pinMonitor({ userId }, context) {
      if (userId === null || !isInitiatorsOpen(context, userId)) return;
      await place(await app.monitors.pin(userId, context.id));
    },
    async freeMonitor({ userId }, { id }) {
      if (userId !== null) await place(await app.monitors.free(userId, id));
    },
    sendTo: messageSender(app),
    async notifyIntervention(params, { id, meta }) {
      const call = parseMeta(meta);
      if (call) await app.events.record(interventionEvent(params, { ...call, requestId: id }));
    },
  };
}

/** Whether this intervention is still in one of these states: a late retry of its effect would report an outdated state. */
function isAt({ state }: Context, id: string, statuses: readonly InterventionStatus[]): boolean {
  const { intervention } = state;
  const status = intervention?.context.id === id ? interventionStatus(intervention) : null;
  return isLive(state) && status !== null && statuses.includes(status);
}

function isInitiatorsOpen({ state }: Context, userId: number): boolean {
  const { intervention } = state;
  return isOpen(intervention) && intervention?.context.initiatorId === userId;
}

const TITLES: Readonly<Record<InterventionStatus, string>> = {
  requested: '已申请人工介入',
  transferring: '人工介入开始转接',
  active: '人工已接入通话',
  ended: '人工介入结束',
  cancelled: '人工介入已取消',
  failed: '人工介入失败',
  expired: '人工介入申请已失效',
};

/** Builds the runtime event for a step of an intervention. Source: D14.3 `intervention.*` */
function interventionEvent(
  { id, status, initiatorId, agentId, reason, isUnasked }: TakeOverEffects['notifyIntervention'],
  call: Pick<CallMeta, 'requestId' | 'campaignId' | 'attemptId' | 'cellId'>,
): NewRuntimeEvent {
  const { requestId, campaignId, attemptId, cellId } = call;
  return {
    level: isUnasked ? 'error' : status === 'failed' ? 'warning' : 'info',
    type: `intervention.${status}`,
    title: isUnasked ? `${TITLES[status]}：没有有效的申请` : TITLES[status],
    message: isUnasked ? '话术引擎在申请取消、失效后或没有申请时完成了转接，系统按事实接受，请人工核实' : (reason ?? ''),
    campaignId,
    attemptId,
    cellId,
    detail: { requestId, interventionId: id, initiatorId, agentId, reason, isUnasked },
    dedupeKey: `intervention:${requestId}:${id}:${status}`,
  };
}
