import type { Evidence } from './evidence.ts';
import type { Calibration, Combination } from './knowledge.ts';

/** Keeps the logarithm finite when there is no evidence. */
const ACT_FLOOR = 0.03;
/** Typical similarity of an utterance to an unrelated description. */
const MIDDLING = 0.4;

/** Terms of the combination, for fitting its weights; `branchScore` is their weighted sum. */
export function evidenceTerms(
  { act, overlap, topic, mood, polarity, similarity, breadth, parts, isFallback }: Evidence,
  strongest: number,
): Record<keyof Combination, number> {
  return {
    actLog: isFallback ? 0 : Math.log(act + ACT_FLOOR),
    act: isFallback ? 0 : act,
    overlap: Math.sqrt(overlap),
    topic,
    mood: isFallback ? 0 : mood,
    polarity,
    similarity: isFallback ? 0 : similarity,
    similarityAlone: isFallback ? 0 : similarity * (1 - strongest),
    close: isFallback ? 0 : closeness(similarity),
    agreed: isFallback ? 0 : act * Math.max(0, similarity),
    fallback: isFallback ? 1 : 0,
    fallbackUnknown: isFallback ? 1 - strongest : 0,
    breadth: isFallback ? 0 : breadth,
    parts: isFallback ? 0 : parts,
  };
}

/** Similarity above the typical level counts more. */
function closeness(similarity: number): number {
  return Math.max(0, similarity - MIDDLING) ** 2;
}

/** Returns the score of a branch: the weighted sum of its terms, written out because it runs for every branch of every decision. */
export function branchScore(evidence: Evidence, strongest: number, weights: Combination): number {
  const shared = Math.sqrt(evidence.overlap) * weights.overlap + evidence.topic * weights.topic + evidence.polarity * weights.polarity;
  if (evidence.isFallback) return shared + weights.fallback + (1 - strongest) * weights.fallbackUnknown;
  const alike = evidence.similarity * (weights.similarity + (1 - strongest) * weights.similarityAlone);
  const wide = evidence.breadth * weights.breadth + evidence.parts * weights.parts;
  const near = alike + closeness(evidence.similarity) * weights.close + evidence.act * Math.max(0, evidence.similarity) * weights.agreed;
  return (
    shared + near + wide + Math.log(evidence.act + ACT_FLOOR) * weights.actLog + evidence.act * weights.act + evidence.mood * weights.mood
  );
}

/** Inputs of the calibration. */
export interface Standing {
  /** Log-odds of the best branch against all others together. */
  logit: number;
  /** Score distance to the second-best branch. */
  margin: number;
  /** Logarithm of the number of branches. */
  branches: number;
  /** Evidence of the best branch, 0..1. */
  evidence: number;
  /** How much nearer the best branch is in the encoder's space than any other; negative when another is nearer. */
  nearness: number;
}

const MAX_LOGIT = 8;

export function standing(scores: Float64Array, best: number, { evidence, nearness }: Pick<Standing, 'evidence' | 'nearness'>): Standing {
  const top = scores[best] ?? 0;
  let second = Number.NEGATIVE_INFINITY;
  let others = 0;
  for (let at = 0; at < scores.length; at += 1) {
    if (at === best) continue;
    const score = scores[at] ?? 0;
    if (score > second) second = score;
    others += Math.exp(score - top);
  }
  const logit = others === 0 ? MAX_LOGIT : Math.min(MAX_LOGIT, -Math.log(others));
  return { logit, margin: Math.min(MAX_LOGIT, top - second), branches: Math.log(scores.length), evidence, nearness };
}

/** Returns the confidence by Platt scaling: how often such a result is right. */
export function confidence({ logit, margin, branches, evidence, nearness }: Standing, weights: Calibration): number {
  const byScore = weights.logit * logit + weights.margin * margin + weights.branches * branches;
  const value = weights.bias + byScore + weights.evidence * evidence + weights.nearness * nearness;
  return 1 / (1 + Math.exp(-value));
}
