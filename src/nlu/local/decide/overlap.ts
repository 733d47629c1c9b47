import { type FeatureTable, featureTable } from '../acts/feature-table.ts';
import { EDGE, MAX_UNITS, textUnits } from '../text/units.ts';
import type { Knowledge } from './knowledge.ts';

/** Weight of a unit that is not in the corpus. */
const RARE_UNIT_WEIGHT = 1;
const SINGLE_UNIT_SHARE = 0.35;
/** A Latin word or a number is as informative as two Chinese characters. */
const WORD_FACTOR = 2;
const FIRST_WORD_HASH = 0x10000;

/** Distinct characters and pairs of characters of a text, with weights. */
export interface TermBag {
  ids: number[];
  weights: number[];
  total: number;
}

/**
 * Terms of all branches of a set, so that one lookup returns the branches that contain a term.
 *
 * Shape: row r lists the branches from `holders[starts[r]]` to before `holders[starts[r + 1]]`
 */
export interface TermTable {
  rows: FeatureTable;
  starts: Uint32Array;
  holders: Uint8Array;
  /** How well each term distinguishes its branches from the others of the set, 0..1. */
  shares: Float32Array;
  /** Total weight of each branch's distinguishing terms. */
  totals: Float64Array;
}

const units = new Uint32Array(MAX_UNITS + 2);

/** Collects the distinct terms: pairs of units within a segment, and single units at a lower weight. */
export function termBag(text: string, knowledge: Pick<Knowledge, 'unitWeights'>): TermBag {
  const bag: TermBag = { ids: [], weights: [], total: 0 };
  const length = textUnits(text, units);
  held.clear();
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] ?? EDGE;
    if (unit <= 2) continue;
    const weight = unitWeight(unit, knowledge);
    if (weight === 0) continue;
    add(bag, unit, SINGLE_UNIT_SHARE * weight * (unit >= FIRST_WORD_HASH ? WORD_FACTOR : 1));
    const next = at + 1 < length ? (units[at + 1] ?? EDGE) : EDGE;
    if (next > 2) add(bag, pairId(unit, next), (weight + unitWeight(next, knowledge)) / 2);
  }
  return bag;
}

/** Terms of the current bag; a linear search would be too slow for a long description. */
const held = new Set<number>();

function add(bag: TermBag, id: number, weight: number): void {
  if (held.has(id)) return;
  held.add(id);
  bag.ids.push(id);
  bag.weights.push(weight);
  bag.total += weight;
}

function unitWeight(unit: number, { unitWeights }: Pick<Knowledge, 'unitWeights'>): number {
  return unitWeights.get(unit) ?? RARE_UNIT_WEIGHT;
}

function pairId(first: number, second: number): number {
  return Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
}

/** Builds the table of the branches' terms; `shareOf` returns how far a term counts. */
export function tableTerms(bags: readonly TermBag[], shareOf: (id: number) => number): TermTable {
  const totals = new Float64Array(bags.length);
  const branchesOf = new Map<number, number[]>();
  bags.forEach(({ ids, weights }, branch) => {
    ids.forEach((id, at) => {
      const share = shareOf(id);
      if (share === 0) return;
      totals[branch] = (totals[branch] ?? 0) + share * (weights[at] ?? 0);
      const known = branchesOf.get(id);
      if (known) known.push(branch);
      else branchesOf.set(id, [branch]);
    });
  });
  const starts = new Uint32Array(branchesOf.size + 1);
  [...branchesOf.values()].forEach((branches, row) => (starts[row + 1] = (starts[row] ?? 0) + branches.length));
  return {
    rows: featureTable(Uint32Array.from(branchesOf.keys())),
    starts,
    holders: Uint8Array.from([...branchesOf.values()].flat()),
    shares: Float32Array.from(branchesOf.keys(), shareOf),
    totals,
  };
}

/**
 * Writes for each branch the share of its distinguishing terms that the utterance contains, normalised by length as in BM25.
 *
 * Shape: 0..1
 */
export function overlaps({ ids, weights, total }: TermBag, table: TermTable, into: Float64Array): void {
  const { rows, starts, holders, shares, totals } = table;
  into.fill(0);
  for (let at = 0; at < ids.length; at += 1) {
    const row = rows.rowOf((ids[at] ?? 0) >>> 0);
    if (row < 0) continue;
    const weight = (shares[row] ?? 0) * (weights[at] ?? 0);
    const end = starts[row + 1] ?? 0;
    for (let holder = starts[row] ?? 0; holder < end; holder += 1) {
      const branch = holders[holder] ?? 0;
      into[branch] = (into[branch] ?? 0) + weight;
    }
  }
  for (let branch = 0; branch < totals.length; branch += 1) {
    const shared = into[branch] ?? 0;
    if (shared !== 0) into[branch] = shared / Math.sqrt(total * (totals[branch] ?? 1));
  }
}
