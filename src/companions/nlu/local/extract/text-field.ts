import { meaningfulPart } from '../text/utterance.ts';
import type { DigitRun } from './digit-runs.ts';
import type { Moment } from './moment.ts';
import { findName } from './names.ts';
import { findPhone } from './phones.ts';
import { findAddress, findCity } from './places.ts';
import type { Reading } from './readings.ts';
import type { Span } from './spoken-text.ts';

/** What a text field may look at, each read once. */
export interface TextSources {
  /** Folded, position for position as spoken. */
  text: string;
  moment: () => Moment;
  digitRuns: () => readonly DigitRun[];
  label: string;
  /** The only field asked for: the whole utterance may be its answer. */
  isOnly: boolean;
}

/** A stretch of the utterance with how sure the reading is. */
export interface TextReading extends Span {
  confidence: number;
}

const BY_READING: Partial<Record<Reading, (sources: TextSources) => TextReading | null>> = {
  time: ({ moment }) => sure(moment().span, 0.93),
  phone: ({ digitRuns }) => sure(findPhone(digitRuns())?.run ?? null, 0.93),
  digits: ({ text, digitRuns }) => matched(text, LETTERED, 0.9) ?? sure(longest(digitRuns().filter(run => !run.denied)), 0.9),
  plate: ({ text }) => matched(text, PLATE, 0.93),
  relation: ({ text }) => matched(text, RELATION, 0.9) ?? matched(text, RELATIVE_ALONE, 0.85),
  name: ({ text }) => findName(text),
  city: ({ text, label }) => sure(findCity(text, label), 0.9),
  address: ({ text }) => sure(findAddress(text), 0.88),
  email: ({ text }) => matched(text, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/, 0.97),
  colour: ({ text }) => matched(text, COLOUR, 0.9),
  employer: ({ text }) => matched(text, EMPLOYER, 0.85) ?? matched(text, OWN_COMPANY, 0.85),
  gender: ({ text }) => matched(text, /男|女|\b(?:male|female)\b/, 0.93),
  reason: ({ text }) => (NO_REASON.test(text) ? null : (matched(text, REASON, 0.9) ?? matched(text, AFTER_STANCE, 0.7) ?? told(text, 0.6))),
  open: ({ text }) => told(text, 0.7),
  job: ({ text }) =>
    matched(text, OWN_TRADE, 0.85) ??
    matched(
      text,
      /(?<=(?:我是|从事|干|做|当)\s*)(?!的|什么|他|她|你|本人|家属|做|干|当|搞)[\p{Script=Han}]{2,6}?(?=的|工作|$|[\s,，])/u,
      0.8,
    ),
};

/** `我是恒远建材公司的`. */
const OWN_COMPANY =
  /(?<=(?:我们?(?:这边|这里)?是|公司叫|单位叫|抬头(?:开|写|是)?|名称是))(?!他|她|你|个|一)[\p{Script=Han}a-z\d]{2,20}?(?:公司|厂|集团|店|医院|学校|银行|中心|局|院)(?=的|$|[\s,，。])/u;
const COLOUR =
  /(?<!不要|不是|别要)(?:深|浅|暗|亮|藏|墨|草|天|宝|酒|玫|玫瑰|米|奶|雪|银|军|橄榄|橘|土|枣|肉|湖|咖啡|大|粉)?(?:红|黄|蓝|绿|白|黑|灰|紫|粉|橙|棕|青|金|银|杏|褐|咖啡|香槟|驼)色?/;
/** `在市医院上班`: where the speaker himself works. */
const EMPLOYER =
  /(?<=(?:^|[\s,，]|我|现在|目前|一直|就)在)(?!家|外面|这|那|忙|一[个家])[\p{Script=Han}a-z\d]{2,16}?(?=上班|工作|干活|做事|任职|当|做[\p{Script=Han}])/u;
/** A plate as it is read out: province, letter, five or six letters and digits. */
const PLATE =
  /[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]\s*[a-z][\s·\-.]*(?:[a-z\d幺零洞一二两三四五六七八九拐勾][\s·-]*){4,5}[a-z\d幺零洞一二两三四五六七八九拐勾]/;
const RELATION =
  /(?<=我(?:就)?是(?:他|她|机主|业主|病人|孩子|\p{Script=Han}{2,4}的)?(?:的)?)(?:本人|爸爸?|妈妈?|父亲|母亲|老公|老婆|丈夫|妻子|爱人|媳妇|儿子|女儿|儿媳妇?|女婿|哥哥?|弟弟?|姐姐?|妹妹?|孙子|孙女|爷爷|奶奶|外公|外婆|同事|同学|朋友|邻居|室友|家属|家人|亲戚|助理|秘书|监护人)/u;

const RELATIVE_ALONE = /(?<=^(?:是)?(?:我|他|她)(?:的)?)(?:爸|妈|老公|老婆|爱人|儿子|女儿|哥|弟|姐|妹|同事|朋友|邻居)(?=$|[\s,，。吧啊呀])/;
/** Asked why, he says that there is no reason, or that he will not tell. */
const NO_REASON = /没(?:有)?(?:那么多|什么|啥)?(?:为什么|为啥|原因|理由)|别问|不想(?:讲|说)/;
const REASON =
  /(?<=(?:因为|由于|主要是|原因是|because )\s*)(?!因为|由于|说)(?:.+?(?=才(?:要|想|会|给|不|没)|所以|[\s,，](?:想|要|能不能|可以|麻烦)?(?:退|改|换|取消))|.+)/;
/** `不去了 家里有事`: what follows the refusal. */
const AFTER_STANCE = /(?<=^(?:我)?(?:不|没|别|去不|来不|做不|算)[^\s,，]{0,4}[\s,，]+(?:就是|主要是?|因为)?)(?!就是|主要|因为)[^\s,，].+$/;
/** An order's number that begins with letters. */
const LETTERED = /(?<![a-z])[a-z]{1,4}[\s-]?\d(?:[\s-]?[a-z\d]){2,}/;
const OWN_TRADE =
  /开(?:出租|滴滴|货车|大车|网约车|挖机|饭店|超市|公司|店)|跑(?:外卖|业务|滴滴|运输|长途)|种地|打工|退休(?!\p{Script=Han})|在家带(?:孩子|娃)|上学|务农/u;

/** Words around a message that are not of it. */
const LEAD_IN =
  /^(?:(?:嗯+|呃+|啊+|哦+|那个|这个|就是说?|喂|你好|您好|是这样的?|我跟你说|我想|我要|帮我|麻烦|给我)[\s,，]*)*(?:(?:反映|反应|建议|咨询|投诉|问|说|备注|记|补充|提)(?:一下|下|个|一个|个意见|个建议)?(?:的是|就是)?[\s,，]*)?/;
const LEAD_OUT = /[\s,，。.!！]*(?:(?:谢谢(?:你|您)?|就这样|就这些|没别的了?|没了|好吧|行吧|可以吗|好吗|麻烦了)[\s,，。.!！]*)*$/;
/** A longer stretch is the utterance rather than the answer in it. Characters. */
const TELLING_CHARS = 24;

/** What is told, without what is said around it; the more there is of it, the less sure that all of it answers. */
function told(text: string, confidence: number): TextReading | null {
  const start = LEAD_IN.exec(text)?.[0].length ?? 0;
  const end = text.length - (LEAD_OUT.exec(text.slice(start))?.[0].length ?? 0);
  if (NO_MESSAGE.test(text.slice(start, end))) return null;
  if (end - start < 2) return whole(text, confidence - 0.1);
  return { start, end, confidence: end - start > TELLING_CHARS ? confidence - 0.15 : confidence };
}

/** `没什么意见`: there is no message. */
const NO_MESSAGE = /^(?:我)?(?:没|无)(?:有)?(?:什么|啥|别的|其他)?(?:意见|建议|要求|问题|需求|补充|备注|了)*$/;

/** Finds the stretch that answers a text field, or null. */
export function readTextField(reading: Reading, sources: TextSources): TextReading | null {
  const found = BY_READING[reading]?.(sources) ?? byLabel(sources);
  if (found || !sources.isOnly || (reading !== 'other' && reading !== 'count' && reading !== 'job')) return found;
  return shortAnswer(sources.text, sources.label);
}

function sure(span: Span | null, confidence: number): TextReading | null {
  return span ? { start: span.start, end: span.end, confidence } : null;
}

function longest(runs: readonly DigitRun[]): DigitRun | null {
  return runs.reduce<DigitRun | null>((best, run) => (best === null || run.digits.length > best.digits.length ? run : best), null);
}

function matched(text: string, pattern: RegExp, confidence: number): TextReading | null {
  const match = pattern.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length, confidence } : null;
}

function whole(text: string, confidence: number): TextReading | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const start = text.indexOf(trimmed);
  return { start, end: start + trimmed.length, confidence };
}

const LABEL_VALUE = /^\s*(?:是|为|叫|选|要|:|：|的话)+\s*([^\s,，。;；]+)/;
const TAIL = /(?:的|吧|啊|呀|哈|了|呢)+$/;

/** `颜色要红色的`: the label names what follows it. */
function byLabel({ text, label }: TextSources): TextReading | null {
  const name = label.trim().toLowerCase();
  const at = name === '' ? -1 : text.indexOf(name);
  if (at < 0) return null;
  const after = at + name.length;
  const match = LABEL_VALUE.exec(text.slice(after));
  const value = match?.[1]?.replace(TAIL, '');
  if (!match || !value) return null;
  const start = after + match[0].indexOf(value);
  return { start, end: start + value.length, confidence: 0.88 };
}

const SHORT_CHARS = 12;
/** `要红色的`: what is wanted is the answer. */
const CHOOSING = /^(?:我)?(?:想)?(?:要|选|拿|买|订|吃|喝|用|学|报|\p{Script=Han}{1,3}是)(?:个|那个|这个|的)?(?=[^不没有名])/u;
const NO_ANSWER = /[?？吗]|什么|怎么|不知道|不清楚|谁|喂|不要|不用|没有|再说|考虑|忙|骗|投诉/;

/** A short reply to a single question is its answer. */
function shortAnswer(text: string, label: string): TextReading | null {
  if (NO_ANSWER.test(text)) return null;
  const plain = meaningfulPart(text).replace(TAIL, '').replace(CHOOSING, '').replace(endOf(label), '');
  const start = plain === '' ? -1 : text.indexOf(plain);
  if (start < 0 || plain.length > SHORT_CHARS) return null;
  return { start, end: start + plain.length, confidence: 0.6 };
}

/** The label's first words at the end of an answer: `过敏` in `青霉素过敏`, asked 过敏药物. */
function endOf(label: string): RegExp {
  const word = /^\p{Script=Han}{2}/u.exec(label)?.[0];
  return word === undefined ? /(?!)/ : new RegExp(`(?<=.)${word}$`);
}
