import { campaignClosesAt, campaignOpensAt } from './campaign-opening.ts';
import type { PreparedWindow } from '#policies/decisions/calling-window.ts';
import type { PolicyLimits } from '#policies/decisions/policy-kind.ts';
import type { PreparedPolicies } from '#policies/decisions/evaluate.ts';
import type { Line } from '#lines/line.ts';

/** Most openings examined; a longer campaign has no useful estimate. */
const MAX_OPENINGS = 366;

export interface FinishQuestion {
  /** Dials still to be made. */
  dials: number;
  /** Typical time for which one dial holds its slot, in ms. */
  callMs: number;
  limits: PolicyLimits;
  lines: readonly Line[];
  window: PreparedWindow;
  policies: PreparedPolicies;
  /** UTC ms. */
  at: number;
  zone: string;
}

/**
 * Estimates when the last contact is dialled, if every slot is used whenever dialling is open and no retry follows.
 *
 * Units:  UTC ms
 * Shape:  null when there is nothing to dial, no slot, or no end within a year of openings
 * Source: D5.6 `estimatedFinishAt`
 */
export function estimateFinish(question: FinishQuestion): number | null {
  const { window, policies, zone } = question;
  let remainingMs = openTimeNeededMs(question);
  if (remainingMs === null) return null;
  let from = question.at;
  for (let opening = 0; opening < MAX_OPENINGS; opening++) {
    const opensAt = campaignOpensAt(window, policies, from, zone);
    if (opensAt === null) return null;
    const closesAt = campaignClosesAt(window, policies, opensAt, zone) ?? Infinity;
    if (opensAt + remainingMs <= closesAt) return Math.round(opensAt + remainingMs);
    remainingMs -= closesAt - opensAt;
    from = closesAt;
  }
  return null;
}

function openTimeNeededMs({ dials, callMs, limits, lines }: FinishQuestion): number | null {
  const slots = Math.min(limits.maxConcurrency, slotsOf(lines));
  if (dials === 0 || slots === 0) return null;
  return Math.max((Math.ceil(dials / slots) || 1) * callMs, dials * limits.callIntervalMs);
}

/** Number of calls that the lines can carry at once. */
export function slotsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + lineSlots(line), 0);
}

/** A pool carries at most as many calls as its enabled numbers together. */
function lineSlots({ isEnabled, allocationMode, maxConcurrency, numbers }: Line): number {
  if (!isEnabled) return 0;
  if (allocationMode === 'single_shared') return maxConcurrency;
  const pool = numbers.filter(number => number.isEnabled).reduce((sum, number) => sum + number.maxConcurrency, 0);
  return Math.min(maxConcurrency, pool);
}
