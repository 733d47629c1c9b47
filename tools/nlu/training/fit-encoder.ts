import type { Random } from '#kernel/random.ts';
import { type FeatureTable, featureTable } from '#nlu/local/acts/feature-table.ts';
import { LARGEST_HALF, packRows } from '#nlu/local/acts/packed-rows.ts';
import { DIMENSIONS, type Encoder } from '#nlu/local/similarity/encoder.ts';
import { PLACE, type PlacedFeatures } from '#nlu/local/text/feature-index.ts';

/** An utterance and a matching description, as feature hashes. */
export interface EncodedPair {
  said: Uint32Array;
  written: Uint32Array;
  /** Pairs with alike groups do not serve as counter-examples of each other. */
  group: number;
}

/** An encoder with its vocabulary of features. */
export interface LearnedEncoder {
  encoder: Encoder;
  known: PlacedFeatures;
}

export interface EncoderPlan {
  /** Batches of one epoch; the pairs of a batch serve as each other's counter-examples. */
  epoch: (round: number) => readonly (readonly EncodedPair[])[];
  epochs: number;
  areAlike: (one: number, other: number) => boolean;
}

/** Largest vocabulary; the rarest features beyond it are left out. */
const MAX_FEATURES = 80_000;
const MIN_TEXTS = 2;
const TEMPERATURE = 12;
const RATE = 0.35;
const DROPOUT = 0.3;
/** Smallest divisor of a step: a rare feature moves no faster than a common one, so that few texts are not learned by heart. */
const LEAST_SEEN = 1;
/** Sampling rate of the values from which the scale is computed. */
const SAMPLED_ONE_IN = 16;

interface State {
  rows: FeatureTable;
  vectors: Float32Array;
  squares: Float32Array;
  rate: number;
}

/**
 * Fits the encoder with in-batch counter-examples: each utterance must be nearer to its own description than to the others of its batch,
 * and each description to its own utterance.
 *
 * Why: AdaGrad gives each feature its own step size; `LEAST_SEEN` keeps rare features from larger steps than common ones
 */
export function fitEncoder({ epoch, epochs, areAlike }: EncoderPlan, random: Random): LearnedEncoder {
  const first = epoch(0);
  const features = commonFeatures([...first, ...epoch(1)].flat());
  const rows = featureTable(features);
  const vectors = Float32Array.from({ length: features.length * DIMENSIONS }, () => (random.next() - 0.5) * 0.2);
  const state: State = { rows, vectors, squares: new Float32Array(features.length).fill(1e-4), rate: RATE };
  for (let round = 0; round < epochs; round += 1) {
    state.rate = RATE / (1 + round / 3);
    for (const batch of round === 0 ? first : epoch(round)) step(batch, state, areAlike, random);
  }
  return { encoder: packed(vectors), known: { of: PLACE.vectors, features, places: Int32Array.from(features.keys(), row => row + 1) } };
}

function commonFeatures(pairs: readonly EncodedPair[]): Uint32Array {
  const counts = new Map<number, number>();
  for (const { said, written } of pairs)
    for (const feature of new Set([...said, ...written])) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count >= MIN_TEXTS).sort(([one, seen], [other, also]) => also - seen || one - other);
  return Uint32Array.from(common.slice(0, MAX_FEATURES).map(([feature]) => feature)).sort();
}

/** A text within a step: its rows, its unit vector, and its length before normalisation. */
interface Placed {
  rows: number[];
  vector: Float32Array;
  length: number;
}

function step(batch: readonly EncodedPair[], state: State, areAlike: EncoderPlan['areAlike'], random: Random): void {
  const said = batch.map(pair => place(pair.said, state, random));
  const written = batch.map(pair => place(pair.written, state, random));
  const errors = errorsOf(said, written, (one, other) => areAlike(batch[one]?.group ?? 0, batch[other]?.group ?? 0));
  const size = batch.length;
  const pulls = said.map((_, at) => pull(written, other => errors[at * size + other] ?? 0));
  const pushes = written.map((_, at) => pull(said, other => errors[other * size + at] ?? 0));
  said.forEach((text, at) => move(text, pulls[at] ?? new Float32Array(DIMENSIONS), state));
  written.forEach((text, at) => move(text, pushes[at] ?? new Float32Array(DIMENSIONS), state));
}

function place(features: Uint32Array, { rows, vectors }: State, random: Random): Placed {
  const vector = new Float32Array(DIMENSIONS);
  const held: number[] = [];
  for (const feature of features) {
    const row = rows.rowOf(feature);
    if (row < 0 || random.next() < DROPOUT) continue;
    held.push(row);
    const start = row * DIMENSIONS;
    for (let axis = 0; axis < DIMENSIONS; axis += 1) vector[axis] = (vector[axis] as number) + (vectors[start + axis] as number);
  }
  let square = 1e-9;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  for (let axis = 0; axis < DIMENSIONS; axis += 1) vector[axis] = (vector[axis] ?? 0) / length;
  return { rows: held, vector, length };
}

/** Error of each pair's similarity: the mean of the softmax in both directions, minus one for the pair itself. */
function errorsOf(said: readonly Placed[], written: readonly Placed[], areAlike: (one: number, other: number) => boolean): Float64Array {
  const size = said.length;
  const odds = new Float64Array(size * size);
  const byRow = new Float64Array(size);
  const byColumn = new Float64Array(size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (row !== column && areAlike(row, column)) continue;
      const value = Math.exp(TEMPERATURE * (product(said[row] as Placed, written[column] as Placed) - 1));
      odds[row * size + column] = value;
      byRow[row] = (byRow[row] ?? 0) + value;
      byColumn[column] = (byColumn[column] ?? 0) + value;
    }
  }
  return odds.map((value, at) => {
    const row = Math.floor(at / size);
    const column = at % size;
    return value * (0.5 / (byRow[row] ?? 1) + 0.5 / (byColumn[column] ?? 1)) - (row === column ? 1 : 0);
  });
}

/** Plain indexed loads: the function runs for every pair of every batch. */
function product({ vector: one }: Placed, { vector: other }: Placed): number {
  let sum = 0;
  for (let axis = 0; axis < DIMENSIONS; axis += 1) sum += (one[axis] as number) * (other[axis] as number);
  return sum;
}

function pull(others: readonly Placed[], error: (other: number) => number): Float32Array {
  const gradient = new Float32Array(DIMENSIONS);
  others.forEach(({ vector }, other) => {
    const share = TEMPERATURE * error(other);
    if (Math.abs(share) < 1e-4) return;
    for (let axis = 0; axis < DIMENSIONS; axis += 1) gradient[axis] = (gradient[axis] as number) + share * (vector[axis] as number);
  });
  return gradient;
}

/** Moves the rows of one text against the gradient of its direction; its length is irrelevant. */
function move({ rows, vector, length }: Placed, gradient: Float32Array, { vectors, squares, rate }: State): void {
  let along = 0;
  for (let axis = 0; axis < DIMENSIONS; axis += 1) along += (gradient[axis] ?? 0) * (vector[axis] ?? 0);
  let square = 0;
  for (let axis = 0; axis < DIMENSIONS; axis += 1) {
    const turned = ((gradient[axis] ?? 0) - along * (vector[axis] ?? 0)) / length;
    gradient[axis] = turned;
    square += turned * turned;
  }
  for (const row of rows) {
    const seen = (squares[row] ?? 0) + square / DIMENSIONS;
    squares[row] = seen;
    const size = rate / Math.max(LEAST_SEEN, Math.sqrt(seen));
    const start = row * DIMENSIONS;
    for (let axis = 0; axis < DIMENSIONS; axis += 1)
      vectors[start + axis] = (vectors[start + axis] as number) - size * (gradient[axis] as number);
  }
}

/** Share of the largest values that is clipped. */
const CLIPPED_SHARE = 0.01;

/** Packs the values into half bytes; the scale is irrelevant because the vector of a text is normalised. */
function packed(vectors: Float32Array): Encoder {
  const magnitudes = vectors
    .filter((_, at) => at % SAMPLED_ONE_IN === 0)
    .map(Math.abs)
    .sort();
  const top = magnitudes[Math.floor(magnitudes.length * (1 - CLIPPED_SHARE))] ?? 1;
  const steps = Int8Array.from(vectors, value =>
    Math.max(-LARGEST_HALF, Math.min(LARGEST_HALF, Math.round((value / (top || 1)) * LARGEST_HALF))),
  );
  return packRows(steps, DIMENSIONS);
}
