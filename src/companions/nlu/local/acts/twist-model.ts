import type { FeatureSet } from '../text/features.ts';

/**
 * A linear model that tells what means the reverse of its words, or says it in a roundabout way, from ordinary speech.
 *
 * Why:   nobody can list all ironies; and a feature's hash is its place, so that no table is searched
 * Shape: one weight a place; as many places as a power of two
 */
export interface TwistModel {
  weights: Int8Array;
  /** What one step of a byte is worth. */
  scale: number;
  /** Above 0 together with the features' weights a text is twisted. */
  bias: number;
}

/** As many places: features that share one cost less than a larger table. */
export const TWIST_PLACES = 1 << 15;

export function soundsTwisted({ weights, scale, bias }: TwistModel, { ids, count }: FeatureSet): boolean {
  const mask = weights.length - 1;
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += weights[(ids[at] ?? 0) & mask] ?? 0;
  return (sum * scale) / Math.sqrt(Math.max(1, count)) + bias > 0;
}
