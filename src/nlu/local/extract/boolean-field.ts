import { untwist } from '../text/composition.ts';

/** Negations that agree. */
const AGREEING = /没问题|没事|不错|没错|不介意|无所谓|没关系|不反对|没意见|可以吗?$/;
const UNSETTLED =
  /考虑|再说|不知道|不确定|不一定|想想|看看|看情况|再看|也许|可能|说不好|说不准|不清楚|不晓得|记不清|没定|没想好|商量|maybe|not sure|think about/;
const NO = /哪有|哪来的|不|没|别|甭|莫|冇|未|算了|拒绝|拉倒|\bno\b|\bnot\b|n't\b|never|nope/;
const YES = /是|对|好|行|可以|能|愿意|要|有|嗯|同意|没问题|成|中|得|会|确认|当然|必须|肯定|了$|了[\s,，]|过|ok|yes|yeah|sure|right|correct/;

const DENIED_TWICE = /不是(?:说)?不|没有?不|不会不|不能不|不可能不|哪能不|怎么会不/;
/** The bare verb as a reply, such as `去`. */
const DOES = /^(?:我)?(?:会|要|一定|肯定)?(?:去|来|办|买|还|交|用|约|报|参加|接受|需要)(?:的|啊|吧|呀|呗|嘞)?$/;
/** Words that mean no for one label and may mean yes for another. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/婚/, /离|单身|未婚|没|不/],
  [/在家/, /出门|出去|外面|外地|上班|不在/],
  [/烟|酒/, /戒/],
  [/贷|欠/, /还清|结清|还完|全款/],
];
/** `偶尔` and its like: occasionally means yes. */
const AT_TIMES = /^(?:抽|喝)(?:嘛|啊|的|呀|点|哦)?(?=[\s,，])|^(?:偶尔|有时候?|经常|天天|常|抽|喝)(?:的|啊|吧|抽|喝|会|去)*$/;
const ASKED = /^.*(?:是否|是不是|有没有|有无|能否|可否|会不会|愿不愿意?)/;
/** Words with 不 that negate nothing. */
const NOT_DENYING = /不过|不但|不管|不如|不好意思|只不过/g;

/** A yes or no with its confidence. */
export interface BooleanReading {
  value: boolean;
  confidence: number;
}

const FIRM = 0.93;
/** Decided by words specific to such a label. */
const NAMED = 0.87;
const INFERRED = 0.8;

const OWN_PERSON = /本人|机主|户主/;
const SOMEBODY_ELSE =
  /我(?:就)?是(?:他|她|机主|业主|病人|\p{Script=Han}{2,4}的)(?:的)?(?:爸|妈|父|母|老公|老婆|丈夫|妻子|爱人|媳妇|儿|女|哥|弟|姐|妹|孙|爷|奶|同事|朋友|邻居|室友|家|亲|助理|秘书|对象)|(?:他|她|机主)是我|[替帮代](?:他|她|机主)?接/u;

/** Replies that give no answer: referring the caller elsewhere, not having heard, or refusing to tell. */
const DEFLECTS =
  /(?:你们?)(?:去)?问(?:一下)?(?:物业|会计|财务|公司|单位|领导|他|她|我)|跟(?:我们?|他|她)?.{0,4}(?:会计|财务|家里|老婆|老公|领导)(?:讲|说|联系)|没听清|听不清|听不见|你说(?:啥|什么)|几个点|要不要|多少|怎么(?:开|办|弄|收)|不方便说|不想说|不好说|管我|关你|跟你(?:有)?(?:啥|什么|何)/;
/** Words that mean yes for one label, whatever negations accompany them. */
const AFFIRMED: readonly (readonly [RegExp, RegExp])[] = [[/婚/, /结了婚|结过婚|已婚|成家|(?<!没)有(?:老婆|老公|家室)/]];
/** Labels that concern the speaker alone. */
const OWN_MATTER = /婚|烟|酒|过敏|病|保险|驾照/;
const OTHERS =
  /^(?:是)?我(?:们)?(?:家)?(?:爱人|老婆|老公|媳妇|儿子|女儿|孩子|爸|妈|哥|弟|姐|妹|朋友|同事)(?!\p{Script=Han}{0,2}(?:和|跟)我)/u;

function isOfAnother(plain: string, label: string): boolean {
  return OWN_MATTER.test(label) && OTHERS.test(plain) && !/我(?:自己|也|都)/.test(plain);
}

/** Reads yes or no; null when it is neither. A relative is not the person that the label names. */
export function readBoolean(text: string, label = ''): BooleanReading | null {
  const plain = untwist(text.trim()).meant;
  if (OWN_PERSON.test(label) && SOMEBODY_ELSE.test(plain)) return { value: false, confidence: FIRM };
  if (plain === '' || DEFLECTS.test(plain) || isOfAnother(plain, label)) return null;
  if (AFFIRMED.some(([asked, said]) => asked.test(label) && said.test(plain))) return { value: true, confidence: NAMED };
  if (OPPOSITES.some(([asked, denied]) => asked.test(label) && denied.test(plain))) return { value: false, confidence: NAMED };
  if (DENIED_TWICE.test(plain) || DOES.test(plain) || AT_TIMES.test(plain) || isEcho(plain, label))
    return { value: true, confidence: INFERRED };
  if (AGREEING.test(plain)) return { value: true, confidence: INFERRED };
  if (UNSETTLED.test(plain)) return null;
  const asked = plain.replace(/(\p{Script=Han})[不没]\1/gu, '').replace(NOT_DENYING, '');
  if (NO.test(asked)) return { value: false, confidence: FIRM };
  if (!YES.test(asked)) return null;
  return { value: true, confidence: /^(?:是|对|好|行|可以|嗯|yes|ok)/.test(asked) ? FIRM : INFERRED };
}

/** Polarity of a clause: 1 negates, 2 affirms, 3 both, 0 neither. */
export function polarityOf(clause: string): number {
  const asked = untwist(clause)
    .meant.replace(/(\p{Script=Han})[不没]\1/gu, '')
    .replace(NOT_DENYING, '');
  return (NO.test(asked) ? 1 : 0) + (YES.test(asked) ? 2 : 0);
}

/** Whether the customer refers the caller elsewhere, answers for another person, or is undecided. */
export function isDeflected(text: string, label: string): boolean {
  const plain = text.trim();
  return DEFLECTS.test(plain) || isOfAnother(plain, label) || UNSETTLED.test(plain);
}

/** Whether the reply repeats the label's own words: `满意` to 是否满意. */
function isEcho(plain: string, label: string): boolean {
  const asked = ASKED.test(label) ? label.replace(ASKED, '') : '';
  return asked.length > 1 && plain.includes(asked) && !NO.test(plain.replace(asked, ''));
}
