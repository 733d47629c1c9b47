import { describe, expect, test } from '@jest/globals';
import { HASH_TURNS } from '#operations/access/password.ts';
import { createTurns } from '#operations/access/turns.ts';

/** Work that ends when the test says so; `begun` and `refused` name their rows in the order in which they came to it. */
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
  test('two work at once, 16 of a row wait, and the next is told to come back', async () => {
    const { begun, refused, askFor, endOne } = rig();
    await askFor('flood', 19);
    expect([begun.length, refused.length]).toEqual([2, 1]);
    for (let index = 0; index < 18; index++) await endOne();
    expect([begun.length, refused.length]).toEqual([18, 1]);
  });

  test('whoever comes after a flood is the next but one', async () => {
    const { begun, askFor, endOne } = rig();
    await askFor('flood', 18);
    await askFor('good', 1);
    await endOne();
    await endOne();
    expect(begun).toContain('good');
  });

  test('where 64 wait, the longest row gives up its last for a shorter one, and nothing for one as long', async () => {
    const { begun, refused, askFor, endOne } = rig();
    await askFor('a', 18);
    for (const key of ['b', 'c', 'd']) await askFor(key, 16);
    await askFor('good', 2);
    expect(refused).toEqual(['a', 'b']);
    await askFor('good', 20);
    // Five rows share 64 places.
    expect(['a', 'b', 'c', 'd', 'good'].map(key => count(refused, key))).toEqual([3, 3, 3, 3, 10]);
    for (let index = 0; index < 66; index++) await endOne();
    expect([begun.length, count(begun, 'good')]).toEqual([66, 12]);
  });

  test('work that fails gives its place back', async () => {
    const inTurn = createTurns(HASH_TURNS);
    for (let index = 0; index < 5; index++) await expect(inTurn('a', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await inTurn('a', () => Promise.resolve('free'))).toBe('free');
  });
});
