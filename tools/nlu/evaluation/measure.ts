/** One answer of an engine: whether it was right, and its confidence. */
export interface Answer {
  right: boolean;
  confidence: number;
}

/** Quality of a list of answers. Shares are 0..1. */
export interface Measure {
  count: number;
  accuracy: number;
  /** Expected calibration error over ten bins. */
  ece: number;
  /** Share of answers at or above the threshold, and the accuracy of those. */
  keptShare: number;
  keptAccuracy: number;
}

/** Confidence at which a call flow acts without a confirmation. */
export const SURE = 0.8;
const BINS = 10;

export function measure(answers: readonly Answer[]): Measure {
  const kept = answers.filter(answer => answer.confidence >= SURE);
  return {
    count: answers.length,
    accuracy: shareRight(answers),
    ece: calibrationError(answers),
    keptShare: answers.length === 0 ? 0 : kept.length / answers.length,
    keptAccuracy: shareRight(kept),
  };
}

function shareRight(answers: readonly Answer[]): number {
  return answers.length === 0 ? 0 : answers.filter(answer => answer.right).length / answers.length;
}

function calibrationError(answers: readonly Answer[]): number {
  const bins = Map.groupBy(answers, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)));
  let error = 0;
  for (const bin of bins.values()) {
    const claimed = bin.reduce((sum, answer) => sum + answer.confidence, 0);
    error += Math.abs(claimed - bin.filter(answer => answer.right).length);
  }
  return answers.length === 0 ? 0 : error / answers.length;
}
