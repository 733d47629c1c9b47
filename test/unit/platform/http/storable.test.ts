import { expect, test } from '@jest/globals';
import { requireStorable } from '#platform/http/parse.ts';

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, null]));

test('an object may have at most 20,000 members at any depth [D2.2]', () => {
  expect(() => requireStorable({ contacts: [{ metadata: many(20_000) }] })).not.toThrow();
  expect(() => requireStorable({ contacts: [{ metadata: many(20_001) }] })).toThrow('参数错误：contacts[0].metadata 最多 20000 个字段');
  expect(() => requireStorable(many(20_001))).toThrow('参数错误：请求体 最多 20000 个字段');
});
