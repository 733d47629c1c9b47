import type { CampaignPhase } from './campaign-bounds.ts';
import { WINDOW_TEXTS } from '#policies/decisions/calling-window.ts';
import { NO_LINE_TEXT, SKIP_REASON_TEXTS, type SlotSkipReason } from './skip-reason.ts';
import { NO_SCRIPT_TEXT, SCRIPTLESS_TEXT } from './scriptless-calls.ts';

/** The specific cause of a campaign's phase, for phases that can have several. */
export const PHASE_CAUSES = [
  'interval',
  'line_full',
  'no_line',
  'number_full',
  'cell_full',
  'campaign_full',
  'no_monitor',
  'no_runtime',
  'runtime_full',
  'switch_unreachable',
  'calls_fail',
  'no_script',
  'policy',
  'window_invalid',
  'schedule_over',
  'schedule_ahead',
  'outside_hours',
] as const;
export type PhaseCause = (typeof PHASE_CAUSES)[number];

interface ShownPhase {
  phase: CampaignPhase;
  /** Reason shown with the campaign, in Chinese. */
  phaseReason: string | null;
  phaseRefusal: SlotSkipReason | null;
}

const OF_WINDOW: Readonly<Record<string, PhaseCause>> = {
  [WINDOW_TEXTS.invalid]: 'window_invalid',
  [WINDOW_TEXTS.over]: 'schedule_over',
  [WINDOW_TEXTS.ahead]: 'schedule_ahead',
  [WINDOW_TEXTS.closed]: 'outside_hours',
};

/**
 * Cause of a campaign's phase; null when the phase alone is specific enough.
 *
 * Why: the row stores the Chinese reason only; clients in other languages need a code
 */
export function phaseCauseOf({ phase, phaseReason, phaseRefusal }: ShownPhase): PhaseCause | null {
  const reason = phaseReason ?? '';
  if (phaseRefusal === 'line_full' && reason === NO_LINE_TEXT) return 'no_line';
  // With an open breaker the reason names the failing calls.
  if (phaseRefusal === 'switch_unreachable' && reason !== SKIP_REASON_TEXTS.switch_unreachable) return 'calls_fail';
  if (phaseRefusal !== null) return phaseRefusal;
  if (phase === 'WAITING_WINDOW') return OF_WINDOW[reason] ?? null;
  if (phase !== 'BLOCKED_BY_POLICY') return null;
  return reason === NO_SCRIPT_TEXT || reason.startsWith(SCRIPTLESS_TEXT) ? 'no_script' : 'policy';
}
