import { describe, expect, test } from '@jest/globals';
import { compileKeywords } from '#calls/progress.ts';

const match = (keywords: string[], text: string) => compileKeywords(keywords)?.match(text);

describe('intent keywords [OCS 4.12 rule 2]', () => {
  test('are found anywhere, each once, in order of appearance', () => {
    expect(match(['投诉', '人工'], '转人工，我要投诉，快转人工')).toEqual(['人工', '投诉']);
    expect(match(['投诉'], '没什么')).toEqual([]);
  });

  test('ignore case and width; a hit has the spelling of the campaign', () => {
    expect(match(['VIP客户', 'ｏｋ'], '我是ｖｉｐ客户，OK吗')).toEqual(['VIP客户', 'ｏｋ']);
  });

  test('match the longest of several keywords at the same place', () => {
    expect(match(['人工', '人工服务'], '我要人工服务')).toEqual(['人工服务']);
  });

  test('are plain text, never patterns', () => {
    expect(match(['a.c', '(退款)', '50%', '-', '^'], 'abc 退款')).toEqual([]);
    expect(match(['a.c', '(退款)', '50%'], '5 a.c（退款）50%')).toEqual(['a.c', '(退款)', '50%']);
  });

  test('scan a long caption once, even with 200 keywords of 64 characters', () => {
    const keywords = Array.from({ length: 200 }, (_, index) => `词${index}`.padEnd(64, '长'));
    expect(match(keywords, `${'好'.repeat(4_000)}${keywords[199]}`)).toEqual([keywords[199]]);
  });

  test('give no matcher if there are none', () => {
    expect(compileKeywords([])).toBe(null);
    expect(compileKeywords(['  '])).toBe(null);
  });
});
