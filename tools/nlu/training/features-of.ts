import { ACT_FILTER } from '#nlu/local/decide/act-profile.ts';
import { emptyFeatures, listFeatures } from '#nlu/local/text/features.ts';
import type { WordClasses } from '#nlu/local/text/word-classes.ts';

/** Most texts that are cached; the whole cache is then cleared. */
const MAX_KNOWN = 150_000;

const room = emptyFeatures();
const known = new WeakMap<WordClasses, Map<string, Uint32Array>>();

/** Feature hashes of a normalised text; cached, because each epoch and fold repeats most texts. */
export function featuresOf(text: string, wordClasses: WordClasses): Uint32Array {
  const texts = known.get(wordClasses) ?? new Map<string, Uint32Array>();
  known.set(wordClasses, texts);
  const listed = texts.get(text);
  if (listed) return listed;
  const { ids, count } = listFeatures(text, wordClasses, ACT_FILTER, room);
  const features = ids.slice(0, count);
  if (texts.size >= MAX_KNOWN) texts.clear();
  texts.set(text, features);
  return features;
}
