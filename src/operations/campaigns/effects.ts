import { unreachable } from '#kernel/assert.ts';
import type { CampaignSnapshot } from '#actors/campaign/context.ts';
import type { CampaignAlert, CampaignEffects } from '#actors/campaign/effects.ts';
import type { Executors } from '#host/actor-host.ts';
import type { DialStore } from '#ports/dial-store.ts';
import type { SlotRegistry } from '#ports/slot-registry.ts';
import type { Ports } from '#ports/ports.ts';
import { notifyBlocked, notifyNoScript, notifyScriptless, notifySilentLines } from './alerts.ts';
import { recordNoRuntime } from '../runtimes/record-runtimes.ts';

export interface CampaignEffectDeps extends Pick<Ports, 'events' | 'wake'> {
  dials: Pick<DialStore, 'cancelClaims' | 'forgetScriptless' | 'loadPlan'>;
  slots: Pick<SlotRegistry, 'release'>;
}

const TITLES: Record<CampaignEffects['recordEvent']['type'], string> = {
  'campaign.started': '活动已启动',
  'campaign.paused': '活动已暂停',
  'campaign.completed': '活动已完成',
};

/** Executors of a campaign's effects: idempotent, repeated by the outbox until done. */
export function campaignEffects(deps: CampaignEffectDeps): Executors<CampaignEffects, CampaignSnapshot> {
  return {
    async forgetScriptless(_, { id }) {
      await deps.dials.forgetScriptless(Number(id));
      // The two effects have no order.
      deps.wake.campaign(Number(id));
    },
    async wakeDispatch(_, { id }) {
      deps.wake.campaign(Number(id));
    },
    async cancelClaims({ reason }, { id }) {
      await deps.slots.release(await deps.dials.cancelClaims(Number(id), reason));
    },
    raiseAlert: (alert, { id }) => raiseAlert(deps, Number(id), alert),
    async recordEvent({ type, by }, { id, effectId }) {
      await deps.events.record({
        level: 'info',
        type,
        title: TITLES[type],
        message: by === null ? '' : `操作人：${by}`,
        campaignId: Number(id),
        dedupeKey: `${type}:${id}:${effectId}`,
      });
    },
  };
}

function raiseAlert(deps: CampaignEffectDeps, campaignId: number, alert: CampaignAlert): Promise<void> {
  switch (alert.kind) {
    case 'breaker':
      return notifyBlocked(deps, campaignId, alert);
    case 'silentLines':
      return notifySilentLines(deps, campaignId, alert);
    case 'scriptless':
      return notifyScriptless(deps, campaignId, alert);
    case 'noScript':
      return notifyNoScript(deps, campaignId, alert);
    case 'runtime':
      return recordNoRuntime(deps.events, { campaignId, ...alert });
    default:
      return unreachable(alert);
  }
}
