import { addRows, type PackedRows } from '../acts/packed-rows.ts';
import { type FeatureIndex, PLACE } from '../text/feature-index.ts';
import { type FeatureSet, MAX_FEATURES } from '../text/features.ts';

/**
 * Maps utterances and branch descriptions into one vector space: a text is the normalised sum of its features' vectors.
 *
 * Why:   a branch that no act covers is still near what its customers say
 * Shape: the place of a feature is its row + 1
 */
export type Encoder = PackedRows;

export const DIMENSIONS = 64;
const sums = new Int32Array(DIMENSIONS);
const rows = new Int32Array(MAX_FEATURES);

/** Writes the vector of a text whose features were looked up in the index; all zero when the encoder knows none of them. */
export function encode(encoder: Encoder, index: FeatureIndex, features: FeatureSet, into: Float32Array): Float32Array {
  let known = 0;
  for (let at = 0; at < features.found; at += 1) {
    const place = index[(features.slots[at] as number) + PLACE.vectors] as number;
    if (place === 0) continue;
    rows[known] = place - 1;
    known += 1;
  }
  sums.fill(0);
  addRows(encoder, rows, known, sums);
  for (let axis = 0; axis < DIMENSIONS; axis += 1) into[axis] = sums[axis] ?? 0;
  return unitLength(into);
}

/** Normalises a vector to length one in place; a zero vector stays. */
export function unitLength(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  if (length > 0) for (let axis = 0; axis < vector.length; axis += 1) vector[axis] = (vector[axis] ?? 0) / length;
  return vector;
}

/**
 * Returns the greatest similarity of a vector to the table's rows from `from` to before `to`, in −1..1; its length is a multiple of 4.
 *
 * Why: four parallel sums, because each addition would otherwise wait for the previous one, and this runs for every branch
 */
export function nearest(vector: Float32Array, table: Float32Array, from: number, to: number): number {
  const length = vector.length;
  let best = -1;
  for (let start = from * length; start < to * length; start += length) {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let axis = 0; axis < length; axis += 4) {
      first += (vector[axis] ?? 0) * (table[start + axis] ?? 0);
      second += (vector[axis + 1] ?? 0) * (table[start + axis + 1] ?? 0);
      third += (vector[axis + 2] ?? 0) * (table[start + axis + 2] ?? 0);
      fourth += (vector[axis + 3] ?? 0) * (table[start + axis + 3] ?? 0);
    }
    best = Math.max(best, first + second + third + fourth);
  }
  return best;
}
