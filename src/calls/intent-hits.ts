import type { LiveSegment } from './ports-live-call-store.ts';
import type { IntentHit } from '#actors/call/watch.ts';
import { compileKeywords, type KeywordMatcher } from './intent-keywords.ts';

/** Keyed by the list itself, so that the compiled keywords live as long as the cached list. */
const compiled = new WeakMap<readonly string[], KeywordMatcher | null>();

/** Finds the intent keywords in a final caption of the customer. Source: OCS 4.12 rule 2 */
export function intentHits(keywords: readonly string[], { segmentId, speaker, final, text, at }: LiveSegment): IntentHit[] {
  if (keywords.length === 0 || speaker !== 'customer' || !final) return [];
  const found = matcherOf(keywords)?.match(text) ?? [];
  return found.map(keyword => ({ keyword, segmentId, at }));
}

function matcherOf(keywords: readonly string[]): KeywordMatcher | null {
  const known = compiled.get(keywords);
  if (known !== undefined) return known;
  const matcher = compileKeywords(keywords);
  compiled.set(keywords, matcher);
  return matcher;
}
