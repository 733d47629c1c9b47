import { matchesOf, type Span } from './spoken-text.ts';

const SURNAMES =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧肖蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严赖覃洪武莫孔汤向常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝';
const DOUBLE_SURNAMES = '欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|司徒|端木|夏侯|长孙|宇文|轩辕|南宫|独孤';

const CUES =
  /(?:我(?:的)?(?:名字|姓名|全名)?(?:就)?(?:叫|是|姓)|名字(?:就)?(?:叫|是)|(?:免贵|本人|敝)?姓|本人(?:叫|是)?|叫做?|这里是|户名(?:叫|是)?|联系人(?:叫|是)?|收件人(?:叫|是|写)?|名字(?=\s|[^就叫是怎])|登记|填|写|找)[\s嗯呃啊]*/g;
const ENGLISH = /\b(?:my name is|i am|i'm|this is|call me) ([a-z]+(?: [a-z]+)?)/;
/** Words that may follow a name without being part of it. */
const AFTER_NAME =
  /^(?:今年|电话|手机|号码|的|啊|呀|哈|吧|呢|嘛|了|是|在|住|我|你|您|他|她|先生|女士|小姐|老师|和|跟|要|想|也|就|，|,|。|\s|$)/;
const NOT_GIVEN = /[的了是在不有没我你他她们这那么吗呢吧啊呀什谁哪人个要想就都也和跟住电手]/;
const MAX_GIVEN = 2;

/** A name with its position. */
export interface FoundName extends Span {
  confidence: number;
}

/** Finds the speaker's name by its cue; `免贵姓李 李小龙` gives the full name. */
export function findName(text: string): FoundName | null {
  const found: FoundName[] = [];
  for (const cue of matchesOf(CUES, text)) {
    const start = cue.index + cue[0].length;
    if (DENIED.test(text.slice(Math.max(0, cue.index - 2), start))) continue;
    const bySurname = cue[0].trim().endsWith('姓');
    const named = nameAt(text, start, bySurname) ?? (/叫/.test(cue[0]) ? calledAt(text, start) : null);
    if (named && !isRelative(text, named)) found.push(named);
  }
  const [first] = found;
  if (!first) return spelled(text) ?? nickname(text) ?? corrected(text) ?? englishName(text) ?? alone(text);
  if (first.end - first.start > 1) return first;
  const repeated = fullNameAfter(text, first);
  return repeated ?? found.find(name => name.end - name.start > 1) ?? first;
}

/** Text before a name: a pause, a cue, or a word for the person. */
const NAME_MAY_START =
  /(?:^|[\s,，。]|叫做?|姓|是|写|找|给|名字?|经理|师傅|医生|室友|同事|朋友|[爸妈爹娘弟哥姐妹公婆妇儿女子伴友]|班的|收件人|联系人)\s*/g;
/** Text after a name in a text field. */
const NAME_MAY_END = /^(?:$|[\s,，。]|的|收|电话|手机|他|她|我|住|是|在|就|吧|啊|呀|也|今年|先生|女士|经理|师傅|阿姨|老师|医生|主任|总)/;
const ADDRESSED_SHORT = new RegExp(`[小老阿]\\p{Script=Han}(?=$|[\\s,，。的就他她吧啊呀有])`, 'gu');

const TITLE = /先生|女士|小姐|太太|经理|师傅|老师|阿姨|医生|主任|老板/;

/** Returns every stretch that looks like a name. */
export function findNames(text: string): Span[] {
  const found: Span[] = matchesOf(ADDRESSED_SHORT, text).map(({ index, 0: said }) => ({ start: index, end: index + said.length }));
  for (const cue of matchesOf(NAME_MAY_START, text)) {
    const start = cue.index + cue[0].length;
    SURNAME_AT.lastIndex = start;
    const surname = SURNAME_AT.exec(text)?.[0];
    if (surname === undefined) continue;
    for (const given of [2, 1, 0]) {
      const end = start + surname.length + given;
      const called = text.slice(start + surname.length, end);
      if (NOT_GIVEN.test(called) || TITLE.test(called)) continue;
      if (end > text.length || !NAME_MAY_END.test(text.slice(end)) || !/^\p{Script=Han}*$/u.test(text.slice(start, end))) continue;
      found.push({ start, end });
      break;
    }
  }
  return found;
}

/** `我不叫王强`: a denied name. */
const DENIED = /(?:不|没)有?(?:是|叫|姓|找|认识)?(?:做|姓)?\s*$/;
const RELATIVE =
  /^(?:的|他|她|家)?(?:爸|妈|父|母|老公|老婆|丈夫|妻子|爱人|媳妇|儿子|女儿|儿媳|女婿|哥|弟|姐|妹|孙|爷爷|奶奶|同事|朋友|邻居|室友|秘书|助理|司机|家属|家人|亲戚)/;

/** `我是王强的儿子`: not the speaker's name. */
function isRelative(text: string, { end }: Span): boolean {
  return RELATIVE.test(text.slice(end, end + 4));
}

const ADDRESSED = new RegExp(
  `^\\s*(?:就|是|我是|写|登记|填)*((?:${DOUBLE_SURNAMES}|[${SURNAMES}]))(?:先生|女士|小姐|太太|老师)(?:吧|啊|呀|就行)?\\s*$`,
);
const SURNAME_AT = new RegExp(`(?:${DOUBLE_SURNAMES}|[${SURNAMES}])`, 'y');

function nameAt(text: string, start: number, surnameAlone: boolean): FoundName | null {
  SURNAME_AT.lastIndex = start;
  const surname = SURNAME_AT.exec(text)?.[0];
  if (surname === undefined) return null;
  let end = start + surname.length;
  while (end - start - surname.length < MAX_GIVEN && isGiven(text, end)) end += 1;
  if (end === start + surname.length && !surnameAlone)
    return AFTER_NAME.test(text.slice(end)) && /先生|女士/.test(text.slice(end, end + 2)) ? { start, end, confidence: 0.7 } : null;
  return { start, end, confidence: 0.93 };
}

function isGiven(text: string, at: number): boolean {
  return /\p{Script=Han}/u.test(text.charAt(at)) && !NOT_GIVEN.test(text.charAt(at)) && !AFTER_NAME.test(text.slice(at));
}

/** After `叫`, any short word is a name. */
function calledAt(text: string, start: number): FoundName | null {
  const word = /^[\p{Script=Han}]{2,4}(?=[\s,，。]|$)/u.exec(text.slice(start))?.[0];
  return word === undefined || NOT_GIVEN.test(word) ? null : { start, end: start + word.length, confidence: 0.8 };
}

function fullNameAfter(text: string, surname: Span): FoundName | null {
  const word = text.slice(surname.start, surname.end);
  for (let at = text.indexOf(word, surname.end); at >= 0; at = text.indexOf(word, at + 1)) {
    const full = nameAt(text, at, false);
    if (full && text.charAt(full.end) !== '的') return full;
  }
  return null;
}

function englishName(text: string): FoundName | null {
  const match = ENGLISH.exec(text);
  const name = match?.[1];
  if (!match || name === undefined || /^(?:not|a|the|busy|in|at|sorry|fine|driving|ok)\b/.test(name)) return null;
  const start = match.index + match[0].length - name.length;
  return { start, end: start + name.length, confidence: 0.85 };
}

/** Surnames described by their components: `木子李`. */
const SPELLED = /(?<=木子|弓长|耳东|立早|古月|双口|言午|口天|草头)[李张陈章胡吕许吴黄]/;
const NICKNAME = new RegExp(`(?:叫我|喊我|我是|我叫)\\s*(?:[\\p{Script=Han}]{2,6}的)?([小老阿][${SURNAMES}])`, 'u');

function spelled(text: string): FoundName | null {
  const match = SPELLED.exec(text);
  if (!match) return null;
  const surname = { start: match.index, end: match.index + match[0].length };
  return fullNameAfter(text, surname) ?? { ...surname, confidence: 0.85 };
}

/** Reads a nickname: `叫我小陈就行`. */
function nickname(text: string): FoundName | null {
  const match = NICKNAME.exec(text);
  const name = match?.[1];
  if (!match || name === undefined) return null;
  const end = match.index + match[0].length;
  return { start: end - name.length, end, confidence: 0.85 };
}

const IS = /(?<=^|[\s,，])(?:应该)?是(?!周[一二三四五六日天])\s*/g;

/** `错了 是张伟 不是张威`: a full name between pauses. */
function corrected(text: string): FoundName | null {
  for (const is of matchesOf(IS, text)) {
    const named = nameAt(text, is.index + is[0].length, false);
    if (named && named.end - named.start > 1 && /^(?:$|[\s,，。吧啊呀])/.test(text.slice(named.end))) return { ...named, confidence: 0.85 };
  }
  return null;
}

/** The utterance is only a name, or a form of address such as `李先生`. */
function alone(text: string): FoundName | null {
  const start = text.length - text.trimStart().length;
  const addressed = ADDRESSED.exec(text)?.[1];
  if (addressed !== undefined) return { start: text.indexOf(addressed), end: text.indexOf(addressed) + addressed.length, confidence: 0.75 };
  const named = nameAt(text, start, false);
  return named && named.end - named.start >= 2 && named.end === text.trimEnd().length ? { ...named, confidence: 0.75 } : null;
}
