import type { Contradiction } from '#protocol/nlu.ts';
import type { ExampleModel } from '../examples/example-model.ts';
import { DIMENSIONS } from '../similarity/encoder.ts';
import { acceptedActs, homesOf } from './accepted-acts.ts';
import type { BranchWords } from './branch.ts';
import { isFallbackBranch } from './fallback.ts';
import type { Knowledge } from './knowledge.ts';
import { describesQuestion, negates } from './mood.ts';
import { tableTerms, type TermTable } from './overlap.ts';
import { distinctiveness } from './distinctiveness.ts';

/** A branch prepared for scoring. */
export interface CompiledBranch {
  key: string;
  isFallback: boolean;
  asks: boolean;
  negates: boolean;
}

/**
 * The branches of one set, prepared for scoring.
 *
 * Why: values that a decision reads for all branches are contiguous, so that they are read sequentially from memory
 */
export interface BranchSet {
  branches: readonly CompiledBranch[];
  /** `accepts[act × branches + branch]`: how far an utterance of the act belongs to the branch. */
  accepts: Float32Array;
  /** See Evidence. */
  breadths: Float64Array;
  parts: Float64Array;
  terms: TermTable;
  /** For each distinguishing word class of a description, its weight for each branch. */
  topics: ReadonlyMap<number, Float32Array>;
  topicTotals: Float64Array;
  /** Vectors of the descriptions and their clauses in the encoder's space: branch b has the rows from `starts[b]` to before `starts[b + 1]`. */
  vectors: Float32Array;
  starts: Uint16Array;
  /** What the examples of the branches teach; null where they have none. */
  examples: ExampleModel | null;
  contradictions: readonly Contradiction[];
}

/**
 * Prepares the branches of one set by what distinguishes them.
 *
 * Why: a word that all branches share distinguishes none of them: 物业费 among 答应交物业费, 拒绝交物业费, 已交物业费
 */
export function joinBranches(read: readonly BranchWords[], knowledge: Knowledge): BranchSet {
  const accepts = acceptedBySet(read, knowledge);
  const bags = read.map(({ bag }) => bag);
  return {
    branches: read.map(({ key, plain, words }) => ({
      key,
      isFallback: isFallbackBranch(key, plain),
      asks: describesQuestion(plain),
      negates: negates(words),
    })),
    accepts,
    breadths: breadthsOf(accepts, read.length),
    parts: Float64Array.from(read, ({ vectors }) => Math.log(vectors.length)),
    terms: tableTerms(bags, distinctiveness(bags.map(({ ids }) => ids))),
    ...topicsOf(read, knowledge),
    ...placesOf(read),
    examples: null,
    contradictions: [],
  };
}

function acceptedBySet(read: readonly BranchWords[], knowledge: Knowledge): Float32Array {
  const described = read.map(branch => branch.described);
  const homes = homesOf(described, knowledge);
  const accepts = new Float32Array(knowledge.actCount * read.length);
  described.forEach((acts, at) => {
    acceptedActs(acts, at, homes, knowledge).forEach((share, act) => (accepts[act * read.length + at] = share));
  });
  return accepts;
}

/** Keeps the logarithm finite for a branch that accepts nothing. */
const LEAST_BREADTH = 1e-3;

/**
 * Returns the logarithm of how much of all acts each branch accepts.
 *
 * Why: `有其他问题` accepts a little of everything, which is weaker evidence than the same share for a narrow branch
 */
function breadthsOf(accepts: Float32Array, size: number): Float64Array {
  const sums = new Float64Array(size);
  accepts.forEach((share, at) => (sums[at % size] = (sums[at % size] ?? 0) + share));
  return sums.map(sum => Math.log(LEAST_BREADTH + (sum * size) / accepts.length));
}

function topicsOf(read: readonly BranchWords[], { classWeights }: Knowledge): Pick<BranchSet, 'topics' | 'topicTotals'> {
  const shareOf = distinctiveness(read.map(({ classes }) => classes));
  const topics = new Map<number, Float32Array>();
  const topicTotals = new Float64Array(read.length);
  read.forEach(({ classes }, at) => {
    for (const index of classes) {
      const weight = shareOf(index) * (classWeights[index] ?? 0);
      if (weight === 0) continue;
      const weights = topics.get(index) ?? new Float32Array(read.length);
      weights[at] = weight;
      topics.set(index, weights);
      topicTotals[at] = (topicTotals[at] ?? 0) + weight;
    }
  });
  return { topics, topicTotals };
}

function placesOf(read: readonly BranchWords[]): Pick<BranchSet, 'vectors' | 'starts'> {
  const starts = new Uint16Array(read.length + 1);
  read.forEach(({ vectors }, at) => (starts[at + 1] = (starts[at] ?? 0) + vectors.length));
  const vectors = new Float32Array((starts[read.length] ?? 0) * DIMENSIONS);
  read.flatMap(branch => branch.vectors).forEach((vector, row) => vectors.set(vector, row * DIMENSIONS));
  return { vectors, starts };
}
