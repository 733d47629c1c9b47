import { expect, test } from '@jest/globals';
import { FATES } from '#call-stats/decisions/columns.ts';
import { DIMENSIONS } from '#call-stats/decisions/dimensions.ts';
import { dimensionTitle, groupWords } from '#reports/decisions/group-words.ts';
import en from '../../../console/text/en.json' with { type: 'json' };
import zh from '../../../console/text/zh.json' with { type: 'json' };

const TEXTS = { zh, en } as const;

test.each(['zh', 'en'] as const)('a report that is sent names groups and outcomes as the page does, in %s', language => {
  const { reports, outcomeName } = TEXTS[language];
  const titles = DIMENSIONS.filter(dimension => dimension !== 'result_field').map(dimension => [
    dimension,
    dimensionTitle(dimension, language),
  ]);
  expect(Object.fromEntries(titles)).toEqual(reports.dimension);
  const reader = { language, timeZone: 'Asia/Shanghai' };
  for (const fate of FATES) {
    const onPage: unknown = Reflect.get(reports.fate, fate) ?? Reflect.get(outcomeName, fate.toUpperCase());
    expect([fate, groupWords('outcome', { value: fate, label: null }, reader)]).toEqual([fate, onPage]);
  }
  for (const [handler, words] of Object.entries(reports.handler)) {
    expect(groupWords('handled_by', { value: handler, label: null }, reader)).toBe(words);
  }
  expect(groupWords('line', { value: '', label: null }, reader)).toBe(reports.nobody);
});

test('an hour is one of its zone', () => {
  const hour = (timeZone: string) => groupWords('hour', { value: '2026-11-29T00:00:00.000Z', label: null }, { language: 'zh', timeZone });
  expect(hour('Asia/Shanghai')).toBe('2026-11-29 08:00');
  expect(hour('Asia/Kathmandu')).toBe('2026-11-29 05:45');
});
