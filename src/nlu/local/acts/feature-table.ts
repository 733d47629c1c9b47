/**
 * Map from feature hashes to rows, as one flat table with open addressing.
 *
 * Why: a Map of numbers takes four times the memory, and misses the CPU cache at each step
 */
export interface FeatureTable {
  /** Returns the row of a feature, or −1. */
  rowOf(feature: number): number;
}

/** Load factor: a fuller table needs too many probes, an emptier one wastes CPU cache. */
const LOAD = 0.8;
/** Multiplier that spreads neighbouring hashes over the whole table. */
const SPREAD = 0x9e3779b1;

/** Builds the table; `features[row]` is the hash of that row. A slot holds the hash next to row + 1, so that one cache line contains both. */
export function featureTable(features: Uint32Array): FeatureTable {
  const size = Math.max(2, Math.ceil(features.length / LOAD));
  const share = size / 2 ** 32;
  const slots = new Uint32Array(2 * size);
  const firstSlot = (feature: number): number => Math.floor((Math.imul(feature, SPREAD) >>> 0) * share);
  const after = (slot: number): number => (slot + 1 === size ? 0 : slot + 1);
  features.forEach((feature, row) => {
    let slot = firstSlot(feature);
    while (slots[2 * slot + 1] !== 0) slot = after(slot);
    slots[2 * slot] = feature;
    slots[2 * slot + 1] = row + 1;
  });
  return {
    rowOf(feature) {
      for (let slot = firstSlot(feature); ; slot = after(slot)) {
        const next = slots[2 * slot + 1] ?? 0;
        if (next === 0 || slots[2 * slot] === feature) return next - 1;
      }
    },
  };
}
