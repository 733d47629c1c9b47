import { type Random, randomInt, randomPick, seededRandom } from '#kernel/random.ts';

/** Seeded chance with the words that a scenario needs. */
export interface Dice extends Random {
  /** True with this probability. */
  chance(probability: number): boolean;
  /** Integer in [min, max]. */
  between(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
}

/** A stream of its own for each concern, so that one concern's use of chance does not move another's. */
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

/** FNV-1a over seed and name. */
function mix(seed: number, stream: string): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}:${stream}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}
