import { join } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readDecisionCases } from '#tools/nlu/evaluation/decision-set.ts';
import { type ExtractCase, readExtractCases } from '#tools/nlu/evaluation/extract-set.ts';
import { normalize } from '#nlu/local/text/normalize.ts';
import { weightsFileOf } from '#nlu/local/weights.ts';
import { WEIGHTS_PATH } from '#nlu/read-knowledge.ts';
import { readActs, readRelations, readTrades, readWordClasses } from '#tools/nlu/training/corpus.ts';
import { readFieldAuthors } from '#tools/nlu/training/field-corpus.ts';
import { readConcepts } from '#tools/nlu/training/matters.ts';
import { readScripts } from '#tools/nlu/training/scripts.ts';
import { readTwistTexts } from '#tools/nlu/training/twists.ts';
import { corpusDigest } from '#tools/nlu/training/train.ts';

const NLU = join(import.meta.dirname, '../../../tools/nlu');
const SETS = join(NLU, 'evaluation/sets');
const BLIND = join(NLU, 'evaluation/blind');
const COMPOSITION = join(NLU, 'evaluation/composition');
const acts = readActs();

describe('the corpus [issue 4]', () => {
  test('has at least 45 acts with at least 40 phrases each', () => {
    expect(acts.filter(act => act.phrases.length >= 40).length).toBeGreaterThanOrEqual(45);
  });

  test('has relations only between existing acts, and no empty word class', () => {
    const ids = new Set(acts.map(act => act.id));
    expect(readRelations().filter(({ from, to, weight }) => !ids.has(from) || !ids.has(to) || !(weight > 0 && weight <= 1))).toEqual([]);
    expect(readWordClasses().filter(({ words }) => words.length === 0)).toEqual([]);
  });

  test('has scripts of at least sixty trades; each branch has written and spoken texts, and an existing act or none', () => {
    const ids = new Set(['-', ...acts.map(act => act.id)]);
    const branches = readScripts().flatMap(script => script.branches);
    expect(readScripts().length).toBeGreaterThanOrEqual(60);
    expect(branches.length).toBeGreaterThanOrEqual(600);
    expect(branches.filter(({ act, written, said }) => !ids.has(act) || written.length === 0 || said.length === 0)).toEqual([]);
  });

  test('has at least 4,000 concepts, each with written and spoken forms', () => {
    const concepts = readConcepts();
    expect(concepts.length).toBeGreaterThanOrEqual(4_000);
    const isWhole = (texts: readonly string[]) => texts.length > 0 && texts.every(text => text.trim() !== '' && !/[|；/]/.test(text));
    expect(concepts.filter(({ written, said }) => !isWhole(written) || !isWhole(said))).toEqual([]);
  });

  test('has frames with only the slots deed and thing, and every trade fills both', () => {
    const texts = acts.flatMap(act => [...act.phrases, ...act.descriptions]);
    expect(texts.filter(text => /[{}]/.test(text.replaceAll(/\{(?:deed|thing)\}/g, '')))).toEqual([]);
    expect(readTrades().length).toBeGreaterThanOrEqual(30);
    expect(readTrades().filter(({ deeds, things }) => deeds.length === 0 || things.length === 0)).toEqual([]);
  });

  test('contains no utterance of the evaluation sets, except silence', () => {
    const bare = (text: string) => normalize(text).replaceAll(' ', '');
    const spoken = readScripts().flatMap(({ branches }) => branches.flatMap(({ said }) => said));
    const words = readConcepts().flatMap(({ said }) => said);
    const phrases = [...acts.flatMap(act => act.phrases), ...spoken, ...words, ...readTwistTexts().twisted];
    const development = readDecisionCases(join(NLU, 'corpus/development')).map(entry => entry.text);
    const learned = new Set([...phrases, ...development].map(bare));
    const asked = [SETS, BLIND, COMPOSITION].flatMap(readDecisionCases).map(entry => bare(entry.text));
    expect(asked.filter(text => text !== '' && learned.has(text))).toEqual([]);
  });

  test('contains no field of the evaluation sets', () => {
    const asked = (cases: readonly ExtractCase[]) =>
      cases.flatMap(({ text, fields }) => fields.map(({ label }) => `${normalize(text).replaceAll(' ', '')}|${label}`));
    const learned = new Set(readFieldAuthors().flatMap(({ cases }) => asked(cases)));
    const files = [SETS, BLIND].flatMap(folder =>
      readdirSync(folder)
        .filter(file => file.startsWith('extract'))
        .map(file => join(folder, file)),
    );
    expect(files.length).toBeGreaterThanOrEqual(3);
    expect(asked(files.flatMap(readExtractCases)).filter(field => learned.has(field))).toEqual([]);
  });

  test('is the one from which the shipped weights were trained', () => {
    const { corpusSha256 } = weightsFileOf(readFileSync(WEIGHTS_PATH, 'utf8'));
    expect(corpusSha256).toBe(corpusDigest());
  });
});

describe('the blind sets [issue 4]', () => {
  test('have at least 150 utterances with the branches to choose from', () => {
    const blind = readDecisionCases(BLIND);
    expect(new Set(blind.map(entry => entry.text)).size).toBeGreaterThanOrEqual(150);
    expect(blind.filter(entry => !entry.branches.some(branch => branch.key === entry.key))).toEqual([]);
  });
});

describe('the evaluation sets [issue 4]', () => {
  test('have at least 600 utterances in twelve domains, with 5, 10 and 36 branches', () => {
    const cases = readDecisionCases(SETS);
    expect(new Set(cases.map(entry => entry.text)).size).toBeGreaterThanOrEqual(600);
    expect(new Set(cases.map(entry => entry.domain)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(cases.map(entry => entry.branches.length))).toEqual(new Set([5, 10, 36]));
    expect(cases.filter(entry => !entry.branches.some(branch => branch.key === entry.key))).toEqual([]);
    const files = [join(SETS, 'extract.yaml'), join(NLU, 'corpus/fields/calls.yaml'), join(BLIND, 'extract.yaml')];
    for (const file of files) expect(readExtractCases(file).length).toBeGreaterThanOrEqual(140);
  });
});
