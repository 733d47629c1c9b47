import type { BranchSet } from './branch-set.ts';
import { type Evidence, MAX_BRANCHES, NO_EVIDENCE, type ReadUtterance, weighBranches } from './evidence.ts';
import type { Knowledge } from './knowledge.ts';
import { branchScore, confidence, type Standing, standing } from './score.ts';

/** The chosen branch, with the values that reason and calibration need. */
export interface Choice {
  best: number;
  evidence: Evidence;
  standing: Standing;
  confidence: number;
  /** Strongest evidence for any branch other than the fallback, 0..1. */
  strongest: number;
}

/** Reused room for the evidence of one decision, so that nothing is allocated per branch. */
const room: Evidence[] = [];
const scores = new Float64Array(MAX_BRANCHES);

/** Weighs all branches and returns the best; on a tie the first. */
export function choose(utterance: ReadUtterance, set: BranchSet, knowledge: Knowledge): Choice {
  const count = Math.min(set.branches.length, MAX_BRANCHES);
  weighBranches(utterance, set, knowledge, room);
  let strongest = 0;
  for (let at = 0; at < count; at += 1) {
    const evidence = room[at] ?? NO_EVIDENCE;
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

/** How much nearer the best branch is than the nearest other one. */
function nearness(best: number, count: number): number {
  let other = -1;
  for (let at = 0; at < count; at += 1) {
    const evidence = room[at];
    if (at !== best && evidence?.isFallback === false) other = Math.max(other, evidence.similarity);
  }
  return (room[best]?.similarity ?? 0) - other;
}

/** Strongest single kind of evidence, 0..1. */
export function strength({ act, overlap, topic }: Evidence): number {
  return Math.max(act, overlap, topic);
}
