import { type Assessment, decideContact } from './assess.ts';
import type { PreflightCandidate } from '../preflight-candidates.ts';

/** Contacts that a start would skip now, by kind. Source: D5.6 */
export interface SkipCounts {
  dnc: number;
  blacklist: number;
  frequency: number;
  window: number;
  invalid: number;
}

/** Reasons of campaigns/decisions/skip-reason.ts that count as skips; the others are temporary or end by dialling. */
const KIND_OF_REASON: Readonly<Record<string, keyof SkipCounts>> = {
  dnc: 'dnc',
  blacklist: 'blacklist',
  frequency_cap: 'frequency',
  outside_window: 'window',
  blocked_date: 'window',
  invalid_number: 'invalid',
  short_code: 'invalid',
};

/**
 * Counts skips with the code that admits dials, so that the page never shows another reason than the dialler.
 *
 * Source: D5.6, D7.10
 */
export function countSkips(
  held: Readonly<Record<string, number>>,
  candidates: readonly PreflightCandidate[],
  assessment: Assessment,
): SkipCounts {
  const counts: SkipCounts = { dnc: 0, blacklist: 0, frequency: 0, window: 0, invalid: 0 };
  const add = (reason: string, count: number) => {
    const kind = KIND_OF_REASON[reason];
    if (kind) counts[kind] += count;
  };
  for (const [reason, count] of Object.entries(held)) add(reason, count);
  for (const candidate of candidates) {
    const decision = decideContact(assessment, { ...candidate, lastEndedAt: null });
    if (!decision.admit) add(decision.reason, 1);
  }
  return counts;
}
