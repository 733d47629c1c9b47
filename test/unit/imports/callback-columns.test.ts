import { describe, expect, test } from '@jest/globals';
import { readPromise } from '#imports/callback-columns.ts';
import { namedColumns } from '#imports/column-names.ts';

const BOUNDS = { now: Date.parse('2026-11-30T00:00:00Z'), zone: 'Asia/Shanghai', endsAt: Date.parse('2026-12-31T00:00:00Z') };
const read = (callbackAt: string, callbackNote = '', bounds = BOUNDS) => readPromise({ callbackAt, callbackNote }, bounds);

describe('the columns of promised callbacks [D6.3, D7.12]', () => {
  test.each([
    ['回访时间', '回访备注'],
    ['*约定回访时间（必填）', '回访说明'],
    ['callback at', 'Callback note'],
    ['CallbackTime', 'callback reason'],
  ])('are found by %s and %s, and a remark stays the contact’s', (at, note) => {
    expect(namedColumns(['手机号', '备注', at, note])).toMatchObject({ remark: 1, callbackAt: 2, callbackNote: 3 });
  });

  test.each(['2026-12-01 14:30', '2026/12/1 14:30', '2026年12月1日 14:30', '2026-12-01 14:30:00', '2026-12-01T14:30:00+08:00'])(
    '%s is read in the zone of the campaign',
    text => {
      expect(read(` ${text} `, ' 介绍套餐 ')).toEqual({ promise: { dueAt: Date.parse('2026-12-01T06:30:00Z'), note: '介绍套餐' } });
    },
  );

  test('an empty cell promises nothing', () => {
    expect(read('', '有空再说')).toEqual({ promise: null });
  });

  test.each([
    ['2026-11-29 10:00', 'callbackAt', '回访时间必须晚于当前时间'],
    ['2028-01-01 10:00', 'callbackAt', '回访时间不能晚于一年以后'],
    ['2027-01-05 10:00', 'callbackAt', '回访时间晚于活动的结束时间'],
    ['明天下午', 'callbackAt', '回访时间应为 YYYY-MM-DD HH:mm'],
    ['2026-02-30 10:00', 'callbackAt', '回访时间应为 YYYY-MM-DD HH:mm'],
  ])('%s is refused', (text, column, reason) => {
    expect(read(text)).toEqual({ column, reason });
  });

  test('a note that is too long is refused', () => {
    expect(read('2026-12-01 14:30', 'a'.repeat(1_001))).toEqual({ column: 'callbackNote', reason: '回访备注不能超过 1000 个字符' });
  });
});
