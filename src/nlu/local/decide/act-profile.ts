import { patternFilter } from '../acts/pattern-filter.ts';
import { ACT_PATTERNS } from '../acts/patterns.ts';
import { type LinearModel, scoreActs, softmax } from '../acts/linear-model.ts';
import { findFeatures } from '../text/feature-index.ts';
import { type FeatureSet, listFeatures } from '../text/features.ts';
import type { Knowledge } from './knowledge.ts';

/** The patterns with their filter, built once. */
export const ACT_FILTER = patternFilter(ACT_PATTERNS);

/** Extracts a text's features and looks them up in the index. */
export function readFeatures(text: string, knowledge: Knowledge, into: FeatureSet): FeatureSet {
  findFeatures(knowledge.index, listFeatures(text, knowledge.wordClasses, ACT_FILTER, into));
  return into;
}

/** Fills `into` with the probability of each act; all zero when no feature of the text is known. */
export function actsOf(model: LinearModel, { index }: Knowledge, features: FeatureSet, into: Float32Array): Float32Array {
  return scoreActs(model, index, features, into) === 0 ? into.fill(0) : softmax(into);
}
