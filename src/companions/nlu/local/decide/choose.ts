import { NLU_LIMITS } from '#contract/nlu/limits.ts';
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

const NO_EVIDENCE: Evidence = { act: 0, overlap: 0, topic: 0, mood: 0, polarity: 0, similarity: 0, isFallback: false };
const MAX_BRANCHES = NLU_LIMITS.maxItems;

/** Room for the evidence of one decision: nothing is allocated a branch. */
const room: Evidence[] = [];
const scores = new Float64Array(MAX_BRANCHES);

/** Weighs all branches and takes the best; of equals the first. */
export function choose(utterance: ReadUtterance, branches: readonly CompiledBranch[], knowledge: Knowledge): Choice {
  const count = Math.min(branches.length, MAX_BRANCHES);
  let strongest = 0;
  for (let at = 0; at < count; at += 1) {
    const branch = branches[at];
    if (!branch) continue;
    const evidence = (room[at] ??= { ...NO_EVIDENCE });
    weighBranch(utterance, branch, knowledge, evidence);
    if (!evidence.isFallback) strongest = Math.max(strongest, strength(evidence));
  }
  let best = 0;
  for (let at = 0; at < count; at += 1) {
    const score = branchScore(room[at] ?? NO_EVIDENCE, strongest, knowledge.combination);
    scores[at] = score;
    if (score > (scores[best] ?? Number.NEGATIVE_INFINITY)) best = at;
  }
  const chosen = { ...(room[best] ?? NO_EVIDENCE) };
  const place = standing(scores.subarray(0, count), best, {
    evidence: chosen.isFallback ? 1 - strongest : strength(chosen),
    nearness: chosen.isFallback ? 0 : nearness(best, count),
  });
  return { best, evidence: chosen, standing: place, confidence: confidence(place, knowledge.calibration), strongest };
}

/** How much nearer the best lies than the nearest other branch. */
function nearness(best: number, count: number): number {
  let other = -1;
  for (let at = 0; at < count; at += 1) {
    const evidence = room[at];
    if (at !== best && evidence?.isFallback === false) other = Math.max(other, evidence.similarity);
  }
  return (room[best]?.similarity ?? 0) - other;
}

/** The strongest single kind of evidence, 0..1. */
export function strength({ act, overlap, topic }: Evidence): number {
  return Math.max(act, overlap, topic);
}
