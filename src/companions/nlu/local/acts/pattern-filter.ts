/** Patterns that may match a text, told by its characters alone. */
export interface PatternFilter {
  patterns: readonly RegExp[];
  /** Writes the indexes of the patterns that share a character with the text; returns how many. */
  candidates(text: string, into: Uint8Array): number;
}

const LITERAL = /[\p{Script=Han}a-z\d]/gu;
/** Escapes and properties whose letters are not literals. */
const NOT_LITERAL = /\\p\{[^}]*\}|\\[a-z]|\{\d*,?\d*\}|\(\?[:!=<]+/gu;
const BITS = 32;

/**
 * Compiles the filter.
 *
 * Why: a pattern can match only a text that holds one of its literal characters; testing all of them costs more than the model does
 */
export function patternFilter(patterns: readonly RegExp[]): PatternFilter {
  const words = Math.ceil(patterns.length / BITS);
  const masks = new Map<number, Uint32Array>();
  patterns.forEach((pattern, index) => {
    for (const [char] of pattern.source.replace(NOT_LITERAL, ' ').matchAll(LITERAL)) {
      const mask = masks.get(char.charCodeAt(0)) ?? new Uint32Array(words);
      masks.set(char.charCodeAt(0), mask);
      mask[index >> 5] = (mask[index >> 5] ?? 0) | (1 << (index & 31));
    }
  });
  const union = new Uint32Array(words);
  return {
    patterns,
    candidates(text, into) {
      union.fill(0);
      for (let at = 0; at < text.length; at += 1) {
        const mask = masks.get(text.charCodeAt(at));
        if (mask === undefined) continue;
        for (let word = 0; word < words; word += 1) union[word] = (union[word] ?? 0) | (mask[word] ?? 0);
      }
      return listBits(union, into);
    },
  };
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
