import type { ReadNumber } from './number-parser.ts';

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );

const SMALL = new Map<string, number>([
  ...ONES.map((word, value) => [word, value] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
  ...ORDINALS.map((word, value) => [word, value] as const),
  ['twentieth', 20],
  ['thirtieth', 30],
]);
const LARGE = new Map([
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
]);
const WORD = /[a-z]+/y;

/** Returns the value of a digit in English, or undefined. */
export function englishDigit(word: string): number | undefined {
  if (word === 'oh') return 0;
  const value = ONES.indexOf(word);
  return value >= 0 && value <= 9 ? value : undefined;
}

/**
 * Reads English number words from `start`: `three hundred and twelve`, `two and a half`, `twenty five`, `twentieth`.
 *
 * Shape: null when no number starts there
 */
export function readEnglishNumber(text: string, start: number): ReadNumber | null {
  const state = { total: 0, section: 0, end: -1, at: start };
  for (let word = wordAt(text, state.at); word !== ''; word = wordAt(text, state.at)) {
    if (!takeWord(word, text, state)) break;
  }
  return state.end < 0 ? null : { value: state.total + state.section, start, end: state.end };
}

interface EnglishState {
  total: number;
  section: number;
  /** Current end of the number; −1 before its first word. */
  end: number;
  at: number;
}

function takeWord(word: string, text: string, state: EnglishState): boolean {
  const small = SMALL.get(word);
  const large = LARGE.get(word);
  if (small !== undefined) state.section += small;
  else if (word === 'hundred') state.section = (state.section || 1) * 100;
  else if (large !== undefined) {
    state.total += (state.section || 1) * large;
    state.section = 0;
  } else if (state.end >= 0 && (word === 'and' || word === 'a')) return skip(word, text, state);
  else if (word === 'dozen') state.section = (state.section || 1) * 12;
  else if (state.end >= 0 && word === 'half' && text.slice(state.end, state.at).includes('and')) state.section += 0.5;
  else if (state.end < 0 && word === 'half' && HALF_A.test(text.slice(state.at))) return skipHalf(text, state);
  else if (state.end >= 0 && word === 'point') return takeDecimals(text, state);
  else return false;
  state.end = state.at + word.length;
  return skip(word, text, state);
}

/** Such as `half a million`. */
const HALF_A = /^half an? (?=dozen|hundred|thousand|million|billion)/;

function skipHalf(text: string, state: EnglishState): boolean {
  state.section = 0.5;
  state.at += HALF_A.exec(text.slice(state.at))?.[0].length ?? 0;
  return true;
}

/** `one point five`: the decimals follow digit by digit. */
function takeDecimals(text: string, state: EnglishState): boolean {
  let digits = '';
  let at = state.at + 'point '.length;
  for (let digit = englishDigit(wordAt(text, at)); digit !== undefined; digit = englishDigit(wordAt(text, at))) {
    digits += digit;
    state.end = at + wordAt(text, at).length;
    at = state.end + 1;
  }
  if (digits === '') return false;
  state.section += Number(`0.${digits}`);
  state.at = at;
  return true;
}

function skip(word: string, text: string, state: EnglishState): boolean {
  const next = state.at + word.length;
  state.at = next + (/^[\s-]/.test(text.slice(next)) ? 1 : 0);
  return state.at > next;
}

function wordAt(text: string, at: number): string {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? '';
}
