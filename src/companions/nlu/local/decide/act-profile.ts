import { patternFilter } from '../acts/pattern-filter.ts';
import { ACT_PATTERNS } from '../acts/patterns.ts';
import { type LinearModel, scoreActs, softmax } from '../acts/linear-model.ts';
import { type FeatureSet, listFeatures } from '../text/features.ts';
import type { Knowledge } from './knowledge.ts';

/** The patterns with their filter, compiled once. */
export const ACT_FILTER = patternFilter(ACT_PATTERNS);

/** Fills `into` with the probability of each act, all zero for a text of which nothing is known; the features stay readable in `features`. */
export function actProfile(model: LinearModel, text: string, knowledge: Knowledge, features: FeatureSet, into: Float32Array): Float32Array {
  return actsOf(model, listFeatures(text, knowledge.wordClasses, ACT_FILTER, features), into);
}

/** As {@link actProfile}, of features that are listed already. */
export function actsOf(model: LinearModel, features: FeatureSet, into: Float32Array): Float32Array {
  return scoreActs(model, features, into) === 0 ? into.fill(0) : softmax(into);
}
