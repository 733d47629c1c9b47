import type { RunReport } from './run-scenario.ts';

/** Totals of many runs. */
export interface Totals {
  seeds: number;
  dials: number;
  /** Dials of campaigns that depend on monitors. */
  strictDials: number;
  /** Dials for which a policy asked for consent, and those to which a rule pack applied. */
  consentedDials: number;
  packedDials: number;
  results: number;
  crashes: number;
  pauses: number;
  wipes: number;
  cuts: number;
  restarts: number;
  /** Callbacks that were due after a storm, and those of them that were dialled or had ended in time. */
  callbacksDue: number;
  callbacksInTime: number;
  simulatedMs: number;
  longestSilenceMs: number;
  longestUnservedMs: number;
  longestBereftMs: number;
  /** Number of runs in which only runtimes failed. */
  runtimeOnly: number;
  violations: { seed: number; message: string }[];
}

const SUMS = [
  'dials',
  'strictDials',
  'consentedDials',
  'packedDials',
  'results',
  'crashes',
  'pauses',
  'wipes',
  'cuts',
  'restarts',
  'callbacksDue',
  'callbacksInTime',
  'simulatedMs',
] as const;
const LONGEST = ['longestSilenceMs', 'longestUnservedMs', 'longestBereftMs'] as const;

export function noTotals(): Totals {
  return {
    seeds: 0,
    dials: 0,
    strictDials: 0,
    consentedDials: 0,
    packedDials: 0,
    results: 0,
    crashes: 0,
    pauses: 0,
    wipes: 0,
    cuts: 0,
    restarts: 0,
    callbacksDue: 0,
    callbacksInTime: 0,
    simulatedMs: 0,
    longestSilenceMs: 0,
    longestUnservedMs: 0,
    longestBereftMs: 0,
    runtimeOnly: 0,
    violations: [],
  };
}

export function addReport(totals: Totals, report: RunReport): void {
  totals.seeds += 1;
  for (const name of SUMS) totals[name] += report[name];
  totals.runtimeOnly += Number(report.isRuntimeOnly);
  for (const name of LONGEST) totals[name] = Math.max(totals[name], report[name]);
  if (report.violation) totals.violations.push({ seed: report.seed, message: report.violation.message });
}

export function addTotals(totals: Totals, more: Totals): void {
  for (const name of ['seeds', ...SUMS] as const) totals[name] += more[name];
  totals.runtimeOnly += more.runtimeOnly;
  for (const name of LONGEST) totals[name] = Math.max(totals[name], more[name]);
  totals.violations.push(...more.violations);
}
