import { type Random, randomInt, randomPick, seededRandom } from '#kernel/random.ts';

/** Seeded random draws with the methods that a scenario needs. */
export interface Dice extends Random {
  /** True with this probability. */
  chance(probability: number): boolean;
  /** An integer in [min, max]. */
  between(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Creates a separate random stream for each concern, so that draws of one do not shift those of another. */
export function dice(seed: number, stream: string): Dice {
  const random = seededRandom(mix(seed, stream));
  const next = () => random.next();
  return {
    next,
    chance: probability => next() < probability,
    between: (min, max) => randomInt(random, min, max),
    pick: items => randomPick(random, items),
  };
}

/** FNV-1a hash of seed and name. */
function mix(seed: number, stream: string): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}:${stream}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}
