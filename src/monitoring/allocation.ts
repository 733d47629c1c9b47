import type { WatchEffects } from '#actors/call/effects.ts';
import { isLive } from '#actors/call/stage.ts';
import { isOpenStatus } from '#actors/intervention/take-over.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { type CallState, parseMeta, type CallsPart } from '#calls/call-actor.ts';
import { getCall, requestIdOf } from '#calls/find-call.ts';
import { callChange, type CallChange } from '#calls/publish-call.ts';
import { needsMonitor } from '#campaigns/campaign.ts';
import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import type { Caller } from '#kernel/caller.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import { CalloutError, conflict } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { MonitorsPart, MonitorStep, Placement } from './monitor-registry.ts';
import type { EffectContext, Executors } from '#platform/actor-host/aggregate.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';

/**
 * Notifies the calls' actors of their placement by the registry, and wakes strict campaigns when a monitor has joined.
 *
 * Why:    the registry decides, and the call's own version publishes it; a notification lost in a crash stays in the registry's outbox and is
 *         repeated with each heartbeat
 * Errors: none; a failed notification is retried
 */
export async function placeCalls(
  app: MonitorsPart & Pick<Platform, 'wake' | 'actors' | 'log'>,
  { changes, hasJoined }: MonitorStep,
): Promise<void> {
  if (hasJoined) app.wake.campaign(null);
  const placed = await Promise.all(changes.map(change => placeCall(app, change)));
  const done = changes.filter((_, index) => placed[index]);
  await app.monitors
    .confirm(done)
    .catch((error: unknown) => app.log.warn({ err: error }, 'placed calls could not be confirmed; the next round places them again'));
}

async function placeCall(app: MonitorsPart & Pick<Platform, 'actors' | 'log'>, { requestId, watch }: Placement): Promise<boolean> {
  try {
    const event = { type: 'watchChanged', watch } as const;
    const outcome = await app.actors.send({ to: { type: 'call', id: requestId }, event, commandId: `watch:${watch.fence}` });
    if (outcome === 'absent') await app.monitors.withdraw(requestId);
    return true;
  } catch (error) {
    app.log.warn({ err: error, requestId }, 'a call could not be notified of its monitor; the next round retries');
    return false;
  }
}

type Context = EffectContext<CallState>;
/** Executors of a call's effects on the monitor registry; each is idempotent, because it may run again after a crash. */
export function watchEffects(
  app: MonitorsPart & RuntimeEventsPart & Pick<Platform, 'wake' | 'actors' | 'log'>,
): Executors<WatchEffects, CallState> {
  const place = (step: Parameters<typeof placeCalls>[1]) => placeCalls(app, step);
  return {
    async offerCall(_, { id, state, meta }) {
      const call = parseMeta(meta);
      if (!call || !isLive(state)) return;
      const { campaignId, cellId, businessConfig } = call;
      const priority = businessConfig.monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority;
      const hasIntent = (state.context.intentHits ?? []).length > 0;
      await place(
        await app.monitors.offer({ requestId: id, campaignId, cellId, priority, hasIntent, isStrict: needsMonitor(businessConfig) }),
      );
    },
    async withdrawCall(_, { id }) {
      await place(await app.monitors.withdraw(id));
    },
    notifyIntent: (params, context) => notifyIntent(app, params, context).then(place),
  };
}

/** Records one runtime event per keyword and caption; it contains the keyword, not what was said. Source: D14.3 `intent.alert` */
async function notifyIntent(
  { events, monitors }: MonitorsPart & RuntimeEventsPart,
  { hits }: WatchEffects['notifyIntent'],
  { id, meta }: Context,
) {
  const call = parseMeta(meta);
  for (const { keyword, segmentId, at } of call ? hits : []) {
    await events.record({
      level: 'warning',
      type: 'intent.alert',
      title: '客户提到意向关键词',
      message: `客户提到「${keyword}」`,
      campaignId: call?.campaignId ?? null,
      attemptId: call?.attemptId ?? null,
      cellId: call?.cellId ?? null,
      detail: { requestId: id, keyword, segmentId, at },
      dedupeKey: `intent:${id}:${segmentId}:${keyword}`,
    });
  }
  return monitors.raise(id);
}

const RULE = '只有当前监听人可以让出该通话';

/**
 * Releases a call from its current monitor; it is not assigned to them again while their presence lasts.
 *
 * Errors: NOT_FOUND; GONE; FORBIDDEN when another user watches it; CONFLICT during the monitor's intervention; CACHE_UNAVAILABLE
 * Source: OCS 4.12
 */
export async function releaseCall(
  app: CallsPart & OutcomesPart & MonitorsPart & AuditPart & Pick<Platform, 'db' | 'wake' | 'actors' | 'clock' | 'log'>,
  caller: Caller,
  callKey: string,
): Promise<{ requestId: string }> {
  const requestId = await requestIdOf(app, callKey);
  const step = caller.userId === null ? null : await app.monitors.release(caller.userId, requestId);
  if (step?.outcome === 'intervening') throw intervening();
  if (step?.outcome !== 'released') throw await refusal(app, requestId);
  await placeCalls(app, step);
  await audit(app, caller, { action: 'call.released', targetType: 'call', targetId: requestId, summary: '让出通话的监听' });
  return { requestId };
}

/** A call that does not exist gives NOT_FOUND rather than FORBIDDEN. */
async function refusal(
  app: CallsPart & OutcomesPart & MonitorsPart & AuditPart & Pick<Platform, 'db' | 'wake' | 'actors' | 'clock' | 'log'>,
  requestId: string,
): Promise<CalloutError> {
  const { state } = await getCall(app, requestId);
  return notMonitor(callChange(state), RULE);
}

/**
 * Applies the registry's rule to the call's published state. Errors: FORBIDDEN when another user watches it; CONFLICT during their intervention
 */
export function requireReleasable(
  { monitor, intervention }: Pick<CallChange, 'monitor' | 'intervention'>,
  { userId }: Pick<Caller, 'userId'>,
): void {
  if (userId === null || monitor?.userId !== userId) throw notMonitor({ monitor }, RULE);
  if (intervention?.initiatorId === userId && isOpenStatus(intervention.status)) throw intervening();
}

function intervening(): CalloutError {
  return conflict('INTERVENING', '正在介入该通话，不能让出');
}

/** Refusal of an action that is reserved to the call's monitor, naming that monitor. */
export function notMonitor({ monitor }: Pick<CallChange, 'monitor'>, rule: string): CalloutError {
  if (monitor === null) return new CalloutError('FORBIDDEN', rule);
  return new CalloutError('FORBIDDEN', `该通话由 ${monitor.displayName} 监听：${rule}`, { reason: 'WATCHED_BY_ANOTHER' });
}

/** Half of the time within which calls of an ended presence must move (D9.4), in ms. */
const TICK_MS = 400;
/** Most calls whose placement is published again in one round. */
const MAX_REPUBLISHED = 200;

/** Ends expired presences and repeats unconfirmed notifications; every instance runs it. Source: D9.4 */
export async function runMonitoring(
  app: MonitorsPart & { clock: Clock } & Pick<Platform, 'wake' | 'actors' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await app.monitors
      .tick(MAX_REPUBLISHED)
      .then(step => placeCalls(app, step))
      .catch((error: unknown) => app.log.warn({ err: error }, 'monitor presences could not be checked'));
    await sleep(app.clock, TICK_MS, signal);
  }
}
