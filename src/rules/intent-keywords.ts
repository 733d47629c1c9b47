/** Finds the keywords that a text contains. */
export interface KeywordMatcher {
  /** Keywords in the order of their first appearance, each once, as the campaign spells them. */
  match(text: string): string[];
}

/**
 * Compiles keywords into one expression: many are looked for in one pass over the text, the longest first where several begin.
 *
 * Why:    case and width do not count (ＡＢＣ is abc): recognition writes either
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

/** NFKC makes full-width letters and digits their plain forms. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
