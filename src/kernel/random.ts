/** The only source of randomness for decisions; seeded in the simulation and the companions. Secrets come from `node:crypto`. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
}

export const systemRandom: Random = { next: () => Math.random() };

/** Deterministic generator (mulberry32): the same seed gives the same sequence on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = state;
      t = Math.imul(t ^ (t >>> 15), t | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
    },
  };
}

/** Integer in [min, max], both included. */
export function randomInt(random: Random, min: number, max: number): number {
  return min + Math.floor(random.next() * (max - min + 1));
}

/** One element of a non-empty list. */
export function randomPick<T>(random: Random, items: readonly [T, ...T[]] | readonly T[]): T {
  const item = items[randomInt(random, 0, items.length - 1)];
  if (item === undefined) throw new RangeError('randomPick needs a non-empty list');
  return item;
}
