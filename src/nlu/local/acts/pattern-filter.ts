import { neededChars } from './needed-chars.ts';

/** Selects the patterns that may match a text by its characters alone. */
export interface PatternFilter {
  patterns: readonly RegExp[];
  /** Writes the indexes of the patterns that may match the text, in order; returns their number. */
  candidates(text: string, into: Uint8Array): number;
}

const BITS = 32;

/**
 * Builds the filter.
 *
 * Why: a pattern can match only a text that contains one of its required characters; testing all patterns costs more than the model does
 */
export function patternFilter(patterns: readonly RegExp[]): PatternFilter {
  const words = Math.ceil(patterns.length / BITS);
  const always = new Uint32Array(words);
  const byChar = new Map<number, Uint32Array>();
  patterns.forEach((pattern, index) => {
    const needed = neededChars(pattern);
    if (!needed) mark(always, index);
    else for (const char of needed) mark(maskOf(char.charCodeAt(0)), index);
  });
  const table = tableOf(byChar, words);
  const union = new Uint32Array(words);
  return {
    patterns,
    candidates(text, into) {
      union.set(always);
      for (let at = 0; at < text.length; at += 1) {
        const start = (table.places[text.charCodeAt(at)] ?? 0) * words;
        for (let word = 0; word < words; word += 1) union[word] = (union[word] as number) | (table.masks[start + word] as number);
      }
      return listBits(union, into);
    },
  };

  function maskOf(code: number): Uint32Array {
    const mask = byChar.get(code) ?? new Uint32Array(words);
    byChar.set(code, mask);
    return mask;
  }
}

/** Concatenates the masks, the first of them empty, with each character's index: a lookup without a search. */
function tableOf(byChar: ReadonlyMap<number, Uint32Array>, words: number): { places: Uint16Array; masks: Uint32Array } {
  const places = new Uint16Array(Math.max(0, ...byChar.keys()) + 1);
  const masks = new Uint32Array((byChar.size + 1) * words);
  let place = 0;
  for (const [char, mask] of byChar) {
    place += 1;
    places[char] = place;
    masks.set(mask, place * words);
  }
  return { places, masks };
}

function mark(mask: Uint32Array, index: number): void {
  mask[index >> 5] = (mask[index >> 5] ?? 0) | (1 << (index & 31));
}

function listBits(union: Uint32Array, into: Uint8Array): number {
  let count = 0;
  for (let word = 0; word < union.length; word += 1) {
    for (let bits = union[word] ?? 0; bits !== 0; bits &= bits - 1) {
      into[count] = word * BITS + 31 - Math.clz32(bits & -bits);
      count += 1;
    }
  }
  return count;
}
