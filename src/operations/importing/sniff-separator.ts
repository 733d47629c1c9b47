export type Separator = ',' | '\t' | ';' | '|';

/** In order of preference when a line holds as many of each. */
const CANDIDATES = [',', '\t', ';'] as const;
const QUOTE = '"';

/** By which spreadsheets are told the separator of a file, as its first line. */
const NAMED = /^\s*"?sep=([,;|\t])"?[ \t]*(?:\r\n|\n|\r|$)/i;

export interface SeparatedText {
  separator: Separator;
  /** Without a line that names the separator; line numbers stay. */
  text: string;
}

/** The separator that the file names in a line `sep=;`, else the one that it is seen to have. Source: D6.4 */
export function separatedText(fileName: string, text: string): SeparatedText {
  const named = NAMED.exec(text);
  if (!named) return { separator: sniffSeparator(fileName, text), text };
  return { separator: named[1] as Separator, text: `\n${text.slice(named[0].length)}` };
}

/**
 * What separates the cells of a file: told by a `.tsv` name, else the candidate that the header holds most.
 *
 * Why:    spreadsheets save `.csv` with tabs or semicolons in some locales, so `.csv` alone decides nothing
 * Shape:  a comma when the header has one column
 * Source: D6.4
 */
function sniffSeparator(fileName: string, text: string): Separator {
  if (/\.(tsv|tab)$/i.test(fileName)) return '\t';
  const counts = countOutsideQuotes(text);
  return CANDIDATES.reduce<(typeof CANDIDATES)[number]>((best, candidate) => (counts[candidate] > counts[best] ? candidate : best), ',');
}

/** Counts up to the end of the first line that is not blank. */
function countOutsideQuotes(text: string): Record<(typeof CANDIDATES)[number], number> {
  const counts = { ',': 0, '\t': 0, ';': 0 };
  let quoted = false;
  let blank = true;
  for (const char of text) {
    if (char === QUOTE) quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) {
      if (!blank) break;
    } else if (!quoted && (char === ',' || char === '\t' || char === ';')) counts[char] += 1;
    blank &&= char.trim() === '';
  }
  return counts;
}
