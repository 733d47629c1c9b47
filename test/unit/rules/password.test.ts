import { describe, expect, test } from '@jest/globals';
import { passwordProblem } from '#rules/password.ts';

const COMMON = new Set(['password1', 'iloveyou']);
const problem = (password: string, username = 'zhang.wei') => passwordProblem(password, username, COMMON);

describe('a password that somebody chooses [D3.3]', () => {
  test.each([
    ['is one of the commonest, in any case or width', ['password1', 'PassWord1', 'ｐａｓｓｗｏｒｄ１', ' iloveyou '], '过于常见'],
    ['is one piece again and again', ['88888888', '12121212', 'abcabcabcab', '好好好好好好好好'], '过于常见'],
    ["is the user's own name", ['Zhang.Wei', 'zhang.weizhang.wei', 'iew.gnahz'], '用户名'],
    ['is blank, or blank but for a little', ['        ', '　　　　　　　　', '   x      '], '空白'],
  ])('that %s is refused', (_what, passwords, words) => {
    for (const password of passwords) expect([password, problem(password)]).toEqual([password, expect.stringContaining(words)]);
  });

  test('any other is taken, with the name inside it too', () => {
    for (const password of ['correct horse', 'zhang.wei-2049', '春眠不觉晓处处闻', 'aabbccdd', 'password-not-1'])
      expect([password, problem(password)]).toEqual([password, null]);
  });
});
