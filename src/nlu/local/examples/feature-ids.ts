import { ACT_FILTER } from '../decide/act-profile.ts';
import type { Knowledge } from '../decide/knowledge.ts';
import { emptyFeatures, listFeatures } from '../text/features.ts';

const room = emptyFeatures();

/** Hashes of the features of a text that was reduced to its meaning, each once. */
export function featureIds(plain: string, { wordClasses }: Pick<Knowledge, 'wordClasses'>): Set<number> {
  const { ids, count } = listFeatures(plain, wordClasses, ACT_FILTER, room);
  return new Set(ids.subarray(0, count));
}
