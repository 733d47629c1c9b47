import { readEnglishNumber } from './english-numbers.ts';
import { NUMBER_START, PRICED_MEASURE, type ReadNumber, readNumber, round, startsNumber } from './number-parser.ts';

/** Most numbers read from one utterance. */
const MAX_NUMBERS = 24;

/** A number with its unit. */
export interface FoundNumber extends ReadNumber {
  /** Unit or measure word, such as `岁`, `个月`, `%`; empty when none follows. */
  unit: string;
}

/** Idioms that contain a numeral but are not numbers. */
const IDIOMS =
  /([一-鿿])一\1|(?<![十百千零])一(?:下|样|般|起|直|定|些|会儿?|边|切|共|旦|向|趟|声|半|家(?!\S?[口人])|辈子|块(?=[去来走儿过])|阵|路|条龙|律|时半会儿?|模一样|清二楚)|第[一二三四五六七八九十]|科目[一二三四]|一个?[月天年周次]一(?:个价|[期次回趟])|(?<![十百千万])[上下这那哪]一(?=[一-鿿])|(?<![\d零〇一二三四五六七八九十])[零〇一二三四五六七八九]{2}年(?=[\d一二三四五六七八九十]+月)|[五六七八九零〇]零后|(?<![\d一二两三四五六七八九十百千几])万一|统一|唯一|(?<!分)之一|(?<![一二三四五六七八九])十分(?=[满感高好喜非清])|(?<![一二两三四五六七八九几\d])千万(?=[别不要])|(?:星期|礼拜|周)[一二三四五六日天]|再三|两口子|三番|乱七八糟|七上八下|半(?:天|路|途)|一点(?![零一二三四五六七八九十\d半钟])|说一不二|四舍五入|[一二三四五六七八九十]月份?(?=[一二三四五六七八九十\d]+[号日])/g;

const UNITS =
  /^(?:个半月|个半小时|个半钟头|个半星期|个半礼拜|个月|个半|个小时|个钟头|小时|钟头|分钟|刻钟|个星期|星期|个礼拜|礼拜|个周|周岁|周|岁半|岁|块钱|块|元钱|元|圆|毛|角|人民币|rmb|个人|个大人|口人|口|人|位|名|个|期|年半|年(?!级)|天|日|号|月|平方米|平米|平方|平|㎡|厘米|公分|cm|分|星|颗星|级|成|折|公斤半|吨半|公里半|里半|斤半|斤|码半|码|千瓦|瓦|两(?=[\s,，]|$)|亩半|分地|公顷|克|公斤|千克|吨|升|亩|万公里|千米|km|℃|度|晚|夜|箱|件|台|套|盒|瓶|份|张|本|只|条|辆|次|遍|步|趟|包|支|根|顿|杯|碗|袋|桶|点|楼|片|粒|颗|头|匹|棵|株|层|室|厅|卫|单元|栋|幢|弄|路|米|公里|里|打(?![算发电车针折包工扫听开扰])|双|对|桌|间|尺|寸|丈|兆|方|集|课时|节|扇|幅|道|卷|匝|副|架|艘|笔|户|%|％|‰|g|m|kg|dollars?|yuan|people|persons?|years?|months?|days?|weeks?|hours?|minutes?)/;

/** Lists the numbers of a folded utterance in order. */
export function findNumbers(text: string): FoundNumber[] {
  const blanked = text
    .replace(IDIOMS, idiom => '·'.repeat(idiom.length))
    .replaceAll('对折', '五折')
    .replace(NOBODY, nobody => `零${nobody.slice(1)}`);
  const found: FoundNumber[] = [];
  for (let at = nextStart(blanked, 0); at < blanked.length && found.length < MAX_NUMBERS; at = nextStart(blanked, at)) {
    const number = readCoin(blanked, at) ?? readShare(blanked, at) ?? readMeasured(blanked, at);
    if (number) found.push(number);
    at = number?.end ?? at + 1;
  }
  return withoutUpperEnds(found, blanked);
}

/** First characters of a number, including its sign and the whole of a fraction. */
const STARTS = new RegExp(`[${NUMBER_START}万负块a-z-]`, 'g');

/** Next possible start of a number from `at` on; the end of the text when there is none. */
function nextStart(text: string, at: number): number {
  STARTS.lastIndex = at;
  return STARTS.exec(text)?.index ?? text.length;
}

const COIN = /(?<![\d零一二两三四五六七八九十百千万几半])块([一二三四五六七八九])(?=$|[\s,，。一钱])/y;

/** `块八` is 1.8. */
function readCoin(text: string, at: number): FoundNumber | null {
  if (text.charAt(at) !== '块') return null;
  COIN.lastIndex = at;
  const tenths = COIN.exec(text)?.[1];
  return tenths === undefined ? null : { value: 1 + (readNumber(tenths, 0)?.value ?? 0) / 10, start: at, end: at + 2, unit: '块' };
}

/** `一个人都没有` means none. */
const NOBODY = /一(?=(?:个|位|名|口|件|次)[一-鿿]{0,2}[都也](?:没|不)|[分毛块]钱?[都也]?没)/g;

const BETWEEN = /^\s*(?:到|至|~|—|-)\s*$/;
const SCALE = /[百千万亿]$/;

/** For a range (`三到五个`, `三到五千`), keeps the lower end with the unit and magnitude of the upper one. */
function withoutUpperEnds(numbers: readonly FoundNumber[], text: string): FoundNumber[] {
  const kept: FoundNumber[] = [];
  for (const number of numbers) {
    const lower = kept.at(-1);
    const said = text.slice(number.start, number.end);
    if (lower?.unit !== '' || number.value <= lower.value || !BETWEEN.test(text.slice(lower.end, number.start))) {
      kept.push(number);
      continue;
    }
    const scale = SCALE.test(said) && lower.value < 10 ? 10 ** Math.floor(Math.log10(number.value)) : 1;
    const value = lower.value < number.value / scale ? lower.value * scale : lower.value;
    kept[kept.length - 1] = { ...number, value, start: lower.start };
  }
  return kept;
}

const NEGATIVE = /零下|负(?=[\d零一二两三四五六七八九十百千半])|\bminus (?=[\da-z])|(?<![^\s])-(?=\d)/y;

/** First characters of a sign. */
const SIGNS = new Set('零负-m');

/** Reads `零下五度`, `负三`, `minus five`. */
function readNegative(text: string, at: number): ReadNumber | null {
  if (!SIGNS.has(text.charAt(at))) return null;
  NEGATIVE.lastIndex = at;
  const sign = NEGATIVE.exec(text)?.[0];
  if (sign === undefined) return null;
  const read = readAt(text, at + sign.length);
  return read ? { value: -read.value, start: at, end: read.end } : null;
}

const DISCOUNT = /([一二三四五六七八九])([一二三四五六七八九])(?=折)/y;

/** Reads a discount such as `八五折`. */
function readDiscount(text: string, at: number): ReadNumber | null {
  if (text.charAt(at + 2) !== '折') return null;
  DISCOUNT.lastIndex = at;
  const [, whole, tenth] = DISCOUNT.exec(text) ?? [];
  if (whole === undefined || tenth === undefined) return null;
  return { value: (readNumber(whole, 0)?.value ?? 0) + (readNumber(tenth, 0)?.value ?? 0) / 10, start: at, end: at + 2 };
}

function readAt(text: string, at: number): ReadNumber | null {
  const discount = readDiscount(text, at);
  if (discount) return discount;
  const char = text.charAt(at);
  if (char >= 'a' && char <= 'z') return at > 0 && LATIN.test(text.charAt(at - 1)) ? null : readEnglishNumber(text, at);
  if (!startsNumber(char)) return null;
  return readNumber(text, at);
}

const RATIO = /(百|千|万|[二两三四五六七八九十]+)分之/y;
/** Fraction of a hundred, thousand or ten thousand: a percentage. */
const RATIO_SAID = /^[百千万]分之/;
const PARTS: Record<string, number> = { 百: 1, 千: 10, 万: 100 };

/** `百分之五` is 5, `千分之五` is 0.5, `三分之一` is a third. */
function readRatio(text: string, at: number): ReadNumber | null {
  if (!text.includes('分之', at)) return null;
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

/** Reads a fraction; without a unit, one of a hundred and the like is a percentage. */
function readShare(text: string, at: number): FoundNumber | null {
  const read = readRatio(text, at);
  if (!read) return null;
  const measured = withUnit(text, read);
  return measured.unit === '' && RATIO_SAID.test(text.slice(at, read.end)) ? { ...measured, unit: '%' } : measured;
}

function readMeasured(text: string, at: number): FoundNumber | null {
  const read = readNegative(text, at) ?? readAt(text, at);
  return read && withUnit(text, read);
}

function withUnit(text: string, read: ReadNumber): FoundNumber {
  const rest = text.slice(read.end, read.end + 10);
  const isApart = rest.charAt(0).trim() === '';
  const after = isApart ? rest.slice(1) : rest;
  const scale = SHORT_SCALES.get(after.charAt(0));
  if (scale !== undefined && !LATIN.test(after.charAt(1)))
    return { ...read, value: round(read.value * scale), end: read.end + 1, unit: '' };
  const unit = unitOf(after, isApart);
  const smaller = withSmallerUnit(text, read, unit);
  if (smaller) return smaller;
  if (unit === '年') return withParts(text, read, YEAR_PARTS, unit, 12) ?? { ...read, unit };
  if (unit === '尺') return withParts(text, read, FOOT_PARTS, unit) ?? withHalf(text, read, unit);
  if (!unit.includes('半')) return withHalf(text, read, unit);
  const end = read.end + (rest.length - after.length) + unit.indexOf('半') + 1;
  return { ...read, value: read.value + 0.5, end, unit: unit.replace('半', '') };
}

const HALF = /半(?=$|[\s,，。的吧了呢啊哈嘛左多长宽高钟])/y;

/** Reads a half after the unit: `一只半`, `六分半`. */
function withHalf(text: string, read: ReadNumber, unit: string): FoundNumber {
  const end = read.end + unit.length;
  if (unit === '' || text.charAt(end) !== '半' || !text.startsWith(unit, read.end)) return { ...read, unit };
  HALF.lastIndex = end;
  if (!HALF.test(text)) return { ...read, unit };
  return { ...read, value: read.value + 0.5, end: end + 1, unit };
}

/** A unit after a pause counts only when no other word starts there: `一百三 套内一百零六`. */
function unitOf(after: string, isApart: boolean): string {
  const unit = UNITS.exec(after)?.[0] ?? '';
  return isApart && HAN.test(after.charAt(unit.length)) ? '' : unit;
}

const HAN = /\p{Script=Han}/u;

/** Suffixes of Arabic digits for thousand and ten thousand: `3.5k`, `5w`. */
const SHORT_SCALES = new Map([
  ['k', 1_000],
  ['w', 10_000],
]);
const LATIN = /[a-z]/;
const METRES_TAIL = /[米m]\s?([零一二三四五六七八九\d]{1,2})(?![\d个年月号点厘])/y;
const DIMES_TAIL = /[毛角]([一二三四五六七八九\d])?分?/y;

/** A unit followed by its fraction: `五块二`, `两毛五`, `一米七五`. */
function withSmallerUnit(text: string, read: ReadNumber, unit: string): FoundNumber | null {
  const measure = unit.charAt(0);
  if (measure === '块' || measure === '元' || measure === '圆') {
    const money = readCents(text, read.end + 1);
    return money && { ...read, value: round(read.value + money.value), end: money.end, unit: '块' };
  }
  if (measure === '毛' || measure === '角') {
    DIMES_TAIL.lastIndex = read.end;
    const dimes = DIMES_TAIL.exec(text);
    const cents = dimes?.[1] === undefined ? 0 : (readNumber(dimes[1], 0)?.value ?? 0);
    return { ...read, value: round(read.value / 10 + cents / 100), end: read.end + (dimes?.[0].length ?? 1), unit: '块' };
  }
  if (unit === '度') return withTenths(text, read);
  if (unit === '亩') return withParts(text, read, ACRE_PARTS, unit);
  if (unit === '斤') return withParts(text, read, CATTY_PARTS, unit);
  if (unit !== '米' && unit !== 'm') return null;
  METRES_TAIL.lastIndex = read.end;
  const metres = METRES_TAIL.exec(text);
  if (!metres?.[1]) return null;
  const digits = Array.from(metres[1], char => readNumber(char, 0)?.value ?? 0).join('');
  return { ...read, value: Number(`${Math.trunc(read.value)}.${digits}`), end: read.end + metres[0].length, unit };
}

const DEGREES_TAIL = /度([零一二三四五六七八九\d])(?![\d十百个])/y;

/** Reads tenths of a degree: `三十八度五`. */
function withTenths(text: string, read: ReadNumber): FoundNumber | null {
  DEGREES_TAIL.lastIndex = read.end;
  const tenths = DEGREES_TAIL.exec(text)?.[1];
  if (tenths === undefined) return null;
  return { ...read, value: round(read.value + (readNumber(tenths, 0)?.value ?? 0) / 10), end: read.end + 2, unit: '度' };
}

const ACRE_PARTS = /亩([一二三四五六七八九\d])分(?:地)?/y;
const YEAR_PARTS = /年(?:零|又)?([一二两三四五六七八九十\d]{1,2})个月/y;
const FOOT_PARTS = /尺([一二三四五六七八九\d])寸?(?![\d十百个块])/y;
const CATTY_PARTS = /斤([一二三四五六七八九\d])两?(?![\d十百个块])/y;

/** Reads a unit followed by a smaller one, `of` of which make one: `三亩六分`, `两斤四两`, `十三年零六个月`. */
function withParts(text: string, read: ReadNumber, pattern: RegExp, unit: string, of = 10): FoundNumber | null {
  pattern.lastIndex = read.end;
  const parts = pattern.exec(text);
  if (parts?.[1] === undefined) return null;
  const value = round(read.value + (readNumber(parts[1], 0)?.value ?? 0) / of);
  return { ...read, value, end: read.end + parts[0].length, unit };
}

const CENT_DIGIT = `(一(?!${PRICED_MEASURE})|[二两三四五六七八九\\d])`;
const CENTS = new RegExp(`零?${CENT_DIGIT}(毛|角)?(?:${CENT_DIGIT}分?)?`, 'y');

/** Reads the part after `块`: both `五` and `五毛` are five tenths. */
function readCents(text: string, at: number): { value: number; end: number } | null {
  CENTS.lastIndex = at;
  const match = CENTS.exec(text);
  if (!match) return null;
  if (match[2] === undefined && match[3] !== undefined) return null;
  const tenths = readNumber(match[1] ?? '', 0)?.value ?? 0;
  const hundredths = match[3] === undefined ? 0 : (readNumber(match[3], 0)?.value ?? 0);
  return { value: tenths / 10 + hundredths / 100, end: at + match[0].length };
}
