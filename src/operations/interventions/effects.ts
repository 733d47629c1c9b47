import { isLive } from '#actors/call/stage.ts';
import type { InterventionEffects } from '#actors/intervention/effects.ts';
import type { EffectContext, Executors } from '#host/actor-host.ts';
import { messageSender } from '#host/actor-router.ts';
import type { RuntimeLink } from '#ports/runtime-link.ts';
import type { Ports } from '#ports/ports.ts';
import { parseMeta } from '../calls/call-actor.ts';
import type { CallState } from '../calls/call-aggregate.ts';
import { type PlaceDeps, placeCalls } from '../monitoring/place-calls.ts';
import { interventionEvent } from './intervention-event.ts';

export interface InterventionEffectDeps extends PlaceDeps, Pick<Ports, 'events' | 'clock'> {
  runtime: Pick<RuntimeLink, 'command'>;
}

type Context = EffectContext<CallState>;
/**
 * Executors of an intervention's effects. What the runtime does not acknowledge stays in the outbox, until the state has gone on.
 *
 * Source: A3, A4 `callout.v1.command.<requestId>.intervene`
 */
export function interventionEffects(deps: InterventionEffectDeps): Executors<InterventionEffects, CallState> {
  const place = (step: Parameters<typeof placeCalls>[1]) => placeCalls(deps, step);
  return {
    async signalIntervene({ id, initiatorId, agentId, when }, context) {
      if (!isAt(context, id, ['requested'])) return;
      await deps.runtime.command(context.id, 'intervene', { interventionId: id, initiatorId, agentId, when });
    },
    async signalCancel({ id }, context) {
      if (!isAt(context, id, ['cancelled', 'expired'])) return;
      await deps.runtime.command(context.id, 'cancel', { interventionId: id });
    },
    async focusMonitor({ userId }, context) {
      if (userId === null || !isInitiatorsOpen(context, userId)) return;
      await place(await deps.monitors.focus(userId, context.id));
    },
    async pinMonitor({ userId }, context) {
      if (userId === null || !isInitiatorsOpen(context, userId)) return;
      await place(await deps.monitors.pin(userId, context.id));
    },
    async freeMonitor({ userId }, { id }) {
      if (userId !== null) await place(await deps.monitors.free(userId, id));
    },
    sendTo: messageSender(deps),
    async notifyIntervention(params, { id, meta }) {
      const call = parseMeta(meta);
      if (call) await deps.events.record(interventionEvent(params, { ...call, requestId: id }));
    },
  };
}

/** Whether this very intervention still stands there: a late repetition of its effect would tell what is no longer so. */
function isAt({ state }: Context, id: string, places: readonly string[]): boolean {
  const { intervention } = state;
  return isLive(state) && intervention?.context.id === id && places.includes(String(intervention.value));
}

function isInitiatorsOpen({ state }: Context, userId: number): boolean {
  const { intervention } = state;
  return intervention?.context.initiatorId === userId && ['requested', 'transferring', 'active'].includes(String(intervention.value));
}
