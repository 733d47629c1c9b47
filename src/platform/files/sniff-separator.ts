export type Separator = ',' | '\t' | ';' | '|';

/** In order of preference when several occur equally often. */
const CANDIDATES = [',', '\t', ';'] as const;
type Candidate = (typeof CANDIDATES)[number];
const QUOTE = '"';

/** First line by which a file names its separator to spreadsheets. */
const NAMED = /^\s*"?sep=([,;|\t])"?[ \t]*(?:\r\n|\n|\r|$)/i;

export interface SeparatedText {
  separator: Separator;
  /** Text without the line that names the separator; line numbers are preserved. */
  text: string;
}

/** Takes the separator from a line `sep=;`, else detects it. Source: D6.4 */
export function separatedText(fileName: string, text: string): SeparatedText {
  const named = NAMED.exec(text);
  if (!named) return { separator: sniffSeparator(fileName, text), text };
  return { separator: named[1] as Separator, text: `\n${text.slice(named[0].length)}` };
}

const NONE: Readonly<Record<Candidate, number>> = { ',': 0, '\t': 0, ';': 0 };
/** Number of leading lines examined: titles may precede the table. */
const LINES = 20;

/**
 * Detects the separator of a file: a tab for a `.tsv` name, else the candidate that occurs in most of the first lines, and among several the
 * most frequent one in the first line that contains any.
 *
 * Why:    in some locales spreadsheets save `.csv` with tabs or semicolons, so the extension `.csv` is no evidence
 * Shape:  a comma for a file with one column
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

/** Counts the candidates outside quotes in each of the first non-blank lines. */
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
