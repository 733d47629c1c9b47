import { expect, test } from '@jest/globals';
import { WORDS } from '#exports/decisions/export-words.ts';
import en from '../../../console/text/en.json' with { type: 'json' };
import zh from '../../../console/text/zh.json' with { type: 'json' };

test.each(Object.keys(WORDS) as (keyof typeof WORDS)[])('an exported file names each %s as the page does', kind => {
  const onPage = Object.keys(WORDS[kind]).map(key => {
    const name = key.toUpperCase();
    return [key, [Reflect.get(zh[kind], name), Reflect.get(en[kind], name)]];
  });
  expect(WORDS[kind]).toEqual(Object.fromEntries(onPage));
});
