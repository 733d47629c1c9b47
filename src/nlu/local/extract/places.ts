import { matchesOf, type Span } from './spoken-text.ts';

const CITIES =
  '北京|上海|天津|重庆|广州|深圳|成都|杭州|武汉|南京|西安|苏州|郑州|长沙|沈阳|青岛|宁波|东莞|无锡|佛山|合肥|大连|福州|厦门|哈尔滨|济南|温州|南宁|长春|泉州|石家庄|贵阳|南昌|金华|常州|嘉兴|南通|徐州|太原|惠州|珠海|中山|台州|烟台|兰州|绍兴|海口|扬州|临沂|洛阳|潍坊|乌鲁木齐|呼和浩特|银川|西宁|拉萨|昆明|桂林|三亚|保定|唐山|汕头|湖州|盐城|镇江|淮安|连云港|芜湖|蚌埠|赣州|九江|宜昌|襄阳|荆州|株洲|湘潭|衡阳|岳阳|常德|绵阳|德阳|宜宾|泸州|南充|遵义|大理|丽江|柳州|北海|湛江|江门|肇庆|揭阳|梅州|咸阳|宝鸡|开封|新乡|安阳|南阳|许昌|邯郸|廊坊|秦皇岛|沧州|大同|包头|鞍山|吉林|大庆|齐齐哈尔|淄博|济宁|泰安|威海|日照|香港|澳门|台北|高雄';
const PROVINCES =
  '河北|山西|辽宁|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆';

const CITY = new RegExp(`(?:${CITIES}|${PROVINCES})`, 'g');
const CITY_BY_CUE = /(?:在|住|来自|老家|是)\s*([\p{Script=Han}]{2,4}?)(?:市|县|这边|那边|人$|的$)/u;

const ORIGIN = /籍贯|老家|户籍|户口|哪里人|出生/;
const FROM = /(?:老家|籍贯|户口|来自|出生)(?:是|在)?\s*$/;
const NOW_IN = /(?:现在|目前|人|住|家|搬到|来到?)?(?:在|住|到)\s*$/;

/**
 * Finds a city or province. Among known names, the speaker's residence is preferred, or the origin when the label asks for it; without a known
 * name, the word between a cue and an ending is taken.
 */
export function findCity(text: string, label = ''): Span | null {
  const cue = ORIGIN.test(label) ? FROM : NOW_IN;
  const all = matchesOf(CITY, text);
  const known = all.find(({ index }) => cue.test(text.slice(0, index))) ?? all[0];
  if (known) return { start: known.index, end: known.index + known[0].length };
  const cued = CITY_BY_CUE.exec(text);
  const word = cued?.[1];
  if (!cued || word === undefined) return null;
  const start = cued.index + cued[0].indexOf(word);
  return { start, end: start + word.length };
}

const PROVINCE_CITY = new RegExp(
  `(?:(?:${PROVINCES})省?)?(?:${CITIES})市?|(?:${PROVINCES})省?(?:[\\p{Script=Han}]{2}(?=的|人|$|[\\s,，]))?`,
  'gu',
);
const CITY_CUED =
  /(?<=从|到|在|往|去|发|寄到?|送到?|回|来自|老家|俺?是|户口在)[\p{Script=Han}]{2,3}?(?=的|人|到|拉|转|搬|发|这边|那边|来|念|坐|上车|$|[\s,，])/gu;

/** Returns every place that is named: a known name, or a word after a cue. */
export function findCities(text: string): Span[] {
  return [...matchesOf(PROVINCE_CITY, text), ...matchesOf(CITY_CUED, text)].map(({ index, 0: said }) => ({
    start: index,
    end: index + said.length,
  }));
}

const CUES = /(?:搁|还是|送到?|寄到?|发到?|搬到|改到|改成|住在?|地址(?:就)?(?:是|在|写)?|位置(?:是|在)|现在在|家在|(?<!现)在|到|去)\s*/g;
/** Words that addresses consist of. */
const PARTS =
  /[省市区县镇乡村路街道巷弄号楼栋幢座室苑城寓厦厅]|小区|花园|大厦|广场|单元|公寓|新村|大道|胡同|门牌|学校|小学|中学|大学|幼儿园|门卫|商场|超市|车站|酒店|宾馆|[件业技]园|医院|公司|工业园|家园|山庄|府/;
const STOP = /[,，。;；!！?？\s]|(?:就行|吧|好了|这里|这边|那边|可以|谢谢|行吗|的话|咧|咯|嘞)/;
const MIN_CHARS = 3;

/** Finds an address by its cue; without one, a stretch of address words. */
export function findAddress(text: string): Span | null {
  let best: Span | null = null;
  for (const cue of matchesOf(CUES, text)) {
    const span = stretch(text, cue.index + cue[0].length);
    if (span && (!best || span.end - span.start > best.end - best.start)) best = span;
  }
  return best ?? wholeStretch(text);
}

function stretch(text: string, start: number): Span | null {
  const rest = text.slice(start);
  const stop = STOP.exec(rest)?.index ?? rest.length;
  const said = rest.slice(0, stop);
  return said.length >= MIN_CHARS && PARTS.test(said) ? { start, end: start + stop } : null;
}

/** Words for what happens at a place, directly after its name. */
const DONE_THERE = /(?:住|见|集合|撞|碰|被|让|追|翻|等|停|上车|下车|对[吧伐不]|行不|可以|绊|摔|跌|那儿|那个|那块儿|后头|边上)/;
const PLACE_CUES = /(?:在|到|从|去|住|搬到|送到?|寄到?|发到?|就|停|地址是?|位置是?)\s*/g;

const MAX_STARTS = 16;
const MAX_PLACE_CHARS = 40;

/** Returns every stretch that may be a place, both up to its end and up to what happens there. */
export function findAddresses(text: string): Span[] {
  const starts = [
    0,
    ...matchesOf(/[\s,，]/g, text).map(({ index }) => index + 1),
    ...matchesOf(PLACE_CUES, text).map(({ index, 0: cue }) => index + cue.length),
  ];
  return starts.slice(0, MAX_STARTS).flatMap(start => {
    const rest = text.slice(start, start + MAX_PLACE_CHARS);
    const end = STOP.exec(rest)?.index ?? rest.length;
    const done = DONE_THERE.exec(rest.slice(0, end))?.index ?? end;
    const ends = [...new Set([end, done, done - (rest.slice(0, done).endsWith('的') ? 1 : 0)])].filter(length => length >= 2);
    return ends.map(length => ({ start, end: start + length }));
  });
}

const STRONG =
  /(?:[\p{Script=Han}]{2,}(?:[省市区县]))?[\p{Script=Han}]{2,}(?:路|街|大道|巷|弄|小区|花园|大厦|广场|苑|村|镇|[件业技]园)[\p{Script=Han}\da-z]*(?:号|栋|楼|室|单元|弄|座)?[\p{Script=Han}\d]*/u;

/** `不是文三路那个`: a denied address. */
const DENIED = /^(?:我)?(?:不是|没在|不在|不住)/;

function wholeStretch(text: string): Span | null {
  const match = STRONG.exec(text);
  if (match && DENIED.test(match[0])) return null;
  return match ? { start: match.index, end: match.index + match[0].length } : null;
}
