import { expect, test } from '@jest/globals';
import { faultsByField } from '../../../console/api/refusal.ts';

test("an error shown at its field does not repeat the field's name", () => {
  expect(faultsByField({ message: '参数错误：password 长度不能小于 8 个字符', field: 'password' })).toEqual({
    password: '长度不能小于 8 个字符',
  });
  expect(faultsByField({ message: 'password must have 8 characters.', field: 'password' })).toEqual({
    password: 'must have 8 characters.',
  });
  expect(faultsByField({ message: '线路编码 a 已存在', field: 'code' })).toEqual({ code: '线路编码 a 已存在' });
});

test('errors of list members are shown at the list', () => {
  const faults = [{ field: 'input.numbers[1].weight', problem: '不能小于 1' }];
  expect(faultsByField({ message: '', faults })).toEqual({ numbers: '不能小于 1' });
});
