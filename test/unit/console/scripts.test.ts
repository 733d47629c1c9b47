import { describe, expect, test } from '@jest/globals';
import spring from '../../../examples/spring-visit.script.json' with { type: 'json' };
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
      '客户的回答为「不需要」，且(有方便联系的时间，或(在「按回答分流」的回答为「客户没有说话」，且并非：通话结果为用户忙、无人接听))',
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
    expect(differenceOf(text, after).map(({ part, key, kind, members }) => [part, key, kind, members[0]?.is])).toEqual([
      ['node', 'start', 'changed', 'ask_interest'],
      ['node', 'greet', 'removed', undefined],
      ['phrase', 'greeting', 'changed', '早'],
      ['phrase', 'new', 'added', '新'],
    ]);
  });
});
