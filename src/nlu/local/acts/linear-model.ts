import type { FeatureIndex, PlaceOf } from '../text/feature-index.ts';
import { type FeatureSet, MAX_FEATURES } from '../text/features.ts';
import { addRows, LARGEST_HALF, type PackedRows } from './packed-rows.ts';

/**
 * Linear model from features to acts, with weights of half a byte.
 *
 * Why:   a common feature has a small weight for every act, a rare one large weights for a few
 * Shape: a negative place is the bitwise complement of a row of `full`, which holds a weight for each act; a positive one is an index into
 *        `entries`, where the number of entries comes first. An entry packs the act (high byte) and its weight + LARGEST_HALF (low byte),
 *        because one load takes half the time of two
 */
export interface LinearModel {
  places: PlaceOf;
  full: PackedRows;
  entries: Uint16Array;
  /** Value of one weight step. */
  scale: number;
  bias: Float32Array;
}

const ACT_SHIFT = 8;
const WEIGHT_MASK = 0xff;
/** Most acts, limited by the high byte of an entry. */
export const MAX_ACTS = 256;

const sums = new Int32Array(MAX_ACTS);
const common = new Int32Array(MAX_FEATURES);

/** Packs one weight of a row; the weight is in −LARGEST_HALF..LARGEST_HALF. */
export function packedEntry(act: number, weight: number): number {
  return (act << ACT_SHIFT) | (weight + LARGEST_HALF);
}

/** Writes the acts' logits for a text whose features were looked up in the index; returns how many of them the model knows. */
export function scoreActs(model: LinearModel, index: FeatureIndex, features: FeatureSet, into: Float32Array): number {
  const { places, full, entries, scale, bias } = model;
  sums.fill(0);
  let known = 0;
  let commonCount = 0;
  for (let at = 0; at < features.found; at += 1) {
    const place = index[(features.slots[at] as number) + places] as number;
    if (place === 0) continue;
    known += 1;
    if (place < 0) {
      common[commonCount] = ~place;
      commonCount += 1;
      continue;
    }
    const end = place + (entries[place] as number);
    for (let entry = place + 1; entry <= end; entry += 1) {
      const packed = entries[entry] as number;
      const act = packed >> ACT_SHIFT;
      sums[act] = (sums[act] as number) + (packed & WEIGHT_MASK) - LARGEST_HALF;
    }
  }
  addRows(full, common, commonCount, sums);
  const step = scale / Math.sqrt(Math.max(1, features.count));
  for (let act = 0; act < into.length; act += 1) into[act] = (sums[act] ?? 0) * step + (bias[act] ?? 0);
  return known;
}

/** Logit distance from the best act below which a probability is taken as zero. */
const NEGLIGIBLE = -8;

/** Converts logits to probabilities in place. */
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
