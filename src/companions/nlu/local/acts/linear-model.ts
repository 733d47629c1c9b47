import type { FeatureSet } from '../text/features.ts';

/**
 * A linear model from features to acts, quantised to bytes; only the weights that matter are kept.
 *
 * Shape: row r of a feature holds the entries `starts[r]` to `starts[r + 1]` of `acts` and `weights`; `rows` maps a feature hash to its row
 */
export interface LinearModel {
  rows: ReadonlyMap<number, number>;
  starts: Uint32Array;
  acts: Uint8Array;
  weights: Int8Array;
  /** What one step of a byte is worth. */
  scale: number;
  bias: Float32Array;
}

/** Writes the acts' logits for a text; returns how many of its features the model knows. */
export function scoreActs({ rows, starts, acts, weights, scale, bias }: LinearModel, features: FeatureSet, into: Float32Array): number {
  into.fill(0);
  let known = 0;
  for (let at = 0; at < features.count; at += 1) {
    const row = rows.get(features.ids[at] ?? 0);
    if (row === undefined) continue;
    known += 1;
    const end = starts[row + 1] ?? 0;
    for (let entry = starts[row] ?? 0; entry < end; entry += 1) {
      const act = acts[entry] ?? 0;
      into[act] = (into[act] ?? 0) + (weights[entry] ?? 0);
    }
  }
  const step = scale / Math.sqrt(Math.max(1, features.count));
  for (let act = 0; act < into.length; act += 1) into[act] = (into[act] ?? 0) * step + (bias[act] ?? 0);
  return known;
}

/** Turns logits into probabilities in place. */
export function softmax(logits: Float32Array): void {
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < logits.length; at += 1) highest = Math.max(highest, logits[at] ?? 0);
  let sum = 0;
  for (let at = 0; at < logits.length; at += 1) {
    const value = Math.exp((logits[at] ?? 0) - highest);
    logits[at] = value;
    sum += value;
  }
  for (let at = 0; at < logits.length; at += 1) logits[at] = (logits[at] ?? 0) / sum;
}
