import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '#kernel/random.ts';
import { WEIGHTS_PATH } from '../read-knowledge.ts';
import { readDecisionCases } from '../evaluation/decision-set.ts';
import { measure } from '../evaluation/measure.ts';
import { confidence } from '../local/decide/score.ts';
import type { Knowledge } from '../local/decide/knowledge.ts';
import type { DecisionTask } from './decision-tasks.ts';
import { CORPUS_FOLDER, readActs, readRelations, readTrades, readWordClasses } from './corpus.ts';
import { crossValidate, type Fold } from './cross-validate.ts';
import { fitCalibration, fitCombination, outcomeOf, weighTask } from './fit-combination.ts';
import { type CorpusPart, type LearnedKnowledge, learnKnowledge } from './knowledge.ts';
import { weightsOf } from './write-weights.ts';

const SEED = 11;

/**
 * `npm run nlu:train`: builds the weights file from the corpus.
 *
 * Why: combination and calibration are fitted on phrases and descriptions that the fold has not seen, never on the evaluation sets
 */
export async function nluTrain(): Promise<number> {
  const corpus: CorpusPart = { acts: readActs(), wordClasses: readWordClasses(), relations: readRelations(), trades: readTrades() };
  const folds = crossValidate(corpus, SEED);
  const knowledge = calibrated(learnKnowledge(corpus, seededRandom(SEED)), folds);
  writeFileSync(WEIGHTS_PATH, `${JSON.stringify(weightsOf(knowledge, corpus.wordClasses, corpusDigest()), null, 1)}\n`);
  process.stdout.write(report(corpus, folds, knowledge));
  return 0;
}

function calibrated(knowledge: LearnedKnowledge, folds: readonly Fold[]): LearnedKnowledge {
  const cases = readDecisionCases(join(CORPUS_FOLDER, 'development'));
  const weightOf = developmentWeights(cases, folds);
  const weighed = [
    ...folds.flatMap(fold => fold.tasks.map(task => weighTask(task, fold.knowledge, 1))),
    ...cases.map(task => weighTask(task, knowledge, weightOf(task))),
  ];
  const combination = fitCombination(weighed, knowledge.combination);
  const outcomes = [
    ...folds.flatMap(fold => fold.tasks.map(task => outcomeOf(task, { ...fold.knowledge, combination }, 1))),
    ...cases.map(task => outcomeOf(task, { ...knowledge, combination }, weightOf(task))),
  ];
  return { ...knowledge, combination, calibration: fitCalibration(outcomes, knowledge.calibration) };
}

/** The most that one development case counts: a handful of cases does not decide. */
const MAX_DEVELOPMENT_WEIGHT = 12;

/**
 * Weighs development cases so that, among sets of about the same size, they count together as much as the made-up tasks.
 *
 * Why: a development case was written as a person would ask it, in a set as a person would write it; a made-up task mixes descriptions
 *      by chance, which is harder the more there are, and would make the engine too unsure of large sets
 */
function developmentWeights(cases: readonly DecisionTask[], folds: readonly Fold[]): (task: DecisionTask) => number {
  const madeUp = countBySize(folds.flatMap(fold => fold.tasks));
  const written = countBySize(cases);
  return task => Math.min(MAX_DEVELOPMENT_WEIGHT, (madeUp.get(sizeClass(task)) ?? 0) / (written.get(sizeClass(task)) ?? 1));
}

function countBySize(tasks: readonly DecisionTask[]): Map<string, number> {
  return new Map([...Map.groupBy(tasks, sizeClass)].map(([size, group]) => [size, group.length]));
}

function sizeClass({ branches }: DecisionTask): 'small' | 'medium' | 'large' {
  return branches.length <= 6 ? 'small' : branches.length <= 15 ? 'medium' : 'large';
}

/** Digest of every corpus file, so that weights can be told from older ones. */
export function corpusDigest(): string {
  const hash = createHash('sha256');
  const files = readdirSync(CORPUS_FOLDER, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const paths = files.map(entry => join(entry.parentPath, entry.name)).sort();
  for (const path of paths) hash.update(path.slice(CORPUS_FOLDER.length)).update(readFileSync(path));
  return hash.digest('hex');
}

function report(corpus: CorpusPart, folds: readonly Fold[], knowledge: Knowledge): string {
  const { combination, calibration } = knowledge;
  const answers = folds.flatMap(fold =>
    fold.tasks.map(task => {
      const { standing, right } = outcomeOf(task, { ...fold.knowledge, combination }, 1);
      return { right, confidence: confidence(standing, calibration) };
    }),
  );
  const { accuracy, ece, keptShare, keptAccuracy } = measure(answers);
  const phrases = corpus.acts.reduce((sum, act) => sum + act.phrases.length, 0);
  return [
    `acts ${corpus.acts.length}, phrases ${phrases}, weights ${WEIGHTS_PATH}`,
    `cross-validated on ${answers.length} unseen phrases with unseen descriptions:`,
    `accuracy ${accuracy.toFixed(3)}, ECE ${ece.toFixed(3)}, confidence ≥ 0.8 keeps ${keptShare.toFixed(3)} at ${keptAccuracy.toFixed(3)}`,
    '',
  ].join('\n');
}
