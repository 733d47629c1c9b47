import type { Random } from '#kernel/random.ts';

/** A text as feature hashes, with the act that it shows. */
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
  /** A feature seen in fewer texts is left out. */
  minTexts: number;
}

export interface FittedModel {
  rows: Map<number, number>;
  weights: Float32Array;
  bias: Float32Array;
}

/** The model is the mean of what it was after each of the last epochs: steadier than any one of them. */
const AVERAGED_EPOCHS = 4;

/**
 * Fits a multinomial logistic regression by AdaGrad with feature drop-out.
 *
 * Why: drop-out makes the model rely on many weak features, as an utterance with a misheard word needs
 */
export function fitLinear(epochExamples: (epoch: number) => readonly Example[], plan: FitPlan, random: Random): FittedModel {
  const first = epochExamples(0);
  const rows = countedRows(first, plan.minTexts);
  const weights = new Float32Array(rows.size * plan.actCount);
  const squares = new Float32Array(rows.size * plan.actCount).fill(1e-3);
  const averaged = new Float32Array(weights.length);
  const bias = new Float32Array(plan.actCount);
  for (let epoch = 0; epoch < plan.epochs; epoch += 1) {
    const examples = shuffled(epoch === 0 ? first : epochExamples(epoch), random);
    const rate = plan.rate / (1 + epoch / 4);
    for (const example of examples) visit(example, { rows, weights, squares, bias }, { ...plan, rate }, random);
    if (epoch >= plan.epochs - AVERAGED_EPOCHS) averaged.forEach((sum, at) => (averaged[at] = sum + (weights[at] ?? 0) / AVERAGED_EPOCHS));
  }
  return { rows, weights: averaged, bias };
}

interface State extends FittedModel {
  squares: Float32Array;
}

function visit(example: Example, state: State, plan: FitPlan, random: Random): void {
  const { actCount } = plan;
  const active = activeRows(example, state.rows, plan.dropout, random);
  const value = 1 / Math.sqrt(Math.max(1, example.features.length));
  const kept = value / (1 - plan.dropout);
  const errors = actErrors(active, kept, example, state, actCount);
  for (const row of active) {
    const start = row * actCount;
    for (let act = 0; act < actCount; act += 1) {
      const at = start + act;
      const weight = state.weights[at] ?? 0;
      const gradient = (errors[act] ?? 0) * kept * example.weight + plan.decay * weight;
      if (gradient === 0) continue;
      const square = (state.squares[at] ?? 0) + gradient * gradient;
      state.squares[at] = square;
      state.weights[at] = weight - (plan.rate * gradient) / Math.sqrt(square);
    }
  }
}

function activeRows(example: Example, rows: ReadonlyMap<number, number>, dropout: number, random: Random): number[] {
  const active: number[] = [];
  for (const feature of example.features) {
    const row = rows.get(feature);
    if (row !== undefined && random.next() >= dropout) active.push(row);
  }
  return active;
}

function actErrors(active: readonly number[], value: number, example: Example, state: State, actCount: number): Float32Array {
  const logits = Float32Array.from(state.bias);
  for (const row of active) {
    const start = row * actCount;
    for (let act = 0; act < actCount; act += 1) logits[act] = (logits[act] ?? 0) + (state.weights[start + act] ?? 0) * value;
  }
  const highest = logits.reduce((best, logit) => Math.max(best, logit), Number.NEGATIVE_INFINITY);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - highest), 0);
  return logits.map((logit, act) => Math.exp(logit - highest) / sum - (act === example.act ? 1 : 0));
}

function countedRows(examples: readonly Example[], minTexts: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { features } of examples) for (const feature of new Set(features)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const rows = new Map<number, number>();
  for (const [feature, count] of counts) if (count >= minTexts) rows.set(feature, rows.size);
  return rows;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const list = [...items];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random.next() * (at + 1));
    const moved = list[at] as T;
    list[at] = list[other] as T;
    list[other] = moved;
  }
  return list;
}
