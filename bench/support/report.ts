import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { PROJECT } from '#tools/commands/project.ts';

/** Ours against one other thing, in the same run. */
export interface Ratio {
  what: string;
  /** How it is read: `1.2 × the bare time`. */
  ratio: number;
  bar: { atLeast: number } | { atMost: number };
}

/** A figure that belongs to the ratios: CPU per item, bytes, calls per second. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** Absent: only told. */
  bar?: { atLeast: number } | { atMost: number };
}

export interface BenchReport {
  bench: string;
  ratios: readonly Ratio[];
  figures: readonly Figure[];
}

/** Prints a table and one line of JSON; true when every bar is met. */
export function tellReport(report: BenchReport, tell: (line: string) => void): boolean {
  const { machine, commit, node } = surroundings();
  tell(`${report.bench} at ${commit} on ${machine}, Node ${node}`);
  for (const { what, ratio, bar } of report.ratios) tell(row(what, `${ratio.toFixed(2)} ×`, bar, ratio));
  for (const { what, value, unit, bar } of report.figures) tell(row(what, `${rounded(value)} ${unit}`, bar, value));
  tell(JSON.stringify({ ...report, machine, commit, node }));
  return [...report.ratios.map(each => meets(each.ratio, each.bar)), ...report.figures.map(each => meets(each.value, each.bar))].every(
    Boolean,
  );
}

function row(what: string, shown: string, bar: Figure['bar'], value: number): string {
  return `  ${what.padEnd(58)} ${shown.padStart(16)}${bar ? `   ${meets(value, bar) ? 'meets' : 'MISSES'} ${describeBar(bar)}` : ''}`;
}

function describeBar(bar: NonNullable<Figure['bar']>): string {
  return 'atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
}

function meets(value: number, bar: Figure['bar']): boolean {
  if (!bar) return true;
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

function rounded(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function surroundings(): { machine: string; commit: string; node: string } {
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}`;
  return { machine, commit: commitOf(PROJECT), node: process.versions.node };
}

function commitOf(folder: string): string {
  try {
    return execFileSync('git', ['-C', folder, 'describe', '--always', '--dirty'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    // An unpacked archive has no history.
    return 'unknown';
  }
}
