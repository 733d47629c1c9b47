import type { FeatureSet } from './features.ts';

/**
 * Maps a feature to its place in each model: one table with open addressing for all models.
 *
 * Why:   separate tables would each cost a cache miss; here one cache line serves all models, and holds four slots
 * Shape: a slot has four words: the hash of the feature, or 0 when the slot is free, and its place in each model, or 0 when the model does not
 *        know it
 */
export type FeatureIndex = Int32Array;

/** Offset, within a slot, of each model's place. */
export const PLACE = { utterances: 1, descriptions: 2, vectors: 3 } as const;
export type PlaceOf = (typeof PLACE)[keyof typeof PLACE];

const SLOT_WORDS = 4;
const LINE_WORDS = 16;
/** Load factor: a fuller table needs too many probes, an emptier one wastes CPU cache. */
const LOAD = 0.8;
/** Multiplier that spreads neighbouring hashes over the whole table. */
const SPREAD = 0x9e3779b1;

/** Features known to one model, with the place of each. */
export interface PlacedFeatures {
  of: PlaceOf;
  features: Uint32Array;
  /** Never 0. */
  places: Int32Array;
}

/** Merges the models' features; the feature with the hash 0 is left out. */
export function featureIndex(models: readonly PlacedFeatures[]): FeatureIndex {
  const known = new Set(models.flatMap(({ features }) => [...features]));
  known.delete(0);
  const index = new Int32Array(LINE_WORDS * Math.max(1, Math.ceil((known.size * SLOT_WORDS) / LOAD / LINE_WORDS)));
  // Inserted in the order of the hashes, so that the same features always get the same slots.
  for (const feature of Uint32Array.from(known).sort()) index[slotOf(index, feature)] = feature;
  for (const { of, features, places } of models)
    features.forEach((feature, at) => {
      if (feature !== 0) index[slotOf(index, feature) + of] = places[at] ?? 0;
    });
  return index;
}

/** Looks the features up in the index and writes the slots of the known ones, the first `found` of `slots`. */
export function findFeatures(index: FeatureIndex, into: FeatureSet): void {
  let found = 0;
  for (let at = 0; at < into.count; at += 1) {
    const slot = slotOf(index, into.ids[at] as number);
    if (index[slot] === 0) continue;
    into.slots[found] = slot;
    found += 1;
  }
  into.found = found;
}

/** Returns the first word of a feature's slot, or of the free slot where it would be. */
function slotOf(index: FeatureIndex, feature: number): number {
  const hash = feature | 0;
  const lines = index.length / LINE_WORDS;
  let slot = LINE_WORDS * Math.floor(((Math.imul(feature, SPREAD) >>> 0) / 2 ** 32) * lines);
  while (index[slot] !== 0 && index[slot] !== hash) slot = slot + SLOT_WORDS === index.length ? 0 : slot + SLOT_WORDS;
  return slot;
}
