import { type FeatureSet, MAX_FEATURES } from '../text/features.ts';
import type { FeatureTable } from './feature-table.ts';
import { addRows, LARGEST_HALF, type PackedRows } from './packed-rows.ts';

/**
 * A linear model from features to acts, its weights half a byte each.
 *
 * Why:   a common feature says a little of every act, a rare one much of a few
 * Shape: `rows` tells the row of a feature hash. The first rows are those of `full`, which have a weight for each act; of the others, row r
 *        less those holds `entries[starts[r]]` to before `entries[starts[r + 1]]`, and an entry packs the act (high byte) and its weight +
 *        LARGEST_HALF (low byte), because one load is half the time of two
 */
export interface LinearModel {
  rows: FeatureTable;
  full: PackedRows;
  starts: Uint32Array;
  entries: Uint16Array;
  /** What one step of a weight is worth. */
  scale: number;
  bias: Float32Array;
}

const ACT_SHIFT = 8;
const WEIGHT_MASK = 0xff;
/** As many acts as fit an entry's high byte. */
export const MAX_ACTS = 256;

const sums = new Int32Array(MAX_ACTS);
const found = new Int32Array(MAX_FEATURES);
const common = new Int32Array(MAX_FEATURES);

/** Packs one weight of a row, −LARGEST_HALF..LARGEST_HALF. */
export function packedEntry(act: number, weight: number): number {
  return (act << ACT_SHIFT) | (weight + LARGEST_HALF);
}

/** Writes the acts' logits for a text; returns how many of its features the model knows. */
export function scoreActs({ rows, full, starts, entries, scale, bias }: LinearModel, features: FeatureSet, into: Float32Array): number {
  sums.fill(0);
  const known = rows.rowsOf(features.ids, features.count, found);
  const fullRows = full.words.length / full.width;
  let commonCount = 0;
  for (let at = 0; at < known; at += 1) {
    const row = found[at] ?? 0;
    if (row < fullRows) {
      common[commonCount] = row;
      commonCount += 1;
      continue;
    }
    const end = starts[row - fullRows + 1] ?? 0;
    for (let entry = starts[row - fullRows] ?? 0; entry < end; entry += 1) {
      const packed = entries[entry] ?? 0;
      const act = packed >> ACT_SHIFT;
      sums[act] = (sums[act] ?? 0) + (packed & WEIGHT_MASK) - LARGEST_HALF;
    }
  }
  addRows(full, common, commonCount, sums);
  const step = scale / Math.sqrt(Math.max(1, features.count));
  for (let act = 0; act < into.length; act += 1) into[act] = (sums[act] ?? 0) * step + (bias[act] ?? 0);
  return known;
}

/** What is so far below the best has no probability worth computing. */
const NEGLIGIBLE = -8;

/** Turns logits into probabilities in place. */
export function softmax(logits: Float32Array): Float32Array {
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < logits.length; at += 1) highest = Math.max(highest, logits[at] ?? 0);
  let sum = 0;
  for (let at = 0; at < logits.length; at += 1) {
    const below = (logits[at] ?? 0) - highest;
    const value = below < NEGLIGIBLE ? 0 : Math.exp(below);
    logits[at] = value;
    sum += value;
  }
  for (let at = 0; at < logits.length; at += 1) logits[at] = (logits[at] ?? 0) / sum;
  return logits;
}
