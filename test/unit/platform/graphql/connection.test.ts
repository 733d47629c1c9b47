import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { connect, connectionFields, sliceRequest } from '#platform/graphql/connection.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import type { SliceRequest } from '#platform/postgres/listing.ts';

const fields = connectionFields<{ id: number }>();

/** A fake store with ids from `count` down to 1 that returns slices. */
function table(count: number) {
  return async ({ limit, beyond = null, isAscending = false }: SliceRequest) => {
    const ids = Array.from({ length: count }, (_, index) => ({ id: count - index })).filter(
      ({ id }) => beyond === null || (isAscending ? id > beyond : id < beyond),
    );
    if (isAscending) ids.reverse();
    return { rows: ids.slice(0, limit), hasMore: ids.length > limit };
  };
}

describe('connections', () => {
  test('paging by cursors visits every row once and in order, whatever the page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 }), async (count, first) => {
        const seen: number[] = [];
        for (let after: string | null = null, more = true; more; ) {
          const connection = await connect(sliceRequest({ first, after }), table(count), async () => count);
          seen.push(...fields.nodes(connection).map(({ id }) => id));
          const { hasNextPage, endCursor } = fields.pageInfo(connection);
          more = hasNextPage;
          after = endCursor;
        }
        expect(seen).toEqual(Array.from({ length: count }, (_, index) => count - index));
      }),
    );
  });

  test('paging backwards from the end visits the same rows, in either order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 }), fc.boolean(), async (count, last, isUpwards) => {
        const seen: number[] = [];
        const orderBy = isUpwards ? ({ direction: 'asc' } as const) : null;
        for (let before: string | null = null, more = true; more; ) {
          const connection = await connect(sliceRequest({ last, before, orderBy }), table(count), async () => count);
          seen.unshift(...fields.nodes(connection).map(({ id }) => id));
          const { hasPreviousPage, startCursor } = fields.pageInfo(connection);
          more = hasPreviousPage;
          before = startCursor;
        }
        const upwards = Array.from({ length: count }, (_, index) => index + 1);
        expect(seen).toEqual(isUpwards ? upwards : upwards.toReversed());
      }),
    );
  });

  test.each([
    [{}, 'first 必须给出 first 或 last'],
    [{ first: 1, last: 1 }, 'last 不能与 first 同时使用'],
    [{ last: 0 }, 'last 不能小于 1'],
    [{ first: 1, before: 'x' }, 'before 只能与 last 一起使用'],
    [{ last: 1, after: 'x' }, 'after 只能与 first 一起使用'],
    [{ first: 1, orderBy: { field: 'name' as const } }, 'orderBy.field 该列表不能按此排序'],
  ])("%j is refused with the argument's name", (args, problem) => {
    expect(() => sliceRequest(args)).toThrow(`参数错误：${problem}`);
  });

  test('`first` is at least 1 and at most 200 [D2.4]', () => {
    expect(() => sliceRequest({ first: 0 })).toThrow('参数错误：first 不能小于 1');
    expect(sliceRequest({ first: 1_000 })).toMatchObject({ limit: 200, beyond: null, isAscending: false });
  });

  test.each(['', 'x', '12', Buffer.from('id:x').toString('base64url'), Buffer.from('id:1; drop').toString('base64url')])(
    "the cursor %j is refused with the argument's name",
    after => {
      expect(() => sliceRequest({ first: 1, after })).toThrow('参数错误：after 不是有效的游标');
    },
  );
});

describe('ids', () => {
  test.each(['0', '-1', '1.5', 'abc', '', '1e3', ' 1'])('%j is not a valid id', text => {
    expect(() => rowIdOf('id', text)).toThrow('参数错误：id 必须是正整数');
  });

  test('an id beyond the range of ids counts as unknown', () => {
    expect(() => rowIdOf('id', '2147483648')).toThrow('资源不存在');
  });
});
