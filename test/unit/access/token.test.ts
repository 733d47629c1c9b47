import { describe, expect, test } from '@jest/globals';
import { checkAgainstHash, hashToken } from '#operations/access/token.ts';

describe('The check of the internal token [D3.6]', () => {
  test('lets the token pass again and again, and nothing else in between', () => {
    const isRight = checkAgainstHash(hashToken('correct horse'));
    expect(['', 'correct horse', 'wrong', 'correct horse', ''].map(isRight)).toEqual([false, true, false, true, false]);
  });

  test('lets nothing pass that only begins as the token does, or fills what follows with NUL', () => {
    const isRight = checkAgainstHash(hashToken('correct horse'));
    expect(['correct horse', 'correct hors', 'correct horse\0', 'correct horse2'].map(isRight)).toEqual([true, false, false, false]);
  });

  test('lets a token pass that is longer than what is compared without a hash', () => {
    const long = 'x'.repeat(2_000);
    const isRight = checkAgainstHash(hashToken(long));
    expect([long, long, `${long.slice(1)}y`].map(isRight)).toEqual([true, true, false]);
  });
});
