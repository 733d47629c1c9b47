import { unreachable } from '#kernel/assert.ts';
import type { CampaignSnapshot } from '#actors/campaign/context.ts';
import type { CampaignAlert, CampaignEffects } from '#actors/campaign/effects.ts';
import type { LeftContacts } from '#actors/campaign/events.ts';
import { WINDOW_TEXTS } from '#policies/decisions/calling-window.ts';
import type { Executors } from '#platform/actor-host/actor-host.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { notifyBlocked, notifyNoScript, notifyScriptless, notifySilentLines } from './alerts.ts';
import { recordNoRuntime } from '#runtimes/record-runtimes.ts';
import type { CampaignClaims } from './campaign.ts';

export interface CampaignEffectDeps extends RuntimeEventsPart, Pick<Platform, 'wake'> {
  dials: CampaignClaims;
  slots: Pick<SlotRegistry, 'release'>;
}

const TITLES: Record<CampaignEffects['recordEvent']['type'], string> = {
  'campaign.started': '活动已启动',
  'campaign.paused': '活动已暂停',
  'campaign.completed': '活动已完成',
};

/** Executors of a campaign's effects; idempotent, and repeated by the outbox until done. */
export function campaignEffects(deps: CampaignEffectDeps): Executors<CampaignEffects, CampaignSnapshot> {
  return {
    async forgetScriptless(_, { id }) {
      await deps.dials.forgetScriptless(Number(id));
      // This effect and `wakeDispatch` run in no fixed order.
      deps.wake.campaign(Number(id));
    },
    async wakeDispatch(_, { id }) {
      deps.wake.campaign(Number(id));
    },
    async cancelClaims({ reason }, { id }) {
      await deps.slots.release(await deps.dials.cancelClaims(Number(id), reason));
    },
    raiseAlert: (alert, { id }) => raiseAlert(deps, Number(id), alert),
    async recordEvent({ type, by, left }, { id, effectId }) {
      await deps.events.record({
        level: 'info',
        type,
        title: TITLES[type],
        message: by === null ? leftText(left) : `操作人：${by}`,
        campaignId: Number(id),
        ...(left ? { detail: { ...left } } : {}),
        dedupeKey: `${type}:${id}:${effectId}`,
      });
    },
  };
}

/** Counts the contacts that the scheduled end leaves undialled; empty when there are none. Source: D5.2 */
function leftText(left: LeftContacts | undefined): string {
  if (left === undefined) return '';
  const { pending, held, retryable } = left;
  const parts = [
    [pending, '待呼叫'],
    [held, '等待限制解除'],
    [retryable, '待重试'],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, label]) => `${label} ${count} 个`);
  return `${WINDOW_TEXTS.over}${named.length === 0 ? '' : `，剩余联系人：${named.join('，')}`}`;
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
