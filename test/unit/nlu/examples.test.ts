import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Branch } from '#protocol/nlu.ts';
import { systemClock } from '#kernel/clock.ts';
import { seededRandom } from '#kernel/random.ts';
import type { NluEngine } from '#nlu/engine.ts';
import { localEngine } from '#nlu/local/engine.ts';
import type { Knowledge } from '#nlu/local/decide/knowledge.ts';
import { ExampleSets, MAX_KEPT_BYTES } from '#nlu/local/examples/example-sets.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';
import { type DecisionCase, readDecisionCases } from '../../../tools/nlu/evaluation/decision-set.ts';
import { withExamples } from '../../../tools/nlu/evaluation/split-examples.ts';

const SETS = join(import.meta.dirname, '../../../tools/nlu/evaluation/sets');

let knowledge: Knowledge;
let engine: NluEngine;
beforeAll(async () => {
  knowledge = await readKnowledge();
  engine = localEngine({ knowledge, clock: systemClock, timeZone: 'Asia/Shanghai' });
});

const BRANCHES: Branch[] = [
  { key: 'yes', desc: '客户同意', examples: ['得嘞', '妥妥的', '整一个'] },
  { key: 'no', desc: '客户拒绝', examples: ['歇菜', '拉倒吧您呐', '洗洗睡'] },
];

describe('examples of branches [D13.9]', () => {
  test.each([1, 2, 3, 5])('%i of each branch are worth no less than none', async count => {
    const asked = readDecisionCases(SETS);
    const { cases, taught } = withExamples(asked, count, seededRandom(count));
    const [without, having] = [await rightIn(cases), await rightIn(taught)];
    expect(cases.length).toBeGreaterThan(300);
    expect(having).toBeGreaterThan(without);
  });

  test('decide for words that the engine does not know', async () => {
    const taught = BRANCHES.map(branch => ({
      ...branch,
      examples: [...(branch.examples ?? []), branch.key === 'yes' ? 'qwk 七' : 'zzp 九'],
    }));
    expect((await engine.decide({ text: 'zzp', branches: taught })).key).toBe('no');
    expect((await engine.decide({ text: 'qwk', branches: taught })).key).toBe('yes');
  });

  test.each(['', 'xkcd qwrt', '嘤嘤嘤嘤'])('give nobody confidence in %j', async text => {
    expect((await engine.decide({ text, branches: BRANCHES })).confidence).toBeLessThanOrEqual(0.5);
  });

  test('a text in two branches speaks for neither and is named', async () => {
    const branches = BRANCHES.map(branch => ({ ...branch, examples: ['再说吧'] }));
    const plain = BRANCHES.map(({ key, desc }) => ({ key, desc }));
    const { contradictions, ...taught } = await engine.decide({ text: '再说吧', branches });
    expect(contradictions).toEqual([{ text: '再说吧', keys: ['yes', 'no'] }]);
    expect(taught).toEqual(await engine.decide({ text: '再说吧', branches: plain }));
  });
});

async function rightIn(cases: readonly DecisionCase[]): Promise<number> {
  let right = 0;
  for (const { text, branches, key } of cases) if ((await engine.decide({ text, branches })).key === key) right += 1;
  return right;
}

describe('sets with examples', () => {
  test('are fitted once, for all who ask meanwhile, and then read at once', async () => {
    const sets = new ExampleSets(knowledge);
    const fitting = sets.get(BRANCHES);
    const asked = sets.get(BRANCHES.map(branch => ({ ...branch })));
    const one = await fitting;
    expect(await asked).toBe(one);
    expect(sets.get(BRANCHES)).toBe(one);
    const changed = BRANCHES.map((branch, at) => (at === 0 ? { ...branch, examples: ['得嘞', '妥妥的', '整两个'] } : branch));
    expect(await sets.get(changed)).not.toBe(one);
  });

  test('let other work run while they are fitted', async () => {
    const examples = (start: string) => Array.from({ length: 200 }, (_, at) => `${start}${at}号套餐怎么样`);
    const large = Array.from({ length: 10 }, (_, at) => ({ key: `k${at}`, desc: `咨询第${at}种业务`, examples: examples(`第${at}种`) }));
    const fitted = new AbortController();
    const fitting = Promise.resolve(new ExampleSets(knowledge).get(large)).finally(() => fitted.abort());
    let turns = 0;
    for (; !fitted.signal.aborted; turns += 1) await nextTurn();
    await fitting;
    expect(turns).toBeGreaterThan(100);
  });

  test('are kept within a bound, the one used last among them', async () => {
    const sets = new ExampleSets(knowledge);
    const filler = Array.from({ length: 200 }, (_, at) => `${at}号${'办理业务的说法'.repeat(26)}`);
    const setOf = (round: number): Branch[] => [
      { key: 'a', desc: `第${round}个`, examples: filler },
      { key: 'b', desc: '其他', examples: ['不要'] },
    ];
    let largest = 0;
    for (let round = 0; round < 12; round += 1) {
      await sets.get(setOf(round));
      largest = Math.max(largest, sets.bytes);
    }
    expect(largest).toBeLessThanOrEqual(MAX_KEPT_BYTES);
    expect(sets.get(setOf(11))).not.toBeInstanceOf(Promise);
  });
});
