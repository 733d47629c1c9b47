/** Most units read from one text. */
export const MAX_UNITS = 512;

/** Marks the edge of a segment. */
export const EDGE = 1;
const ANY_NUMBER = 2;

/**
 * Splits a normalised text into units: each Chinese character, each Latin word, and any Arabic number are one unit; edges delimit segments.
 *
 * Why: the single letters and digits of words and numbers have no meaning
 */
export function textUnits(text: string, into: Uint32Array): number {
  let count = 0;
  into[count++] = EDGE;
  for (let at = 0; at < text.length && count < MAX_UNITS - 1; ) {
    const code = text.charCodeAt(at);
    if (code === 32) {
      if (into[count - 1] !== EDGE) into[count++] = EDGE;
      at += 1;
    } else if (isLatin(code)) {
      const end = latinEnd(text, at);
      into[count++] = wordHash(text, at, end);
      at = end;
    } else {
      into[count++] = code;
      at += 1;
    }
  }
  if (into[count - 1] !== EDGE) into[count++] = EDGE;
  return count;
}

function isLatin(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || code === 37 || (code >= 39 && code <= 58);
}

function latinEnd(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && isLatin(text.charCodeAt(end))) end += 1;
  return end;
}

/** Hash of a word, above every character code; a text of digits is the unit of any number. */
function wordHash(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  let digitsOnly = true;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 37 || code > 58) digitsOnly = false;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return digitsOnly ? ANY_NUMBER : (hash | 0x80000000) >>> 0;
}
