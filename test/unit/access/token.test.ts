import { describe, expect, test } from '@jest/globals';
import { checkAgainstHash, hashToken } from '#access/tokens.ts';

describe('the check of the internal token [D3.6]', () => {
  test('accepts the token every time and rejects everything else', () => {
    const isRight = checkAgainstHash(hashToken('correct horse'));
    expect(['', 'correct horse', 'wrong', 'correct horse', ''].map(isRight)).toEqual([false, true, false, true, false]);
  });

  test('rejects a prefix of the token, and the token extended with NUL or other characters', () => {
    const isRight = checkAgainstHash(hashToken('correct horse'));
    expect(['correct horse', 'correct hors', 'correct horse\0', 'correct horse2'].map(isRight)).toEqual([true, false, false, false]);
  });

  test('accepts a token longer than the limit for comparing without a hash', () => {
    const long = 'x'.repeat(2_000);
    const isRight = checkAgainstHash(hashToken(long));
    expect([long, long, `${long.slice(1)}y`].map(isRight)).toEqual([true, true, false]);
  });
});
