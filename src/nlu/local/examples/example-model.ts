import type { FeatureTable } from '../acts/feature-table.ts';
import { DIMENSIONS } from '../similarity/encoder.ts';

/**
 * What the examples of one set of branches teach beyond what the engine knows: a linear model on top of the engine's own scores, and the examples
 * themselves as neighbours.
 *
 * Why:   the engine's score is the model's starting point, and weights that the examples do not need stay zero, so that few examples change little
 * Shape: weight of feature row r for branch b at `r × branches + b`, in steps of `step`
 */
export interface ExampleModel {
  branches: number;
  /** Words and word sequences of the examples. */
  words: FeatureTable;
  /** How distinctive each of them is among the examples. */
  wordWeights: Float32Array;
  wordSteps: Int8Array;
  step: number;
  /** Weights of the axes of the encoder's space, then of the acts, then the bias. */
  meanings: Float32Array;
  neighbours: Neighbours;
}

/** What a model reads of an utterance beside its words. */
export interface SpokenMeaning {
  /** Vector in the encoder's space. */
  vector: Float32Array;
  /** Acts that it may express, with their probabilities. */
  acts: readonly number[];
  shares: readonly number[];
}

/** Vectors of the examples in hundred-and-twenty-sevenths, and the branch of each. */
export interface Neighbours {
  vectors: Int8Array;
  owners: Uint8Array;
}

/** How much each kind of feature counts: the larger, the faster its weights grow. */
export const SHARE = { words: 1, axes: 1.5, acts: 1.5, bias: 0.3 };
/** Score of a branch for an example that says exactly the same. */
export const NEIGHBOUR_WEIGHT = 3;
export const LEVELS = 127;
/** Most branches of one set. */
const MAX_BRANCHES = 64;

/** Bytes of a model, for the bound of what is kept. */
export function bytesOf({ wordWeights, wordSteps, meanings, neighbours }: ExampleModel): number {
  const tables = wordWeights.byteLength * 4 + wordSteps.byteLength + meanings.byteLength;
  return tables + neighbours.vectors.byteLength + neighbours.owners.byteLength;
}

const nearestOf = new Float64Array(MAX_BRANCHES);
const words = new Float64Array(MAX_BRANCHES);

/** An example less like the utterance than this is no evidence for its branch. */
const NEAR = 0.6;

/**
 * Adds what the examples say of an utterance to the branches' scores.
 *
 * Shape: returns how much they have in common with it, 0..1
 */
export function addExampleScores(
  model: ExampleModel,
  utterance: SpokenMeaning,
  features: ReadonlySet<number>,
  scores: Float64Array,
): number {
  const shared = addWords(model, features, scores);
  addMeanings(model, utterance, scores);
  const nearest = addNeighbours(model.neighbours, utterance.vector, model.branches, scores);
  return Math.max(shared, nearest < NEAR ? 0 : nearest);
}

/** Returns the share of the text's features that examples have. */
function addWords(model: ExampleModel, features: ReadonlySet<number>, scores: Float64Array): number {
  const { words: table, wordWeights, wordSteps, step, branches } = model;
  words.fill(0, 0, branches);
  let known = 0;
  let square = 0;
  for (const feature of features) {
    const row = table.rowOf(feature);
    if (row < 0) continue;
    known += 1;
    const weight = wordWeights[row] as number;
    square += weight * weight;
    const start = row * branches;
    for (let at = 0; at < branches; at += 1) words[at] = (words[at] as number) + weight * (wordSteps[start + at] as number);
  }
  if (square === 0) return 0;
  const scale = (SHARE.words * step) / Math.sqrt(square);
  for (let at = 0; at < branches; at += 1) scores[at] = (scores[at] as number) + scale * (words[at] as number);
  return known / features.size;
}

function addMeanings({ meanings, branches }: ExampleModel, { vector, acts, shares }: SpokenMeaning, scores: Float64Array): void {
  const add = (row: number, value: number): void => {
    const start = row * branches;
    for (let at = 0; at < branches; at += 1) scores[at] = (scores[at] as number) + value * (meanings[start + at] as number);
  };
  for (let axis = 0; axis < DIMENSIONS; axis += 1) add(axis, SHARE.axes * (vector[axis] as number));
  for (let at = 0; at < acts.length; at += 1) add(DIMENSIONS + (acts[at] as number), actValue(shares[at] as number));
  add(meanings.length / branches - 1, SHARE.bias);
}

/** Value of the feature of an act with this probability: the root, because half an act is more than half of the evidence. */
export function actValue(share: number): number {
  return SHARE.acts * Math.sqrt(share);
}

function addNeighbours({ vectors, owners }: Neighbours, vector: Float32Array, branches: number, scores: Float64Array): number {
  nearestOf.fill(0, 0, branches);
  for (let at = 0; at < owners.length; at += 1) {
    const owner = owners[at] as number;
    nearestOf[owner] = Math.max(nearestOf[owner] as number, likeness(vector, vectors, at));
  }
  let nearest = 0;
  for (let at = 0; at < branches; at += 1) {
    const near = nearestOf[at] as number;
    scores[at] = (scores[at] as number) + NEIGHBOUR_WEIGHT * near;
    nearest = Math.max(nearest, near);
  }
  return nearest;
}

/** Likeness of a vector and an example, −1..1; four parallel sums, as each addition would otherwise wait for the one before. */
function likeness(of: Float32Array, vectors: Int8Array, example: number): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  const start = example * DIMENSIONS;
  for (let axis = 0; axis < DIMENSIONS; axis += 4) {
    first += (of[axis] as number) * (vectors[start + axis] as number);
    second += (of[axis + 1] as number) * (vectors[start + axis + 1] as number);
    third += (of[axis + 2] as number) * (vectors[start + axis + 2] as number);
    fourth += (of[axis + 3] as number) * (vectors[start + axis + 3] as number);
  }
  return (first + second + third + fourth) / LEVELS;
}

/** Notes for one example and all later ones how like each other they are: in row e of `nearest` the most like example of each branch. */
export function compareWithLater({ vectors, owners }: Neighbours, one: number, branches: number, nearest: Float32Array): void {
  const first = one * DIMENSIONS;
  for (let axis = 0; axis < DIMENSIONS; axis += 1) vector[axis] = (vectors[first + axis] as number) / LEVELS;
  const branch = owners[one] as number;
  for (let other = one + 1; other < owners.length; other += 1) {
    const like = likeness(vector, vectors, other);
    const mine = one * branches + (owners[other] as number);
    const theirs = other * branches + branch;
    if (like > (nearest[mine] as number)) nearest[mine] = like;
    if (like > (nearest[theirs] as number)) nearest[theirs] = like;
  }
}

const vector = new Float32Array(DIMENSIONS);
