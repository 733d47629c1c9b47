import type { Branch, DecisionResult } from '#contract/nlu/decision.ts';
import type { BranchSet } from './branch-set.ts';
import { choose } from './choose.ts';
import type { CompiledBranches } from './compiled-cache.ts';
import type { ReadUtterance } from './evidence.ts';
import { isMarkedFallback } from './fallback.ts';
import type { Knowledge } from './knowledge.ts';
import { nothingToChooseBy, reasonOf } from './reason.ts';

export interface DecideContext {
  knowledge: Knowledge;
  compiled: CompiledBranches;
  utterance: ReadUtterance;
}

/** Below this no evidence speaks for any branch. 0..1. */
const NOTHING_SPEAKS = 0.06;
/** The most that a guess may claim. */
const GUESS_CONFIDENCE = 0.3;
/** The most that is claimed of the branch for everything else when nothing was said that could be chosen by. Source: D13.2 */
const NOTHING_SAID_CONFIDENCE = 0.5;
/** The only branch of a set is the answer whatever was said; the confidence still says how well it fits. */
const MAX_CONFIDENCE = 0.99;
/** The most that is claimed of words that may mean the reverse of what they say: below what a call flow acts on without asking back. */
const TWISTED_CONFIDENCE = 0.75;

/**
 * Chooses one of the branches, always.
 *
 * Shape: with nothing to choose by, the branch marked by the caller, else the best guess, with a low confidence
 * Source: D13.2
 */
export function decide(task: { branches: readonly Branch[] }, context: DecideContext): DecisionResult | Promise<DecisionResult> {
  const candidates = context.compiled.get(task.branches);
  return candidates instanceof Promise
    ? candidates.then(ready => decideAmong(ready, task.branches, context))
    : decideAmong(candidates, task.branches, context);
}

function decideAmong(candidates: BranchSet, branches: readonly Branch[], { knowledge, utterance }: DecideContext): DecisionResult {
  const choice = choose(utterance, candidates, knowledge);
  const sure = claimed(choice.confidence, utterance.isTwisted);
  if (choice.strongest < NOTHING_SPEAKS) {
    const marked = candidates.branches.findIndex(candidate => candidate.isFallback || isMarkedFallback(candidate.key));
    const key = candidates.branches[marked < 0 ? choice.best : marked]?.key ?? '';
    // What the caller marked for everything else is no guess where the scores name it as well.
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
 * The most that is claimed of the branch for everything else.
 *
 * Why: words about something else speak for it; silence and letters of which nothing is known speak for nothing
 */
function mostOfFallback(text: string): number {
  return /\p{Script=Han}/u.test(text) ? MAX_CONFIDENCE : NOTHING_SAID_CONFIDENCE;
}

/** What is claimed of a calibrated confidence. */
export function claimed(confidence: number, isTwisted: boolean): number {
  return Math.min(isTwisted ? TWISTED_CONFIDENCE : MAX_CONFIDENCE, confidence);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
