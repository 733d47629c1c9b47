import type { FeatureSet } from '../text/features.ts';

/**
 * Linear model that distinguishes irony and roundabout phrasing from literal speech.
 *
 * Why:   ironies cannot be listed; a feature's hash is its index, so that no table is searched
 * Shape: one weight per place; the number of places is a power of two
 */
export interface TwistModel {
  weights: Int8Array;
  /** Value of one weight step. */
  scale: number;
  /** A text is twisted when this plus its features' weights exceeds 0. */
  bias: number;
}

/** Number of places: collisions of features cost less than a larger table. */
export const TWIST_PLACES = 1 << 15;

export function soundsTwisted({ weights, scale, bias }: TwistModel, { ids, count }: FeatureSet): boolean {
  const mask = weights.length - 1;
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += weights[(ids[at] ?? 0) & mask] ?? 0;
  return (sum * scale) / Math.sqrt(Math.max(1, count)) + bias > 0;
}
