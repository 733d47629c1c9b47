import { describe, expect, test } from '@jest/globals';
import { fieldFiguresOf, figuresOf } from '#tools/nlu/evaluation/headline.ts';
import { soundsTwisted } from '#nlu/local/acts/twist-model.ts';
import { ACT_FILTER, actsOf, readFeatures } from '#nlu/local/decide/act-profile.ts';
import { emptyFeatures, listFeatures } from '#nlu/local/text/features.ts';
import { knowledgeOf, weightsFileOf } from '#nlu/local/weights.ts';
import { readActs, readTrades, readWordClasses } from '#tools/nlu/training/corpus.ts';
import { filled, isFrame, unfilled } from '#tools/nlu/training/frames.ts';
import { readFieldAuthors } from '#tools/nlu/training/field-corpus.ts';
import { readConcepts, readMatters, readSynonyms } from '#tools/nlu/training/matters.ts';
import { type CorpusPart, learnKnowledge } from '#tools/nlu/training/knowledge.ts';
import { readScripts } from '#tools/nlu/training/scripts.ts';
import { readSounds } from '#tools/nlu/training/sounds.ts';
import { readTwistTexts } from '#tools/nlu/training/twists.ts';
import { weightsOf } from '#tools/nlu/training/write-weights.ts';
import { seededRandom } from '#kernel/random.ts';

const TAUGHT = ['agree', 'refuse', 'price', 'done'];

const texts = readTwistTexts();

/** A few acts with only their frames: training on them takes less than a second. */
const part: CorpusPart = {
  acts: readActs()
    .filter(({ id }) => TAUGHT.includes(id))
    .map(act => ({ ...act, descriptions: act.descriptions.slice(0, 5), phrases: act.phrases.filter(isFrame).slice(0, 20) })),
  wordClasses: readWordClasses(),
  relations: [],
  trades: readTrades(),
  synonyms: readSynonyms(),
  matters: readMatters(),
  concepts: readConcepts(),
  scripts: readScripts().slice(0, 1),
  twistTexts: { twisted: texts.twisted.slice(0, 400), ordinary: texts.ordinary.slice(0, 2_000) },
  fieldAuthors: readFieldAuthors().filter(({ kind }) => kind === 'bare'),
};

const knowledge = learnKnowledge(part, seededRandom(7));

describe('training [issue 4]', () => {
  test('the same corpus and seed give the same weights, and the file restores the same knowledge', () => {
    const rest = {
      corpusSha256: 'digest',
      crossValidated: { phrases: figuresOf([]), trades: figuresOf([]), fields: fieldFiguresOf([]), rareFields: fieldFiguresOf([]) },
    };
    const one = weightsOf(knowledge, part.wordClasses, rest);
    expect(weightsOf(learnKnowledge(part, seededRandom(7)), part.wordClasses, rest)).toEqual(one);
    const read = knowledgeOf(weightsFileOf(JSON.stringify(one.file)), one.bytes.buffer);
    expect(read.acts).toEqual(part.acts.map(({ id }) => id));
    expect(read.unitWeights.size).toBeGreaterThan(100);
    expect(Math.max(...read.unitWeights.values())).toBeLessThanOrEqual(1);
  });

  test.each([
    ['我不想喂企鹅', 'refuse'],
    ['喂企鹅多少钱', 'price'],
    ['企鹅我早就喂过了', 'done'],
    ['可以 那就喂企鹅吧', 'agree'],
  ])('the meaning of a frame carries over to an unknown trade: %s is %s', (text, act) => {
    const features = readFeatures(text, knowledge, emptyFeatures());
    const profile = actsOf(knowledge.utterances, knowledge, features, new Float32Array(knowledge.actCount));
    expect(knowledge.acts[profile.indexOf(Math.max(...profile))]).toBe(act);
  });

  test('a frame is filled with words of a single trade', () => {
    const trade = { deeds: ['喂企鹅'], things: ['鱼'] };
    expect(filled('不想{deed} {thing}太贵', trade, seededRandom(1))).toBe('不想喂企鹅 鱼太贵');
    expect(unfilled('不想{deed}')).toBe('不想 ');
    expect(isFrame('不想去')).toBe(false);
  });

  test('irony and rhetorical questions are recognised in an unknown trade', () => {
    const twisted = ['谁稀罕喂企鹅啊', '我什么时候说要喂企鹅了', '这企鹅倒贴我都不要'];
    const ordinary = ['企鹅什么时候喂', '喂企鹅要带什么', '好的 我明天去喂企鹅'];
    const sounds = (text: string) =>
      soundsTwisted(knowledge.twists, listFeatures(text, knowledge.wordClasses, ACT_FILTER, emptyFeatures()));
    expect([...twisted, ...ordinary].map(sounds)).toEqual([true, true, true, false, false, false]);
  });

  test.each([
    ['a syllable', '交', '缴'],
    ['a retroflex and an alveolar sound', '张', '脏'],
    ['an ending in n or ng', '陈', '成'],
    ['a character with two readings', '长', '涨'],
  ])('similar sounds can be confused: %s, %s for %s', (_, char, other) => {
    expect(readSounds().get(char)).toContain(other);
    expect(readSounds().get(char)).not.toContain(char);
  });
});
