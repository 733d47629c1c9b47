import type { CompiledBranch } from './branch.ts';
import { type Evidence, type ReadUtterance, weighBranch } from './evidence.ts';
import type { Knowledge } from './knowledge.ts';
import { branchScore, confidence, type Standing, standing } from './score.ts';

/** The branch chosen, with all that the reason and the calibration need. */
export interface Choice {
  best: number;
  evidence: Evidence;
  standing: Standing;
  confidence: number;
  /** The strongest evidence for any branch that is not the fallback, 0..1. */
  strongest: number;
}

/** Weighs all branches and takes the best; of equals the first. */
export function choose(utterance: ReadUtterance, branches: readonly CompiledBranch[], knowledge: Knowledge): Choice {
  const evidence = branches.map(branch => weighBranch(utterance, branch, knowledge));
  const strongest = evidence.reduce((most, one) => (one.isFallback ? most : Math.max(most, strength(one))), 0);
  const scores = new Float64Array(branches.length);
  let best = 0;
  evidence.forEach((one, index) => {
    const score = branchScore(one, strongest, knowledge.combination);
    scores[index] = score;
    if (score > (scores[best] ?? Number.NEGATIVE_INFINITY)) best = index;
  });
  const chosen = evidence[best] ?? NO_EVIDENCE;
  const place = standing(scores, best, chosen.isFallback ? 1 - strongest : strength(chosen));
  return { best, evidence: chosen, standing: place, confidence: confidence(place, knowledge.calibration), strongest };
}

const NO_EVIDENCE: Evidence = { act: 0, overlap: 0, topic: 0, mood: 0, polarity: 0, isFallback: false };

/** The strongest single kind of evidence, 0..1. */
export function strength({ act, overlap, topic }: Evidence): number {
  return Math.max(act, overlap, topic);
}
