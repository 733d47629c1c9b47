import { expect, test } from '@jest/globals';
import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import type { Snapshot } from '#tools/start/snapshot.ts';
import { campaignLines, renderLine, renderTable } from '#tools/start/table.ts';
import { fit, widthOf } from '#tools/start/text-width.ts';
import { wordsOf } from '#tools/start/words.ts';

const [CHINESE, ENGLISH] = [wordsOf({ LANG: 'zh_CN.UTF-8' }), wordsOf({})];

const access = { url: 'http://127.0.0.1:9920', username: 'admin', password: 'secret-of-the-run', phones: 'ws://127.0.0.1:5066' };

function snapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return {
    campaign: {
      name: '春季回访',
      status: 'running',
      phase: 'DISPATCHING',
      phaseReason: null,
      total: 289,
      pending: 200,
      submitted: 20,
      completed: 50,
      failed: 19,
      progress: 0.25,
    },
    others: [],
    activeCalls: 20,
    dialledLastMinute: 90,
    attempts: 89,
    switchState: 'up',
    captions: [
      { attemptId: 1, speaker: 'bot', text: '您好，这里是示例营业厅。' },
      { attemptId: 1, speaker: 'customer', text: '你好，有什么事？' },
    ],
    ...changes,
  };
}

test('shows the address, the account, progress, active calls, calls per second and the latest captions', () => {
  const table = renderTable(snapshot(), access, 65_000, { columns: 100, words: CHINESE }).join('\n');
  for (const part of [
    'http://127.0.0.1:9920',
    'admin',
    'secret-of-the-run',
    '01:05',
    '25.0 %',
    '进行中 20',
    '每秒 1.50',
    '客户',
    '你好，有什么事？',
  ]) {
    expect(table).toContain(part);
  }
});

test('all lines have the same width, whatever the captions contain', () => {
  assert(
    property(
      array(string({ unit: 'binary' }), { maxLength: 8 }),
      integer({ min: 25, max: 200 }),
      constantFrom(CHINESE, ENGLISH),
      (texts, columns, words) => {
        const captions = texts.map(text => ({ attemptId: 1, speaker: 'customer', text }));
        const lines = renderTable(snapshot({ captions }), access, 0, { columns, words });
        expect(new Set(lines.map(widthOf))).toEqual(new Set([Math.min(columns - 1, 110)]));
        // Captions must not contain control characters of the terminal.
        expect(lines.join('')).not.toMatch(/\p{Cc}/u);
      },
    ),
  );
});

test('a log gets one line without control characters', () => {
  const line = renderLine(snapshot({ captions: [{ attemptId: 1, speaker: 'customer', text: 'a\u001B[2Jb\nc' }] }), ENGLISH);
  expect(line).toBe(
    'active 20, 1.50/s, dialled 89 | 春季回访 (running, dispatching): completed 50, failed 19, pending 200 of 289 | customer: a [2Jb c',
  );
});

test('every running campaign is named, and the demo only if none runs', () => {
  const { campaign } = snapshot();
  const own = { ...campaign, name: '我的活动', phase: 'WAITING_SLOT', phaseReason: '活动并发已满' };
  const shown = snapshot({ campaign: { ...campaign, status: 'completed', phase: 'IDLE' }, others: [own], captions: [] });
  expect(campaignLines(shown, ENGLISH)).toEqual(['我的活动 (running, waiting slot): completed 50, failed 19, pending 200 of 289']);
  expect(renderLine(shown, CHINESE)).toContain('我的活动（运行中，活动并发已满）');
  expect(renderTable(shown, access, 0, { columns: 110, words: CHINESE }).join('')).toContain('我的活动（运行中');
  expect(campaignLines({ ...shown, others: [] }, ENGLISH)).toEqual(['春季回访 (completed): completed 50, failed 19, pending 200 of 289']);
});

test('Chinese characters take two columns, and truncated text ends with an ellipsis', () => {
  expect(widthOf('ab中文')).toBe(6);
  expect([widthOf('✅'), widthOf('e\u0301'), widthOf('，')]).toEqual([2, 1, 2]);
  expect(fit('中文字', 5)).toBe('中文…');
  expect(fit('中文字', 4)).toBe('中… ');
  expect(fit('ab', 4)).toBe('ab  ');
});

test('the language follows the locale', () => {
  const languages = [
    { LC_ALL: 'zh_TW.UTF-8', LANG: 'C' },
    { LC_ALL: '', LANG: 'zh_CN' },
    { LC_ALL: 'en_US.UTF-8', LANG: 'zh_CN' },
    { LANG: 'C.UTF-8' },
    {},
  ];
  expect(languages.map(env => wordsOf(env).stopped)).toEqual(['已停止', '已停止', 'stopped', 'stopped', 'stopped']);
  expect(renderTable(snapshot(), access, 0, { columns: 100, words: ENGLISH }).join('')).not.toMatch(/进度|待呼/);
});
