import { readEnglishNumber } from './english-numbers.ts';
import { type ReadNumber, readNumber, round, startsNumber } from './number-parser.ts';

/** Most numbers read from one utterance. */
const MAX_NUMBERS = 64;

/** A number with what stands after it. */
export interface FoundNumber extends ReadNumber {
  /** The measure word, `岁`, `个月`, `%`; empty when none follows. */
  unit: string;
}

/** Words that hold a numeral and say no number. */
const IDIOMS =
  /(\p{Script=Han})一\1|一(?:下|样|般|起|直|定|些|会儿?|边|切|共|旦|向|趟|声|半|家(?!\S?[口人])|辈子|块(?=[去来走儿过])|阵|路|条龙|律|时半会儿?|模一样|清二楚)|第[一二三四五六七八九十]|万一|统一|唯一|(?<!分)之一|十分(?=[满感高好喜非清])|千万(?=[别不要])|(?:星期|礼拜|周)[一二三四五六日天]|再三|两口子|三番|乱七八糟|七上八下|半(?:天|路|途)|一点(?![零一二三四五六七八九十\d半钟])|说一不二|[一二三四五六七八九十]月份?(?=[一二三四五六七八九十\d]+[号日])/gu;

const UNITS =
  /^(?:个半月|个月|个半|个小时|个钟头|小时|钟头|分钟|个星期|星期|个礼拜|礼拜|个周|周岁|周|岁半|岁|块钱|块|元钱|元|圆|毛|角|人民币|rmb|个人|个大人|口人|口|人|位|名|个|期|年半|年|天|日|号|月|平方米|平米|平方|平|㎡|分|星|颗星|级|成|折|斤半|斤|公斤|千克|箱|件|台|套|盒|瓶|份|张|本|只|条|辆|次|遍|点|楼|层|室|单元|栋|幢|弄|路|米|公里|里|打|双|对|桌|间|%|％|‰|g|m|kg|dollars?|yuan|people|persons?|years?|months?|days?|weeks?|hours?|minutes?)/;

/** Lists the numbers of a folded utterance, in order. */
export function findNumbers(text: string): FoundNumber[] {
  const blanked = text.replace(IDIOMS, idiom => '·'.repeat(idiom.length));
  const found: FoundNumber[] = [];
  for (let at = 0; at < blanked.length && found.length < MAX_NUMBERS; ) {
    const read = readRatio(blanked, at) ?? readAt(blanked, at);
    if (!read) {
      at += 1;
      continue;
    }
    const number = withUnit(blanked, read);
    found.push(number);
    at = Math.max(read.end, number.end);
  }
  return found;
}

function readAt(text: string, at: number): ReadNumber | null {
  const char = text.charAt(at);
  if (char >= 'a' && char <= 'z') return at > 0 && /[a-z]/.test(text.charAt(at - 1)) ? null : readEnglishNumber(text, at);
  if (!startsNumber(char)) return null;
  return readNumber(text, at);
}

const RATIO = /(百|千|万|[二两三四五六七八九十]+)分之/y;
const PARTS: Record<string, number> = { 百: 1, 千: 10, 万: 100 };

/** `百分之五` is 5, `千分之五` 0.5; `三分之一` is a third. */
function readRatio(text: string, at: number): ReadNumber | null {
  RATIO.lastIndex = at;
  const match = RATIO.exec(text);
  if (!match) return null;
  const over = match[1] ?? '';
  const read = readNumber(text, at + match[0].length);
  if (!read) return null;
  const hundredths = PARTS[over];
  const below = readNumber(over, 0)?.value ?? 1;
  return { value: round(read.value / (hundredths ?? below)), start: at, end: read.end };
}

function withUnit(text: string, read: ReadNumber): FoundNumber {
  const after = text.slice(read.end, read.end + 10).replace(/^\s/, '');
  const unit = UNITS.exec(after)?.[0] ?? '';
  const money = /^(?:块|元|圆)/.test(unit) ? readCents(text, read.end + 1) : null;
  if (money) return { ...read, value: round(read.value + money.value), end: money.end, unit: '块' };
  const half = /半/.test(unit) ? 0.5 : 0;
  return { ...read, value: read.value + half, unit: unit.replace('半', '') };
}

const CENTS = /(?:零)?([一二两三四五六七八九\d])(毛|角)?(?:([一二三四五六七八九\d])分?)?/y;

/** What follows `块`: `五` and `五毛` are both five tenths. */
function readCents(text: string, at: number): { value: number; end: number } | null {
  CENTS.lastIndex = at;
  const match = CENTS.exec(text);
  if (!match) return null;
  if (match[2] === undefined && match[3] !== undefined) return null;
  const tenths = readNumber(match[1] ?? '', 0)?.value ?? 0;
  const hundredths = match[3] === undefined ? 0 : (readNumber(match[3], 0)?.value ?? 0);
  return { value: tenths / 10 + hundredths / 100, end: at + match[0].length };
}
