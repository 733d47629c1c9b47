import type { RunReport } from './run-scenario.ts';

/** What many runs held. */
export interface Totals {
  seeds: number;
  dials: number;
  /** Of campaigns that depend on monitors. */
  strictDials: number;
  results: number;
  crashes: number;
  pauses: number;
  wipes: number;
  cuts: number;
  restarts: number;
  simulatedMs: number;
  longestSilenceMs: number;
  violations: { seed: number; message: string }[];
}

export function noTotals(): Totals {
  return {
    seeds: 0,
    dials: 0,
    strictDials: 0,
    results: 0,
    crashes: 0,
    pauses: 0,
    wipes: 0,
    cuts: 0,
    restarts: 0,
    simulatedMs: 0,
    longestSilenceMs: 0,
    violations: [],
  };
}

export function addReport(totals: Totals, report: RunReport): void {
  totals.seeds += 1;
  for (const name of ['dials', 'strictDials', 'results', 'crashes', 'pauses', 'wipes', 'cuts', 'restarts', 'simulatedMs'] as const)
    totals[name] += report[name];
  totals.longestSilenceMs = Math.max(totals.longestSilenceMs, report.longestSilenceMs);
  if (report.violation) totals.violations.push({ seed: report.seed, message: report.violation.message });
}

export function addTotals(totals: Totals, more: Totals): void {
  for (const name of ['seeds', 'dials', 'strictDials', 'results', 'crashes', 'pauses', 'wipes', 'cuts', 'restarts', 'simulatedMs'] as const)
    totals[name] += more[name];
  totals.longestSilenceMs = Math.max(totals.longestSilenceMs, more.longestSilenceMs);
  totals.violations.push(...more.violations);
}
