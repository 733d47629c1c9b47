import { describe, expect, test } from '@jest/globals';
import { compileKeywords } from '#rules/intent-keywords.ts';

const match = (keywords: string[], text: string) => compileKeywords(keywords)?.match(text);

describe('intent keywords [OCS 4.12 rule 2]', () => {
  test('are found anywhere, each once, in the order of the text', () => {
    expect(match(['投诉', '人工'], '转人工，我要投诉，快转人工')).toEqual(['人工', '投诉']);
    expect(match(['投诉'], '没什么')).toEqual([]);
  });

  test('letter case and width do not count; the campaign spells the hit', () => {
    expect(match(['VIP客户', 'ｏｋ'], '我是ｖｉｐ客户，OK吗')).toEqual(['VIP客户', 'ｏｋ']);
  });

  test('the longest wins where several begin', () => {
    expect(match(['人工', '人工服务'], '我要人工服务')).toEqual(['人工服务']);
  });

  test('what looks like a pattern is a text', () => {
    expect(match(['a.c', '(退款)', '50%', '-', '^'], 'abc 退款')).toEqual([]);
    expect(match(['a.c', '(退款)', '50%'], '5 a.c（退款）50%')).toEqual(['a.c', '(退款)', '50%']);
  });

  test('200 keywords of 64 characters look at a long caption once', () => {
    const keywords = Array.from({ length: 200 }, (_, index) => `词${index}`.padEnd(64, '长'));
    expect(match(keywords, `${'好'.repeat(4_000)}${keywords[199]}`)).toEqual([keywords[199]]);
  });

  test('nothing to look for is no matcher', () => {
    expect(compileKeywords([])).toBe(null);
    expect(compileKeywords(['  '])).toBe(null);
  });
});
