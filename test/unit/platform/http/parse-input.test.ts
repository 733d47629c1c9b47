import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { issue } from '#kernel/problem.ts';
import { pasteContactsRoute, updateContactRoute } from '#contacts/routes.ts';
import { bigIdParam, idParam, idText4, pageQuery, pageSearchQuery } from '#platform/http/route.ts';
import { flag, instantText, toInstant } from '#kernel/fields.ts';
import { parseInput, parseTexts } from '#platform/http/parse.ts';
import { importFields } from '#imports/file-import.ts';

const fault = (schema: z.ZodType, input: unknown) => {
  try {
    parseInput(schema, input, '请求体');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'accepted';
};

describe('validation messages', () => {
  const contacts = z.object({ contacts: z.array(z.object({ phoneNumber: z.string().min(1) })) });

  test('name the path of the field [D2.1]', () => {
    const rows = [{ phoneNumber: '1' }, { phoneNumber: '2' }, { phoneNumber: '3' }, { phoneNumber: '' }];
    expect(fault(contacts, { contacts: rows })).toBe('参数错误：contacts[3].phoneNumber 不能为空');
    expect(fault(contacts, { contacts: [{}] })).toBe('参数错误：contacts[0].phoneNumber 不能为空');
  });

  test('name the whole input when no field is at fault', () => {
    expect(fault(contacts, [])).toBe('参数错误：请求体 必须是对象');
    expect(fault(contacts, null)).toBe('参数错误：请求体 不能为空');
  });

  test.each([
    [z.object({ a: z.int() }), { a: '1' }, '参数错误：a 必须是数字'],
    [z.object({ a: z.int() }), { a: 1.5 }, '参数错误：a 必须是整数'],
    [z.object({ a: z.int().min(1) }), { a: 0 }, '参数错误：a 不能小于 1'],
    [z.object({ a: z.int().max(9) }), { a: 10 }, '参数错误：a 不能超过 9'],
    [z.object({ a: z.number().gt(1) }), { a: 1 }, '参数错误：a 必须大于 1'],
    [z.object({ a: z.number().lt(1) }), { a: 1 }, '参数错误：a 不能大于或等于 1'],
    [z.object({ a: z.number().multipleOf(5) }), { a: 1 }, '参数错误：a 必须是 5 的倍数'],
    [z.object({ a: z.string().max(2) }), { a: 'abc' }, '参数错误：a 长度不能超过 2 个字符'],
    [z.object({ a: z.array(z.int()).max(1) }), { a: [1, 2] }, '参数错误：a 元素个数不能超过 1 个'],
    [z.object({ a: z.array(z.int()).min(1) }), { a: [] }, '参数错误：a 不能为空'],
    [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, '参数错误：a 必须是 x、y 之一'],
    [z.object({ a: z.enum(['', 'x', 'y']) }), { a: 'z' }, '参数错误：a 必须是 x、y 之一'],
    [z.object({ a: z.literal(1) }), { a: 2 }, '参数错误：a 必须是 1'],
    [z.object({ a: z.uuid() }), { a: 'z' }, '参数错误：a 格式不正确，应为 UUID'],
    [z.strictObject({}), { a: 1 }, '参数错误：请求体 含有不支持的字段 a'],
    [z.object({ a: z.record(z.string(), z.string()) }), { a: { b: 1 } }, '参数错误：a.b 必须是字符串'],
    [z.object({ a: z.record(z.string().max(1), z.int()) }), { a: { long: 1 } }, '参数错误：a.long 含有不合法的键'],
    [z.object({ a: z.union([z.string(), z.object({ b: z.int() })]) }), { a: { b: 'x' } }, '参数错误：a.b 必须是数字'],
    [z.object({ a: z.union([z.string(), z.int()]) }), { a: true }, '参数错误：a 取值不合法'],
    [z.object({ a: z.string().refine(() => false, issue('inThePast')) }), { a: '' }, '参数错误：a 必须晚于当前时间'],
    [z.object({ a: z.string().refine(() => false) }), { a: '' }, '参数错误：a 不合法'],
    [z.object({ a: flag }), { a: 2 }, '参数错误：a 必须是 0 或 1'],
    [z.object({ a: instantText }), { a: '2026-02-30 10:00' }, '参数错误：a 不是合法的时间，应为带时区的 ISO 8601 或 YYYY-MM-DD HH:mm[:ss]'],
  ])('of case %# are in Chinese', (schema, input, expected) => {
    expect(fault(schema, input)).toBe(expected);
  });

  test('list at most five faults', () => {
    const many = z.array(z.string());
    expect(fault(many, [1, 2, 3, 4, 5, 6, 7]).split('；')).toHaveLength(5);
  });
});

describe('paging [D2.4]', () => {
  test('defaults to page 1 of 50', () => {
    expect(parseInput(pageQuery, {}, '查询')).toEqual({ page: 1, pageSize: 50 });
  });
  test('clamps a page size over 200', () => {
    expect(parseInput(pageQuery, { pageSize: '1000' }, '查询')).toEqual({ page: 1, pageSize: 200 });
    expect(parseInput(pageQuery, { pageSize: '9'.repeat(20) }, '查询')).toEqual({ page: 1, pageSize: 200 });
  });
  test('accepts a page beyond the end of any list', () => {
    expect(parseInput(pageQuery, { page: '9'.repeat(20) }, '查询').page).toBe(Number.MAX_SAFE_INTEGER);
  });
  test.each(['0', '-1', '1.5', 'x', '', '1e3', ' 1', '0x10'])('refuses page %j', page => {
    expect(fault(pageQuery, { page })).toMatch(/^参数错误：page /);
    expect(fault(pageQuery, { pageSize: page })).toMatch(/^参数错误：pageSize /);
  });
  test('refuses a repeated page', () => {
    expect(fault(pageQuery, { page: ['1', '2'] })).toBe('参数错误：page 必须是字符串');
  });
  test('treats a blank search as none', () => {
    expect(parseInput(pageSearchQuery, { q: '  ' }, '查询').q).toBe('');
  });
});

describe('ids [D2.6]', () => {
  test.each(['0', '-1', 'abc', '1.0', ''])('refuses %j', id => {
    expect(fault(idParam, { id })).toBe('参数错误：id 必须是正整数');
  });
  test.each(['2147483648', '9007199254740993'])('treats %s as too large, which leads to 404', id => {
    expect(fault(idParam, { id })).toBe('参数错误：id 不能超过 2147483647');
  });
  test('treats the id of a contact as too large beyond the safe integers', () => {
    expect(parseInput(bigIdParam, { id: '9007199254740991' }, '路径').id).toBe(Number.MAX_SAFE_INTEGER);
    expect(fault(bigIdParam, { id: '9007199254740993' })).toBe('参数错误：id 不能超过 9007199254740991');
  });
});

describe('filters of a list [OCS 4.6, 4.8]', () => {
  const filters = z.object({ campaignId: idText4.optional(), status: z.enum(['pending', 'failed']).optional() });
  test('a blank filter has no effect [D2.2]', () => {
    expect(parseTexts(filters, { campaignId: '', status: ' ' }, '查询')).toEqual({});
    expect(parseTexts(filters, {}, '查询')).toEqual({});
    expect(parseTexts(filters, { campaignId: '7', status: 'failed' }, '查询')).toEqual({ campaignId: 7, status: 'failed' });
  });
  test('an invalid value is refused with the allowed ones', () => {
    expect(fault(filters, { campaignId: 'x', status: 'x' })).toBe('参数错误：campaignId 必须是正整数；status 必须是 pending、failed 之一');
  });
});

describe('fields of a contact [OCS 2.7]', () => {
  test('null clears name, remark, time zone and metadata, both when adding and when editing', () => {
    const nothing = { customerName: null, remark: null, timeZone: null, metadata: null };
    const empty = { customerName: '', remark: '', timeZone: '', metadata: {} };
    expect(parseInput(updateContactRoute.body ?? z.never(), nothing, '请求体')).toEqual(empty);
    expect(parseInput(pasteContactsRoute.body ?? z.never(), { contacts: [{ phoneNumber: '1', ...nothing }] }, '请求体')).toEqual({
      contacts: [{ phoneNumber: '1', ...empty, externalId: '', numbers: [] }],
    });
  });
});

describe('fields of an upload [D6.3]', () => {
  test('a blank field gets its default, because forms send unchosen fields as blank', () => {
    const unset = { region: '', carrier: '', landline: '', mapping: '', sheet: '', dryRun: '' };
    expect(parseTexts(importFields, unset, '表单')).toEqual({
      carrier: [],
      landline: 'allow',
      includeHidden: false,
      dryRun: false,
    });
  });
});

describe('instants [D2.5]', () => {
  const shanghai = instantText.transform(text => toInstant(text, 'Asia/Shanghai'));
  test.each([
    ['2026-10-01T09:00:00.000Z', '2026-10-01T09:00:00.000Z'],
    ['2026-10-01T17:00:00+08:00', '2026-10-01T09:00:00.000Z'],
    ['2026-10-01T17:00+08', '2026-10-01T09:00:00.000Z'],
    ['20261001T170000+0800', '2026-10-01T09:00:00.000Z'],
    ['20261001T0900Z', '2026-10-01T09:00:00.000Z'],
    ['2026-10-01T09Z', '2026-10-01T09:00:00.000Z'],
    ['2026-10-01 17:00', '2026-10-01T09:00:00.000Z'],
    ['2026-10-01 17:00:30', '2026-10-01T09:00:30.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (text, iso) => {
    expect(new Date(parseInput(shanghai, text, '时间')).toISOString()).toBe(iso);
  });

  test.each(['0000-01-01 00:00', '0001-01-01 00:00', '0000-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00'])(
    'refuses %s, whose UTC year does not have four digits',
    text => {
      expect(fault(z.object({ a: shanghai }), { a: text })).toBe(
        '参数错误：a 不是合法的时间，应为带时区的 ISO 8601 或 YYYY-MM-DD HH:mm[:ss]',
      );
    },
  );
  test.each([
    '2026-10-01T09:00:00',
    '2026-10-01',
    '1790000000',
    '2026-13-01 10:00',
    '2026-10-01 25:00',
    '20260230T0900Z',
    '20261001T090000',
    'now',
  ])('refuses %s', text => {
    expect(fault(shanghai, text)).toContain('不是合法的时间');
  });
});
