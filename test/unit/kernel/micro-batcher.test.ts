import { describe, expect, test } from '@jest/globals';
import { MicroBatcher } from '#kernel/micro-batcher.ts';

/** A store whose writes end when the test says so. */
function slowStore() {
  const groups: (readonly number[])[] = [];
  const pending: PromiseWithResolvers<void>[] = [];
  const commit = new MicroBatcher<number, string>({
    maxBatch: 3,
    write: items => {
      groups.push([...items]);
      const outcome = Promise.withResolvers<void>();
      pending.push(outcome);
      return outcome.promise.then(() => items.map(item => `row ${item}`));
    },
  });
  return { commit, groups, pending };
}

describe('items that arrive during a write form the next batch', () => {
  test('the first item is written at once, and those that arrive meanwhile together, at most maxBatch at a time', async () => {
    const { commit, groups, pending } = slowStore();
    const adds = [1, 2, 3, 4, 5].map(item => commit.add(item));
    expect(groups).toEqual([[1]]);
    pending[0]?.resolve();
    await adds[0];
    expect(groups).toEqual([[1], [2, 3, 4]]);
    pending[1]?.resolve();
    await expect(Promise.all(adds.slice(1, 4))).resolves.toEqual(['row 2', 'row 3', 'row 4']);
    expect(groups).toEqual([[1], [2, 3, 4], [5]]);
    pending[2]?.resolve();
    await adds[4];
  });

  test('a failed write fails only the items of its batch, and the next batch is still written', async () => {
    const { commit, groups, pending } = slowStore();
    const [first, second, third] = [commit.add(1), commit.add(2), commit.add(3)];
    pending[0]?.resolve();
    await first;
    pending[1]?.reject(new Error('no disk'));
    await expect(second).rejects.toThrow('no disk');
    await expect(third).rejects.toThrow('no disk');
    const fourth = commit.add(4);
    expect(groups.at(-1)).toEqual([4]);
    pending[2]?.resolve();
    await fourth;
  });

  test('an item that arrives after a write is written at once', async () => {
    const { commit, groups, pending } = slowStore();
    const first = commit.add(1);
    pending[0]?.resolve();
    await first;
    const second = commit.add(2);
    expect(groups).toEqual([[1], [2]]);
    pending[1]?.resolve();
    await second;
  });
});

describe('a lingering batch is written after its delay or when it is full', () => {
  test('independently of the batch before it', async () => {
    const groups: (readonly number[])[] = [];
    const due: (() => void)[] = [];
    const batcher = new MicroBatcher<number>({
      maxBatch: 3,
      linger: leave => void due.push(leave),
      write: async items => {
        groups.push(items);
        if (items.includes(4)) throw new Error('no disk');
      },
    });
    const adds = [1, 2, 3, 4].map(item => batcher.add(item));
    expect(groups).toEqual([[1, 2, 3]]);
    due.forEach(leave => leave());
    expect(groups).toEqual([[1, 2, 3], [4]]);
    expect((await Promise.allSettled(adds)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  test('in turn if so configured: items that arrive during a write wait for it, and then no longer', async () => {
    const groups: (readonly number[])[] = [];
    const due: (() => void)[] = [];
    const written = Promise.withResolvers<void>();
    const batcher = new MicroBatcher<number>({
      maxBatch: 3,
      inTurn: true,
      linger: leave => void due.push(leave),
      async write(items) {
        groups.push(items);
        if (groups.length === 1) await written.promise;
      },
    });
    const adds = [1, 2, 3, 4, 5, 6, 7].map(item => batcher.add(item));
    due.forEach(leave => leave());
    expect(groups).toEqual([[1, 2, 3]]);
    written.resolve();
    await Promise.all(adds);
    expect(groups).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    const later = batcher.add(8);
    expect(groups).toHaveLength(3);
    due.at(-1)?.();
    await later;
    expect(groups.at(-1)).toEqual([8]);
  });

  test('too few results are an error', async () => {
    const batcher = new MicroBatcher<number, number>({ maxBatch: 2, write: async () => [] });
    await expect(batcher.add(1)).rejects.toThrow('0 results for 1 items');
  });
});
