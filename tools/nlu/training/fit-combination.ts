import type { Branch } from '#protocol/nlu.ts';
import { choose, strength } from '#nlu/local/decide/choose.ts';
import { type BranchWords, readBranch } from '#nlu/local/decide/branch.ts';
import { type BranchSet, joinBranches } from '#nlu/local/decide/branch-set.ts';
import { type Evidence, readUtterance, weighBranches } from '#nlu/local/decide/evidence.ts';
import type { Calibration, Combination, Knowledge } from '#nlu/local/decide/knowledge.ts';
import { evidenceTerms, type Standing } from '#nlu/local/decide/score.ts';
import type { DecisionTask } from './decision-tasks.ts';

/** A task reduced to the evidence for each of its branches. */
export interface WeighedTask {
  evidence: readonly Evidence[];
  answer: number;
  weight: number;
}

export function weighTask({ text, branches, key }: DecisionTask, knowledge: Knowledge, weight: number): WeighedTask {
  const utterance = readUtterance(text, knowledge, new Float32Array(knowledge.actCount));
  const evidence: Evidence[] = [];
  weighBranches(utterance, compiledOf(branches, knowledge), knowledge, evidence);
  return { evidence, answer: branches.findIndex(branch => branch.key === key), weight };
}

let last: { branches: DecisionTask['branches']; knowledge: Knowledge; compiled: BranchSet } | undefined;

/** Tasks of one set follow each other, so the set is compiled once for all of them. */
function compiledOf(branches: DecisionTask['branches'], knowledge: Knowledge): BranchSet {
  if (last?.branches !== branches || last.knowledge !== knowledge)
    last = {
      branches,
      knowledge,
      compiled: joinBranches(
        branches.map(branch => readOnce(branch, knowledge)),
        knowledge,
      ),
    };
  return last.compiled;
}

const readBranches = new WeakMap<Knowledge['encoder'], Map<string, BranchWords>>();

/** The same descriptions occur in many sets: each is read once per knowledge. */
function readOnce(branch: Branch, knowledge: Knowledge): BranchWords {
  const read = readBranches.get(knowledge.encoder) ?? new Map<string, BranchWords>();
  readBranches.set(knowledge.encoder, read);
  const name = `${branch.key} ${branch.desc}`;
  const words = read.get(name) ?? readBranch(branch, knowledge);
  read.set(name, words);
  return words;
}

const TERMS = [
  'actLog',
  'act',
  'overlap',
  'topic',
  'mood',
  'polarity',
  'similarity',
  'similarityAlone',
  'close',
  'agreed',
  'fallback',
  'fallbackUnknown',
  'breadth',
  'parts',
] as const;
const COMBINATION_ROUNDS = 300;
const COMBINATION_RATE = 0.15;

/** Fits the combination by conditional logistic regression: the score of the right branch against all others. */
export function fitCombination(tasks: readonly WeighedTask[], start: Combination): Combination {
  const table = tasks.map(task => ({ ...task, terms: termTable(task.evidence) }));
  const weights = TERMS.map(term => start[term]);
  const velocity = TERMS.map(() => 0);
  const total = tasks.reduce((sum, task) => sum + task.weight, 0);
  for (let round = 0; round < COMBINATION_ROUNDS; round += 1) {
    const gradient = TERMS.map(() => 0);
    for (const task of table) addGradient(task, weights, gradient);
    weights.forEach((weight, at) => {
      velocity[at] = 0.9 * (velocity[at] ?? 0) - (COMBINATION_RATE * (gradient[at] ?? 0)) / total;
      weights[at] = weight + (velocity[at] ?? 0);
    });
  }
  const fitted = { ...start };
  TERMS.forEach((term, at) => (fitted[term] = rounded(weights[at] ?? 0)));
  return fitted;
}

function termTable(evidence: readonly Evidence[]): number[][] {
  const strongest = evidence.reduce((most, one) => (one.isFallback ? most : Math.max(most, strength(one))), 0);
  return evidence.map(one => {
    const terms = evidenceTerms(one, strongest);
    return TERMS.map(term => terms[term]);
  });
}

function addGradient({ terms, answer, weight }: WeighedTask & { terms: number[][] }, weights: readonly number[], gradient: number[]): void {
  const scores = terms.map(row => row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0));
  const highest = Math.max(...scores);
  const odds = scores.map(score => Math.exp(score - highest));
  const all = odds.reduce((sum, value) => sum + value, 0);
  terms.forEach((row, index) => {
    const error = (odds[index] ?? 0) / all - (index === answer ? 1 : 0);
    row.forEach((value, at) => {
      gradient[at] = (gradient[at] ?? 0) + weight * error * value;
    });
  });
}

/** The standing of one decision, and whether it was right. */
export interface Outcome {
  standing: Standing;
  right: boolean;
  weight: number;
  /** Twisted utterances (see `claimed` in decide.ts) have a capped confidence, so the fit ignores them. */
  isTwisted: boolean;
}

export function outcomeOf({ text, branches, key }: DecisionTask, knowledge: Knowledge, weight: number): Outcome {
  const utterance = readUtterance(text, knowledge, new Float32Array(knowledge.actCount));
  const choice = choose(utterance, compiledOf(branches, knowledge), knowledge);
  return { standing: choice.standing, right: branches[choice.best]?.key === key, weight, isTwisted: utterance.isTwisted };
}

const PLATT_TERMS = ['logit', 'margin', 'branches', 'evidence', 'nearness'] as const;
const PLATT_ROUNDS = 1500;
const PLATT_RATE = 0.05;
const PLATT_DECAY = 1e-3;

/**
 * Fits Platt scaling: how often a decision of a given standing is right. Twisted utterances are left out because their confidence is
 * capped.
 */
export function fitCalibration(all: readonly Outcome[], start: Calibration): Calibration {
  const outcomes = all.filter(({ isTwisted }) => !isTwisted);
  const weights = [start.bias, ...PLATT_TERMS.map(term => start[term])];
  const velocity = weights.map(() => 0);
  const total = outcomes.reduce((sum, outcome) => sum + outcome.weight, 0);
  for (let round = 0; round < PLATT_ROUNDS; round += 1) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : PLATT_DECAY * weight * total));
    for (const { standing, right, weight } of outcomes) {
      const inputs = [1, ...PLATT_TERMS.map(term => standing[term])];
      const value = inputs.reduce((sum, input, at) => sum + input * (weights[at] ?? 0), 0);
      const error = 1 / (1 + Math.exp(-value)) - (right ? 1 : 0);
      inputs.forEach((input, at) => {
        gradient[at] = (gradient[at] ?? 0) + weight * error * input;
      });
    }
    weights.forEach((weight, at) => {
      velocity[at] = 0.9 * (velocity[at] ?? 0) - (PLATT_RATE * (gradient[at] ?? 0)) / total;
      weights[at] = weight + (velocity[at] ?? 0);
    });
  }
  const fitted = { ...start, bias: rounded(weights[0] ?? 0) };
  PLATT_TERMS.forEach((term, at) => (fitted[term] = rounded(weights[at + 1] ?? 0)));
  return fitted;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
