import { englishDigit } from './english-numbers.ts';
import { lastCorrection, type Span } from './spoken-text.ts';

/** Digits read out one after the other, without pauses and fillers. */
export interface DigitRun extends Span {
  digits: string;
  /** The digits between pauses. */
  groups: string[];
  /** Whether `不是` directly precedes it: the speaker denies the digits. */
  denied: boolean;
}

/** Characters for each spoken digit; 洞 幺 拐 勾 are radio forms. */
const SPOKEN = ['零〇洞', '幺一壹', '两二贰', '三叁', '四肆', '五伍', '六陆', '七柒拐', '八捌', '九玖勾'];
const DIGITS = new Map(SPOKEN.flatMap((chars, digit) => Array.from(`${digit}${chars}`, char => [char, String(digit)] as const)));
const PAUSE =
  /(?:(?:最后|末尾)?一位(?=是|叉|x)|[\s\-—,，、.。()（）+]|嗯|呃|额|啊|哎|那个|然后|接着|后面|前面|中间|最后|再就|再|对|就|是|(?<=\d)and)+/y;
const REPEATED = /([两二三四五])个([零〇洞幺一二两三四五六七八九\d])/y;
const ENGLISH = /[a-z]+/y;
/** Characters that make the preceding digits a year, a day or an amount. */
const COUNTED = /[年月岁块元]/;
/** Least digits of a number that is read out. */
const MIN_DIGITS = 2;

/** Lists the digit runs of a folded utterance; an X may end one (identity numbers). */
export function findDigitRuns(text: string): DigitRun[] {
  const runs: DigitRun[] = [];
  for (let at = 0; at < text.length; ) {
    const run = readRun(text, at);
    if (run && run.digits.length >= MIN_DIGITS) runs.push(run);
    at = run ? run.end : at + 1;
  }
  return joinCorrected(runs, text);
}

function readRun(text: string, start: number): DigitRun | null {
  const groups: string[] = [];
  let end = start;
  let at = start;
  for (;;) {
    const piece = readPiece(text, at);
    if (piece) {
      const joins = at === end && groups.length > 0 && end > start;
      if (joins) groups.push((groups.pop() ?? '') + piece.digits);
      else groups.push(piece.digits);
      at = piece.end;
      end = at;
      continue;
    }
    const next = groups.length > 0 ? afterPause(text, at) : at;
    if (next === at) break;
    at = next;
  }
  // `… 四零五七 六八年生的`: the year does not belong to the number.
  const last = groups.at(-1) ?? '';
  if (groups.length > 1 && last.length <= 4 && COUNTED.test(text.charAt(end))) {
    groups.pop();
    end = text.slice(0, end - last.length).trimEnd().length;
  }
  if (groups.length === 0) return null;
  return { digits: groups.join(''), groups, start, end, denied: text.slice(Math.max(0, start - 2), start) === '不是' };
}

function readPiece(text: string, at: number): { digits: string; end: number } | null {
  const char = text.charAt(at);
  const digit = digitOf(char);
  if (digit !== '') {
    REPEATED.lastIndex = at;
    const repeated = text.charAt(at + 1) === '个' ? REPEATED.exec(text) : null;
    if (repeated) return { digits: digitOf(repeated[2] ?? '').repeat(Number(digit)), end: at + repeated[0].length };
    return text.startsWith('一位', at) ? null : { digits: digit, end: at + 1 };
  }
  if (char === '叉' || (char === 'x' && !/[a-z]/.test(text.charAt(at + 1))))
    return at > 0 && (digitOf(text.charAt(at - 1)) !== '' || text.charAt(at - 1) === '是') ? { digits: 'X', end: at + 1 } : null;
  if (char < 'a' || char > 'z') return null;
  ENGLISH.lastIndex = at;
  const word = ENGLISH.exec(text)?.[0];
  const value = word === undefined ? undefined : englishDigit(word);
  return value === undefined || word === undefined ? null : { digits: String(value), end: at + word.length };
}

function digitOf(char: string): string {
  return DIGITS.get(char) ?? '';
}

function afterPause(text: string, at: number): number {
  PAUSE.lastIndex = at;
  const pause = PAUSE.exec(text)?.[0];
  return pause === undefined ? at : at + pause.length;
}

/** Digits from which a correction replaces the whole preceding number; a shorter one replaces only its end. */
const WHOLE_NUMBER_DIGITS = 7;

/** `138 1234 5679 不对 5678`: the corrected digits replace as many at the end. */
function joinCorrected(runs: DigitRun[], text: string): DigitRun[] {
  const corrected = lastCorrection(text);
  const after = runs.find(run => corrected >= 0 && run.start >= corrected);
  if (!after) return runs;
  const before = runs.findLast(run => run.end <= corrected);
  if (!before) return runs;
  if (after.digits.length >= WHOLE_NUMBER_DIGITS && before.digits.length + after.digits.length !== MOBILE_DIGITS)
    return runs.filter(run => run.start >= corrected);
  const kept =
    before.digits.length >= WHOLE_NUMBER_DIGITS ? before.digits.slice(0, -after.digits.length) : before.groups.slice(0, -1).join('');
  const joined: DigitRun = { ...after, start: before.start, digits: kept + after.digits, groups: [kept, ...after.groups] };
  return [...runs.filter(run => run !== before && run !== after), joined];
}

const MOBILE_DIGITS = 11;
