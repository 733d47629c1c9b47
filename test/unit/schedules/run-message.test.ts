import { describe, expect, test } from '@jest/globals';
import { exportMessage, rangeText, reportMessage } from '#schedules/decisions/run-message.ts';
import { ROBOTS } from '#webhooks/decisions/robots.ts';

const FIGURES = [
  { name: 'dials', title: '外呼', unit: 'calls' },
  { name: 'answer_rate', title: '接通率', unit: 'share' },
] as const;
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ keys: [`第 ${n} 条线路，名称较长的上海第二接入点`], values: [n, 0.5] }));
const range = { from: Date.parse('2026-11-27T16:00Z'), to: Date.parse('2026-11-28T16:00Z') };
const sent = { name: '早报', language: 'zh', missed: 0, publicUrl: 'https://callout.example.com' } as const;
const report = {
  ...sent,
  question: 'span=yesterday&m=dials,answer_rate&by=line',
  range,
  timeZone: 'Asia/Shanghai',
  pageZone: 'Asia/Shanghai',
};

describe('the message of a report [D14.8]', () => {
  test('has its range, a table and a link to the same days', () => {
    const table = { heads: ['线路'], figures: FIGURES, rows: rows(1), total: [100, 0.366] };
    expect(reportMessage({ ...report, table })).toEqual({
      title: '早报 · 2026-11-28',
      text: '2026-11-28 · Asia/Shanghai\n\n线路 | 外呼 | 接通率\n全部 | 100 | 36.6%\n第 0 条线路，名称较长的上海第二接入点 | 0 | 50.0%',
      link: 'https://callout.example.com/reports?m=dials%2Canswer_rate&by=line&from=2026-11-28&to=2026-11-28',
    });
  });

  test('keeps its link at the robot that takes least, however long the table is', () => {
    const table = { heads: ['线路'], figures: FIGURES, rows: rows(500), total: [100, 0.366] };
    const message = reportMessage({ ...report, table, missed: 3 });
    expect(message.text).toMatch(/……另有 \d+ 行，见链接$/);
    expect(message.text).toContain('此前错过 3 次');
    const { body } = ROBOTS.wecom.requestOf({ url: 'https://hooks.invalid', secret: '' }, message);
    expect(JSON.stringify(body)).toContain(String(message.link));
  });

  test('says that there is nothing', () => {
    expect(reportMessage({ ...report, table: { heads: ['坐席'], figures: FIGURES, rows: [], total: null } }).text).toContain(
      '这段时间没有数据',
    );
  });

  test('has no link where the address of the server is not known', () => {
    const table = { heads: [], figures: FIGURES, rows: [{ keys: [], values: [1, 1] }], total: [1, 1] };
    expect(reportMessage({ ...report, publicUrl: '', table }).link).toBeNull();
  });
});

test('the message of an export leads to the page on which one signs in [D14.8]', () => {
  const message = exportMessage({ ...sent, language: 'en', fileName: 'contacts.csv', rows: 12, owner: 'Ann', keptDays: 7 });
  expect(message.link).toBe('https://callout.example.com/exports');
  expect(message.text).toContain('contacts.csv, 12 rows');
  expect(message.text).toContain('Ann and administrators');
});

test.each([
  ['2026-11-22T16:00Z', '2026-11-29T16:00Z', '2026-11-23 – 2026-11-29'],
  ['2026-11-28T16:00Z', '2026-11-29T00:30Z', '2026-11-29 – 2026-11-29 08:30'],
])('a range from %s to %s is %s', (from, to, text) => {
  expect(rangeText({ from: Date.parse(from), to: Date.parse(to) }, 'Asia/Shanghai')).toBe(text);
});
