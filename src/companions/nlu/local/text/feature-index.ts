import type { FeatureSet } from './features.ts';

/**
 * Where each model keeps what it knows of a feature: one table with open addressing for all of them.
 *
 * Why:   a table for each would make the processor wait for each; so one line of its cache tells all, and four slots are one line
 * Shape: a slot is four words: the feature's hash, 0 where the slot is free, and its place in each model, 0 where that does not know it
 */
export type FeatureIndex = Int32Array;

/** The word of a slot that holds a model's place. */
export const PLACE = { utterances: 1, descriptions: 2, vectors: 3 } as const;
export type PlaceOf = (typeof PLACE)[keyof typeof PLACE];

const SLOT_WORDS = 4;
const LINE_WORDS = 16;
/** Fuller than this a search takes too many steps; emptier the table fills the processor's cache with nothing. */
const LOAD = 0.8;
/** Spreads neighbouring hashes over all of the table. */
const SPREAD = 0x9e3779b1;

/** What one model knows: feature hashes with the place of each. */
export interface PlacedFeatures {
  of: PlaceOf;
  features: Uint32Array;
  /** Never 0. */
  places: Int32Array;
}

/** Joins what the models know; the one feature whose hash is 0 is left out. */
export function featureIndex(models: readonly PlacedFeatures[]): FeatureIndex {
  const known = new Set(models.flatMap(({ features }) => [...features]));
  known.delete(0);
  const index = new Int32Array(LINE_WORDS * Math.max(1, Math.ceil((known.size * SLOT_WORDS) / LOAD / LINE_WORDS)));
  // In the order of the hashes, so that the same features lie in the same slots.
  for (const feature of Uint32Array.from(known).sort()) index[slotOf(index, feature)] = feature;
  for (const { of, features, places } of models)
    features.forEach((feature, at) => {
      if (feature !== 0) index[slotOf(index, feature) + of] = places[at] ?? 0;
    });
  return index;
}

/** Finds the features in the index: the first `found` of the set's `slots` are theirs. */
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

/** The word at which a feature's slot starts, or else the free one where it would be. */
function slotOf(index: FeatureIndex, feature: number): number {
  const hash = feature | 0;
  const lines = index.length / LINE_WORDS;
  let slot = LINE_WORDS * Math.floor(((Math.imul(feature, SPREAD) >>> 0) / 2 ** 32) * lines);
  while (index[slot] !== 0 && index[slot] !== hash) slot = slot + SLOT_WORDS === index.length ? 0 : slot + SLOT_WORDS;
  return slot;
}
