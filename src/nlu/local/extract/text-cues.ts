import { matchesOf, type Span, standing } from './spoken-text.ts';

const VALUE = '[\\p{Script=Han}a-z\\d]';
/** End of a value: a pause, possibly after particles. */
const END = '(?=的?(?:吧|了|啊|呀|嘛|哈|咧|咯|呢|哦)*(?:$|[\\s,，。]))';
const COUNT = '[\\d一二两三四五六七八九十百千几多来半]';

/** For each kind of label, how customers introduce the value; the match is the value. */
const CUES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/科室/, [`(?<=挂个?的?|看个?)${VALUE}{1,6}?科`]],
  [/医生|大夫/, ['(?<=约|找|挂|看|是)\\p{Script=Han}{2,4}?(?=医生|大夫|主任)', '(?<=约|找)\\p{Script=Han}{2,3}?(?=医生|大夫|主任)']],
  [/过敏/, [`(?<=对)${VALUE}{1,8}?(?=过敏)`, `${VALUE}{2,6}?(?=一[吃打用碰]就)`, `(?<=^|[\\s,，])${VALUE}{2,6}?(?=过敏)`]],
  [
    /品牌|牌子/,
    [
      `(?<=牌子是?|品牌是?)(?!我|不|没)${VALUE}{1,8}?${END}`,
      `(?<=^|[\\s,，]|是)(?!我|你|他|她|这|那)${VALUE}{2,6}?(?=的(?:\\p{Script=Han}{1,4})?(?:$|[\\s,，]))`,
      `(?<=是[台辆个])${VALUE}{2,6}?${END}`,
    ],
  ],
  [/宠物名|宠物叫|猫名|狗名/, [`(?<=叫做?|起名叫?)${VALUE}{1,4}?${END}`]],
  [/品种/, [`(?<=养的是|养了?[只条个]|是[只条个])${VALUE}{1,6}?${END}`]],
  [/车型|型号/, [`(?<=(?:那个|这个|车)是|提的|开的|那个(?!是))${VALUE}{2,10}?${END}`]],
  [
    /口味|辣度|锅底|汤底/,
    [
      '(?:微|中|特|重|不|免|麻|酸|香|少)辣|清汤|番茄|鸳鸯锅?|红汤|菌汤|三鲜|骨汤|原味|五香|蒜香|孜然|清淡|少[油盐糖]|[全半少无]糖|去冰|少冰',
    ],
  ],
  [/遗失|丢失|丢了|落下/, [`(?<=[丢落掉](?:的是|了))${VALUE}{2,8}?${END}`, `(?<=把)${VALUE}{2,8}?(?=[落丢掉忘])`]],
  [/备注|留言/, [`(?<=备注(?:写|是|上|一下|:|：)|注明)[^\\s,，。]{2,30}`]],
  [/风格/, [`(?<=装成|[整做要]个?|就)(?!是)${VALUE}{2,6}?(?=风格|的|吧|$|[\\s,，])`]],
  [/病虫害|病害|虫害/, ['(?<=得了|有|是)\\p{Script=Han}{1,5}?(?:病|虫|蜘蛛|斑|霉|锈)(?=$|[\\s,，])']],
  [
    /作物|种植(?!面积)/,
    [`(?<=种的是|种了?${COUNT}*亩?)(?!了)\\p{Script=Han}{2,4}?${END}`, `(?<=^|[\\s,，]|今年)\\p{Script=Han}{2,3}(?=得了|收|长|遭)`],
  ],
  [
    /货物|货品|品名|物品|商品/,
    [
      `(?<=[寄运拉装订买送](?:的是)?(?:${COUNT}+[箱袋件包盒吨斤])?)(?!的|了|我|你|到|过|货)${VALUE}{2,6}?${END}`,
      `(?<=${COUNT}[箱袋件包盒])\\p{Script=Han}{2,5}?${END}`,
    ],
  ],
  [/目的地|去哪|到哪/, [`(?<=去|到)(?!了|的|过)${VALUE}{2,12}?${END}`]],
  [/上车|出发|起点/, [`(?<=在|从)${VALUE}{2,14}?(?=上车|出发|走|动身)`, `(?<=上车点?(?:是|在))${VALUE}{2,14}?${END}`]],
  [/学校/, [`(?<=在)${VALUE}{2,12}?(?=[念上读])`]],
  [/课程|科目|想学|报名项目/, [`(?<=学个?|报个?)(?!的|了|费|过|名|不|啥|什么)${VALUE}{2,6}?${END}`]],
  [
    /银行|开户行/,
    ['(?<=^|[\\s,，]|是)(?:(?:(?!是)\\p{Script=Han}){2,6}?银行|[工建农中招交]行|邮储)\\p{Script=Han}*?(?:支行|分行|(?=的|$|[\\s,，]))'],
  ],
];
const COMPILED = CUES.map(([label, patterns]) => [label, patterns.map(pattern => new RegExp(pattern, 'gu'))] as const);

/** Words before a value that do not belong to it: `个古筝`, `二十箱砂糖橘`. */
const LEAD = new RegExp(`^(?:是|[个只条台辆份]|的|了|叫|来?亩|${COUNT}+[箱袋件包盒吨斤亩])+(?=.)`, 'u');
const NO_VALUE = /^(?:不|没|别|啥|什么|哪|谁|怎么|多少|这|那|他|她|它|我|你|上学|呢|啊)/;
/** `麻辣的吃不了`, `北欧风我不喜欢`: a value that is named only to be rejected. */
const REFUSED = /^(?:风格?)?的?(?:我)?(?:吃不了|不喜欢|不要|就算了|太\p{Script=Han}|不行|免了)/u;
/** A message may begin with a negation: `备注写不要打蜡`. */
const MESSAGE = /备注|留言/;

/** Finds the value of a common kind of label by the words that introduce it; the first valid one wins. */
export function cuedText(label: string, text: string): Span | null {
  const isMessage = MESSAGE.test(label);
  for (const [kind, patterns] of COMPILED) {
    if (!kind.test(label)) continue;
    for (const pattern of patterns) {
      const found = matchesOf(pattern, text).map(match => withoutLead(match[0], match.index));
      const values = found.filter(
        ({ start, end }) => isMessage || (end > start && !NO_VALUE.test(text.slice(start, end)) && !REFUSED.test(text.slice(end))),
      );
      const [first] = isMessage ? values : standing(values, text);
      if (first) return first;
    }
  }
  return null;
}

function withoutLead(value: string, at: number): Span {
  return { start: at + (LEAD.exec(value)?.[0].length ?? 0), end: at + value.length };
}
