/**
 * Feature hashes → rows in one flat table with open addressing.
 *
 * Why: a Map of numbers costs four times the memory, and a miss of the processor's cache at each step
 */
export interface FeatureTable {
  size: number;
  /** The row of a feature, or −1. */
  rowOf(feature: number): number;
}

/** Fuller than this a search takes too many steps; emptier the table fills the processor's cache with nothing. */
const LOAD = 0.8;

/** Builds the table; `features[row]` is the hash of that row. A slot holds a hash with its row + 1 beside it, so that one line of the cache tells both. */
export function featureTable(features: Uint32Array): FeatureTable {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, features.length / LOAD)));
  const mask = size - 1;
  const slots = new Uint32Array(2 * size);
  features.forEach((feature, row) => {
    let slot = feature & mask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    slots[2 * slot] = feature;
    slots[2 * slot + 1] = row + 1;
  });
  return {
    size: features.length,
    rowOf(feature) {
      for (let slot = feature & mask; ; slot = (slot + 1) & mask) {
        const next = slots[2 * slot + 1] ?? 0;
        if (next === 0 || slots[2 * slot] === feature) return next - 1;
      }
    },
  };
}
