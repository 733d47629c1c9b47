import { seededRandom } from '#kernel/random.ts';
import type { ActCorpus } from './corpus.ts';
import { closeActs, type DecisionTask, makeTasks } from './decision-tasks.ts';
import { type CorpusPart, learnKnowledge } from './knowledge.ts';
import type { Knowledge } from '../local/decide/knowledge.ts';

export const FOLDS = 5;

/** Tasks of one fold with the knowledge that has seen neither their phrases nor their descriptions. */
export interface Fold {
  knowledge: Knowledge;
  tasks: DecisionTask[];
}

/** Learns the corpus five times, each time without a fifth of every act's phrases and descriptions. */
export function crossValidate(corpus: CorpusPart, seed: number): Fold[] {
  const isClose = closeActs(corpus.relations);
  return Array.from({ length: FOLDS }, (_, fold) => {
    const random = seededRandom(seed + fold);
    const knowledge = learnKnowledge({ ...corpus, acts: corpus.acts.map(act => part(act, index => index % FOLDS !== fold)) }, random);
    const heldOut = corpus.acts.map(act => part(act, index => index % FOLDS === fold));
    const described = heldOut.map((act, at) =>
      act.descriptions.length > 0 ? act : { ...act, descriptions: corpus.acts[at]?.descriptions ?? [] },
    );
    return { knowledge, tasks: makeTasks(described, isClose, random) };
  });
}

function part(act: ActCorpus, keep: (index: number) => boolean): ActCorpus {
  return {
    ...act,
    phrases: act.phrases.filter((_, index) => keep(index)),
    descriptions: act.descriptions.filter((_, index) => keep(index)),
  };
}
