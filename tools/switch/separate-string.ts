/**
 * How FreeSWITCH splits text into arguments: every split removes quotes and escapes, so a value in `{}` loses them three times (spaces,
 * commas, equal signs).
 *
 * Source: test/fixtures/esl/README.md §7.8, recordings p3-escaping and p3b-escaping
 */

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', s: ' ' };

/** Splits at runs of spaces outside quotes; the last of `max` parts keeps the rest. */
export function splitOnSpaces(text: string, max: number): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length && parts.length < max - 1) {
    const end = endOfWord(text, at);
    parts.push(cleanPart(text.slice(at, end), ''));
    at = skipSpaces(text, end);
  }
  if (at < text.length) parts.push(cleanPart(text.slice(at), ''));
  return parts;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}

function endOfWord(text: string, from: number): number {
  let isQuoted = false;
  for (let at = skipSpaces(text, from); at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === "'") isQuoted = !isQuoted;
    else if (char === ' ' && !isQuoted) return at;
  }
  return text.length;
}

/** Splits at `separator` outside quotes; a text that begins with `^^c` uses `c` as its separator. */
export function splitOn(text: string, separator: string, max: number): string[] {
  if (text.startsWith('^^') && text.length > 3) return splitOn(text.slice(3), text[2] ?? separator, max);
  if (separator === ' ') return splitOnSpaces(text, max);
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length && parts.length < max - 1; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (isQuote(text, at, isQuoted)) isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts.map(part => cleanPart(part, separator));
}

/** An apostrophe opens a quote only when another one follows. */
function isQuote(text: string, at: number, isQuoted: boolean): boolean {
  return text[at] === "'" && (isQuoted || text.includes("'", at + 1));
}

/** Removes quotes, escapes and outer spaces. */
function cleanPart(part: string, separator: string): string {
  let out = '';
  let kept = 0;
  let isQuoted = false;
  for (let at = skipSpaces(part, 0); at < part.length; at += 1) {
    const char = part[at] ?? '';
    const escaped = char === '\\' ? unescape(part[at + 1], separator) : null;
    if (escaped !== null) {
      out += escaped;
      kept = out.length;
      at += 1;
    } else if (isQuote(part, at, isQuoted)) {
      isQuoted = !isQuoted;
      if (isQuoted) kept = out.length;
    } else {
      out += char;
      if (char !== ' ' || isQuoted) kept = out.length;
    }
  }
  return out.slice(0, kept);
}

/** Meaning of `\char`; null when the backslash is an ordinary character. */
function unescape(char: string | undefined, separator: string): string | null {
  if (char === undefined) return null;
  if (char === "'" || char === '"' || char === '\\' || (separator !== '' && char === separator)) return char;
  return ESCAPES[char] ?? null;
}
