/** Most units that one text contributes. */
export const MAX_UNITS = 512;

/** Stands for a segment's edge. */
export const EDGE = 1;
const ANY_NUMBER = 2;

/**
 * Splits a normalised text: one unit a Chinese character, one a Latin word, one any Arabic number; segments stand between edges.
 *
 * Why: numbers and Latin words have no meaning letter by letter
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

/** A word's hash is above every character code; a text of digits counts as any number. */
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
