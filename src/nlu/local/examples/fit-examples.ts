import { featureTable } from '../acts/feature-table.ts';
import { MAX_FEATURES } from '../text/features.ts';
import { DIMENSIONS } from '../similarity/encoder.ts';
import {
  actValue,
  compareWithLater,
  type ExampleModel,
  LEVELS,
  NEIGHBOUR_WEIGHT,
  type Neighbours,
  SHARE,
  type SpokenMeaning,
} from './example-model.ts';

/** An example as the fit sees it. */
export interface ReadExample {
  /** Its branch. */
  branch: number;
  utterance: SpokenMeaning;
  /** Hashes of its features, each once. */
  features: Uint32Array;
  /** What the engine without examples thinks of each branch. */
  scores: Float64Array;
}

export interface FitSize {
  branches: number;
  actCount: number;
}

const EPOCHS = 6;
const RATE = 0.5;
/** A branch whose probability is off by less learns nothing from an example. */
const LEAST_ERROR = 0.01;
/** An example whose branch's probability is off by less is not walked again. */
const LEARNED = 0.05;
/** In a set of more examples than this, a word that stands in one of them alone teaches nothing that its neighbours do not. */
const MANY_EXAMPLES = 200;
/** Order in which examples are walked: a stride that shares no factor with any number of examples, so that branches alternate. */
const STRIDE = 7_919;

/**
 * Fits a multinomial logistic model to the examples, on top of the engine's own scores; each yield is a place at which other work may run.
 *
 * Why:    an example's own nearness is left out of its score, so that the fit does not learn to lean on it
 * Source: D13.9
 */
export function* fitExamples(examples: readonly ReadExample[], { branches, actCount }: FitSize): Generator<void, ExampleModel> {
  const words = wordsOf(examples);
  const neighbours = neighboursOf(examples);
  const meanings = new Float32Array((DIMENSIONS + actCount + 1) * branches);
  const wordRows = new Float32Array(words.ids.length * branches);
  const lessons: Lesson[] = [];
  const likeness = new Float32Array(examples.length * branches);
  for (const [at, example] of examples.entries()) {
    // Pairs with later examples have not been compared yet, those with earlier ones have.
    compareWithLater(neighbours, at, branches, likeness);
    const offset = example.scores.slice();
    for (let branch = 0; branch < branches; branch += 1)
      offset[branch] = (offset[branch] ?? 0) + NEIGHBOUR_WEIGHT * (likeness[at * branches + branch] ?? 0);
    lessons.push({ ...featuresOf(example, words, actCount), offset, branch: example.branch });
    if (at % SLICE === SLICE - 1) yield;
  }
  const errors = new Float64Array(branches);
  let walked = lessons.map((_, turn) => lessons[(turn * STRIDE) % lessons.length] as Lesson);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    const rate = RATE / (1 + epoch / 2);
    const missed: Lesson[] = [];
    for (const [turn, lesson] of walked.entries()) {
      const { wordAt, wordValues, meaningAt, meaningValues, offset, branch } = lesson;
      errors.set(offset);
      addRows(wordRows, wordAt, wordValues, errors);
      addRows(meanings, meaningAt, meaningValues, errors);
      toErrors(errors, branch);
      changeRows(wordRows, wordAt, wordValues, errors, rate);
      changeRows(meanings, meaningAt, meaningValues, errors, rate);
      if ((errors[branch] as number) < -LEARNED) missed.push(lesson);
      if (turn % SLICE === SLICE - 1) yield;
    }
    walked = missed;
  }
  return { branches, words: featureTable(words.ids), wordWeights: words.weights, ...inSteps(wordRows), meanings, neighbours };
}

interface Lesson extends Sparse {
  offset: Float64Array;
  branch: number;
}

/** Examples between two yields: below 5 ms for 64 branches. */
const SLICE = 64;

interface Words {
  ids: Uint32Array;
  weights: Float32Array;
  rows: ReadonlyMap<number, number>;
}

const rowRoom = new Uint32Array(MAX_FEATURES);
const weightRoom = new Float32Array(MAX_FEATURES);

/** Words that the model weighs: the rarer among the examples, the more each counts. */
function wordsOf(examples: readonly ReadExample[]): Words {
  const counts = new Map<number, number>();
  for (const { features } of examples) for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const least = examples.length > MANY_EXAMPLES ? 2 : 1;
  const ids = Uint32Array.from([...counts].filter(([, count]) => count >= least).map(([feature]) => feature));
  const weights = Float32Array.from(ids, feature => Math.log(1 + (examples.length + 1) / ((counts.get(feature) ?? 0) + 1)));
  return { ids, weights, rows: new Map(Array.from(ids, (feature, row) => [feature, row])) };
}

function neighboursOf(examples: readonly ReadExample[]): Neighbours {
  const vectors = new Int8Array(examples.length * DIMENSIONS);
  for (const [at, { utterance }] of examples.entries())
    for (let axis = 0; axis < DIMENSIONS; axis += 1)
      vectors[at * DIMENSIONS + axis] = Math.round(LEVELS * (utterance.vector[axis] as number));
  return { vectors, owners: Uint8Array.from(examples, ({ branch }) => branch) };
}

/** Rows and values of an example's features. */
interface Sparse {
  wordAt: Uint32Array;
  wordValues: Float32Array;
  meaningAt: Uint32Array;
  meaningValues: Float32Array;
}

function featuresOf({ features, utterance: { vector, acts, shares } }: ReadExample, words: Words, actCount: number): Sparse {
  let found = 0;
  let square = 0;
  for (const feature of features) {
    const row = words.rows.get(feature);
    if (row === undefined) continue;
    const weight = words.weights[row] as number;
    rowRoom[found] = row;
    weightRoom[found] = weight;
    square += weight * weight;
    found += 1;
  }
  const wordAt = rowRoom.slice(0, found);
  const wordValues = weightRoom.slice(0, found);
  const scale = SHARE.words / (Math.sqrt(square) || 1);
  for (let at = 0; at < wordValues.length; at += 1) wordValues[at] = scale * (wordValues[at] ?? 0);
  const meaningAt = new Uint32Array(DIMENSIONS + acts.length + 1);
  const meaningValues = new Float32Array(meaningAt.length);
  for (let axis = 0; axis < DIMENSIONS; axis += 1) {
    meaningAt[axis] = axis;
    meaningValues[axis] = SHARE.axes * (vector[axis] ?? 0);
  }
  for (let at = 0; at < acts.length; at += 1) {
    meaningAt[DIMENSIONS + at] = DIMENSIONS + (acts[at] ?? 0);
    meaningValues[DIMENSIONS + at] = actValue(shares[at] ?? 0);
  }
  meaningAt[DIMENSIONS + acts.length] = DIMENSIONS + actCount;
  meaningValues[DIMENSIONS + acts.length] = SHARE.bias;
  return { wordAt, wordValues, meaningAt, meaningValues };
}

function addRows(rows: Float32Array, places: Uint32Array, values: Float32Array, into: Float64Array): void {
  const branches = into.length;
  for (let at = 0; at < places.length; at += 1) {
    const start = (places[at] as number) * branches;
    const value = values[at] as number;
    for (let branch = 0; branch < branches; branch += 1) into[branch] = (into[branch] as number) + value * (rows[start + branch] as number);
  }
}

/** Turns scores into what each probability is too high by. */
function toErrors(scores: Float64Array, branch: number): void {
  const highest = Math.max(...scores);
  let sum = 0;
  for (let at = 0; at < scores.length; at += 1) {
    const power = Math.exp((scores[at] as number) - highest);
    scores[at] = power;
    sum += power;
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] as number) / sum - (at === branch ? 1 : 0);
}

const changed = new Uint8Array(256);

function changeRows(rows: Float32Array, places: Uint32Array, values: Float32Array, errors: Float64Array, rate: number): void {
  const branches = errors.length;
  let count = 0;
  for (let branch = 0; branch < branches; branch += 1) {
    if (Math.abs(errors[branch] as number) < LEAST_ERROR) continue;
    changed[count] = branch;
    count += 1;
  }
  for (let at = 0; at < places.length; at += 1) {
    const start = (places[at] as number) * branches;
    const change = rate * (values[at] as number);
    for (let next = 0; next < count; next += 1) {
      const branch = changed[next] as number;
      rows[start + branch] = (rows[start + branch] as number) - change * (errors[branch] as number);
    }
  }
}

/** Keeps the weights of words in one byte each. */
function inSteps(rows: Float32Array): Pick<ExampleModel, 'wordSteps' | 'step'> {
  let largest = 0;
  for (const weight of rows) largest = Math.max(largest, Math.abs(weight));
  const step = largest / LEVELS || 1;
  const wordSteps = new Int8Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) wordSteps[at] = Math.round((rows[at] as number) / step);
  return { wordSteps, step };
}
