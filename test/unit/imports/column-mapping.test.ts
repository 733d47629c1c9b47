import { describe, expect, test } from '@jest/globals';
import { type MappingInput, planColumns as planTable } from '#imports/column-mapping.ts';
import { fileTable } from '#imports/file-table.ts';

/** Plan for a file with this header and one row without a number. */
function planColumns(header: readonly string[], mapping: MappingInput | null) {
  const rows = [header, header.map(() => '无')].map((cells, index) => ({ row: index + 1, cells }));
  return planTable(fileTable(rows, { headerRow: 1, region: 'CN' }), mapping, 'CN');
}

describe('columns of an import', () => {
  test.each(['手机号', '电话', '号码', 'phone', 'phoneNumber', 'mobile', ' Phone_Number ', 'PHONE NUMBER', '手机号码'])(
    'recognises %j as the phone number [D6.3]',
    name => {
      expect(planColumns(['备注', name, '姓名'], null)).toMatchObject({ phoneNumber: 1, customerName: 2, remark: 0 });
    },
  );

  test.each(['姓名', 'name', 'customerName'])('recognises %j as the name [D6.3]', name => {
    expect(planColumns(['phone', name], null).customerName).toBe(1);
  });

  test('every other column becomes metadata, an unnamed one by its position [D6.3]', () => {
    expect(planColumns(['手机号', '城市', '', '等级'], null).metadata).toEqual([
      { name: '城市', index: 1 },
      { name: 'column_3', index: 2 },
      { name: '等级', index: 3 },
    ]);
  });

  test('an unnamed column does not take the name of another [D6.3]', () => {
    expect(planColumns(['手机号', '', 'column_2'], null).metadata).toEqual([
      { name: 'column_2_', index: 1 },
      { name: 'column_2', index: 2 },
    ]);
  });

  test.each([
    [['客户称呼', '联系手机'], { phoneNumber: 1, customerName: 0 }],
    [['联系电话', '手机号'], { phoneNumber: 1, metadata: [{ name: '联系电话', index: 0 }] }],
    [['tel', 'phone'], { phoneNumber: 1, metadata: [{ name: 'tel', index: 0 }] }],
    [['名称', '手机号', '姓名'], { phoneNumber: 1, customerName: 2, metadata: [{ name: '名称', index: 0 }] }],
    [['手机号', '说明', '备注'], { phoneNumber: 0, remark: 2, metadata: [{ name: '说明', index: 1 }] }],
  ])('a documented name takes precedence over an earlier alias: %j [D6.3]', (header, plan) => {
    expect(planColumns(header, null)).toMatchObject(plan);
  });

  test('of two number columns the first is used, the second becomes metadata [D6.3]', () => {
    expect(planColumns(['手机号', '电话'], null)).toMatchObject({ phoneNumber: 0, metadata: [{ name: '电话', index: 1 }] });
  });

  test('a header without a number column is refused [OCS 4.7 rule 4]', () => {
    expect(() => planColumns(['13800138000', '王小明'], null)).toThrow('参数错误：file 表头中没有号码列');
  });

  test('a repeated column name is refused [OCS 4.7 rule 4]', () => {
    expect(() => planColumns(['手机号', '城市', '城市'], null)).toThrow('列名「城市」重复');
  });

  test('with a mapping only the mapped columns are imported [D6.3]', () => {
    const plan = planColumns(['a', 'b', 'c', 'd'], { phoneNumber: 'b', customerName: 'a', metadata: ['d'] });
    expect(plan).toMatchObject({
      phoneNumber: 1,
      otherNumbers: [],
      customerName: 0,
      remark: -1,
      timeZone: -1,
      externalId: -1,
      variables: -1,
      metadata: [{ name: 'd', index: 3 }],
    });
  });

  test('a mapping may rename metadata [D6.3]', () => {
    expect(planColumns(['a', 'b'], { phoneNumber: 'a', metadata: { city: 'b' } }).metadata).toEqual([{ name: 'city', index: 1 }]);
  });

  test.each([
    [{ phoneNumber: 'x' }, 'mapping.phoneNumber'],
    [{ phoneNumber: 'a', remark: 'x' }, 'mapping.remark'],
    [{ phoneNumber: 'a', metadata: { city: 'x' } }, 'mapping.metadata.city'],
  ])('a mapping to a missing column is refused with its field: %j [OCS 4.7 rule 4]', (mapping, field) => {
    expect(() => planColumns(['a'], mapping)).toThrow(`参数错误：${field} 指定的列「x」不在表头中`);
  });
});
