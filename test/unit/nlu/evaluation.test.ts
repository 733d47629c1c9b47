import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readDecisionCases } from '#tools/nlu/evaluation/decision-set.ts';
import { isFrozen, readFrozenList } from '#tools/nlu/evaluation/frozen.ts';
import { describeHeadline, figuresOf } from '#tools/nlu/evaluation/headline.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callout-nlu-sets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const SMALL = 'domain: 一\nten: {a: 甲, b: 乙}\nfive: {y: 是, n: 否}\ncases:\n  - [a, y, 好]\n  - [b, "-", 不]\n';
const LARGE = 'domain: 二\nthirtysix: {k01: 甲, 2: 乙}\ncases:\n  - [k01, 好]\n  - [2, 110]\n';

describe('blind sets can have either form [issue 21]', () => {
  test('ten and five branches, or thirty-six, from a file or a folder', () => {
    const small = written('one.yaml', SMALL);
    written('two.yaml', LARGE);
    expect(readDecisionCases(small).map(({ key, text }) => [key, text])).toEqual([
      ['a', '好'],
      ['y', '好'],
      ['b', '不'],
    ]);
    expect(
      readDecisionCases(folder)
        .slice(3)
        .map(({ key, text, branches }) => [key, text, branches.length]),
    ).toEqual([
      ['k01', '好', 2],
      ['2', '110', 2],
    ]);
  });

  test('a case with a branch that the set does not have is an error, not a miss', () => {
    expect(() => readDecisionCases(written('wrong.yaml', LARGE.replace('k01, 好', 'k99, 好')))).toThrow('no branch k99');
    expect(() => readDecisionCases(written('broken.yaml', 'domain: 三\n'))).toThrow();
  });
});

describe('frozen sets must not be read [issue 21]', () => {
  test('an unlisted file is not frozen', () => {
    expect(isFrozen(written('never-listed.yaml', SMALL))).toBe(false);
  });

  test('every listed name has its own digest', () => {
    const list = readFrozenList();
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
    const empty = createHash('sha256').update('').digest('hex');
    expect(list.filter(({ sha256 }) => sha256.length !== empty.length || sha256 === empty)).toEqual([]);
  });
});

describe('the headline [issue 21]', () => {
  test('the figures by number of branches are shown with their goals', () => {
    const answers = [
      { right: true, confidence: 0.9, branches: 5 },
      { right: false, confidence: 0.4, branches: 10 },
    ];
    const figures = figuresOf(answers);
    expect(figures).toMatchObject({ count: 2, among5: 1, among10: 0, among36: null, keptShare: 0.5, keptAccuracy: 1 });
    const [columns = '', goals = '', row = ''] = describeHeadline([['blind', figures]]);
    expect(columns).toContain('among 36');
    expect(goals).toContain('≥ 76 %');
    expect(row).toMatch(/^blind \(2\) +100\.0 % +0\.0 % +– +50\.0 % +100\.0 %/);
  });
});
