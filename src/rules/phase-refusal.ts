import type { CampaignPhase } from './campaign-bounds.ts';
import type { SlotSkipReason } from './skip-reason.ts';

const REASON_OF_PHASE: Partial<Record<CampaignPhase, SlotSkipReason>> = {
  WAITING_INTERVAL: 'interval',
  WAITING_SLOT: 'campaign_full',
  WAITING_MONITOR: 'no_monitor',
  WAITING_RUNTIME: 'no_runtime',
  SWITCH_UNREACHABLE: 'switch_unreachable',
};

/** What the dispatcher waits for, as the reason of each contact that could be dialled otherwise; null when it waits for nothing of this kind. */
export function phaseRefusal(phase: CampaignPhase): SlotSkipReason | null {
  return REASON_OF_PHASE[phase] ?? null;
}
