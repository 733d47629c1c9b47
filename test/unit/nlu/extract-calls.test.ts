import { describe, expect, test } from '@jest/globals';
import { extractAtOnce, extractFields } from '#nlu/local/extract/extract-fields.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';

const { choices: model } = await readKnowledge();

const CALL = { now: Date.parse('2026-03-11T10:00:00+08:00'), timeZone: 'Asia/Shanghai' };

function extract(text: string, label: string, type: string) {
  const { fields, confidence } = extractAtOnce({ text, fields: [{ key: 'value', label, type }] }, { call: CALL, model });
  return { value: fields['value'], confidence };
}

describe('the unit in the label decides which number is extracted [issue 21]', () => {
  test.each([
    ['买了五年 跑了三万公里', '行驶里程', 30_000],
    ['五块一斤', '单价', 5],
    ['三块五一吨', '单价', 3.5],
    ['两百一晚', '房价', 200],
    ['一百五一晚', '房价', 150],
    ['五块二', '价格', 5.2],
    ['五块一毛', '价格', 5.1],
    ['一共三个人 每人两百块', '人均预算金额', 200],
    ['一共三个人 每人两百块', '人数', 3],
    ['一米七五 一百四十斤', '体重', 140],
    ['烧到三十八度五', '体温', 38.5],
    ['住三晚 两百一晚', '天数', 3],
    ['我们五个人 每人八十', '每人价格', 80],
    ['一家四口 人均一百二', '人均消费', 120],
    ['三个大人两个小孩', '儿童人数', 2],
    ['三个大人两个小孩', '成人数', 3],
    ['住两间 一间三百八', '房价', 380],
    ['要五斤 三块钱一斤', '单价', 3],
    ['一吨五百六 要二十吨', '吨数', 20],
    ['贷三十万 分三年还', '贷款年限', 3],
    ['贷三十万 分三年还', '贷款金额（万元）', 30],
    ['半年', '期限（月）', 6],
    ['九十来分钟', '时长（分钟）', 90],
    ['孩子八岁 上二年级', '年级', 2],
    ['高压一百五 低压九十', '低压', 90],
    ['满分十分我给九分', '评分', 9],
    ['十分制的话七分', '打分', 7],
    ['欠了三千二 先还五百', '还款金额', 500],
    ['欠了三千二 先还五百', '欠款金额', 3_200],
    ['我三十八 我爱人三十五', '配偶年龄', 35],
    ['我三十八 我爱人三十五', '年龄', 38],
    ['每天两次 一次三片', '每次片数', 3],
    ['每天两次 一次三片', '每天次数', 2],
    ['养了六十头猪 二十只羊', '猪的数量', 60],
    ['种了十五亩玉米 三亩大豆', '大豆亩数', 3],
    ['卡里还有两千块 要取五百', '取款金额', 500],
    ['卡里还有两千块 要取五百', '余额', 2_000],
    ['打了个八五折', '折扣', 8.5],
    ['四舍五入三百吧', '金额', 300],
    ['三室一厅 一百一十平 想卖两百三十万', '期望价格', 2_300_000],
    ['七零年的', '出生年份', 1970],
    ['二零零三年的', '出生年份', 2003],
    ['一分钱没有', '金额', 0],
    ['打对折', '折扣', 5],
  ])('in "%s", %s is %d', (text, label, value) => {
    expect(extract(text, label, 'number').value).toBe(value);
  });
});

describe('an explicit date takes precedence over a holiday, and an approximate holiday is no date [issue 21]', () => {
  test.each([
    ['国庆之后吧 十月十二号', '2026-10-12'],
    ['五一人多 四月二十八号来', '2026-04-28'],
    ['过完国庆再说', null],
    ['五一之前吧', null],
    ['十一月十二号', '2026-11-12'],
    ['元旦来', '2027-01-01'],
    ['六一', '2026-06-01'],
    ['三天前', '2026-03-08'],
  ])('"%s" is %s', (text, day) => {
    expect(extract(text, '日期', 'date').value).toBe(day);
  });
});

describe('plates, identity numbers, names and relations [issue 21]', () => {
  test.each([
    ['车牌是京A幺二三四五', '车牌号', '京A幺二三四五'],
    ['粤B D12345', '车牌', '粤B D12345'],
    ['幺幺零幺零幺一九九零零幺零幺幺二三叉', '身份证号', '幺幺零幺零幺一九九零零幺零幺幺二三叉'],
    ['我不叫王强，我叫王刚', '姓名', '王刚'],
    ['错了 是张伟 不是张威', '姓名', '张伟'],
    ['李先生', '姓名', '李'],
    ['叫我小陈就行', '称呼', '小陈'],
    ['登记刘德华吧', '姓名', '刘德华'],
    ['写我老婆的名字 周慧', '姓名', '周慧'],
    ['就写陈先生', '姓名', '陈'],
    ['是周三', '姓名', null],
    ['订单号是 A2025 8831', '订单号', 'A2025 8831'],
    ['我是顺丰的小王', '姓名', '小王'],
    ['我叫 嗯 李明', '姓名', '李明'],
    ['不姓陈 姓程', '姓', '程'],
    ['我姓诸葛', '姓', '诸葛'],
    ['木子李', '姓氏', '李'],
    ['我是张建国的爱人', '与本人关系', '爱人'],
    ['送我单位吧 高新区软件园B座', '地址', '高新区软件园B座'],
    ['两箱苹果 送到光明小学门卫', '地址', '光明小学门卫'],
    ['苹果十五', '手机型号', '苹果十五'],
    ['学钢琴', '意向课程', '钢琴'],
    ['我是他儿子', '姓名', null],
    ['我是王强的儿子', '姓名', null],
    ['我是他儿子', '与本人关系', '儿子'],
    ['我是她同事', '关系', '同事'],
    ['我妈', '与本人关系', '妈'],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(extract(text, label, 'text').value).toBe(value);
  });

  test('a relative is not the customer', () => {
    expect(extract('我是他儿子', '是否本人', 'boolean').value).toBe(false);
    expect(extract('是我', '是否本人', 'boolean').value).toBe(true);
  });
});

describe('a free-text field contains only the answer [issue 21]', () => {
  test('the words around the message are left out', () => {
    expect(extract('喂 你好 我想反映一下电梯老是坏 谢谢', '反馈内容', 'text').value).toBe('电梯老是坏');
  });

  test.each([
    ['主要是因为价格太高了', '原因', '价格太高了'],
    ['不去了 家里有事', '不参加原因', '家里有事'],
    ['老家湖南的 现在在深圳', '所在城市', '深圳'],
    ['老家湖南的 现在在深圳', '籍贯', '湖南'],
    ['我是做会计的', '职业', '会计'],
    ['开出租的', '职业', '开出租'],
    ['要红色的', '颜色', '红色'],
    ['吃的阿司匹林', '药品名称', '阿司匹林'],
    ['牌子是海尔的', '品牌', '海尔'],
    ['青霉素过敏', '过敏药物', '青霉素'],
    ['退休教师', '职业', '退休教师'],
    ['没什么意见', '意见建议', null],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(extract(text, label, 'text').value).toBe(value);
  });

  test('a long passage gets a lower confidence', () => {
    const long = '就是那个上次你们来的人说好三天就能修好结果一个礼拜了也没人来管我打电话也没人接';
    expect(extract(long, '问题描述', 'text').confidence).toBeLessThan(extract('电梯坏了', '问题描述', 'text').confidence);
  });
});

describe('yes or no in other words [issue 21]', () => {
  test.each([
    ['不是不同意', '是否同意', true],
    ['离了', '是否已婚', false],
    ['结了', '是否已婚', true],
    ['去', '是否参加', true],
    ['不去', '是否参加', false],
    ['谁说不去了', '是否参加', true],
    ['她是我妈 我替她接', '是否本人', false],
    ['我是张建国的爱人', '是否本人', false],
    ['可以是可以 不过要等几天', '是否同意', true],
    ['抽', '是否吸烟', true],
    ['戒了', '是否吸烟', false],
    ['还清了', '是否有贷款', false],
    ['满意', '是否满意', true],
    ['没什么不满意的', '是否满意', true],
    ['不怎么满意', '是否满意', false],
    ['在家', '是否在家', true],
    ['出门了', '是否在家', false],
    ['哪有啊', '是否有车', false],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(extract(text, label, 'boolean').value).toBe(value);
  });
});

describe('a statement about something else is no answer [issue 21]', () => {
  test.each([
    ['我爸七十一了', '年龄', null],
    ['我儿子一米九', '身高（厘米）', null],
    ['隔壁卖四块五', '单价（元/斤）', null],
    ['走五步就到', '所在楼层', null],
    ['总共十八层 我在六楼', '所在楼层', 6],
    ['以前一千八 现在两千二', '月租金（元）', 2_200],
    ['我工资五千', '还款金额（元）', null],
    ['想贷八万 工资一个月七千', '月薪（元）', 7_000],
    ['房子花了一百二十万', '房屋面积（平方米）', null],
    ['一天两包烟 今年五十二', '年龄', 52],
    ['两千六一个月 签一年', '租期（月）', 12],
    ['两个箱子 一共九公斤', '包裹重量（公斤）', 9],
    ['八八年六月十二生的 今年三十七', '年龄', 37],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(extract(text, label, 'number').value).toBe(value);
  });

  test.each([
    ['有没有电梯你去问物业', '是否有电梯', 'boolean'],
    ['我老婆抽烟', '是否吸烟', 'boolean'],
    ['听不清你说啥', '是否已婚', 'boolean'],
    ['我女儿是一二年七月八号生的', '出生日期', 'date'],
    ['十点肯定来不了', '到店时间', 'time'],
    ['不是中山路那边', '地址', 'text'],
    ['都有些什么颜色', '颜色', 'text'],
    ['没什么原因 不想说', '退货原因', 'text'],
  ])('in "%s", %s has no value', (text, label, type) => {
    expect(extract(text, label, type).value).toBeNull();
  });
});

describe('a value is converted to the unit of the label [issue 21]', () => {
  test.each([
    ['十二块钱三斤', '单价（元/斤）', 4],
    ['九块钱一公斤', '单价（元/斤）', 4.5],
    ['块五一斤', '单价（元/斤）', 1.5],
    ['二十斤', '包裹重量（公斤）', 10],
    ['六百克', '包裹重量（公斤）', 0.6],
    ['三吨半', '货物重量（吨）', 3.5],
    ['两公顷', '种植面积（亩）', 30],
    ['五亩三分地', '种植面积（亩）', 5.3],
    ['两刻钟', '时长（分钟）', 30],
    ['一天干九个小时', '每天工作时长（小时）', 9],
    ['占三成', '持股比例（%）', 30],
    ['就六千块', '贷款金额（万元）', 0.6],
    ['这辆跑了七万公里', '累计行驶里程（公里）', 70_000],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(extract(text, label, 'number').value).toBe(value);
  });

  test('a two-digit year lies in the past', () => {
    expect(extract('八七年五月三号', '出生日期', 'date').value).toBe('1987-05-03');
    expect(extract('一九年十月一号', '购买日期', 'date').value).toBe('2019-10-01');
  });

  test.each([
    ['弓长张 张小丽', '姓名', '张小丽'],
    ['我在县医院上班', '工作单位', '县医院'],
    ['我是宏达建材公司的', '公司名称', '宏达建材公司'],
    ['要墨绿色的 三十箱', '颜色', '墨绿色'],
    ['五幺零一二三一九八八零九零九一二三 最后一位是叉', '身份证号', '五幺零一二三一九八八零九零九一二三 最后一位是叉'],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(extract(text, label, 'text').value).toBe(value);
  });
});

describe('a text field contains what its label asks for, whatever precedes it [issue 21]', () => {
  test.each([
    ['我挂儿科 孩子咳嗽', '挂号科室', '儿科'],
    ['我挂儿科 孩子咳嗽', '症状', '咳嗽'],
    ['想约陈立新大夫', '预约医生姓名', '陈立新'],
    ['我对花生过敏', '过敏药物', '花生'],
    ['牌子是容声 用了三年', '家电品牌', '容声'],
    ['洗衣机漏水 上周五才修过', '故障现象', '漏水'],
    ['不是打不着火 是漏气', '故障现象', '漏气'],
    ['要微辣的 来两份', '口味', '微辣'],
    ['我把雨伞落车上了', '遗失物品', '雨伞'],
    ['到的时候备注写不要按门铃', '备注', '不要按门铃'],
    ['种了八亩花生', '种植作物', '花生'],
    ['从火车站上车 到人民医院', '目的地', '人民医院'],
    ['从火车站上车 到人民医院', '上车地点', '火车站'],
    ['想学个古筝', '意向课程', '古筝'],
    ['以前在钢厂 现在在机场', '工作单位', '机场'],
    ['我就是个电工', '职业', '电工'],
    ['我是她外甥女', '与机主关系', '外甥女'],
    ['川A六八幺Q三 错了 是川A六八幺Q五', '车牌号', '川A六八幺Q五'],
    ['不要白色 要米黄色', '颜色', '米黄色'],
    ['有没有粉色的啊', '颜色', null],
    ['我老公是司机', '职业', null],
    ['这里没有叫张伟的', '姓名', null],
    ['没什么要备注的了 谢谢啊', '备注', null],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(extract(text, label, 'text').value).toBe(value);
  });

  test('the right eye is not the left one, and a current value takes precedence over a former one', () => {
    expect(extract('左眼是三百', '右眼近视度数', 'number').value).toBeNull();
    expect(extract('以前有二十亩 占了五亩 现在剩十五亩', '种植面积（亩）', 'number').value).toBe(15);
    expect(extract('发票要开 备注写周末别送', '是否需要发票', 'boolean').value).toBe(true);
  });
});

describe('a label may contain its unit without brackets [issue 21]', () => {
  test.each([
    ['两斤四两', '包裹重量公斤', 1.2],
    ['五百公斤吧', '货物重量吨', 0.5],
    ['一岁半', '宝宝月龄', 18],
    ['一千五百瓦的', '功率千瓦', 1.5],
    ['想贷二十万 分三年还', '贷款期限月', 36],
    ['等了一个半钟头 打六分吧', '等待时长分钟', 90],
    ['四十二码半的鞋', '鞋码', 42.5],
    ['三块五一斤', '单价元每斤', 3.5],
    ['一亩打得到一千一百斤', '亩产斤', 1_100],
    ['窗户宽一米二 高一米五', '窗户高度厘米', 150],
    ['鸡养了一千五百只 鸭子没数过', '鸭的只数', null],
    ['空腹没测 吃完饭是十一点二', '空腹血糖', null],
    ['大夫说一次吃几片来着 我给忘了', '每次服药片数', null],
    ['打我座机三二五八八七幺 要多少回头再说', '订购数量', null],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(extract(text, label, 'number').value).toBe(value);
  });
});

describe('the confidence of an extraction [issue 21]', () => {
  function answerOf(text: string, label: string, type: string) {
    return extractAtOnce({ text, fields: [{ key: 'value', label, type }] }, { call: CALL, model });
  }

  test('is high for a plain answer', () => {
    const { confidence, reason } = answerOf('一百二十平', '房屋面积（平方米）', 'number');
    expect(confidence).toBeGreaterThanOrEqual(0.8);
    expect(reason).toBe('提取到：房屋面积（平方米）');
  });

  test('is low for a label that the model does not know, whether a value was found or not', () => {
    const { confidence, reason } = answerOf('师傅说是主板烧了 我觉得就是插头松了', '客户自述情节', 'text');
    expect(confidence).toBeLessThan(0.5);
    expect(reason).toContain('没有把握：客户自述情节');
  });
});

describe('large requests do not block others', () => {
  test('many fields of a long utterance are extracted in slices that let other work run, with the same result', async () => {
    const text = '我姓王 三月五号买的洗衣机 花了两千三 电话幺三八 零零幺二 三四五六 住在人民路五号 '.repeat(40);
    const fields = Array.from({ length: 64 }, (_, at) => ({
      key: `k${at}`,
      label: ['姓名', '购买日期', '购买价格（元）', '联系电话'][at % 4] ?? '',
      type: ['text', 'date', 'number', 'phone'][at % 4] ?? '',
    }));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    const answer = await extractFields({ text, fields }, { call: CALL, model });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
    expect(answer).toEqual(extractAtOnce({ text, fields }, { call: CALL, model }));
  });

  test('a common request is answered synchronously', () => {
    expect(
      extractFields({ text: '我姓王', fields: [{ key: 'name', label: '姓名', type: 'text' }] }, { call: CALL, model }),
    ).not.toBeInstanceOf(Promise);
  });
});
