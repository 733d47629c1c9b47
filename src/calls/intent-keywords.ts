/** Finds the keywords that a text contains. */
export interface KeywordMatcher {
  /** Keywords in order of first appearance, without duplicates, in the campaign's spelling. */
  match(text: string): string[];
}

/**
 * Compiles keywords into one regular expression: a single pass finds all of them, preferring the longest at each position.
 *
 * Why:    ignores case and character width (ＡＢＣ matches abc), because speech recognition produces either
 * Source: OCS 4.12 rule 2, D5.4
 */
export function compileKeywords(keywords: readonly string[]): KeywordMatcher | null {
  const spellings = new Map(keywords.map(keyword => [fold(keyword), keyword]));
  spellings.delete('');
  if (spellings.size === 0) return null;
  const longestFirst = [...spellings.keys()].sort((a, b) => b.length - a.length);
  const expression = new RegExp(longestFirst.map(escapePattern).join('|'), 'gu');
  return {
    match(text) {
      const found = fold(text).match(expression) ?? [];
      return [...new Set(found)].flatMap(spelling => spellings.get(spelling) ?? []);
    },
  };
}

/** NFKC converts full-width letters and digits to ASCII. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
