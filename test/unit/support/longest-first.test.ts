import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LONG, longestFirst } from '#test/support/jest/longest-first.ts';

const pathOf = (name: string) => join(import.meta.dirname, '../..', `${name}.test.ts`);

test('every file of the list is there', () => {
  expect(LONG.filter(name => !existsSync(pathOf(name)))).toEqual([]);
});

test('files of the list come first, in its order, then the others by size', () => {
  const [first = '', second = ''] = LONG;
  const [small, large] = ['unit/support/longest-first', 'architecture'];
  const tests = [small, second, large, first].map(name => ({ path: pathOf(name) }));
  expect(longestFirst(tests).map(({ path }) => path)).toEqual([first, second, large, small].map(pathOf));
});
