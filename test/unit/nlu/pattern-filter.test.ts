import { describe, expect, test } from '@jest/globals';
import { neededChars } from '#nlu/local/acts/needed-chars.ts';
import { patternFilter } from '#nlu/local/acts/pattern-filter.ts';
import { ACT_PATTERNS } from '#nlu/local/acts/patterns.ts';
import { CONSTRUCTIONS, DOUBTS } from '#nlu/local/text/constructions.ts';
import { readActs } from '#tools/nlu/training/corpus.ts';

describe('the characters that every match of a pattern contains [issue 21]', () => {
  test.each<[string, RegExp, string | null]>([
    ['of a sequence, the rarest part', /不[^ ]{1,3}(?:才怪|才傻)/, '才'],
    ['of alternatives, a character of each', /甲|乙丙/, '甲乙'],
    ['none of an optional part', /(?:丁)?[戊己]*庚{0,2}/, null],
    ['none of a lookahead', /(?=辛)壬(?!癸)/, '壬'],
    ['none if one alternative contains none for certain', /子|.+/, null],
    ['an escaped character literally', /\d{1,2}\/\d{1,2}/, '/'],
    ['digits', /\d+/, '0123456789'],
    ['a hyphen at the end of a class literally', /[-丑]/, '-丑'],
    ['none of a range', /[一-丑]/, null],
    ['no space if there is anything rarer', /[辰巳] /, '辰巳'],
    ['none of a back reference', /(午)?\1/, null],
  ])('%s', (_, pattern, wanted) => {
    const needed = neededChars(pattern);
    expect(needed && [...needed].join('')).toBe(wanted);
  });

  test('no phrase of the corpus matches a pattern that the filter excludes', () => {
    const patterns = [...ACT_PATTERNS, ...CONSTRUCTIONS.map(([pattern]) => pattern), ...DOUBTS];
    const filter = patternFilter(patterns);
    const room = new Uint8Array(256);
    const lost = readActs().flatMap(({ phrases }) =>
      phrases.filter(phrase => {
        const kept = new Set(room.subarray(0, filter.candidates(phrase, room)));
        return patterns.some((pattern, index) => !kept.has(index) && pattern.test(phrase));
      }),
    );
    expect(lost).toEqual([]);
  });
});
