import { describe, expect, test } from '@jest/globals';
import { extractFields } from '#companions/nlu/local/extract/extract-fields.ts';

const CALL = { now: Date.parse('2026-03-11T10:00:00+08:00'), timeZone: 'Asia/Shanghai' };

function extract(text: string, label: string, type: string) {
  const { fields, confidence } = extractFields({ text, fields: [{ key: 'value', label, type }] }, CALL);
  return { value: fields['value'], confidence };
}

describe('the measure tells which number a label asks for [issue 21]', () => {
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
  ])('%s, asked for %s, is %d', (text, label, value) => {
    expect(extract(text, label, 'number').value).toBe(value);
  });
});

describe('an explicit day beats a holiday; about a holiday is no day [issue 21]', () => {
  test.each([
    ['国庆之后吧 十月十二号', '2026-10-12'],
    ['五一人多 四月二十八号来', '2026-04-28'],
    ['过完国庆再说', null],
    ['五一之前吧', null],
    ['十一月十二号', '2026-11-12'],
    ['元旦来', '2027-01-01'],
    ['六一', '2026-06-01'],
  ])('%s is %s', (text, day) => {
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
    ['我是他儿子', '姓名', null],
    ['我是王强的儿子', '姓名', null],
    ['我是他儿子', '与本人关系', '儿子'],
    ['我是她同事', '关系', '同事'],
    ['我妈', '与本人关系', '妈'],
  ])('%s, asked for %s, is %s', (text, label, value) => {
    expect(extract(text, label, 'text').value).toBe(value);
  });

  test('a relative is not the person', () => {
    expect(extract('我是他儿子', '是否本人', 'boolean').value).toBe(false);
    expect(extract('是我', '是否本人', 'boolean').value).toBe(true);
  });
});

describe('a free text field holds what answers it [issue 21]', () => {
  test('words around the message are left out', () => {
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
  ])('%s, asked for %s, is %s', (text, label, value) => {
    expect(extract(text, label, 'text').value).toBe(value);
  });

  test('a long stretch is less sure', () => {
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
  ])('%s, asked for %s, is %s', (text, label, value) => {
    expect(extract(text, label, 'boolean').value).toBe(value);
  });
});
