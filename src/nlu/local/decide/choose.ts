import { addExampleScores } from '../examples/example-model.ts';
import { featureIds } from '../examples/feature-ids.ts';
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

/**
 * Writes the score of each branch by what the engine knows; `room` then has the evidence.
 *
 * Shape: returns the strongest evidence for any branch other than the fallback, 0..1
 */
export function scoreBranches(utterance: ReadUtterance, set: BranchSet, knowledge: Knowledge, into: Float64Array): number {
  const count = Math.min(set.branches.length, MAX_BRANCHES);
  weighBranches(utterance, set, knowledge, room);
  let strongest = 0;
  for (let at = 0; at < count; at += 1) {
    const evidence = room[at] ?? NO_EVIDENCE;
    if (!evidence.isFallback) strongest = Math.max(strongest, strength(evidence));
  }
  for (let at = 0; at < count; at += 1) into[at] = branchScore(room[at] ?? NO_EVIDENCE, strongest, knowledge.combination);
  return strongest;
}

/** Weighs all branches and returns the best; on a tie the first. */
export function choose(utterance: ReadUtterance, set: BranchSet, knowledge: Knowledge): Choice {
  const count = Math.min(set.branches.length, MAX_BRANCHES);
  const known = scoreBranches(utterance, set, knowledge, scores);
  const { examples } = set;
  const taught = examples ? addExampleScores(examples, utterance, featureIds(utterance.text, knowledge), scores) : 0;
  const strongest = Math.max(known, taught);
  let best = 0;
  for (let at = 1; at < count; at += 1) if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
  const chosen = { ...(room[best] ?? NO_EVIDENCE) };
  const place = standing(scores.subarray(0, count), best, {
    evidence: chosen.isFallback ? 1 - strongest : Math.max(strength(chosen), taught),
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
