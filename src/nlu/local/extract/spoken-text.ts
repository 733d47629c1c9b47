/** Most characters of an utterance that are read for values. */
export const MAX_CHARS = 800;

const WIDE_FIRST = 0xff01;
const WIDE_LAST = 0xff5e;
const WIDE_SHIFT = 0xfee0;
const WIDE = /[\uff01-\uff5e\u3000]/g;

/** Fast path: characters that need no folding, of which most utterances consist. */
const FOLDED = /^[\d .,?!a-z一-鿿]*$/;

/**
 * Folds an utterance to half-width lower case, character by character: positions in it are positions in the original.
 */
export function foldedText(text: string): string {
  const bounded = text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text;
  if (FOLDED.test(bounded)) return bounded;
  const narrow = bounded.toWellFormed().replace(WIDE, wide => {
    const code = wide.charCodeAt(0);
    return code >= WIDE_FIRST && code <= WIDE_LAST ? String.fromCharCode(code - WIDE_SHIFT) : ' ';
  });
  const lower = narrow.toLowerCase();
  return lower.length === narrow.length ? lower : narrow;
}

/** Characters that separate clauses. */
const PAUSES = ' ,，。;；';

/** Start of the clause that contains a position. */
export function clauseStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !PAUSES.includes(text.charAt(start - 1))) start -= 1;
  return start;
}

/** A range of the utterance; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Returns every match of a global pattern. `matchAll` copies the pattern each time, which costs more than the search. */
export function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
}

/** Withdraws what was said before. `不是` does so only before a pause; otherwise it denies what follows. */
const CORRECTION =
  /不对|错了|说错|(?<=[\s,，])算了(?=[\s,，])|(?:哦|喔|啊)不行|改成|改到|(?<=[\s,，])(?:不+|唔系|改)(?=[\s,，])|(?:哦|喔|噢|啊|哎)\s*不(?!是)|不是(?=[\s,，。、!！]|不是)|应该是|更正|\bno wait\b|\bsorry\b|\bi mean\b|\bactually\b/g;

/** Every correction contains one of these characters. */
const CORRECTS = /[不唔错算改应更a-z]/;

/** End of the last correction; −1 when there is none. */
export function lastCorrection(text: string): number {
  let end = -1;
  if (!CORRECTS.test(text)) return end;
  for (const match of matchesOf(CORRECTION, text)) end = match.index + match[0].length;
  return end;
}

const REFUSED_AFTER =
  /^[\s,，]*(?:那天|的话|我|都|也|就|肯定|恐怕|可能|真|实在|绝对|是)*(?:不行|不可以|不能|没空|没时间|不方便|来不了|去不了|有事|不在|不成|不得空|出差|除外|以外|(?:才|就)?(?:下班|上班|放学|开会|睡觉|起床)(?!后|以后|之后|再))/;
const DENIED_BEFORE = /(?:不是|不要|别|除了)$/;
/** Last characters of `DENIED_BEFORE`. */
const DENIAL_ENDS = new Set('是要别了');

/** Whether the speaker rules the value out: `周三不行`, `不是1501…`; a correction directly before it does not. */
function isRuledOut(text: string, { start, end }: Span, corrected: number): boolean {
  if (REFUSED_AFTER.test(text.slice(end, end + 10))) return true;
  return start !== corrected && DENIAL_ENDS.has(text.charAt(start - 1)) && DENIED_BEFORE.test(text.slice(Math.max(0, start - 3), start));
}

/** Words for former times; where both occur, the present takes precedence. */
export const FORMERLY = /(?:以前|之前|原来|从前|上回|上次|去年|上个?月|昨(?:天|晚上?)?|前天|上一[一-鿿])[^\s,，。]*$/;
export const NOW = /现在|如今|目前|这回|这次|今年|眼下|这会儿?|这个?月|本月|今天|这一[一-鿿]|这辆/;

/** Blanks the clauses about former times when others are about the present: `以前在太钢 现在在富士康`. */
export function withoutFormer(text: string): string {
  if (!NOW.test(text)) return text;
  return text.replace(/[^\s,，。]+/g, clause => (FORMERLY.test(clause) && !NOW.test(clause) ? ' '.repeat(clause.length) : clause));
}

/** Filters candidates, which are in text order: those after the last correction, if there are any, without those that are ruled out. */
export function standing<Candidate extends Span>(candidates: readonly Candidate[], text: string): Candidate[] {
  if (candidates.length === 0) return [];
  const corrected = lastCorrection(text);
  const later = corrected < 0 ? [] : candidates.filter(candidate => candidate.start >= corrected);
  const current = later.length > 0 ? later : candidates;
  return current.filter(candidate => !isRuledOut(text, candidate, corrected));
}
