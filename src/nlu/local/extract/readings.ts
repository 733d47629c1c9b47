/** Meaning of a field, judged by its label and key. */
export type Reading =
  | 'age'
  | 'money'
  | 'people'
  | 'area'
  | 'rate'
  | 'months'
  | 'years'
  | 'year'
  | 'days'
  | 'hours'
  | 'minutes'
  | 'score'
  | 'floor'
  | 'centimetres'
  | 'distance'
  | 'weight'
  | 'kilograms'
  | 'monthsOld'
  | 'kilowatts'
  | 'metres'
  | 'catties'
  | 'tonnes'
  | 'grams'
  | 'acreage'
  | 'rooms'
  | 'colour'
  | 'employer'
  | 'sign'
  | 'degrees'
  | 'plate'
  | 'relation'
  | 'count'
  | 'digits'
  | 'phone'
  | 'time'
  | 'name'
  | 'address'
  | 'city'
  | 'reason'
  | 'open'
  | 'gender'
  | 'job'
  | 'email'
  | 'other';

/** Patterns of labels; the first match wins. The key is consulted only when none matches the label. */
const READINGS: readonly (readonly [RegExp, Reading])[] = [
  [/手机(?![型品牌系壳卡])|电话|联系方式|座机|固话|phone|mobile|\btel/, 'phone'],
  [/车牌|plate/, 'plate'],
  [/身份证|证件号|卡号|验证码|单号|订单号|编号|工号|学号|邮编|尾号|账号|号码|保单号|\bid ?card|idcard|code\b|zip|card ?no/, 'digits'],
  [/邮箱|邮件|e-?mail/, 'email'],
  [/年份|出生年(?!月)|哪一?年/, 'year'],
  [/月龄/, 'monthsOld'],
  [/[（(]个?月[)）]|期数|月数|(?<!年|每|上|本|当|几)月$/, 'months'],
  [/年限|年数|[（(]年[)）]|龄年$|期限年$/, 'years'],
  [/[（(]天[)）]/, 'days'],
  [/[（(]小时[)）]|(?<!每|\/)小时$/, 'hours'],
  [/[（(]分钟?[)）]|(?<!每|\/)分钟$/, 'minutes'],
  [/[（(]亩[)）]|亩数|(?<!每|\/)亩$|几亩|多少亩/, 'acreage'],
  [/[（(]吨[)）]|吨数|(?<!每|\/)吨$|几吨/, 'tonnes'],
  [/[（(]克[)）]|(?<!千)克$/, 'grams'],
  [/(?<!元\/)[（(]斤[)）]|斤数|(?<!公|每|\/)斤$|几斤/, 'catties'],
  [/[（(]千瓦[)）]|千瓦$/, 'kilowatts'],
  [/厘米|公分|\bcm\b|身高cm/, 'centimetres'],
  [/[（(]米[)）]|(?<![平立]方|厘|毫|千|平|每|\/)米$/, 'metres'],
  [/年龄|岁数|多大|几岁|年纪|\bage\b/, 'age'],
  [/利率|比例|百分|折扣|税率|占比|成数|\brate\b|percent|ratio/, 'rate'],
  [
    /金额|价[格钱位]|[单总均售底原]价|租金|房租|消费|多少钱|预算|工资|收入|薪|费用|费|款|贷|额度|押金|报价|月供|房价|首付|欠|收益|amount|price|budget|salary|income|money|fee|pay(?!ment ?date|day)|loan/,
    'money',
  ],
  [/里程|公里|行驶|路程|距离|mileage|distance/, 'distance'],
  [/(?<!元\/)(?:公斤|千克|\bkg\b)/, 'kilograms'],
  [/体重|重量|weight/, 'weight'],
  [/体温|温度|度数|temperature/, 'degrees'],
  [/卧室|房间数|几室|几个房间|几间房/, 'rooms'],
  [/面积|平米|平方|\barea\b|square/, 'area'],
  [/人数|几个人|多少人|几人|几位|家庭成员|人口|同行|people|persons|headcount|guests|party/, 'people'],
  [/分期|几个月|多少个月|合约期|months?\b|installments?/, 'months'],
  [/几年|多少年|工龄|经验|years?\b/, 'years'],
  [/天数|几天|多少天|days?\b|nights?/, 'days'],
  [/小时|时长|hours?\b/, 'hours'],
  [/分钟|minutes?\b/, 'minutes'],
  [/评分|打分|分数|几分|得分|满意度|星级|score|rating|stars?/, 'score'],
  [/楼层|几楼|几层|floor/, 'floor'],
  [/时间|日期|几点|哪天|什么时候|何时|日子|时刻|time|date|when|day\b/, 'time'],
  [/关系|relation/, 'relation'],
  [/城市|省份|籍贯|哪里人|所在地|地区|户籍|city|province|region/, 'city'],
  [/地址|住址|住处|收货|位置|地点|家住|住哪|小区|address|location|place/, 'address'],
  [/^姓$|姓什么|姓名|名字|称呼|贵姓|姓氏|联系人|收件人|叫什么|全名|\bname\b|surname|contact ?name/, 'name'],
  [/症状|故障|不舒服|毛病/, 'sign'],
  [/原因|理由|为什么|为何|缘由|reason|why|cause/, 'reason'],
  [/颜色|色号|colou?r/, 'colour'],
  [/工作单位|单位名称|公司名|哪家公司|企业名|所在单位|就职|任职|雇主|employer/, 'employer'],
  [/性别|gender|sex\b/, 'gender'],
  [/职业|工作|行业|职位|岗位|从事|job|occupation|profession/, 'job'],
  [/数量|个数|鞋码|尺码|码数|几个|多少个|件数|次数|几次|多少|count|quantity|number|amount|times/, 'count'],
  [
    /备注|意见|建议|诉求|问题|描述|内容|反馈|需求|说明|留言|评价|要求|情况|remark|note|comment|feedback|description|content|request|suggestion|question|issue/,
    'open',
  ],
];

/** Readings that are expressed in whole clauses, and for which statements about former times count too. */
export const TOLD: ReadonlySet<Reading> = new Set<Reading>(['reason', 'open', 'sign']);

/** Determines the reading of a field. */
export function readingOf(label: string, key: string): Reading {
  return match(label.toLowerCase()) ?? match(words(key)) ?? 'other';
}

function match(text: string): Reading | undefined {
  return READINGS.find(([pattern]) => pattern.test(text))?.[1];
}

/** Splits `appointmentTime` and `appointment_time` into `appointment time`. */
function words(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .toLowerCase();
}
