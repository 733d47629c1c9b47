import type { FeatureTable } from './feature-table.ts';
import type { FeatureSet } from '../text/features.ts';

/**
 * A linear model from features to acts, quantised to bytes; only the weights that matter are kept.
 *
 * Shape: row r of a feature holds `entries[starts[r]]` to before `entries[starts[r + 1]]`; an entry packs the act (high byte) and its
 *        weight + 128 (low byte), because one load is half the time of two; `rows` tells the row of a feature hash
 */
export interface LinearModel {
  rows: FeatureTable;
  starts: Uint32Array;
  entries: Uint16Array;
  /** What one step of a byte is worth. */
  scale: number;
  bias: Float32Array;
}

export const WEIGHT_ZERO = 128;
const ACT_SHIFT = 8;
const WEIGHT_MASK = 0xff;
/** As many acts as fit an entry's high byte. */
export const MAX_ACTS = 256;

const sums = new Int32Array(MAX_ACTS);

/** Packs one weight of a row, −127..127. */
export function packedEntry(act: number, weight: number): number {
  return (act << ACT_SHIFT) | (weight + WEIGHT_ZERO);
}

/** Writes the acts' logits for a text; returns how many of its features the model knows. */
export function scoreActs({ rows, starts, entries, scale, bias }: LinearModel, features: FeatureSet, into: Float32Array): number {
  sums.fill(0);
  const { ids, count } = features;
  let known = 0;
  for (let at = 0; at < count; at += 1) {
    const row = rows.rowOf(ids[at] ?? 0);
    if (row < 0) continue;
    known += 1;
    const end = starts[row + 1] ?? 0;
    for (let entry = starts[row] ?? 0; entry < end; entry += 1) {
      const packed = entries[entry] ?? 0;
      const act = packed >> ACT_SHIFT;
      sums[act] = (sums[act] ?? 0) + (packed & WEIGHT_MASK) - WEIGHT_ZERO;
    }
  }
  const step = scale / Math.sqrt(Math.max(1, count));
  for (let act = 0; act < into.length; act += 1) into[act] = (sums[act] ?? 0) * step + (bias[act] ?? 0);
  return known;
}

/** What is so far below the best has no probability worth computing. */
const NEGLIGIBLE = -12;

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
