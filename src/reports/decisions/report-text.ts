import type { MEASURE_UNITS } from '#call-stats/decisions/measures.ts';
import type { Language } from '#kernel/problem.ts';

export type Unit = (typeof MEASURE_UNITS)[number];

/** An answer as people read it: headings, the figures of all together, and rows. */
export interface ReportTable {
  heads: readonly string[];
  figures: readonly { name: string; title: string; unit: Unit }[];
  rows: readonly { keys: readonly string[]; values: readonly (number | null)[] }[];
  /** Null where the figures have no sum. */
  total: readonly (number | null)[] | null;
}

/** Rows of a message at most: it is read on a phone. */
const MAX_ROWS = 20;
/**
 * Bytes of UTF-8 of the rows.
 *
 * Why: the robot that takes least takes 2,000 bytes, with the heading and the link behind the table
 */
const MAX_BYTES = 1_300;
const SEPARATOR = ' | ';

const WORDS = {
  zh: { all: '全部', more: (rows: number) => `……另有 ${rows} 行，见链接`, none: '这段时间没有数据。' },
  en: { all: 'All', more: (rows: number) => `… and ${rows} more rows: see the link`, none: 'Nothing in this range.' },
} as const;

/** A short table in lines of text: chat robots and mail have no other form in common. */
export function reportText(table: ReportTable, language: Language): string {
  const words = WORDS[language];
  const { heads, figures, rows, total } = table;
  if (rows.length === 0 && total === null) return words.none;
  const head = [...heads, ...figures.map(({ title }) => title)].join(SEPARATOR);
  const all = total === null ? [] : [lineOf(table, [words.all, ...heads.slice(1).map(() => '')].slice(0, heads.length), total)];
  const lines = heads.length === 0 ? [] : rows.slice(0, MAX_ROWS).map(({ keys, values }) => lineOf(table, keys, values));
  const fitting = fit([head, ...all], lines);
  const left = heads.length === 0 ? 0 : rows.length - (fitting.length - 1 - all.length);
  return [...fitting, ...(left > 0 ? [words.more(left)] : [])].join('\n');
}

function lineOf({ figures }: ReportTable, keys: readonly string[], values: readonly (number | null)[]): string {
  return [...keys, ...figures.map(({ unit }, place) => figureText(values[place] ?? null, unit))].join(SEPARATOR);
}

function fit(first: readonly string[], lines: readonly string[]): string[] {
  const kept = [...first];
  let bytes = Buffer.byteLength(kept.join('\n'));
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES) break;
    kept.push(line);
  }
  return kept;
}

/** A figure in words; a dash where there was nothing to measure. */
export function figureText(value: number | null, unit: Unit): string {
  if (value === null) return '–';
  if (unit === 'share') return `${(value * 100).toFixed(1)}%`;
  if (unit !== 'seconds') return String(value);
  return value < 60 ? `${Number(value.toFixed(1))}s` : durationText(Math.round(value));
}

function durationText(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  const rest = [Math.floor((seconds % 3_600) / 60), seconds % 60].map(part => String(part).padStart(2, '0')).join(':');
  return hours > 0 ? `${hours}:${rest}` : rest;
}
