import { describe, expect, test } from '@jest/globals';
import { GroupCommit } from '#kernel/group-commit.ts';

/** A store that ends its writes when told to. */
function slowStore() {
  const groups: (readonly number[])[] = [];
  const pending: PromiseWithResolvers<void>[] = [];
  const commit = new GroupCommit<number, string>({
    maxGroup: 3,
    write: items => {
      groups.push([...items]);
      const outcome = Promise.withResolvers<void>();
      pending.push(outcome);
      return outcome.promise.then(() => items.map(item => `row ${item}`));
    },
  });
  return { commit, groups, pending };
}

describe('group commit', () => {
  test('the first item waits for nobody; what comes meanwhile goes together, at most maxGroup at once', async () => {
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

  test('a failure is that of its own group, and the next group is written all the same', async () => {
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

  test('what is written at once is written again at once', async () => {
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
