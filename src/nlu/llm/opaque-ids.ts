import { type Random, randomInt } from '#kernel/random.ts';

const LETTERS = 'abcdefghjkmnpqrstuvwxyz';
const LENGTH = 5;

/** Generates distinct ids that carry no meaning and cannot be guessed. */
export function opaqueIds(count: number, random: Random): string[] {
  const ids = new Set<string>();
  while (ids.size < count) {
    ids.add(Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(random, 0, LETTERS.length - 1))).join(''));
  }
  return [...ids];
}
