import type { Branch, DecisionResult } from '#protocol/nlu.ts';
import type { BranchSet } from './branch-set.ts';
import { choose } from './choose.ts';
import type { CompiledBranches } from './compiled-cache.ts';
import type { ReadUtterance } from './evidence.ts';
import { type ExampleSets, hasExamples } from '../examples/example-sets.ts';
import { isMarkedFallback } from './fallback.ts';
import type { Knowledge } from './knowledge.ts';
import { nothingToChooseBy, reasonOf } from './reason.ts';

export interface DecideContext {
  knowledge: Knowledge;
  compiled: CompiledBranches;
  /** Sets whose branches have examples. */
  exampleSets: ExampleSets;
  utterance: ReadUtterance;
}

/** Below this, there is no evidence for any branch. 0..1. */
const NOTHING_SPEAKS = 0.06;
/** Highest confidence of a guess. */
const GUESS_CONFIDENCE = 0.3;
/** Highest confidence of the fallback branch when nothing was said that distinguishes the branches. Source: D13.2 */
const NOTHING_SAID_CONFIDENCE = 0.5;
/** Highest confidence otherwise. The only branch of a set is returned for any utterance; its confidence still shows how well it fits. */
const MAX_CONFIDENCE = 0.99;
/** Highest confidence for words that may mean the reverse of what they say: below the level at which a call flow acts without asking back. */
const TWISTED_CONFIDENCE = 0.75;

/**
 * Chooses one of the branches in every case.
 *
 * Shape: without evidence, the fallback branch that the caller marked, else the best guess, with low confidence
 * Source: D13.2
 */
export function decide(task: { branches: readonly Branch[] }, context: DecideContext): DecisionResult | Promise<DecisionResult> {
  const sets = hasExamples(task.branches) ? context.exampleSets : context.compiled;
  const candidates = sets.get(task.branches);
  return candidates instanceof Promise
    ? candidates.then(ready => decideAmong(ready, task.branches, context))
    : decideAmong(candidates, task.branches, context);
}

function decideAmong(candidates: BranchSet, branches: readonly Branch[], context: DecideContext): DecisionResult {
  const result = chosenAmong(candidates, branches, context);
  const { contradictions } = candidates;
  return contradictions.length === 0 ? result : { ...result, contradictions: [...contradictions] };
}

function chosenAmong(candidates: BranchSet, branches: readonly Branch[], { knowledge, utterance }: DecideContext): DecisionResult {
  const choice = choose(utterance, candidates, knowledge);
  const sure = claimed(choice.confidence, utterance.isTwisted);
  if (choice.strongest < NOTHING_SPEAKS) {
    const marked = candidates.branches.findIndex(candidate => candidate.isFallback || isMarkedFallback(candidate.key));
    const key = candidates.branches[marked < 0 ? choice.best : marked]?.key ?? '';
    // A fallback branch that the caller marked is no guess when the scores select it as well.
    const most = marked === choice.best ? mostOfFallback(utterance.text) : GUESS_CONFIDENCE;
    return { key, confidence: rounded(Math.min(most, sure)), reason: nothingToChooseBy(utterance.text, marked >= 0) };
  }
  const best = candidates.branches[choice.best];
  const most = best?.isFallback === true || isMarkedFallback(best?.key ?? '') ? mostOfFallback(utterance.text) : MAX_CONFIDENCE;
  return {
    key: best?.key ?? '',
    confidence: rounded(Math.min(most, sure)),
    reason: reasonOf(utterance, choice, branches[choice.best]?.desc ?? ''),
  };
}

/**
 * Returns the highest confidence of the fallback branch.
 *
 * Why: words about another topic are evidence for it; silence and unknown letters are no evidence
 */
function mostOfFallback(text: string): number {
  return /\p{Script=Han}/u.test(text) ? MAX_CONFIDENCE : NOTHING_SAID_CONFIDENCE;
}

/** Limits a calibrated confidence. */
export function claimed(confidence: number, isTwisted: boolean): number {
  return Math.min(isTwisted ? TWISTED_CONFIDENCE : MAX_CONFIDENCE, confidence);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
