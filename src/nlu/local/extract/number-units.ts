import type { FoundNumber } from './find-numbers.ts';
import { readNumber, round } from './number-parser.ts';
import type { Reading } from './readings.ts';

/** A number field, prepared for reading. */
export interface NumberAsked {
  label: string;
  reading: Reading;
  /** Accepted units; undefined when any unit is accepted. */
  own: RegExp | undefined;
  /** Unit at the end of the label: `存栏（头）`. */
  measure: string | undefined;
  /** Weight, in 斤, to which the label's price refers. */
  catties: number | undefined;
  isInTenThousands: boolean;
  /** The label without the unit that it is counted by. */
  words: string;
  /** Adjacent character pairs of these words, and their distinctive characters. */
  pairs: readonly string[];
  chars: readonly string[];
  asksForEach: boolean;
  asksForRest: boolean;
  /** Group of persons that the label counts. */
  persons: RegExp | undefined;
  /** Cache of units by the word that customers use. */
  measures: Map<string, Measure>;
}

/** Relation of a unit to what a field asks for. */
export interface Measure {
  isOwn: boolean;
  /** Whether it belongs to a reading and thereby distinguishes numbers. */
  isDistinctive: boolean;
  /** Whether it is used for anything. */
  isVague: boolean;
  /** Whether it is another unit of the field, which must be converted. */
  isConverted: boolean;
  /** Factor to the field's own unit. */
  factor: number;
}

export function numberAsked(label: string, reading: Reading): NumberAsked {
  const words = label.replace(/每./g, '');
  const pairs = Array.from({ length: Math.max(0, words.length - 1) }, (_, at) => words.slice(at, at + 2));
  return {
    label,
    reading,
    own: UNITS[reading],
    measure: MEASURE_ASKED.exec(label)?.[1],
    catties: IN_CATTIES[PRICE_OF.exec(label)?.[1] ?? ''],
    isInTenThousands: IN_TEN_THOUSANDS.test(label),
    words,
    pairs: pairs.filter(pair => HAN_PAIR.test(pair)),
    chars: Array.from(words).filter(char => HAN.test(char) && !PLAIN_CHARS.has(char)),
    asksForEach: /每|均|单/.test(label),
    asksForRest: /余额|剩余|还剩/.test(label),
    persons: PERSONS.find(persons => persons.test(label)),
    measures: measuresOf(reading),
  };
}

/** Cache of units by reading: there are some forty readings, and `findNumbers` knows a hundred units. */
const knownMeasures = new Map<Reading, Map<string, Measure>>();

function measuresOf(reading: Reading): Map<string, Measure> {
  const known = knownMeasures.get(reading) ?? new Map<string, Measure>();
  knownMeasures.set(reading, known);
  return known;
}

/** Returns the relation of a unit to the field. */
export function measureOf(unit: string, { own, reading, measures }: NumberAsked): Measure {
  const known = measures.get(unit);
  if (known) return known;
  const factor = CONVERSIONS[reading]?.find(([pattern]) => pattern.test(unit))?.[1];
  const measure = {
    isOwn: own?.test(unit) === true,
    isDistinctive: DISTINCTIVE_UNITS.test(unit),
    isVague: VAGUE.test(unit),
    isConverted: factor !== undefined,
    factor: unit === DOZEN ? 12 : (factor ?? 1),
  };
  measures.set(unit, measure);
  return measure;
}

/** Adults and children, in labels and in speech. */
export const PERSONS: readonly RegExp[] = [/大人|成人|成年人/, /小孩|孩子|儿童|娃|小朋友|伢|崽|细路/];
const IN_TEN_THOUSANDS = /万元|[（(]万[)）]/;
const MEASURE_ASKED = /[（(](\p{Script=Han}{1,3})[)）]\s*$/u;
const HAN = /\p{Script=Han}/u;
const HAN_PAIR = /^\p{Script=Han}{2}$/u;
/** Characters that identify a label only in pairs; any other character does so alone when it precedes the value. */
export const PLAIN_CHARS = new Set('分数量金额价格款费用人多少一是几号总个的时间单位大约元年月日天度期名称姓否有无本次'.split(''));

/** Units of each reading; a unit of another reading counts against a number. */
export const UNITS: Partial<Record<Reading, RegExp>> = {
  age: /^(?:周岁|岁|years?)$/,
  money: /^(?:块钱|块|元钱|元|圆|毛|角|人民币|rmb|yuan|dollars?)$/,
  people: /^(?:个人|个大人|口人|口|人|位|名|个|people|persons?)$/,
  acreage: /^(?:亩|公顷|分|分地)$/,
  monthsOld: /^(?:个月|月|周?岁)$/,
  kilowatts: /^(?:千瓦|瓦)$/,
  metres: /^(?:米|m|厘米|公分|cm|尺)$/,
  rooms: /^(?:室|房|居|间|个房间|个卧室|个)$/,
  area: /^(?:平方米|平米|平方|平|㎡)$/,
  rate: /^(?:%|％|个?点|成|折|‰)$/,
  months: /^(?:期|个月|月|年|months?|years?|个)$/,
  years: /^(?:年|个月|years?)$/,
  days: /^(?:天|日|晚|夜|周|个?星期|个?礼拜|个周|个月|days?|weeks?)$/,
  hours: /^(?:个?小时|个?钟头|分钟|刻钟|天|hours?|minutes?)$/,
  minutes: /^(?:分钟|个?小时|个?钟头|分|刻钟|minutes?|hours?)$/,
  score: /^(?:分|星|颗星|级|点)$/,
  floor: /^(?:楼|层)$/,
  distance: /^(?:万?公里|千米|里|米|km)$/,
  weight: /^(?:公?斤|千克|吨|kg)$/,
  grams: /^(?:公?斤|千克|克|两|kg|g)$/,
  kilograms: /^(?:公?斤|千克|克|吨|kg|g)$/,
  catties: /^(?:公?斤|千克|吨|kg)$/,
  tonnes: /^(?:公?斤|千克|吨|kg)$/,
  degrees: /^(?:度|℃)$/,
  centimetres: /^(?:厘米|公分|cm|米|m|尺|寸)$/,
};
/** Units that belong to a reading and thereby distinguish numbers; `个` and `点` belong to too many. */
const DISTINCTIVE_UNITS =
  /^(?:万?公里|千米|公?斤|千克|吨|升|亩|晚|夜|周岁|岁|块钱|块|元|圆|毛|人民币|平方米|平米|平方|平|期|个月|年|天|小时|个小时|钟头|分钟|楼|层|室|厅|卫|单元|栋|幢|号|月|日|%|周|星期|礼拜)$/;

/** Factors to the field's own unit: `一年` is twelve months, `两打` twenty-four. */
const CONVERSIONS: Partial<Record<Reading, readonly (readonly [RegExp, number])[]>> = {
  months: [[/^(?:年|years?)$/, 12]],
  years: [[/^个月$/, 1 / 12]],
  days: [
    [/周|星期|礼拜|week/, 7],
    [/^个月$/, 30],
  ],
  hours: [
    [/^(?:分钟|minutes?)$/, 1 / 60],
    [/^刻钟$/, 1 / 4],
    [/^天$/, 24],
  ],
  minutes: [
    [/小时|钟头|hour/, 60],
    [/^刻钟$/, 15],
    // 六分 may also be a score, so 分钟 is matched first.
    [/^分$/, 1],
  ],
  monthsOld: [[/岁$/, 12]],
  kilowatts: [[/^瓦$/, 1 / 1_000]],
  metres: [
    [/^(?:厘米|公分|cm)$/, 1 / 100],
    [/^尺$/, 1 / 3],
  ],
  rate: [[/^成$/, 10]],
  distance: [
    [/^米$/, 1 / 1_000],
    [/^里$/, 1 / 2],
  ],
  acreage: [
    [/^公顷$/, 15],
    [/^分/, 1 / 10],
  ],
  grams: [
    [/^(?:公斤|千克|kg)$/, 1_000],
    [/^斤$/, 500],
    [/^两$/, 50],
  ],
  kilograms: [
    [/^斤$/, 1 / 2],
    [/^(?:克|g)$/, 1 / 1_000],
    [/^吨$/, 1_000],
  ],
  catties: [
    [/^(?:公斤|千克|kg)$/, 2],
    [/^吨$/, 2_000],
  ],
  tonnes: [
    [/^斤$/, 1 / 2_000],
    [/^(?:公斤|千克|kg)$/, 1 / 1_000],
  ],
  centimetres: [
    [/^[米m]$/, 100],
    [/^尺$/, 100 / 3],
    [/^寸$/, 10 / 3],
  ],
};
export const DOZEN = '打';
/** Measure words that customers use for anything. */
const VAGUE = /^(?:个|位|名|次|级|星|遍|分)$/;

/** Converts a number to the field's own unit. */
export function converted({ value, unit }: FoundNumber, asked: NumberAsked): number {
  const { factor } = measureOf(unit, asked);
  if (asked.reading === 'days' && unit === '个月' && value === 0.5) return HALF_MONTH_DAYS;
  return factor === 1 ? value : round(value * factor);
}

const HALF_MONTH_DAYS = 15;

/** Units of weight in 斤. */
const IN_CATTIES: Readonly<Record<string, number>> = { 斤: 1, 公斤: 2, 千克: 2, 两: 0.1, 吨: 2_000 };
const PRICE_OF = /元[/每](公斤|千克|斤|两|吨)/;
const BOUGHT = /^钱?\s?(.{1,3}?)(公斤|千克|斤|两|吨)/u;

/** Returns how many of the label's units the price covers: `十块钱四斤` for 元/斤 covers four. */
export function measuresFor({ end, unit }: FoundNumber, text: string, { catties: asked }: NumberAsked): number {
  if (asked === undefined) return 1;
  const [, count = '', measure = ''] = BOUGHT.exec(text.slice(text.startsWith(unit, end) ? end + unit.length : end)) ?? [];
  const bought = (readNumber(count, 0)?.value ?? 0) * (IN_CATTIES[measure] ?? 0);
  return bought === 0 ? 1 : bought / asked;
}
