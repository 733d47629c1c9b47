import { featureTable } from '#companions/nlu/local/acts/feature-table.ts';
import { type LinearModel, packedEntry } from '#companions/nlu/local/acts/linear-model.ts';
import type { FittedModel } from './fit-linear.ts';

/** The largest byte; a few larger weights are clipped to it. */
const LARGEST = 127;
const CLIPPED_SHARE = 0.0005;
/** The scale is told from every so manieth weight: sorting all of them costs as much as an epoch. */
const SAMPLED_ONE_IN = 16;
/** A weight of fewer steps than this is left out: most of a row says only "slightly unlikely". */
const LEAST_STEPS = 28;

/** A model that still knows its features, to be written down. */
export interface LearnedModel extends LinearModel {
  /** The feature hash of each row. */
  features: Uint32Array;
}

/** Makes bytes of the weights and drops those that hardly count. */
export function quantized({ rows, weights, bias }: FittedModel, actCount: number): LearnedModel {
  const magnitudes = weights
    .filter((_, at) => at % SAMPLED_ONE_IN === 0)
    .map(Math.abs)
    .sort();
  const top = magnitudes[Math.floor(magnitudes.length * (1 - CLIPPED_SHARE)) - 1] ?? 1;
  const scale = top / LARGEST;
  const kept = { features: [] as number[], starts: [0], entries: [] as number[] };
  for (const [feature, row] of [...rows].sort(([one], [other]) => one - other)) {
    const before = kept.entries.length;
    for (let act = 0; act < actCount; act += 1) {
      const steps = Math.max(-LARGEST, Math.min(LARGEST, Math.round((weights[row * actCount + act] ?? 0) / scale)));
      if (Math.abs(steps) < LEAST_STEPS) continue;
      kept.entries.push(packedEntry(act, steps));
    }
    if (kept.entries.length === before) continue;
    kept.features.push(feature);
    kept.starts.push(kept.entries.length);
  }
  return {
    features: Uint32Array.from(kept.features),
    rows: featureTable(Uint32Array.from(kept.features)),
    starts: Uint32Array.from(kept.starts),
    entries: Uint16Array.from(kept.entries),
    scale: Math.fround(scale),
    bias: bias.map(value => Math.fround(Math.round(value * 1000) / 1000)),
  };
}
