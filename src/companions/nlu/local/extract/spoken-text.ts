/** Of a longer utterance only the start is read for values. Characters. */
export const MAX_CHARS = 800;

const WIDE_FIRST = 0xff01;
const WIDE_LAST = 0xff5e;
const WIDE_SHIFT = 0xfee0;
const WIDE = /[\uff01-\uff5e\u3000]/g;

/** Only characters that stand for themselves: most utterances are of these alone. */
const FOLDED = /^[\d .,?!a-z一-鿿]*$/;

/**
 * The utterance in half-width lower case, character for character: a position in it is a position in what was said.
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

/** What parts clauses. */
const PAUSES = ' ,，。;；';

/** Where the clause of a position starts. */
export function clauseStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !PAUSES.includes(text.charAt(start - 1))) start -= 1;
  return start;
}

/** A stretch of the utterance, end excluded. */
export interface Span {
  start: number;
  end: number;
}

/** Every match of a global pattern. `matchAll` copies the pattern each time, which costs more than the search. */
export function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
}

/** Takes back what was said before. `不是` does so only when a pause follows; otherwise it denies what comes after it. */
const CORRECTION =
  /不对|错了|说错|(?<=[\s,，])算了(?=[\s,，])|(?:哦|喔|啊)不行|改成|改到|(?<=[\s,，])(?:不+|唔系|改)(?=[\s,，])|(?:哦|喔|噢|啊|哎)\s*不(?!是)|不是(?=[\s,，。、!！]|不是)|应该是|更正|\bno wait\b|\bsorry\b|\bi mean\b|\bactually\b/g;

/** What no correction goes without. */
const CORRECTS = /[不唔错算改应更a-z]/;

/** Where the last correction ends, or −1. */
export function lastCorrection(text: string): number {
  let end = -1;
  if (!CORRECTS.test(text)) return end;
  for (const match of matchesOf(CORRECTION, text)) end = match.index + match[0].length;
  return end;
}

const REFUSED_AFTER =
  /^[\s,，]*(?:那天|的话|我|都|也|就|肯定|恐怕|可能|真|实在|绝对|是)*(?:不行|不可以|不能|没空|没时间|不方便|来不了|去不了|有事|不在|不成|不得空|出差|除外|以外|(?:才|就)?(?:下班|上班|放学|开会|睡觉|起床)(?!后|以后|之后|再))/;
const DENIED_BEFORE = /(?:不是|不要|别|除了)$/;
/** How each of them ends. */
const DENIAL_ENDS = new Set('是要别了');

/** Whether the speaker rules this value out: `周三不行`, `不是1501…`; a correction just before it does not. */
function isRuledOut(text: string, { start, end }: Span, corrected: number): boolean {
  if (REFUSED_AFTER.test(text.slice(end, end + 10))) return true;
  return start !== corrected && DENIAL_ENDS.has(text.charAt(start - 1)) && DENIED_BEFORE.test(text.slice(Math.max(0, start - 3), start));
}

/** What was, where what is now is told as well. */
export const FORMERLY = /(?:以前|之前|原来|从前|上回|上次|去年|上个?月|昨(?:天|晚上?)?|前天|上一[一-鿿])[^\s,，。]*$/;
export const NOW = /现在|如今|目前|这回|这次|今年|眼下|这会儿?|这个?月|本月|今天|这一[一-鿿]|这辆/;

/** The text with blanks in place of the clauses of former times, where others tell what is now: `以前在太钢 现在在富士康`. */
export function withoutFormer(text: string): string {
  if (!NOW.test(text)) return text;
  return text.replace(/[^\s,，。]+/g, clause => (FORMERLY.test(clause) && !NOW.test(clause) ? ' '.repeat(clause.length) : clause));
}

/** Of candidates in the order of the text: those after the last correction when there are any, without those ruled out. */
export function standing<Candidate extends Span>(candidates: readonly Candidate[], text: string): Candidate[] {
  if (candidates.length === 0) return [];
  const corrected = lastCorrection(text);
  const later = corrected < 0 ? [] : candidates.filter(candidate => candidate.start >= corrected);
  const current = later.length > 0 ? later : candidates;
  return current.filter(candidate => !isRuledOut(text, candidate, corrected));
}
