import type { WatchEffects } from '#actors/call/effects.ts';
import { isLive } from '#actors/call/stage.ts';
import type { EffectContext, Executors } from '#platform/actor-host/actor-host.ts';
import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import { needsMonitor } from '#campaigns/campaign.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { type CallState, parseMeta } from '#calls/call-actor.ts';
import { type PlaceDeps, placeCalls } from './place-calls.ts';

export type WatchEffectDeps = PlaceDeps & RuntimeEventsPart;

type Context = EffectContext<CallState>;
/** Executors of a call's effects on the monitor registry; each is idempotent, because it may run again after a crash. */
export function watchEffects(deps: WatchEffectDeps): Executors<WatchEffects, CallState> {
  const place = (step: Parameters<typeof placeCalls>[1]) => placeCalls(deps, step);
  return {
    async offerCall(_, { id, state, meta }) {
      const call = parseMeta(meta);
      if (!call || !isLive(state)) return;
      const { campaignId, cellId, businessConfig } = call;
      const priority = businessConfig.monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority;
      const hasIntent = (state.context.intentHits ?? []).length > 0;
      await place(
        await deps.monitors.offer({ requestId: id, campaignId, cellId, priority, hasIntent, isStrict: needsMonitor(businessConfig) }),
      );
    },
    async withdrawCall(_, { id }) {
      await place(await deps.monitors.withdraw(id));
    },
    notifyIntent: (params, context) => notifyIntent(deps, params, context).then(place),
  };
}

/** Records one runtime event per keyword and caption; it contains the keyword, not what was said. Source: D14.3 `intent.alert` */
async function notifyIntent({ events, monitors }: WatchEffectDeps, { hits }: WatchEffects['notifyIntent'], { id, meta }: Context) {
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
