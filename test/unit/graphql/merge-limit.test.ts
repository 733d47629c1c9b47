import { describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { MAX_MERGED_PAIRS, MAX_SET_FIELDS, requireMergeable } from '#edges/graphql/merge-limit.ts';

function faultOf(text: string): string | null {
  try {
    requireMergeable(parse(text));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_none, index) => text(index)).join(' ');

describe('what validation would compare is counted first', () => {
  test('pages of a dashboard pass, with fragments that select the same', () => {
    const fragments = times(20, index => `fragment F${index} on T { id name child { id } }`);
    expect(faultOf(`{ a { id ${times(20, index => `...F${index}`)} } ${times(200, index => `b${index}`)} } ${fragments}`)).toBeNull();
  });

  test('one field many times is refused', () => {
    expect(faultOf(`{ ${times(40, () => 'me { a }')} }`)).toBeNull();
    expect(faultOf(`{ ${times(70, () => 'me { a }')} }`)).toContain('同名字段重复过多');
  });

  test('repeats within repeats are counted together: 20 times 20 are 400 of one name', () => {
    expect(faultOf(`{ ${times(20, () => `me { ${times(20, () => 'a')} }`)} }`)).toContain('同名字段重复过多');
  });

  test('the same by fragments, by aliases and on other types', () => {
    const many = times(70, index => `fragment F${index} on T { x }`);
    expect(faultOf(`{ ${times(70, index => `...F${index}`)} } ${many}`)).toContain('同名字段重复过多');
    expect(faultOf(`{ ${times(70, index => `same: f${index}`)} }`)).toContain('同名字段重复过多');
    expect(faultOf(`{ ${times(70, index => `... on T${index} { same }`)} }`)).toContain('同名字段重复过多');
    expect(faultOf(`fragment F on T { ${times(70, () => 'x')} }`)).toContain('同名字段重复过多');
  });

  test('one selection set has a bound, whatever the names', () => {
    expect(faultOf(`{ ${times(MAX_SET_FIELDS, index => `f${index}`)} }`)).toBeNull();
    expect(faultOf(`{ ${times(MAX_SET_FIELDS + 1, index => `f${index}`)} }`)).toContain('一个选择集中的字段过多');
  });

  test('fragments that double each other end the count, not the server', () => {
    const doubling = times(40, index => `fragment D${index} on T { a { ...D${index + 1} } b { ...D${index + 1} } }`);
    const startedAt = performance.now();
    expect(faultOf(`{ ...D0 } ${doubling} fragment D40 on T { x }`)).toContain('展开片段后超过');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('a fragment within itself, an unknown one and a subscription are for GraphQL to judge', () => {
    expect(faultOf('{ ...A } fragment A on T { a { ...A } }')).toBeNull();
    expect(faultOf('subscription { ...Nobody }')).toBeNull();
    expect(MAX_MERGED_PAIRS).toBeGreaterThan(1_000);
  });
});
