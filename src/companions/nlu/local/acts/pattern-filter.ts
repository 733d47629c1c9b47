import { neededChars } from './needed-chars.ts';

/** Patterns that may match a text, told by its characters alone. */
export interface PatternFilter {
  patterns: readonly RegExp[];
  /** Writes the indexes of the patterns that may match the text, in their order; returns how many. */
  candidates(text: string, into: Uint8Array): number;
}

const BITS = 32;

/**
 * Compiles the filter.
 *
 * Why: a pattern can match only a text that holds one of the characters that it needs; testing all of them costs more than the model does
 */
export function patternFilter(patterns: readonly RegExp[]): PatternFilter {
  const words = Math.ceil(patterns.length / BITS);
  const masks = new Map<number, Uint32Array>();
  const always = new Uint32Array(words);
  patterns.forEach((pattern, index) => {
    const needed = neededChars(pattern);
    if (!needed) mark(always, index);
    else for (const char of needed) mark(maskOf(char.charCodeAt(0)), index);
  });
  const union = new Uint32Array(words);
  return {
    patterns,
    candidates(text, into) {
      union.set(always);
      for (let at = 0; at < text.length; at += 1) {
        const mask = masks.get(text.charCodeAt(at));
        if (mask === undefined) continue;
        for (let word = 0; word < words; word += 1) union[word] = (union[word] ?? 0) | (mask[word] ?? 0);
      }
      return listBits(union, into);
    },
  };

  function maskOf(code: number): Uint32Array {
    const mask = masks.get(code) ?? new Uint32Array(words);
    masks.set(code, mask);
    return mask;
  }
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
