import { describe, expect, test } from '@jest/globals';
import { extractAtOnce } from '#nlu/local/extract/extract-fields.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';

const { choices: model } = await readKnowledge();

/** A Wednesday. */
const CALL = { now: Date.parse('2026-03-11T10:00:00+08:00'), timeZone: 'Asia/Shanghai' };

function read(text: string, type: string, call = CALL): unknown {
  return extractAtOnce({ text, fields: [{ key: 'value', label: '时间', type }] }, { call, model }).fields.value;
}

describe('dates relative to the time of the call [D13.3]', () => {
  test.each([
    ['明天', '2026-03-12'],
    ['后天上午', '2026-03-13'],
    ['下个月十号', '2026-04-10'],
    ['大后天', '2026-03-14'],
    ['月底', '2026-03-31'],
    ['下周三', '2026-03-18'],
    ['这个礼拜六', '2026-03-14'],
    ['上周五', '2026-03-06'],
    ['下下周一', '2026-03-23'],
    ['星期天', '2026-03-15'],
    ['四月三号', '2026-04-03'],
    ['3月20号', '2026-03-20'],
    ['明年一月一号', '2027-01-01'],
    ['一个星期以后', '2026-03-18'],
    ['过两天', '2026-03-13'],
    ['十天后', '2026-03-21'],
    ['下个月底', '2026-04-30'],
    ['本月二十号', '2026-03-20'],
    ['二十一号', '2026-03-21'],
    ['三号', '2026-04-03'],
    ['周五不行 周六', '2026-03-14'],
    ['明天 不对 后天', '2026-03-13'],
    ['国庆', '2026-10-01'],
    ['半个月以后', '2026-03-26'],
    ['两个月后', '2026-05-11'],
    ['2026/7/8', '2026-07-08'],
    ['next friday', '2026-03-20'],
    ['on friday', '2026-03-13'],
    ['in three days', '2026-03-14'],
    ['may 5th', '2026-05-05'],
    ['今天晚上', '2026-03-11'],
    ['12月25日', '2026-12-25'],
    ['下月十五', '2026-04-15'],
    ['五月中旬', '2026-05-15'],
    ['下下周二', '2026-03-24'],
    ['月底前', '2026-03-31'],
    ['3/25', '2026-03-25'],
    ['the 20th', '2026-03-20'],
    ['三月十五或者十六号', '2026-03-15'],
  ])('"%s" is %s', (text, date) => {
    expect(read(text, 'date')).toBe(date);
  });

  test.each([
    '二月三十号',
    '我考虑一下',
    '三楼',
    '一号楼',
    '',
    '大年初一',
    '正月十五',
    '农历八月十五',
    '除夕',
    '腊月二十三',
    '三十二号',
    '13/45',
  ])('"%s" contains no date', text => {
    expect(read(text, 'date')).toBeNull();
  });
});

describe('times of day [D13.3]', () => {
  test.each([
    ['下午三点', '15:00'],
    ['三点, 不对, 四点', '16:00'],
    ['三点一刻', '15:15'],
    ['差一刻九点', '08:45'],
    ['a quarter past three', '15:15'],
    ['quarter to five', '16:45'],
    ['ten to eight pm', '19:50'],
    ['twenty past six pm', '18:20'],
    ['noon', '12:00'],
    ['midnight', '00:00'],
    ['十五点', '15:00'],
    ['下周三晚上八点半', '20:30'],
    ['早上九点', '09:00'],
    ['十点', '10:00'],
    ['晚上十二点', '00:00'],
    ['下午五点四十', '17:40'],
    ['上午十一点三刻', '11:45'],
    ['中午十二点半', '12:30'],
    ['差十分九点', '08:50'],
    ['晚上七点零五分', '19:05'],
    ['今晚八点', '20:00'],
    ['明早七点半', '07:30'],
    ['夜里十一点', '23:00'],
    ['15点30', '15:30'],
    ['下午3:20', '15:20'],
    ['6 pm', '18:00'],
    ['8:30 am', '08:30'],
    ['两点钟', '14:00'],
    ['at five', '17:00'],
    ['十八点', '18:00'],
    ['下午一点多', '13:00'],
  ])('"%s" is %s', (text, time) => {
    expect(read(text, 'time')).toBe(time);
  });

  test.each(['便宜一点', '一点都不想', '快点', '早点休息', ''])('"%s" contains no time', text => {
    expect(read(text, 'time')).toBeNull();
  });
});

describe('date-times [D13.3]', () => {
  test.each([
    ['明天下午三点', '2026-03-12T15:00:00+08:00'],
    ['后天早上八点一刻', '2026-03-13T08:15:00+08:00'],
    ['一个半小时以后', '2026-03-11T11:30:00+08:00'],
    ['过二十分钟再打', '2026-03-11T10:20:00+08:00'],
    ['下午五点', '2026-03-11T17:00:00+08:00'],
    ['九点', '2026-03-12T09:00:00+08:00'],
    ['今天晚上十二点', '2026-03-12T00:00:00+08:00'],
    ['下礼拜二上午十点 不是 十一点', '2026-03-17T11:00:00+08:00'],
    ['in half an hour', '2026-03-11T10:30:00+08:00'],
  ])('"%s" is %s', (text, moment) => {
    expect(read(text, 'datetime')).toBe(moment);
  });

  test.each(['二月三十号下午三点', '正月初三下午两点', '三点七十分'])(
    '"%s": an unreadable date or time is not replaced by another',
    text => {
      expect(read(text, 'datetime')).toBeNull();
    },
  );

  test('a date without a time is not a date-time', () => {
    expect(read('明天', 'datetime')).toBeNull();
  });

  test('the offset is that of the business time zone on that day', () => {
    const berlin = { now: Date.parse('2026-03-27T10:00:00+01:00'), timeZone: 'Europe/Berlin' };
    expect(read('明天下午三点', 'datetime', berlin)).toBe('2026-03-28T15:00:00+01:00');
    expect(read('大后天下午三点', 'datetime', berlin)).toBe('2026-03-30T15:00:00+02:00');
  });
});
