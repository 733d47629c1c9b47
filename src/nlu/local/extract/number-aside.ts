import type { FoundNumber } from './find-numbers.ts';
import { DOZEN, type Measure, measureOf, type NumberAsked } from './number-units.ts';
import { saysOfAnother } from './persons.ts';
import type { Reading } from './readings.ts';
import { clauseStart, FORMERLY, NOW } from './spoken-text.ts';

/** Values that belong to a single person. */
const PERSONAL: ReadonlySet<Reading> = new Set<Reading>(['age', 'centimetres']);
const PERSONAL_LABEL = /身高|年龄|工资|收入|薪|孩子数|子女|单价|售价|卖价/;
/** Kinds of money, which are not interchangeable. */
const EARNED = /工资|收入|薪|奖金|退休金/;
const KEPT = /存款|余额/;
const KINDS_OF_MONEY: readonly RegExp[] = [EARNED, /贷|借/, /欠/, /房租|租金/, /押金|定金|首付/, /月供/, /运费|手续费|利息/, KEPT];
const GENERAL_AMOUNT = /金额|还款|[额款](?:[（(]|$)/;
/** Without a unit, a number above this is something else, usually a price. */
const LARGEST_BARE: Partial<Record<Reading, number>> = {
  age: 130,
  floor: 200,
  months: 600,
  years: 100,
  days: 3_700,
  rooms: 50,
  area: 50_000,
  centimetres: 300,
  degrees: 2_000,
};
/** An age without 岁. */
const OWN_AGE = /(?:今年(?:都|快|才|刚)?|(?:^|[\s,，。])我(?:嘛|呢)?)\s*$/;
/** Least age of a person who answers such questions. */
const YOUNGEST = 10;
/** Readings, besides age, that `我三十八` may have. */
const MAY_FOLLOW_I: ReadonlySet<Reading> = new Set<Reading>(['age', 'money', 'score']);
/** Money without 块. */
const MONEY_SAID = /(?:租金|房租|工资|月租|单价|价格|价钱|花了?|付了?|交了?|收了?|卖)(?:是|了|我|他)?\s*$/;
const NEIGHBOURS = /隔壁|邻居|别人家?|人家|别家/;
const ASKS_FOR_CHILDREN = /子女|孩子|小孩|娃/;
const NO_CHILD = /孙|姐|哥|弟|妹|舅|姑|姨|叔|同事|朋友/;
const ASKS_ACCUMULATED = /累计|总/;
const BORN = /^(?:号|日)?(?:出)?生/;
const FORMERLY_ASKED = /之前|以前|原|上月|上个月|上期|昨/;
/** Latin letters before the digits of a number plate or code. */
const PART_OF_CODE = /[a-z]$/;
/** A total, when the label requests a part: `总共三十二层 我们家住十六`. */
export const IN_ALL = /(?:总共|一共|合计|加起来|总高|全楼|整栋|总)(?:有|是)?\s*$/;
const ASKS_FOR_ALL = /总|共|全/;

/** A value per unit: `每天`, `一趟`. */
export const EACH_BEFORE = /(?:每[一-鿿]{0,2}|(?:^|[^\d十百千])一(?:天|趟|回|个?月|个?星期|周)(?:来回|往返|要|得|能|就)?[一-鿿]{0,1})\s*$/;

const TELEPHONE = /(?:座机|电话|手机|号码)(?:是|号)?$/;
const NOT_KNOWN = /没(?:细|仔细)?(?:数|量|算|测|称|看|留意|注意|定|想|问)|不(?:晓得|知道|清楚)|忘了|再说/;

/** Whether another clause names the requested thing and says that its number is unknown: `鸡一千五百只 鸭子没数过`. */
function isUnknown(text: string, clause: string, label: string): boolean {
  if (!NOT_KNOWN.test(text)) return false;
  const [first = ''] = label;
  const names = [label.slice(0, 2), first].filter(name => /^\p{Script=Han}+$/u.test(name) && !COMMON_FIRST.has(name));
  if (names.some(name => clause.includes(name))) return false;
  return text.split(/[\s,，。]+/).some(other => NOT_KNOWN.test(other) && names.some(name => other.includes(name)));
}

/** First characters of labels that do not identify anything. */
const COMMON_FIRST = new Set('数总单金人每一年月时日本预所是用订大小现');

/** Pairs in which one is never the other. */
const SIDES: readonly (readonly [string, string])[] = [
  ['左', '右'],
  ['右', '左'],
  ['高压', '低压'],
  ['低压', '高压'],
  ['旱地', '水田'],
  ['水田', '旱地'],
  ['套内', '建'],
  ['建筑', '套内'],
  ['高', '宽'],
  ['宽', '高'],
];

/** A number with its context. */
interface Said {
  number: FoundNumber;
  /** The text before it within its clause. */
  clause: string;
  before: string;
  after: string;
}

/** A reason why a number is not the answer: another unit, another person, another kind of money, or former times. */
interface Aside {
  /** Condition on the field for the reason to apply; absent when it applies to every field. */
  asked?: (asked: NumberAsked) => boolean;
  said: (said: Said, asked: NumberAsked) => boolean;
}

const isOfAnother = ({ isOwn, isVague }: Measure) => !isOwn && !isVague;
const isMeasured = ({ own }: NumberAsked) => own !== undefined;

const ASIDES: readonly Aside[] = [
  {
    asked: isMeasured,
    said: ({ number: { unit } }, asked) => unit !== '' && unit !== DOZEN && isOfAnother(measureOf(unit, asked)),
  },
  {
    asked: ({ label, reading }) => PERSONAL.has(reading) || PERSONAL_LABEL.test(label),
    said: ({ clause }, { label }) => saysOfAnother(clause, label),
  },
  { asked: ({ reading }) => reading === 'money', said: ({ clause }, { label }) => isOtherMoney(clause, label) },
  {
    asked: ({ reading }) => LARGEST_BARE[reading] !== undefined,
    said: ({ number: { unit, value } }, { reading }) => unit === '' && value > (LARGEST_BARE[reading] ?? Number.POSITIVE_INFINITY),
  },
  {
    asked: ({ reading, own }) => own !== undefined && !MAY_FOLLOW_I.has(reading),
    said: ({ number: { unit, value }, before }) => unit === '' && value >= YOUNGEST && OWN_AGE.test(before),
  },
  {
    asked: ({ reading, own }) => own !== undefined && reading !== 'money' && reading !== 'rate',
    said: ({ number: { unit }, clause }) => unit === '' && MONEY_SAID.test(clause),
  },
  { said: ({ clause }) => NEIGHBOURS.test(clause) && !clause.includes('我') },
  { asked: ({ label }) => ASKS_FOR_CHILDREN.test(label), said: ({ clause }) => NO_CHILD.test(clause) },
  { asked: ({ label }) => ASKS_ACCUMULATED.test(label), said: ({ clause }) => EACH_BEFORE.test(clause) },
  { asked: ({ reading }) => reading === 'age', said: ({ after }) => BORN.test(after) },
  {
    asked: ({ label, reading }) => reading === 'floor' && !ASKS_FOR_ALL.test(label),
    said: ({ clause }) => IN_ALL.test(clause),
  },
  { asked: isMeasured, said: ({ before }) => PART_OF_CODE.test(before) },
  // `一次吃几片` for 每次, `一亩打一千斤` for 亩产: the number states the unit, not the amount.
  {
    asked: ({ label }) => /每|产/.test(label),
    said: ({ number: { unit, value } }, { label }) =>
      value === 1 && unit !== '' && (label.includes(`每${unit.slice(-1)}`) || label.includes(`${unit.slice(-1)}产`)),
  },
  { asked: ({ reading }) => reading !== 'phone' && reading !== 'digits', said: ({ clause }) => TELEPHONE.test(clause) },
  { said: ({ clause, before, after }, { label }) => isUnknown(before + after, clause, label) },
  {
    asked: ({ label }) => SIDES.some(([one]) => label.includes(one)),
    said: ({ clause }, { label }) => SIDES.some(([one, other]) => label.includes(one) && clause.includes(other) && !clause.includes(one)),
  },
  {
    asked: ({ label }) => !FORMERLY_ASKED.test(label),
    said: ({ clause, before, after }) => FORMERLY.test(clause) && !NOW.test(clause) && NOW.test(before + after),
  },
];

/** Cache of the reasons that apply to a field, in order. */
const asidesOf = new WeakMap<NumberAsked, readonly Aside[]>();

function asidesFor(asked: NumberAsked): readonly Aside[] {
  const known = asidesOf.get(asked);
  if (known) return known;
  const asides = ASIDES.filter(aside => aside.asked?.(asked) !== false);
  asidesOf.set(asked, asides);
  return asides;
}

function isOtherMoney(clause: string, label: string): boolean {
  const said = KINDS_OF_MONEY.find(kind => kind.test(clause));
  if (said === undefined) return false;
  const asked = KINDS_OF_MONEY.find(kind => kind.test(label));
  return asked ? said !== asked : (said === EARNED || said === KEPT) && GENERAL_AMOUNT.test(label);
}

/** Returns the number, from 1, of the first reason why a number is not the answer; 0 when there is none. */
export function asideOf(number: FoundNumber, text: string, asked: NumberAsked): number {
  const before = text.slice(0, number.start);
  const clause = before.slice(clauseStart(text, number.start));
  const said = { number, clause, before, after: text.slice(number.end) };
  const aside = asidesFor(asked).find(one => one.said(said, asked));
  return aside ? ASIDES.indexOf(aside) + 1 : 0;
}
