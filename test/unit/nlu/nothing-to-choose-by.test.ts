import { beforeAll, describe, expect, test } from '@jest/globals';
import { CompiledBranches } from '#nlu/local/decide/compiled-cache.ts';
import { ExampleSets } from '#nlu/local/examples/example-sets.ts';
import { decide } from '#nlu/local/decide/decide.ts';
import { readUtterance } from '#nlu/local/decide/evidence.ts';
import type { Knowledge } from '#nlu/local/decide/knowledge.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';
import { seededRandom } from '#kernel/random.ts';

/** Highest confidence allowed without any evidence. Source: D13.2 */
const LOW = 0.5;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SETS = [
  [
    { key: 'yes', desc: '客户同意参加' },
    { key: 'no', desc: '客户拒绝参加' },
  ],
  [
    { key: 'price', desc: '询问价格、费用' },
    { key: 'busy', desc: '没时间，稍后联系' },
    { key: 'complain', desc: '客户投诉' },
  ],
];

let knowledge: Knowledge;
let compiled: CompiledBranches;
let exampleSets: ExampleSets;
beforeAll(async () => {
  knowledge = await readKnowledge();
  compiled = new CompiledBranches(knowledge);
  exampleSets = new ExampleSets(knowledge);
});

async function answer(text: string, key: string, set: (typeof SETS)[number]) {
  const branches = [...set, { key, desc: '其他，以上都不符合' }];
  return decide(
    { branches },
    { knowledge, compiled, exampleSets, utterance: readUtterance(text, knowledge, new Float32Array(knowledge.actCount)) },
  );
}

/** Random letters, too many to form a word. */
function randomLetters(seed: number): string {
  const random = seededRandom(seed);
  return Array.from({ length: 8 + Math.floor(random.next() * 10) }, () => LETTERS[Math.floor(random.next() * LETTERS.length)]).join('');
}

describe.each(['default', 'other', 'unknown', 'fallback'])('the fallback branch named %s', key => {
  test.each(SETS.map((set, index) => [index, set] as const))(
    'is chosen with a low confidence for silence, noise and symbols, set %i [D13.2]',
    async (_, set) => {
      for (const text of ['', '   ', '。。。', '？？', '!@#$%', 'asdfghjkl', 'qwertyuiop']) {
        const result = await answer(text, key, set);
        expect({ text, key: result.key, isLow: result.confidence <= LOW }).toEqual({ text, key, isLow: true });
      }
    },
  );

  test.each(SETS.map((set, index) => [index, set] as const))(
    'is chosen with a low confidence for random letters, set %i [D13.2]',
    async (_, set) => {
      for (let seed = 1; seed <= 100; seed++) {
        const text = randomLetters(seed);
        const result = await answer(text, key, set);
        expect({ text, key: result.key, isLow: result.confidence <= LOW }).toEqual({ text, key, isLow: true });
      }
    },
  );
});
