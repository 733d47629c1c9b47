import type { CampaignPhase } from './campaign-bounds.ts';
import { NO_LINE_TEXT, SKIP_REASON_TEXTS, type SlotSkipReason } from './skip-reason.ts';

/** The first is that of a phase whose reason says nothing else. */
const REASONS_OF_PHASE: Partial<Record<CampaignPhase, readonly SlotSkipReason[]>> = {
  WAITING_INTERVAL: ['interval'],
  WAITING_SLOT: ['campaign_full', 'line_full', 'number_full', 'cell_full'],
  WAITING_MONITOR: ['no_monitor'],
  WAITING_RUNTIME: ['no_runtime', 'runtime_full'],
  SWITCH_UNREACHABLE: ['switch_unreachable'],
};

/** What the dispatcher waits for, as the reason of each contact that could be dialled otherwise; null when it waits for nothing of this kind. */
export function phaseRefusal({ phase, phaseReason }: { phase: CampaignPhase; phaseReason: string | null }): SlotSkipReason | null {
  const reasons = REASONS_OF_PHASE[phase] ?? [];
  if (phaseReason === NO_LINE_TEXT) return 'line_full';
  return reasons.find(reason => SKIP_REASON_TEXTS[reason] === phaseReason) ?? reasons[0] ?? null;
}
