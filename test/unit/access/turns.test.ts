import { describe, expect, test } from '@jest/globals';
import { HASH_TURNS } from '#access/passwords.ts';
import { createTurns } from '#kernel/turns.ts';

/**
 * Work that ends when the test says so; `begun` and `refused` list the keys of tasks in the order in which they started or were refused.
 */
function rig() {
  const inTurn = createTurns(HASH_TURNS);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (key: string) => {
    const work = () => {
      begun.push(key);
      return new Promise<void>(resolve => ends.push(resolve));
    };
    inTurn(key, work).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
      refused.push(key);
    });
  };
  const settle = () => new Promise<void>(resolve => setImmediate(resolve));
  const endOne = async () => {
    ends.shift()?.();
    await settle();
  };
  const askFor = async (key: string, times: number) => {
    for (let index = 0; index < times; index++) ask(key);
    await settle();
  };
  return { begun, refused, askFor, endOne };
}

const count = (keys: string[], key: string) => keys.filter(each => each === key).length;

describe('turns', () => {
  test('two tasks run at once, 16 of a key wait, and the next is refused', async () => {
    const { begun, refused, askFor, endOne } = rig();
    await askFor('flood', 19);
    expect([begun.length, refused.length]).toEqual([2, 1]);
    for (let index = 0; index < 18; index++) await endOne();
    expect([begun.length, refused.length]).toEqual([18, 1]);
  });

  test('a task of another key waits for at most two tasks of a flood', async () => {
    const { begun, askFor, endOne } = rig();
    await askFor('flood', 18);
    await askFor('good', 1);
    await endOne();
    await endOne();
    expect(begun).toContain('good');
  });

  test('with 64 waiting, a shorter queue displaces the last task of the longest queue; an equally long one does not', async () => {
    const { begun, refused, askFor, endOne } = rig();
    await askFor('a', 18);
    for (const key of ['b', 'c', 'd']) await askFor(key, 16);
    await askFor('good', 2);
    expect(refused).toEqual(['a', 'b']);
    await askFor('good', 20);
    // Five keys share the 64 places.
    expect(['a', 'b', 'c', 'd', 'good'].map(key => count(refused, key))).toEqual([3, 3, 3, 3, 10]);
    for (let index = 0; index < 66; index++) await endOne();
    expect([begun.length, count(begun, 'good')]).toEqual([66, 12]);
  });

  test('a failed task gives its place back', async () => {
    const inTurn = createTurns(HASH_TURNS);
    for (let index = 0; index < 5; index++) await expect(inTurn('a', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await inTurn('a', () => Promise.resolve('free'))).toBe('free');
  });
});
