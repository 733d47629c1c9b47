export type Separator = ',' | '\t' | ';';

/** In order of preference when a line holds as many of each. */
const CANDIDATES: readonly Separator[] = [',', '\t', ';'];
const QUOTE = '"';

/**
 * What separates the cells of a file: told by a `.tsv` name, else the candidate that the header holds most.
 *
 * Why:    spreadsheets save `.csv` with tabs or semicolons in some locales, so `.csv` alone decides nothing
 * Shape:  a comma when the header has one column
 * Source: D6.4
 */
export function sniffSeparator(fileName: string, text: string): Separator {
  if (/\.(tsv|tab)$/i.test(fileName)) return '\t';
  const counts = countOutsideQuotes(text);
  return CANDIDATES.reduce((best, candidate) => (counts[candidate] > counts[best] ? candidate : best));
}

/** Counts up to the end of the first line that is not blank. */
function countOutsideQuotes(text: string): Record<Separator, number> {
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
