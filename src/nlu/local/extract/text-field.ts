import { meaningfulPart } from '../text/utterance.ts';
import type { DigitRun } from './digit-runs.ts';
import type { Moment } from './moment.ts';
import { findName } from './names.ts';
import { findPhones, firstPhone } from './phones.ts';
import { cuedText } from './text-cues.ts';
import { findAddress, findCity } from './places.ts';
import { type Reading, TOLD } from './readings.ts';
import { saysOfAnother } from './persons.ts';
import { matchesOf, type Span, standing, withoutFormer } from './spoken-text.ts';

/** Input for reading a text field. */
export interface TextSources {
  /** Folded text, with the same positions as the original. */
  text: string;
  /** Readings that other field types use as well. */
  values: { readonly moment: Moment; readonly digitRuns: readonly DigitRun[] };
  label: string;
  /** Whether it is the only requested field, so that the whole utterance may be its answer. */
  isOnly: boolean;
}

/** A stretch of the utterance with the confidence of the reading. */
export interface TextReading extends Span {
  confidence: number;
}

const BY_READING: Partial<Record<Reading, (sources: TextSources) => TextReading | null>> = {
  time: ({ values }) => sure(values.moment.span, 0.93),
  phone: ({ values }) => sure(firstPhone(findPhones(values.digitRuns))?.run ?? null, 0.93),
  digits: ({ text, values }) => matched(text, LETTERED, 0.9) ?? sure(longest(values.digitRuns.filter(run => !run.denied)), 0.9),
  plate: ({ text }) => standingMatch(text, PLATE, 0.93),
  relation: ({ text }) => matched(text, RELATION, 0.9) ?? matched(text, RELATIVE_ALONE, 0.85),
  name: ({ text }) => findName(text),
  city: ({ text, label }) => sure(findCity(text, label), 0.9),
  address: ({ text }) => sure(findAddress(text), 0.88),
  email: ({ text }) => matched(text, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/, 0.97),
  colour: ({ text }) => matched(text, COLOUR, 0.9) ?? matched(text, BARE_COLOUR, 0.85),
  employer: ({ text }) => matched(text, EMPLOYER, 0.85) ?? matched(text, OWN_COMPANY, 0.85) ?? matched(text, NOW_AT, 0.75),
  gender: ({ text }) => matched(text, /男|女|\b(?:male|female)\b/, 0.93),
  sign: ({ text }) => signOf(text),
  reason: ({ text }) =>
    NO_REASON.test(text) ? null : (matched(text, REASON, 0.9) ?? matched(text, AFTER_STANCE, 0.7) ?? message(text, 0.6)),
  open: ({ text }) => message(text, 0.7),
  job: ({ text }) => matched(text, OWN_TRADE, 0.85) ?? matched(text, TRADE_NAMED, 0.85) ?? matched(text, TRADE_CUED, 0.8),
};

/** Such as `我是恒远建材公司的`. */
const OWN_COMPANY =
  /(?<=(?:我们?(?:这边|这里)?是|公司叫|单位叫|抬头(?:开|写|是)?|名称是))(?!他|她|你|个|一)[\p{Script=Han}a-z\d]{2,20}?(?:公司|厂|集团|店|医院|学校|银行|中心|局|院)(?=的|$|[\s,，。])/u;
const COLOUR =
  /(?<!不要|不是|别要)(?:深|浅|暗|亮|藏|墨|草|天|宝|酒|玫瑰?|米|奶|雪|银|军|橄榄|橘|土|枣|肉|湖|咖啡|大|粉)?(?:红|黄|蓝|绿|白|黑|灰|紫|粉|橙|棕|青|金|银|杏|褐|咖啡|香槟|驼)色/;
const BARE_COLOUR =
  /(?<=^|[\s,，。]|要|是|个|买|选|换)(?:深|浅|暗|亮|藏|墨|草|天|宝|酒|玫瑰?|米|奶|雪|银|军|橄榄|橘|土|枣|肉|湖|咖啡|大|粉)?(?:红|黄|蓝|绿|白|黑|灰|紫|粉|橙|棕|青|金|银|杏|褐|咖啡|香槟|驼)(?=的|$|[\s,，。吧])/;
/** `在市医院上班`: the speaker's own workplace. */
const EMPLOYER =
  /(?<=(?:^|[\s,，]|我|现在|目前|一直|就)在)(?!家|外面|这|那|忙|一[个家])[\p{Script=Han}a-z\d]{2,16}?(?=上班|工作|干活|做事|任职|当|做[\p{Script=Han}])/u;
const NOW_AT = /(?<=(?:现在|目前)在)(?!家|外面|这|那)[\p{Script=Han}a-z\d]{2,12}?(?=$|[\s,，。])/u;
/** A number plate as it is read out: province, letter, five or six letters and digits. */
const PLATE =
  /[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]\s*[a-z][\s·\-.]*(?:[a-z\d幺零洞一二两三四五六七八九拐勾][\s·-]*){4,5}[a-z\d幺零洞一二两三四五六七八九拐勾]/gu;
const RELATION =
  /(?<=我(?:就)?是(?:他|她|机主|业主|病人|孩子|\p{Script=Han}{2,4}的)?(?:的)?)(?:本人|爸爸?|妈妈?|父亲|母亲|老公|老婆|丈夫|妻子|爱人|媳妇|儿子|女儿|儿媳妇?|女婿|哥哥?|弟弟?|姐姐?|妹妹?|外甥女?|侄[女子]|舅舅|老?叔叔?|阿姨|姑姑|嫂子|姐夫|妹夫|岳父|岳母|房东|租客|孙子|孙女|爷爷|奶奶|外公|外婆|同事|同学|朋友|邻居|室友|家属|家人|亲戚|助理|秘书|监护人)/u;

const RELATIVE_ALONE = /(?<=^(?:是)?(?:我|他|她)(?:的)?)(?:爸|妈|老公|老婆|爱人|儿子|女儿|哥|弟|姐|妹|同事|朋友|邻居)(?=$|[\s,，。吧啊呀])/;
/** Replies that give no reason, or refuse to. */
const NO_REASON = /没(?:有)?(?:那么多|什么|啥)?(?:为什么|为啥|原因|理由)|别问|不想(?:讲|说)|说不清|说来话长|打错|[没么]要/;
const REASON =
  /(?<=(?:因为|由于|主要是|原因是|because )\s*)(?!因为|由于|说)(?:.+?(?=才(?:要|想|会|给|不|没)|才\p{Script=Han}{1,3}的|所以|[\s,，](?:想|要|能不能|可以|麻烦)?(?:退|改|换|取消))|.+)/u;
/** `不去了 家里有事`: the text after the refusal. */
const AFTER_STANCE = /(?<=^(?:我)?(?:不|没|别|去不|来不|做不|算)[^\s,，]{0,4}[\s,，]+(?:就是|主要是?|因为)?)(?!就是|主要|因为)[^\s,，].+$/;
/** An order number that starts with letters. */
const LETTERED = /(?<![a-z])[a-z]{1,4}[\s-]?\d(?:[\s-]?[a-z\d]){2,}/;
const TRADE_CUED =
  /(?<=(?:我(?:就)?是(?:个|一名|名)?|从事|干|做|当)\s*)(?!的|了|过|着|完|个|啥|什么|他|她|你|本人|家属|做|干|当|搞)[\p{Script=Han}]{2,6}?(?=的|工作|$|[\s,，])/u;
const TRADE_NAMED =
  /(?<=^|[\s,，。]|是个?|做|当)(?:(?!我|是|做|当|个)\p{Script=Han}){0,4}?(?:老师|教师|医生|护士|司机|工人|农民|会计|出纳|厨师|保安|保洁|销售|老板|学生|律师|程序员|焊工|电工|木工|瓦工|公务员|快递员|外卖员|个体户|经理|店员|收银员|护工|裁缝|理发师)(?=$|[\s,，。的])/u;
const OWN_TRADE =
  /开(?:出租|滴滴|货车|大车|网约车|挖机|饭店|超市|公司|店)|跑(?:外卖|业务|滴滴|运输|长途)|种地|打工|退休(?!\p{Script=Han})|在家带(?:孩子|娃)|上学|务农/u;

/** Words around a message that do not belong to it. */
const LEAD_IN =
  /^(?:(?:嗯+|呃+|啊+|哦+|那个|这个|就是说?|喂|你好|您好|是这样的?|我跟你说|我想|我要|帮我|麻烦|给我)[\s,，]*)*(?:(?:反映|反应|建议|咨询|投诉|问|说|备注|记|补充|提)(?:一下|下|个|一个|个意见|个建议)?(?:的是|就是)?[\s,，]*)?/;
const LEAD_OUT = /[\s,，。.!！]*(?:(?:谢谢(?:你|您|啊|了|哈)?|就这样|就这些|没别的了?|没了|好吧|行吧|可以吗|好吗|麻烦了)[\s,，。.!！]*)*$/;
/** A stretch longer than this is probably the whole utterance rather than the answer. Characters. */
const MAX_ANSWER_CHARS = 24;

/** Takes the message without the words around it; the longer it is, the lower the confidence that all of it is the answer. */
function message(text: string, confidence: number): TextReading | null {
  const start = LEAD_IN.exec(text)?.[0].length ?? 0;
  const end = text.length - (LEAD_OUT.exec(text.slice(start))?.[0].length ?? 0);
  if (NO_MESSAGE.test(text.slice(start, end))) return null;
  if (end - start < 2) return whole(text, confidence - 0.1);
  return { start, end, confidence: end - start > MAX_ANSWER_CHARS ? confidence - 0.15 : confidence };
}

/** `没什么意见`: no message. */
const NO_MESSAGE = /^(?:我)?(?:没|无)(?:有)?(?:什么|啥|别的|其他|要)*(?:意见|建议|要求|问题|需求|补充|备注|的|了)*$/;

/** Readings for which a question in return is no answer. */
const ASKED_BACK: ReadonlySet<Reading> = new Set<Reading>(['colour', 'other', 'reason', 'count']);
const ASKS_BACK = /有没有|有(?:些|哪些|啥|什么)|(?:什么|啥|哪)\p{Script=Han}{0,6}[啊呀呢]$|吗$|[?？]$/u;
/** Readings that are answered only by statements about the speaker. */
const OWN_ONLY: ReadonlySet<Reading> = new Set<Reading>(['job', 'employer']);

/** Whether the clause of a value is a question: `有没有粉色的啊`. */
function isAskedBack({ start, end }: Span, reading: Reading, text: string): boolean {
  const before = /[^\s,，。]*$/.exec(text.slice(0, start))?.[0] ?? '';
  const after = /^[^\s,，。]*/.exec(text.slice(end))?.[0] ?? '';
  return ASKED_BACK.has(reading) && ASKS_BACK.test(before + text.slice(start, end) + after);
}

/** Readings for which the label is more specific than the reading. */
const CUED: ReadonlySet<Reading> = new Set<Reading>(['other', 'address', 'name', 'count', 'open', 'job', 'city']);

/** Words for pain and malfunction. */
const SIGN =
  /疼|痛|痒|晕|咳|喘|发烧|发热|吐|泻|拉肚|跑肚|肿|麻|出血|过敏|起疹|睡不|吃不下|没力|没劲|胀|闷|慌|耳鸣|嗡嗡|掉头发|不(?:亮|转|响|动|热|冷|通|开|出|走|停|制冷|制热|启动|充电|吸|灵|工作)|坏|漏|断|裂|卡|死机|黑屏|花屏|蓝屏|闪|灭|碎|哑|破|打不着|充不进|开不了|关不上|没反应|没声|没信号|响|异响|抖|异味|冒烟|跳闸|掉线|慢/;
/** Words before a symptom: whose it is, since when, and introductions. */
const SIGN_LEAD =
  /^(?:(?:我|俺|额|他|她|娃|孩子|家里|症状|毛病|问题|就是|就|是|老是|老|总是|一直|光喊|光|有点儿?|经常|开始|这两天|最近|昨天|昨黑|昨晚|今天|早上|从\p{Script=Han}{1,6}?就?开始|(?:我)?[那这][个台辆](?:\p{Script=Han}{1,4}的)?|电瓶车|电动车|马桶|水管|打印机|燃气灶|热水器|空调|冰箱|洗衣机|电视机?|抽?油烟机|锅炉|手机|电脑|车子?|机器)\s*)+(?=.{2})/u;

/** The degree of a fever is not part of the symptom. */
const DEGREES = /[\d一二三四五六七八九十点]+度[\d一二三四五六七八九]?$/;

/** `不是打不着火`, `没坏`: a symptom that is denied. */
const NO_SIGN = /^(?:不是|没(?!反应|声|信号|劲|力|电)|不(?:咳|烧|疼|痛|坏|漏|吐|痒|晕))/;

/** Finds the clause that names a symptom or a fault. */
function signOf(text: string): TextReading | null {
  for (const clause of matchesOf(/[^\s,，。]+/g, text)) {
    if (!SIGN.test(clause[0]) || NO_SIGN.test(clause[0])) continue;
    const lead = SIGN_LEAD.exec(clause[0])?.[0].length ?? 0;
    const end = clause.index + clause[0].replace(DEGREES, '').replace(TAIL, '').length;
    if (end > clause.index + lead) return { start: clause.index + lead, end, confidence: 0.8 };
  }
  return null;
}

/** Finds the stretch that answers a text field; null when there is none. */
export function readTextField(reading: Reading, spoken: TextSources): TextReading | null {
  if (OWN_ONLY.has(reading) && saysOfAnother(spoken.text, spoken.label)) return null;
  const sources = TOLD.has(reading) ? spoken : { ...spoken, text: withoutFormer(spoken.text) };
  const cued = CUED.has(reading) ? sure(cuedText(sources.label, sources.text), 0.8) : null;
  const found = cued ?? BY_READING[reading]?.(sources) ?? byLabel(sources);
  if (found) return isAskedBack(found, reading, sources.text) ? null : found;
  return sources.isOnly && (reading === 'other' || reading === 'count' || reading === 'job')
    ? shortAnswer(sources.text, sources.label)
    : null;
}

function sure(span: Span | null, confidence: number): TextReading | null {
  return span ? { start: span.start, end: span.end, confidence } : null;
}

/** Returns the first match of a global pattern that corrections and denials leave valid. */
function standingMatch(text: string, pattern: RegExp, confidence: number): TextReading | null {
  const all = matchesOf(pattern, text).map(match => ({ start: match.index, end: match.index + match[0].length }));
  return sure(standing(all, text)[0] ?? null, confidence);
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

/** `颜色要红色的`: the label introduces the value. */
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
/** `要红色的`: the wanted thing is the answer. */
const CHOOSING = /^(?:我)?(?:想)?(?:要|选|拿|买|订|吃|喝|用|学|报|\p{Script=Han}{1,3}是)(?:个|那个|这个|的)?(?=[^不没有名])/u;
const NO_ANSWER = /[?？吗]|什么|怎么|不知道|不清楚|谁|喂|不要|不用|没有|再说|考虑|忙|骗|投诉/;

/** Takes a short reply to a single question as its answer. */
function shortAnswer(text: string, label: string): TextReading | null {
  if (NO_ANSWER.test(text)) return null;
  const plain = meaningfulPart(text).replace(TAIL, '').replace(CHOOSING, '').replace(endOf(label), '');
  const start = plain === '' ? -1 : text.indexOf(plain);
  if (start < 0 || plain.length > SHORT_CHARS) return null;
  return { start, end: start + plain.length, confidence: 0.6 };
}

/** First word of the label at the end of an answer: `过敏` in `青霉素过敏` for 过敏药物. */
function endOf(label: string): RegExp {
  const word = /^\p{Script=Han}{2}/u.exec(label)?.[0];
  return word === undefined ? /(?!)/ : new RegExp(`(?<=.)${word}$`);
}
