import { describe, expect, test } from '@jest/globals';
import { extractAtOnce } from '#nlu/local/extract/extract-fields.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';

const { choices: model } = await readKnowledge();

const CALL = { now: Date.parse('2026-03-11T10:00:00+08:00'), timeZone: 'Asia/Shanghai' };

function numberOf(text: string, label: string): unknown {
  return extractAtOnce({ text, fields: [{ key: 'value', label, type: 'number' }] }, { call: CALL, model }).fields.value;
}

describe('numbers as spoken [D13.3]', () => {
  test.each([
    ['三百五十', 350],
    ['两万', 20_000],
    ['一千二', 1_200],
    ['三点五', 3.5],
    ['百分之五', 5],
    ['三分之一', 1 / 3],
    ['一亿两千万', 120_000_000],
    ['二十多万', 200_000],
    ['半', 0.5],
    ['一万零五百', 10_500],
    ['十五', 15],
    ['二十', 20],
    ['一百一', 110],
    ['一百零一', 101],
    ['两千零三十', 2_030],
    ['三千六百八', 3_680],
    ['九百九十九', 999],
    ['五万八千', 58_000],
    ['十二万五', 125_000],
    ['三十来万', 300_000],
    ['七八百', 700],
    ['一两千', 1_000],
    ['2万3', 23_000],
    ['3千5', 3_500],
    ['十几个', 10],
    ['零点五', 0.5],
    ['三点一四', 3.14],
    ['1.2亿', 120_000_000],
    ['forty two', 42],
    ['two thousand five hundred', 2_500],
    ['a hundred and five', 105],
    ['千分之三', 0.3],
    ['１２３', 123],
    ['一千两百三十四', 1_234],
    ['八百万', 8_000_000],
    ['五十万零三百', 500_300],
    ['一万一千', 11_000],
    ['三千万不要零头', 30_000_000],
    ['两百五', 250],
    ['一万零五', 10_005],
    ['零下五度', -5],
    ['负三', -3],
    ['minus five', -5],
    ['廿五', 25],
    ['卅', 30],
    ['one point five million', 1_500_000],
    ['half a million', 500_000],
    ['a dozen', 12],
    ['two dozen', 24],
    ['two hundred and fifty', 250],
    ['fifteen hundred', 1_500],
    ['3.5k', 3_500],
    ['5w', 50_000],
    ['三到五', 3],
    ['三到五千', 3_000],
    ['两千到三千', 2_000],
    ['10-15', 10],
    ['一米七五', 1.75],
    ['1米8', 1.8],
  ])('"%s" is %d', (text, value) => {
    expect(numberOf(text, '数值')).toBeCloseTo(value, 9);
  });
});

describe('the label decides how a number is read [issue 4]', () => {
  test.each([
    ['我今年四十五岁 住三楼 有两个孩子', '年龄', 45],
    ['我今年四十五岁 住三楼 有两个孩子', '楼层', 3],
    ['我们三个人 打算花五千块钱', '人数', 3],
    ['我们三个人 打算花五千块钱', '预算', 5_000],
    ['我老婆三十二 我三十六', '年龄', 36],
    ['八点过来 两位', '几个人', 2],
    ['一个月七千多', '月收入', 7_000],
    ['七八千一个月', '月收入', 7_000],
    ['一百三十平 五楼', '面积', 130],
    ['分三年还', '分期期数', 36],
    ['分六期', '期数', 6],
    ['住三个晚上 不对 住四个晚上', '天数', 4],
    ['三块五毛五', '金额', 3.55],
    ['欠了一万二 先还三千块', '金额', 3_000],
    ['两个星期', '天数', 14],
    ['打八分', '评分', 8],
    ['给个五星吧', '星级', 5],
    ['一个小时', '多少分钟', 60],
    ['我叫张三 今年二十八', '年龄', 28],
    ['他六十五了', '年龄', 65],
    ['就我一个人', '人数', 1],
    ['五百 不对 六百', '金额', 600],
  ])('in "%s", %s is %d', (text, label, value) => {
    expect(numberOf(text, label)).toBe(value);
  });

  test.each([
    ['再说一下', '金额'],
    ['我想一想', '人数'],
    ['十分满意', '数量'],
    ['千万别打了', '金额'],
    ['周三吧', '数量'],
    ['一点也不', '数量'],
    ['没有', '年龄'],
    ['', '金额'],
  ])('"%s" contains no number', (text, label) => {
    expect(numberOf(text, label)).toBeNull();
  });
});

describe('amounts are converted to the unit of the label [D13.3]', () => {
  test.each([
    ['两毛', '金额', 0.2],
    ['三毛五', '金额', 0.35],
    ['五块二', '金额', 5.2],
    ['三块八毛五', '金额', 3.85],
    ['三百五十块五毛', '金额', 350.5],
    ['三到五个人', '几个人', 3],
    ['两三个', '几个人', 2],
    ['一个人都没有', '几个人', 0],
    ['两个半小时', '小时数', 2.5],
    ['一年半', '年数', 1.5],
    ['三个半月', '月数', 3.5],
    ['一米七五', '身高(厘米)', 175],
    ['一百七十五公分', '身高cm', 175],
    ['三十 哦不是 三十五', '数量', 35],
  ])('in "%s", %s is %d', (text, label, value) => {
    expect(numberOf(text, label)).toBeCloseTo(value, 9);
  });

  test.each([
    ['我是九零后', '年龄'],
    ['我考虑考虑', '金额'],
    ['没有', '几个人'],
    ['', '金额'],
  ])('"%s" has no value for %s', (text, label) => {
    expect(numberOf(text, label)).toBeNull();
  });
});
