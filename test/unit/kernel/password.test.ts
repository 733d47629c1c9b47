import { describe, expect, test } from '@jest/globals';
import { wordsOf } from '#kernel/problem.ts';
import { passwordProblem } from '#kernel/password-rule.ts';

const COMMON = new Set(['password1', 'iloveyou']);
const problem = (password: string, username = 'zhang.wei') => {
  const found = passwordProblem(password, username, COMMON);
  return found && wordsOf(found, 'zh');
};

describe('a password chosen by a user [D3.3]', () => {
  test.each([
    ['is among the most common, in any case or width', ['password1', 'PassWord1', 'ｐａｓｓｗｏｒｄ１', ' iloveyou '], '过于常见'],
    ['repeats one piece', ['88888888', '12121212', 'abcabcabcab', '好好好好好好好好'], '过于常见'],
    ["is the user's own name", ['Zhang.Wei', 'zhang.weizhang.wei', 'iew.gnahz'], '用户名'],
    ['is blank or almost blank', ['        ', '　　　　　　　　', '   x      '], '空白'],
  ])('is refused if it %s', (_what, passwords, words) => {
    for (const password of passwords) expect([password, problem(password)]).toEqual([password, expect.stringContaining(words)]);
  });

  test('is accepted otherwise, even with the user name inside', () => {
    for (const password of ['correct horse', 'zhang.wei-2049', '春眠不觉晓处处闻', 'aabbccdd', 'password-not-1'])
      expect([password, problem(password)]).toEqual([password, null]);
  });
});
