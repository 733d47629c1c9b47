import { type Random, randomInt } from '#kernel/random.ts';

const LETTERS = 'abcdefghjkmnpqrstuvwxyz';
const LENGTH = 5;

/** Distinct ids that say nothing and that nobody outside can guess. */
export function opaqueIds(count: number, random: Random): string[] {
  const ids = new Set<string>();
  while (ids.size < count) {
    ids.add(Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(random, 0, LETTERS.length - 1))).join(''));
  }
  return [...ids];
}
