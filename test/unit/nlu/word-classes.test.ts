import { describe, expect, test } from '@jest/globals';
import { compileWordClasses } from '#nlu/local/text/word-classes.ts';

const classes = compileWordClasses([
  { id: 'not', words: ['不', '不要'] },
  { id: 'cancel', words: ['不要了', '撤掉'] },
  { id: 'robot', words: ['ai', '机器'] },
]);

function found(text: string): string[] {
  const into = new Uint16Array(8);
  return [...into.subarray(0, classes.find(text, into))].map(index => classes.ids[index] ?? '');
}

describe('word classes found in a text [issue 21]', () => {
  test.each([
    ['我不要', ['not']],
    ['那个不要了', ['not', 'cancel']],
    ['撤掉吧 不去', ['cancel', 'not']],
    ['不不不', ['not']],
    ['你是ai吗', ['robot']],
    ['say it again', []],
    ['', []],
  ])('%s: %p', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });

  test('at most as many as fit into the result', () => {
    expect(classes.find('不要了 机器', new Uint16Array(1))).toBe(1);
  });
});
