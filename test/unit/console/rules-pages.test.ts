import { describe, expect, test } from '@jest/globals';
import spring from '../../../examples/spring-visit.script.json' with { type: 'json' };
import { daysOfYear, marked, markOf, monthDays } from '../../../console/pages/policies/holiday-days.ts';
import { hasOtherColumns, readNumbers } from '../../../console/pages/do-not-call/numbers-list.ts';
import { differenceOf } from '../../../console/pages/scripts/difference.ts';
import { outlineOf } from '../../../console/pages/scripts/outline.ts';
import { readScript } from '../../../console/pages/scripts/script-text.ts';
import { conditionWords, settingLines } from '../../../console/pages/scripts/script-words.ts';
import words from '../../../console/text/zh.json' with { type: 'json' };

const version = (changes: object = {}) => ({
  __typename: 'ScriptVersion' as const,
  id: 'ScriptVersion:1',
  version: 1,
  ...spring,
  ...changes,
});

describe('the outline of a script', () => {
  const text = readScript(version());
  const lines = outlineOf(text);

  test('shows every node once, and later references to it by name', () => {
    const told = lines.filter(({ isRepeat }) => !isRepeat).map(({ nodeId }) => nodeId);
    expect(told.toSorted()).toEqual(spring.nodes.map(({ id }) => id).toSorted());
    expect(lines.filter(({ isRepeat }) => isRepeat).every(({ nodeId }) => told.includes(nodeId))).toBe(true);
  });

  test('indents the target of each branch, in order; the following node stays at the same level', () => {
    expect(lines.slice(0, 4).map(({ nodeId, depth, branch }) => [nodeId, depth, branch])).toEqual([
      ['start', 0, null],
      ['greet', 0, null],
      ['ask_interest', 0, null],
      ['later', 1, 'silence'],
    ]);
    const decide = text.nodes.find(({ id }) => id === 'decide');
    expect(decide?.branches.map(([branch]) => branch)).toEqual(['interested', 'question', 'busy', 'refuse', 'complaint', 'default']);
  });

  test('names a missing node, and ends at a cycle', () => {
    const start = { id: 'start', type: 'start', name: '', next: 'ask' };
    const ask = { id: 'ask', type: 'router', name: '', next: { again: 'start', default: 'nowhere' } };
    const broken = outlineOf(readScript(version({ nodes: [start, ask] })));
    expect(broken.map(({ nodeId, node, isRepeat }) => [nodeId, node !== null, isRepeat])).toEqual([
      ['start', true, false],
      ['ask', true, false],
      ['start', true, true],
      ['nowhere', false, false],
    ]);
  });

  test('describes rules, branches and settings by their names', () => {
    const told = (key: string) => key.split('.').reduce<unknown>((at, name) => Object(at)[name], words);
    const say = (key: string, values: Record<string, string> = {}) =>
      String(told(key)).replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');
    expect(text.rules.slice(0, 1).map(({ when }) => conditionWords(when, text, say))).toEqual(['经过「转专员」']);
    const nested = {
      branch: 'refuse',
      any: [{ variable: 'contact_time' }, { node: 'decide', branch: 'silence', not: { callStatus: ['busy', 'no_answer'] } }],
    };
    expect(conditionWords(nested, text, say)).toBe(
      '客户的回答为「不需要、拒绝、不要再打」，且(有方便联系的时间，或(在「按回答分流」的回答为「客户没有说话」，且并非：通话结果为用户忙、无人接听))',
    );
    expect(conditionWords({}, text, say)).toBe('其他情况');
    const settings = new Map(text.nodes.map(({ id, config }) => [id, config]));
    expect(settingLines(settings.get('ask_time')?.['fields'], text)).toEqual(['方便联系的时间']);
    expect(settingLines(settings.get('answer')?.['answers'], text)[0]).toBe(
      '问价格、费用、多少钱 → 续约后每月比现在少二十元，没有别的费用。',
    );
    expect(settingLines(settings.get('ask_interest')?.['retryPhrase'], text)).toEqual(['您好，听得到吗？']);
  });

  test('shows no difference between equal versions; a difference names its part', () => {
    expect(differenceOf(text, text)).toEqual([]);
    const [first, ...others] = spring.phrases;
    const nodes = spring.nodes
      .map(node => (node.id === 'start' ? { ...node, next: 'ask_interest' } : node))
      .filter(({ id }) => id !== 'greet');
    const after = readScript(version({ nodes, phrases: [{ ...first, text: '早' }, ...others, { key: 'new', text: '新' }] }));
    expect(differenceOf(text, after).map(({ part, key, kind, members }) => [part, key, kind, members[0]?.after])).toEqual([
      ['node', 'start', 'changed', 'ask_interest'],
      ['node', 'greet', 'removed', ''],
      ['phrase', 'greeting', 'changed', '早'],
      ['phrase', 'new', 'added', '新'],
    ]);
  });
});

describe('a year of holidays', () => {
  const empty = { dates: [], recurringDates: [], workdayOverrides: [] };

  test('a day has one mark, of which make-up workday takes precedence; a second click removes it', () => {
    const yearly = marked(empty, '2027-10-01', 'everyYear');
    expect(yearly.recurringDates).toEqual(['10-01']);
    const workday = marked(yearly, '2027-10-01', 'workday');
    expect([markOf(workday, '2027-10-01'), markOf(workday, '2028-10-01')]).toEqual(['workday', 'everyYear']);
    expect(marked(marked(empty, '2027-05-03', 'holiday'), '2027-05-03', 'holiday')).toEqual(empty);
    expect(marked(yearly, '2027-10-01', 'none')).toEqual(empty);
  });

  test('a month begins on its weekday; 29 February exists only in leap years', () => {
    expect(monthDays(2027, 2).slice(0, 2)).toEqual(['2027-02-01', '2027-02-02']);
    expect(monthDays(2026, 3).indexOf('2026-03-01')).toBe(6);
    const leap = { ...empty, recurringDates: ['02-29'] };
    expect([daysOfYear(leap, 2027), daysOfYear(leap, 2028)]).toEqual([[], [{ date: '2028-02-29', mark: 'everyYear' }]]);
  });
});

test('a list of numbers is read as a spreadsheet exports it: headings are skipped, and line numbers match the input', () => {
  expect(readNumbers('\uFEFF号码,原因\r\n13900000001,投诉\n\n"13900000002"\t客户 要求\n 13900000003 ')).toEqual([
    { line: 2, text: '13900000001,投诉', phoneNumber: '13900000001', reason: '投诉' },
    { line: 4, text: '"13900000002"\t客户 要求', phoneNumber: '13900000002', reason: '客户 要求' },
    { line: 5, text: ' 13900000003 ', phoneNumber: '13900000003', reason: '' },
  ]);
});

test.each([
  ['1,13900000001,投诉\n2,13900000002,', true],
  ['张三\t13900000001', true],
  ['13900000001,投诉\n+86 139-0000-0002\t客户', false],
  ['95588, 银行', false],
  ['13900000001\t010-65551234', false],
])('other columns before the number are detected: %j [D8.7]', (text, isSo) => {
  expect(hasOtherColumns(text)).toBe(isSo);
});
