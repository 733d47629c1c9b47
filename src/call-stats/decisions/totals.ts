import { assert } from '#kernel/assert.ts';
import type { Codes, Column } from './column.ts';
import { FATES, type NumberColumn } from './columns.ts';
import { addHistogram, bucketOf, BUCKETS, type Histogram, percentileOf } from './histogram.ts';
import { type Figure, measureOf, type MeasureName } from './measures.ts';

/** Counts over the calls of one group. */
export interface Totals {
  /** Calls by fate, in the order of `FATES`. */
  fates: Float64Array;
  numbers: Map<NumberColumn, NumberTotals>;
}

interface NumberTotals {
  /** Calls with a number. */
  count: number;
  sum: number;
  /** Null unless the query needs a percentile of this column. */
  histogram: Histogram | null;
}

/** Columns that measures need, and of which of them percentiles are asked for. */
export function numbersFor(measures: readonly MeasureName[]): Map<NumberColumn, { hasPercentiles: boolean }> {
  const needed = new Map<NumberColumn, { hasPercentiles: boolean }>();
  for (const { figure } of measures.map(measureOf)) {
    if (!('column' in figure)) continue;
    const hasPercentiles = figure.kind === 'percentile' || (needed.get(figure.column)?.hasPercentiles ?? false);
    needed.set(figure.column, { hasPercentiles });
  }
  return needed;
}

/** The rows of an hour with the group of each, -1 for one that does not count; `groups` have been found so far. */
interface GroupedRows {
  rows: number;
  groupOf: Int32Array;
  groups: number;
}

/** Totals of groups that are found one after the other. */
export class GroupTotals {
  #fates = new Float64Array(FATES.length * 64);
  readonly #numbers: Map<
    NumberColumn,
    { counts: Float64Array<ArrayBuffer>; sums: Float64Array<ArrayBuffer>; histograms: Histogram[] | null }
  >;

  constructor(numbers: ReadonlyMap<NumberColumn, { hasPercentiles: boolean }>) {
    const empty = (hasPercentiles: boolean) => ({
      counts: new Float64Array(64),
      sums: new Float64Array(64),
      histograms: hasPercentiles ? [] : null,
    });
    this.#numbers = new Map([...numbers].map(([name, { hasPercentiles }]) => [name, empty(hasPercentiles)]));
  }

  /** Counts rows by their fate. */
  addFates({ rows, groupOf, groups }: GroupedRows, outcome: Column): void {
    this.#fates = grown(this.#fates, groups * FATES.length);
    const places = Uint8Array.from(outcome.dictionary ?? [], fate => FATES.indexOf(asFate(fate)));
    countFates(rows, groupOf, { codes: outcome.codes, places, into: this.#fates });
  }

  addNumbers(name: NumberColumn, { rows, groupOf, groups }: GroupedRows, { codes }: Column): void {
    const known = this.#numbers.get(name);
    assert(known, 'a column that is added up was asked for');
    known.counts = grown(known.counts, groups);
    known.sums = grown(known.sums, groups);
    if (codes === null) return;
    addUp(rows, groupOf, codes, known);
    if (known.histograms !== null) addToHistograms(rows, groupOf, codes, known.histograms);
  }

  /** Copies out the counts of one group. */
  of(group: number): Totals {
    const at = group * FATES.length;
    const numbers = [...this.#numbers].map(([name, { counts, sums, histograms }]): [NumberColumn, NumberTotals] => [
      name,
      { count: counts[group] ?? 0, sum: sums[group] ?? 0, histogram: histograms && (histograms[group] ?? new Uint32Array(BUCKETS)) },
    ]);
    const fates = new Float64Array(FATES.length);
    fates.set(this.#fates.subarray(at, at + FATES.length));
    return { fates, numbers: new Map(numbers) };
  }
}

function asFate(text: string): (typeof FATES)[number] {
  return FATES.find(fate => fate === text) ?? 'unknown';
}

function grown(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (length <= values.length) return values;
  const larger = new Float64Array(Math.max(length, values.length * 2));
  larger.set(values);
  return larger;
}

function countFates(
  rows: number,
  groupOf: Int32Array,
  { codes, places, into }: { codes: Codes | null; places: Uint8Array; into: Float64Array },
): void {
  const width = FATES.length;
  for (let row = 0; row < rows; row++) {
    const group = groupOf[row] ?? -1;
    if (group < 0) continue;
    const at = group * width + (places[codes === null ? 0 : (codes[row] ?? 0)] ?? 0);
    into[at] = (into[at] ?? 0) + 1;
  }
}

function addUp(rows: number, groupOf: Int32Array, codes: Codes, { counts, sums }: { counts: Float64Array; sums: Float64Array }): void {
  for (let row = 0; row < rows; row++) {
    const code = codes[row] ?? 0;
    const group = groupOf[row] ?? -1;
    if (code === 0 || group < 0) continue;
    counts[group] = (counts[group] ?? 0) + 1;
    sums[group] = (sums[group] ?? 0) + code - 1;
  }
}

function addToHistograms(rows: number, groupOf: Int32Array, codes: Codes, histograms: Histogram[]): void {
  for (let row = 0; row < rows; row++) {
    const code = codes[row] ?? 0;
    const group = groupOf[row] ?? -1;
    if (code === 0 || group < 0) continue;
    const histogram = (histograms[group] ??= new Uint32Array(BUCKETS));
    const bucket = bucketOf(code - 1);
    histogram[bucket] = (histogram[bucket] ?? 0) + 1;
  }
}

/** Adds up the totals of groups. */
export function sumTotals(all: Iterable<Totals>): Totals {
  const whole: Totals = { fates: new Float64Array(FATES.length), numbers: new Map() };
  for (const { fates, numbers } of all) {
    for (const [place, count] of fates.entries()) whole.fates[place] = (whole.fates[place] ?? 0) + count;
    for (const [name, part] of numbers) whole.numbers.set(name, sumNumbers(whole.numbers.get(name), part));
  }
  return whole;
}

function sumNumbers(one: NumberTotals | undefined, { count, sum, histogram }: NumberTotals): NumberTotals {
  if (one === undefined) return { count, sum, histogram: histogram && histogram.slice() };
  if (one.histogram !== null && histogram !== null) addHistogram(one.histogram, histogram);
  return { count: one.count + count, sum: one.sum + sum, histogram: one.histogram };
}

/** The value of a measure; null where there is nothing to measure. */
export function valueOf(name: MeasureName, totals: Totals): number | null {
  const { figure } = measureOf(name);
  switch (figure.kind) {
    case 'count':
      return countOf(totals, figure.of);
    case 'share': {
      const among = countOf(totals, figure.among);
      return among === 0 ? null : countOf(totals, figure.of) / among;
    }
    case 'average':
    case 'percentile':
    case 'sum':
      return numberValue(figure, totals.numbers.get(figure.column));
    default:
      return figure satisfies never;
  }
}

function countOf({ fates }: Totals, of: readonly (typeof FATES)[number][]): number {
  return of.reduce((sum, fate) => sum + (fates[FATES.indexOf(fate)] ?? 0), 0);
}

function numberValue(figure: Extract<Figure, { column: NumberColumn }>, totals: NumberTotals | undefined): number | null {
  const { count = 0, sum = 0, histogram = null } = totals ?? {};
  if (figure.kind === 'sum') return sum / figure.partsPerUnit;
  if (count === 0) return null;
  if (figure.kind === 'average') return sum / count / figure.partsPerUnit;
  const value = histogram && percentileOf(histogram, count, figure.rank);
  return value === null ? null : value / figure.partsPerUnit;
}
