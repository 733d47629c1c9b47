import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '#kernel/random.ts';
import { WEIGHT_BYTES_PATH, WEIGHTS_PATH } from '#nlu/read-knowledge.ts';
import { readDecisionCases } from '../evaluation/decision-set.ts';
import { describeFields, describeHeadline, fieldFiguresOf, figuresOf, type SizedAnswer } from '../evaluation/headline.ts';
import type { WeightsFile } from '#nlu/local/weights.ts';
import { claimed } from '#nlu/local/decide/decide.ts';
import { confidence } from '#nlu/local/decide/score.ts';
import type { Knowledge } from '#nlu/local/decide/knowledge.ts';
import type { DecisionTask } from './decision-tasks.ts';
import { CORPUS_FOLDER, readActs, readRelations, readTrades, readWordClasses } from './corpus.ts';
import { crossValidate, type Fold } from './cross-validate.ts';
import { readFieldAuthors } from './field-corpus.ts';
import { crossValidateChoices } from './fit-choices.ts';
import { readConcepts, readMatters, readSynonyms, synonymClasses } from './matters.ts';
import { readScripts } from './scripts.ts';
import { fitCalibration, fitCombination, type Outcome, outcomeOf, weighTask } from './fit-combination.ts';
import { type CorpusPart, learnKnowledge } from './knowledge.ts';
import { readTwistTexts } from './twists.ts';
import { weightsOf } from './write-weights.ts';

const SEED = 11;

/**
 * `npm run nlu:train`: builds the weights file from the corpus.
 *
 * Why: combination and calibration are fitted on held-out phrases and descriptions, never on the evaluation sets
 */
export async function nluTrain(): Promise<number> {
  const corpus = readCorpus();
  const corpusSha256 = corpusDigest();
  const folds = crossValidate(corpus, SEED);
  const { knowledge, crossValidated: decisions } = calibrated(learnKnowledge(corpus, seededRandom(SEED)), folds);
  const answers = crossValidateChoices(corpus.fieldAuthors);
  const crossValidated = {
    ...decisions,
    fields: fieldFiguresOf(answers.get('common') ?? []),
    rareFields: fieldFiguresOf(answers.get('rare') ?? []),
  };
  const weights = weightsOf(knowledge, corpus.wordClasses, { corpusSha256, crossValidated });
  writeFileSync(WEIGHTS_PATH, `${JSON.stringify(weights.file)}\n`);
  writeFileSync(WEIGHT_BYTES_PATH, weights.bytes);
  process.stdout.write(report(corpus, crossValidated));
  return 0;
}

function readCorpus(): CorpusPart {
  const synonyms = readSynonyms();
  return {
    acts: readActs(),
    wordClasses: [...readWordClasses(), ...synonymClasses(synonyms)],
    relations: readRelations(),
    trades: readTrades(),
    synonyms,
    matters: readMatters(),
    concepts: readConcepts(),
    scripts: readScripts(),
    twistTexts: readTwistTexts(),
    fieldAuthors: readFieldAuthors(),
  };
}

interface Calibrated {
  knowledge: Knowledge;
  crossValidated: Pick<WeightsFile['crossValidated'], 'phrases' | 'trades'>;
}

function calibrated(learned: Knowledge, folds: readonly Fold[]): Calibrated {
  const cases = readDecisionCases(join(CORPUS_FOLDER, 'development'));
  const weightOf = developmentWeights(cases, folds);
  const weighed = [
    ...folds.flatMap(fold => [...fold.tasks, ...fold.scripts].map(task => weighTask(task, fold.knowledge, 1))),
    ...cases.map(task => weighTask(task, learned, weightOf(task))),
  ];
  const combination = fitCombination(weighed, learned.combination);
  const unseen = (tasks: (fold: Fold) => readonly DecisionTask[]) =>
    folds.flatMap(fold => {
      const knowledge = { ...fold.knowledge, combination };
      return tasks(fold).map(task => outcomeOf(task, knowledge, MADE_UP_WEIGHT));
    });
  const phrases = unseen(fold => fold.tasks);
  const trades = unseen(fold => fold.scripts);
  const hard = trades.map(outcome => ({ ...outcome, weight: SCRIPT_WEIGHT * MADE_UP_WEIGHT }));
  const fitted = { ...learned, combination };
  const written = cases.map(task => outcomeOf(task, fitted, weightOf(task)));
  const calibration = fitCalibration([...phrases, ...hard, ...written], learned.calibration);
  const knowledge = { ...fitted, calibration };
  const figures = (outcomes: readonly Outcome[]) => figuresOf(outcomes.map(outcome => answerOf(outcome, knowledge)));
  return { knowledge, crossValidated: { phrases: figures(phrases), trades: figures(trades) } };
}

function answerOf({ standing, right, isTwisted }: Outcome, { calibration }: Knowledge): SizedAnswer {
  return { right, confidence: claimed(confidence(standing, calibration), isTwisted), branches: Math.round(Math.exp(standing.branches)) };
}

/**
 * Weight of a synthetic task in the calibration.
 *
 * Why: at this weight the calibration has the lowest log loss on held-out development sets (leave-one-out); randomly mixed sets are harder
 *      than sets written by script authors
 */
const MADE_UP_WEIGHT = 0.1;

/** Factor for tasks from scripts: their authors looked for indirect replies, which makes them harder than real calls. */
const SCRIPT_WEIGHT = 0.2;

/** Largest weight of a development case, so that a handful of cases cannot decide. */
const MAX_DEVELOPMENT_WEIGHT = 24;
/** Total weight of development cases relative to synthetic tasks of their size class. */
const DEVELOPMENT_SHARE = 2;

/**
 * Weighs development cases so that within a size class they count together twice as much as the synthetic tasks.
 *
 * Why: a development case reads like a real call with a real script; a synthetic task mixes descriptions at random, which gets harder with
 *      their number, and would make the engine too unsure of large sets
 */
function developmentWeights(cases: readonly DecisionTask[], folds: readonly Fold[]): (task: DecisionTask) => number {
  const madeUp = countBySize(folds.flatMap(fold => fold.tasks));
  const written = countBySize(cases);
  return task =>
    Math.min(MAX_DEVELOPMENT_WEIGHT, (DEVELOPMENT_SHARE * (madeUp.get(sizeClass(task)) ?? 0)) / (written.get(sizeClass(task)) ?? 1));
}

function countBySize(tasks: readonly DecisionTask[]): Map<string, number> {
  return new Map([...Map.groupBy(tasks, sizeClass)].map(([size, group]) => [size, group.length]));
}

function sizeClass({ branches }: DecisionTask): 'small' | 'medium' | 'large' {
  return branches.length <= 6 ? 'small' : branches.length <= 15 ? 'medium' : 'large';
}

/** Digest of all corpus files, which identifies the corpus of given weights. */
export function corpusDigest(): string {
  const hash = createHash('sha256');
  const files = readdirSync(CORPUS_FOLDER, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const paths = files.map(entry => join(entry.parentPath, entry.name)).sort();
  for (const path of paths) hash.update(path.slice(CORPUS_FOLDER.length)).update(readFileSync(path));
  return hash.digest('hex');
}

function report(corpus: CorpusPart, crossValidated: WeightsFile['crossValidated']): string {
  const phrases = corpus.acts.reduce((sum, act) => sum + act.phrases.length, 0);
  return [
    `acts ${corpus.acts.length}, phrases ${phrases}, weights ${WEIGHTS_PATH}`,
    'on what the fold had not seen:',
    ...describeHeadline([
      ['trades left out', crossValidated.trades],
      ['phrases left out', crossValidated.phrases],
    ]),
    describeFields('authors left out', crossValidated.fields),
    describeFields('the same, of labels that no rule knows', crossValidated.rareFields),
    '',
  ].join('\n');
}
