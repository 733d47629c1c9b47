import { type LinearModel, packedEntry } from '#nlu/local/acts/linear-model.ts';
import { LARGEST_HALF, packRows } from '#nlu/local/acts/packed-rows.ts';
import type { PlacedFeatures, PlaceOf } from '#nlu/local/text/feature-index.ts';
import type { FittedModel } from './fit-linear.ts';

/** Share of the largest weights that is clipped. */
const CLIPPED_SHARE = 0.0005;
/** Sampling rate of the weights from which the scale is computed: sorting all of them costs as much as an epoch. */
const SAMPLED_ONE_IN = 16;
/** Smallest weight, in steps, that a sparse row keeps: most smaller ones only say "slightly unlikely". */
const LEAST_STEPS = 2;
/** Most entries of a sparse row: a row with more is stored in full, which is faster and no larger. */
const MOST_ENTRIES = 40;

/** A model with its vocabulary of features. */
export interface LearnedModel {
  model: LinearModel;
  known: PlacedFeatures;
}

/** Quantises the weights to half bytes and drops the insignificant ones. */
export function quantized({ rows, weights, bias }: FittedModel, actCount: number, of: PlaceOf): LearnedModel {
  const magnitudes = weights
    .filter((_, at) => at % SAMPLED_ONE_IN === 0)
    .map(Math.abs)
    .sort();
  const top = magnitudes[Math.floor(magnitudes.length * (1 - CLIPPED_SHARE)) - 1] ?? 1;
  const scale = top / LARGEST_HALF;
  const stepsOf = (row: number): Int8Array =>
    Int8Array.from(weights.subarray(row * actCount, (row + 1) * actCount), weight =>
      Math.max(-LARGEST_HALF, Math.min(LARGEST_HALF, Math.round(weight / scale))),
    );
  const features: number[] = [];
  const places: number[] = [];
  const full: number[] = [];
  // Place 0 means an unknown feature.
  const entries = [0];
  for (const [feature, row] of [...rows].sort(([one], [other]) => one - other)) {
    const steps = stepsOf(row);
    const kept = Array.from(steps.keys()).filter(act => Math.abs(steps[act] ?? 0) >= LEAST_STEPS);
    if (kept.length === 0) continue;
    features.push(feature);
    if (kept.length > MOST_ENTRIES) {
      places.push(~(full.length / actCount));
      for (const value of steps) full.push(value);
      continue;
    }
    places.push(entries.length);
    entries.push(kept.length);
    for (const act of kept) entries.push(packedEntry(act, steps[act] ?? 0));
  }
  return {
    model: {
      places: of,
      full: packRows(Int8Array.from(full), actCount),
      entries: Uint16Array.from(entries),
      scale: Math.fround(scale),
      bias: bias.map(value => Math.fround(Math.round(value * 1000) / 1000)),
    },
    known: { of, features: Uint32Array.from(features), places: Int32Array.from(places) },
  };
}
