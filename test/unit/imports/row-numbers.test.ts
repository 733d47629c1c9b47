import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { recogniseColumns } from '#imports/column-mapping.ts';
import { fileTable } from '#imports/file-table.ts';
import { readContacts } from '#imports/read-contacts.ts';
import { systemClock } from '#kernel/clock.ts';
import type { NumberOptions } from '#phone-numbers/carriers.ts';

const CHINA: NumberOptions = { region: 'CN', carriers: [], landline: 'allow' };

/** The rows that an import reads from a file; the first row names the columns. */
async function read(rows: readonly (readonly string[])[], options: NumberOptions = CHINA) {
  const table = fileTable(
    rows.map((cells, index) => ({ row: index + 1, cells })),
    { headerRow: 1, region: 'CN' },
  );
  const plan = recogniseColumns(table, 'CN');
  return {
    plan,
    ...(await readContacts(systemClock, table, plan, { ...options, home: 'CN', now: 0, zone: 'Asia/Shanghai', endsAt: null })),
  };
}

async function numbersOf(header: readonly string[], row: readonly string[], options: NumberOptions = CHINA) {
  const { valid } = await read([header, row], options);
  return valid.map(({ contact: { phoneNumber, numbers } }) => [
    phoneNumber,
    ...numbers.map(number => `${number.phoneNumber}|${number.label}|${number.extension}`),
  ]);
}

describe('columns of further numbers [D6.7]', () => {
  test.each([
    '备用电话',
    '备用手机号',
    '备用联系方式',
    '电话2',
    '手机号2',
    '联系电话2',
    '第二联系电话',
    'Alternate Phone',
    'alt phone',
    'phone 2',
    'Secondary mobile',
  ])('are recognised by their heading: %s', async heading => {
    const { plan } = await read([
      ['手机号', heading],
      ['13800138000', '010-65551234'],
    ]);
    expect(plan).toMatchObject({ phoneNumber: 0, otherNumbers: [1], metadata: [] });
  });

  test.each(['家庭电话', '紧急联系人电话', '电话', '订单号2', '备注2', 'phone model'])(
    'are not those of anybody else: %s',
    async heading => {
      const { plan } = await read([
        ['手机号', heading],
        ['13800138000', '010-65551234'],
      ]);
      expect(plan).toMatchObject({ otherNumbers: [], metadata: [{ name: heading, index: 1 }] });
    },
  );

  test('hold numbers: a column of anything else stays a variable', async () => {
    const { plan } = await read([
      ['手机号', '备用电话'],
      ['13800138000', '老客户'],
      ['13800138001', '新客户'],
    ]);
    expect(plan).toMatchObject({ otherNumbers: [], metadata: [{ name: '备用电话', index: 1 }] });
  });
});

describe('numbers of a row [D6.7]', () => {
  const HEADER = ['手机号', '备用电话', '电话3'];

  test('come in the order of their columns, labelled by these, with extensions', async () => {
    expect(await numbersOf(HEADER, ['13800138000', '010-65551234转801', '13900139000'])).toEqual([
      ['13800138000', '13800138000||', '010-65551234|备用电话|801', '13900139000|电话3|'],
    ]);
  });

  test('may stand in one cell', async () => {
    expect(await numbersOf(['手机号'], ['13800138000、13900139000'])).toEqual([['13800138000', '13800138000||', '13900139000||']]);
  });

  test('take the place of a first one that is missing', async () => {
    expect(await numbersOf(HEADER, ['', '13900139000', '无'])).toEqual([['13900139000']]);
  });

  test('count once in whatever spelling', async () => {
    expect(await numbersOf(HEADER, ['13800138000', '138-0013-8000', '-'])).toEqual([['13800138000']]);
  });

  test('are left out where the import excludes their kind, and another remains', async () => {
    const mobiles: NumberOptions = { ...CHINA, landline: 'reject' };
    expect(await numbersOf(HEADER, ['010-65551234', '13800138000', ''], mobiles)).toEqual([['13800138000']]);
    const { failed } = await read([HEADER, ['010-65551234', '', ''], ['13800138000', '13900139000', '13700137000']], mobiles);
    expect(failed).toMatchObject([{ rowNumber: 1, reason: '不接受固定电话号码' }]);
  });

  test('fail their row, with the column, when one is no number, and when there are eleven', async () => {
    const eleven = Array.from({ length: 11 }, (_, index) => String(13_800_138_000 + index)).join('、');
    const { failed, valid } = await read([
      HEADER,
      ['13800138000', '12345', ''],
      [eleven, '', ''],
      ['13800138000', '13900139000', '13700137000'],
    ]);
    expect(failed).toMatchObject([
      { rowNumber: 1, source: { column: '备用电话' } },
      { rowNumber: 2, reason: '一个联系人最多 10 个号码，该行有 11 个' },
    ]);
    expect(valid).toHaveLength(1);
  });

  const mobile = fc.integer({ min: 0, max: 99_999_999 }).map(tail => `138${String(tail).padStart(8, '0')}`);
  const extension = fc.integer({ min: 1, max: 99_999 }).map(String);
  const separator = fc.constantFrom('、', '/', ',', '，', ';', '；', '|', ' ', ' 或 ', '\n');

  test('are found again in every way of writing them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(mobile, { minLength: 1, maxLength: 5 }),
        extension,
        separator,
        fc.nat(4),
        async (mobiles, digits, between, split) => {
          const office = `010-65551234转${digits}`;
          const own = [office, ...mobiles].slice(0, split + 1);
          const others = [office, ...mobiles].slice(split + 1);
          const { valid } = await read([
            ['手机号', '备用电话'],
            [own.join(between), others.join(between)],
          ]);
          const [contact] = valid.map(row => row.contact);
          const told = contact?.numbers.map(number => `${number.phoneNumber}${number.extension && `转${number.extension}`}`);
          expect(told).toEqual([office, ...mobiles]);
          expect(contact?.phoneNumber).toBe('010-65551234');
        },
      ),
    );
  });

  test('are never more than ten, nor twice the same, whatever the cells hold', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      mobile,
      fc.array(mobile, { maxLength: 14 }).map(list => list.join('、')),
    );
    await fc.assert(
      fc.asyncProperty(fc.tuple(cell, cell, cell), async row => {
        const { valid, failed } = await read([HEADER, ['13800138000', '010-65551234', '021-61234567'], row]);
        for (const { contact } of valid) {
          const keys = contact.numbers.map(number => number.dialKey);
          expect(keys.length).toBeLessThanOrEqual(10);
          expect(new Set(keys).size).toBe(keys.length);
          expect(keys.length === 0 || keys.includes(contact.dialKey)).toBe(true);
        }
        expect(valid.length + failed.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
