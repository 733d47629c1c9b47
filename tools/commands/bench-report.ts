import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from './project.ts';

/** Our figure relative to a baseline measured in the same run. */
export interface Ratio {
  what: string;
  /** Unit for the reader: `1.2 × the bare time`. */
  ratio: number;
  bar: { atLeast: number } | { atMost: number };
}

/** Absolute figure beside the ratios: CPU per item, bytes, calls per second. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** Absent: informational only. */
  bar?: { atLeast: number } | { atMost: number };
}

export interface BenchReport {
  bench: string;
  ratios: readonly Ratio[];
  figures: readonly Figure[];
}

/** A kept report with its machine and commit; the next run of the bench is compared with the last one. */
interface KeptReport extends BenchReport {
  machine: string;
  commit: string;
  node: string;
}

/** Kept runs by bench. */
const KEPT = join(PROJECT, 'bench/kept.json');
/** Changes for the worse of at least this share are reported. */
const NOTABLE = 0.1;

/** Prints a table, the figures that got worse since the last kept run, and one line of JSON; returns true when every bar is met. */
export function printReport(report: BenchReport, print: (line: string) => void): boolean {
  const { machine, commit, node } = surroundings();
  print(`${report.bench} at ${commit} on ${machine}, Node ${node}`);
  for (const { what, ratio, bar } of report.ratios) print(row(what, `${ratio.toFixed(2)} ×`, bar, ratio));
  for (const { what, value, unit, bar } of report.figures) print(row(what, `${rounded(value)} ${unit}`, bar, value));
  const kept = readKept()[report.bench];
  if (kept) for (const line of worseThan(kept, report)) print(line);
  print(JSON.stringify({ ...report, machine, commit, node }));
  return judged(report).every(({ value, bar }) => meets(value, bar));
}

/** Keeps this run as the reference for later runs of the bench. */
export function keepReport(report: BenchReport): void {
  const kept = { ...readKept(), [report.bench]: { ...report, ...surroundings() } };
  writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`);
}

function readKept(): Readonly<Record<string, KeptReport>> {
  return existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : {};
}

interface Judged {
  what: string;
  value: number;
  bar: NonNullable<Figure['bar']>;
}

/** Only rows with a bar can be judged: the bar says whether more or less is better. */
function judged({ ratios, figures }: BenchReport): Judged[] {
  const measured = [...ratios.map(({ what, ratio, bar }) => ({ what, value: ratio, bar })), ...figures];
  return measured.flatMap(({ what, value, bar }) => (bar ? [{ what, value, bar }] : []));
}

function worseThan(kept: KeptReport, report: BenchReport): string[] {
  const before = new Map(judged(kept).map(({ what, value }) => [what, value]));
  return judged(report).flatMap(({ what, value, bar }) => {
    const old = before.get(what);
    if (old === undefined || old === 0) return [];
    const share = 'atLeast' in bar ? 1 - value / old : value / old - 1;
    const where = `${kept.commit} on ${kept.machine}`;
    return share > NOTABLE
      ? [`  worse by ${(share * 100).toFixed(0)} % than at ${where}: ${what} (${rounded(old)} → ${rounded(value)})`]
      : [];
  });
}

function row(what: string, shown: string, bar: Figure['bar'], value: number): string {
  return `  ${what.padEnd(58)} ${shown.padStart(16)}${bar ? `   ${meets(value, bar) ? 'meets' : 'MISSES'} ${describeBar(bar)}` : ''}`;
}

function describeBar(bar: NonNullable<Figure['bar']>): string {
  return 'atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
}

function meets(value: number, bar: NonNullable<Figure['bar']>): boolean {
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

function rounded(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function surroundings(): Pick<KeptReport, 'machine' | 'commit' | 'node'> {
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
    // An unpacked archive has no Git history.
    return 'unknown';
  }
}
