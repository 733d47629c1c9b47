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
    ['我是他儿子', '姓名', null],
    ['我是王强的儿子', '姓名', null],
    ['我是他儿子', '与本人关系', '儿子'],
    ['我是她同事', '关系', '同事'],
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

  test('a long stretch is less sure', () => {
    const long = '就是那个上次你们来的人说好三天就能修好结果一个礼拜了也没人来管我打电话也没人接';
    expect(extract(long, '问题描述', 'text').confidence).toBeLessThan(extract('电梯坏了', '问题描述', 'text').confidence);
  });
});
