import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { connect, connectionFields, sliceRequest } from '#edges/graphql/connection.ts';
import { rowIdOf } from '#edges/graphql/row-id.ts';
import type { SliceRequest } from '#operations/listing.ts';

const fields = connectionFields<{ id: number }>();

/** Ids from `count` down to 1, as a store would cut them. */
function table(count: number) {
  return async ({ limit, before }: SliceRequest) => {
    const ids = Array.from({ length: count }, (_, index) => ({ id: count - index })).filter(({ id }) => before === null || id < before);
    return { rows: ids.slice(0, limit), hasMore: ids.length > limit };
  };
}

describe('connections', () => {
  test('walking by cursors meets every row once, in order, whatever the slice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 }), async (count, first) => {
        const seen: number[] = [];
        for (let after: string | null = null, more = true; more; ) {
          const connection = await connect({ first, after }, table(count), async () => count);
          seen.push(...fields.nodes(connection).map(({ id }) => id));
          const { hasNextPage, endCursor } = fields.pageInfo(connection);
          more = hasNextPage;
          after = endCursor;
        }
        expect(seen).toEqual(Array.from({ length: count }, (_, index) => count - index));
      }),
    );
  });

  test('`first` is at least 1 and at most 200 [D2.4]', () => {
    expect(() => sliceRequest({ first: 0 })).toThrow('参数错误：first 不能小于 1');
    expect(sliceRequest({ first: 1_000 })).toEqual({ limit: 200, before: null });
  });

  test.each(['', 'x', '12', Buffer.from('id:x').toString('base64url'), Buffer.from('id:1; drop').toString('base64url')])(
    'the cursor %j is refused by name',
    after => {
      expect(() => sliceRequest({ first: 1, after })).toThrow('参数错误：after 不是有效的游标');
    },
  );
});

describe('ids', () => {
  test.each(['0', '-1', '1.5', 'abc', '', '1e3', ' 1'])('%j is no id', text => {
    expect(() => rowIdOf('id', text)).toThrow('参数错误：id 必须是正整数');
  });

  test('an id that no row can have is one that does not exist', () => {
    expect(() => rowIdOf('id', '2147483648')).toThrow('资源不存在');
  });
});
