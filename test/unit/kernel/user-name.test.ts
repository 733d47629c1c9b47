import { describe, expect, test } from '@jest/globals';
import { problem } from '#kernel/problem.ts';
import { foldedUserName, normalUserName, userNameProblem } from '#kernel/user-name.ts';

describe('a user name [D3.3]', () => {
  test('is the same in every width and composition', () => {
    expect(normalUserName('　Ａｄｍｉｎ ')).toBe('Admin');
    expect(normalUserName('Jose\u0301')).toBe('José');
  });

  test.each([
    ['ＡＤＭＩＮ', 'admin'],
    ['ΝΙΚΟΣ', 'νικοσ'],
    ['Straße', 'STRASSE'],
    ['\u212Aate', 'kate'],
    ['ſam', 'SAM'],
  ])('%s and %s are the same user at login', (one, other) => {
    expect(foldedUserName(one)).toBe(foldedUserName(other));
  });

  test.each(['张伟', 'zhang.wei', 'José_2', '客服A组', 'Ω-γραμμή', 'Иван Петров', '田中さん', 'Kim 철수', "O'Neil", '1234', 'a b'])(
    '%s is accepted',
    name => {
      expect(userNameProblem(normalUserName(name))).toBeNull();
    },
  );

  test.each([
    ['a zero-width space', 'ad\u200bmin'],
    ['a joiner', 'ad\u2060min'],
    ['a soft hyphen', 'ad\u00admin'],
    ['a direction override', '\u202enimda'],
    ['a filler', 'admin\u3164'],
    ['a braille blank', 'admin\u2800x'],
    ['a variation selector', 'admin\ufe0f'],
    ['a control', 'ad\u0007min'],
    ['a line break', 'ad\nmin'],
    ['a tab', 'ad\tmin'],
    ['two spaces', 'ad  min'],
    ['a private-use character', 'admin\ue000'],
    ['an unassigned character', 'admin\u0378'],
  ])('with %s is refused', (_what, name) => {
    expect(userNameProblem(normalUserName(name))).toEqual(problem('unseenCharacters'));
  });

  test.each(['аdmin', 'admіn', 'αdmin', 'ad\u13acin', 'Ιvan Иван'])('%s mixes scripts and is refused', name => {
    expect(userNameProblem(normalUserName(name))).toEqual(problem('mixedScripts'));
  });
});
