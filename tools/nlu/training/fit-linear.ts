import type { Random } from '#kernel/random.ts';
import { type FeatureTable, featureTable } from '#nlu/local/acts/feature-table.ts';
import { softmax } from '#nlu/local/acts/linear-model.ts';

/** A text as feature hashes, with its act. */
export interface Example {
  features: Uint32Array;
  act: number;
  weight: number;
}

export interface FitPlan {
  actCount: number;
  epochs: number;
  rate: number;
  /** Share of a text's features hidden at each visit. */
  dropout: number;
  decay: number;
  /** A feature of fewer texts is left out. */
  minTexts: number;
}

export interface FittedModel {
  rows: Map<number, number>;
  weights: Float32Array;
  bias: Float32Array;
}

/** The model is the mean over the last epochs, which is steadier than any single one. */
const AVERAGED_EPOCHS = 4;

/**
 * Fits a multinomial logistic regression by AdaGrad with feature dropout.
 *
 * Why: dropout makes the model rely on many weak features, so that it tolerates a misheard word
 */
export function fitLinear(epochExamples: (epoch: number) => readonly Example[], plan: FitPlan, random: Random): FittedModel {
  const first = epochExamples(0);
  const rows = countedRows(first, plan.minTexts);
  const weights = new Float32Array(rows.size * plan.actCount);
  const squares = new Float32Array(rows.size * plan.actCount).fill(1e-3);
  const averaged = new Float32Array(weights.length);
  const bias = new Float32Array(plan.actCount);
  const table = featureTable(Uint32Array.from(rows.keys()));
  const errors = new Float32Array(plan.actCount);
  for (let epoch = 0; epoch < plan.epochs; epoch += 1) {
    const examples = shuffled(epoch === 0 ? first : epochExamples(epoch), random);
    const rate = plan.rate / (1 + epoch / 4);
    for (const example of examples) visit(example, { table, weights, squares, bias, errors }, { ...plan, rate }, random);
    if (epoch >= plan.epochs - AVERAGED_EPOCHS) averaged.forEach((sum, at) => (averaged[at] = sum + (weights[at] ?? 0) / AVERAGED_EPOCHS));
  }
  return { rows, weights: averaged, bias };
}

interface State extends Omit<FittedModel, 'rows'> {
  table: FeatureTable;
  squares: Float32Array;
  /** Reused buffer for the errors of one text. */
  errors: Float32Array;
}

/** Smallest error of a probability that causes an update; most acts stay below it most of the time. */
const LEAST_ERROR = 0.002;

function visit(example: Example, state: State, plan: FitPlan, random: Random): void {
  const { actCount } = plan;
  const { weights, squares } = state;
  const active = activeRows(example, state.table, plan.dropout, random);
  const value = 1 / Math.sqrt(Math.max(1, example.features.length)) / (1 - plan.dropout);
  const mistaken = actErrors(active, value, example, state);
  for (const row of active) {
    const start = row * actCount;
    for (const act of mistaken) {
      const at = start + act;
      const weight = weights[at] ?? 0;
      const gradient = (state.errors[act] ?? 0) * value * example.weight + plan.decay * weight;
      const square = (squares[at] ?? 0) + gradient * gradient;
      squares[at] = square;
      weights[at] = weight - (plan.rate * gradient) / Math.sqrt(square);
    }
  }
}

function activeRows(example: Example, table: FeatureTable, dropout: number, random: Random): number[] {
  const active: number[] = [];
  for (const feature of example.features) {
    const row = table.rowOf(feature);
    if (row >= 0 && random.next() >= dropout) active.push(row);
  }
  return active;
}

/** Writes the error of each act's probability into the buffer; returns the acts whose error exceeds `LEAST_ERROR`. */
function actErrors(active: readonly number[], value: number, example: Example, { weights, bias, errors }: State): number[] {
  const actCount = bias.length;
  errors.set(bias);
  for (const row of active) {
    const start = row * actCount;
    for (let act = 0; act < actCount; act += 1) errors[act] = (errors[act] as number) + (weights[start + act] as number) * value;
  }
  softmax(errors);
  errors[example.act] = (errors[example.act] ?? 0) - 1;
  const mistaken: number[] = [];
  for (let act = 0; act < actCount; act += 1) if (Math.abs(errors[act] ?? 0) >= LEAST_ERROR) mistaken.push(act);
  return mistaken;
}

function countedRows(examples: readonly Example[], minTexts: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { features } of examples) for (const feature of new Set(features)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const rows = new Map<number, number>();
  for (const [feature, count] of counts) if (count >= minTexts) rows.set(feature, rows.size);
  return rows;
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const list = [...items];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random.next() * (at + 1));
    const moved = list[at] as T;
    list[at] = list[other] as T;
    list[other] = moved;
  }
  return list;
}
