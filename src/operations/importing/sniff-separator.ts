export type Separator = ',' | '\t' | ';' | '|';

/** In order of preference when a line holds as many of each. */
const CANDIDATES = [',', '\t', ';'] as const;
type Candidate = (typeof CANDIDATES)[number];
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

const NONE: Readonly<Record<Candidate, number>> = { ',': 0, '\t': 0, ';': 0 };
/** Lines at the top by which the separator is told: titles may stand above the table. */
const LINES = 20;

/**
 * What separates the cells of a file: told by a `.tsv` name, else the candidate that most of the first lines hold, and of several the one that stands most often
 * in the first line with any.
 *
 * Why:    spreadsheets save `.csv` with tabs or semicolons in some locales, so `.csv` alone decides nothing
 * Shape:  a comma when the file has one column
 * Source: D6.4
 */
function sniffSeparator(fileName: string, text: string): Separator {
  if (/\.(tsv|tab)$/i.test(fileName)) return '\t';
  const lines = countOutsideQuotes(text);
  const first = lines.find(line => CANDIDATES.some(candidate => line[candidate] > 0)) ?? NONE;
  const weigh = (candidate: Candidate) => [lines.filter(line => line[candidate] > 0).length, first[candidate]] as const;
  return CANDIDATES.reduce<Candidate>((best, candidate) => (isMore(weigh(candidate), weigh(best)) ? candidate : best), ',');
}

type Weight = readonly [lines: number, times: number];

function isMore([lines, times]: Weight, [otherLines, otherTimes]: Weight): boolean {
  return lines > otherLines || (lines === otherLines && times > otherTimes);
}

/** Of each of the first lines that are not blank. */
function countOutsideQuotes(text: string): Record<Candidate, number>[] {
  const lines: Record<Candidate, number>[] = [];
  let counts = { ...NONE };
  let quoted = false;
  let blank = true;
  for (const char of text) {
    if (char === QUOTE) quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) {
      if (!blank && lines.push(counts) === LINES) return lines;
      counts = { ...NONE };
      blank = true;
    } else if (!quoted && (char === ',' || char === '\t' || char === ';')) counts[char] += 1;
    blank &&= char.trim() === '';
  }
  return [...lines, counts];
}
