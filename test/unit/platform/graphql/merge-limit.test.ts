import { describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { MAX_MERGED_PAIRS, MAX_SET_FIELDS, requireMergeable } from '#platform/graphql/document-validator.ts';
import { expectLinear } from '#test/support/growth.ts';

function faultOf(text: string): string | null {
  try {
    requireMergeable(parse(text));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_none, index) => text(index)).join(' ');

describe('the limit on fields that validation would compare', () => {
  test('allows dashboard pages whose fragments select the same fields', () => {
    const fragments = times(20, index => `fragment F${index} on T { id name child { id } }`);
    expect(faultOf(`{ a { id ${times(20, index => `...F${index}`)} } ${times(200, index => `b${index}`)} } ${fragments}`)).toBeNull();
  });

  test('refuses one field repeated many times', () => {
    expect(faultOf(`{ ${times(40, () => 'me { a }')} }`)).toBeNull();
    expect(faultOf(`{ ${times(70, () => 'me { a }')} }`)).toContain('同名字段重复过多');
  });

  test('counts nested repetitions together: 20 times 20 are 400 of one name', () => {
    expect(faultOf(`{ ${times(20, () => `me { ${times(20, () => 'a')} }`)} }`)).toContain('同名字段重复过多');
  });

  test('counts repetitions through fragments, aliases and other types', () => {
    const many = times(70, index => `fragment F${index} on T { x }`);
    expect(faultOf(`{ ${times(70, index => `...F${index}`)} } ${many}`)).toContain('同名字段重复过多');
    expect(faultOf(`{ ${times(70, index => `same: f${index}`)} }`)).toContain('同名字段重复过多');
    expect(faultOf(`{ ${times(70, index => `... on T${index} { same }`)} }`)).toContain('同名字段重复过多');
    expect(faultOf(`fragment F on T { ${times(70, () => 'x')} }`)).toContain('同名字段重复过多');
  });

  test('limits one selection set, whatever the names', () => {
    expect(faultOf(`{ ${times(MAX_SET_FIELDS, index => `f${index}`)} }`)).toBeNull();
    expect(faultOf(`{ ${times(MAX_SET_FIELDS + 1, index => `f${index}`)} }`)).toContain('一个选择集中的字段过多');
  });

  test('stops counting when fragments double each other', () => {
    const doubling = (depth: number) =>
      faultOf(
        `{ ...D0 } ${times(depth, index => `fragment D${index} on T { a { ...D${index + 1} } b { ...D${index + 1} } }`)} fragment D${depth} on T { x }`,
      );
    expect(doubling(40)).toContain('展开片段后超过');
    expectLinear(doubling, 20);
  });

  test("leaves recursive and unknown fragments and subscriptions to GraphQL's own validation", () => {
    expect(faultOf('{ ...A } fragment A on T { a { ...A } }')).toBeNull();
    expect(faultOf('subscription { ...Nobody }')).toBeNull();
    expect(MAX_MERGED_PAIRS).toBeGreaterThan(1_000);
  });
});
