import { seededRandom } from '#kernel/random.ts';
import type { ActCorpus } from './corpus.ts';
import { closeActs, type DecisionTask, makeTasks } from './decision-tasks.ts';
import { type CorpusPart, learnKnowledge } from './knowledge.ts';
import { scriptTasks } from './scripts.ts';
import { withoutTexts } from './twists.ts';
import type { Knowledge } from '#nlu/local/decide/knowledge.ts';

/** Each fold holds out a fifth of the phrases and a third of the scripts; three folds suffice to fit a few weights. */
const PARTS = 5;
export const FOLDS = 3;

/** Only one in so many held-out phrases becomes a task. */
const ASKED_ONE_IN = 2;

/** Tasks of one fold, with knowledge learned without their phrases and descriptions. */
export interface Fold {
  knowledge: Knowledge;
  tasks: DecisionTask[];
  /** Tasks of whole trades that the knowledge was learned without. */
  scripts: DecisionTask[];
}

/** Learns the corpus several times, each time without a fifth of every act's phrases and descriptions, and of the trades. */
export function crossValidate(corpus: CorpusPart, seed: number): Fold[] {
  const isClose = closeActs(corpus.relations);
  return Array.from({ length: FOLDS }, (_, fold) => {
    const random = seededRandom(seed + fold);
    const { acts, trades } = partOf(corpus, index => index % PARTS === fold);
    const unseen = corpus.scripts.filter((_, index) => index % FOLDS === fold);
    const asked = new Set([...acts.flatMap(act => act.phrases), ...unseen.flatMap(({ branches }) => branches.flatMap(({ said }) => said))]);
    const knowledge = learnKnowledge(
      {
        ...corpus,
        ...partOf(corpus, index => index % PARTS !== fold),
        scripts: corpus.scripts.filter((_, index) => index % FOLDS !== fold),
        twistTexts: withoutTexts(corpus.twistTexts, asked),
        // Fields are held out by author: see crossValidateChoices.
        fieldAuthors: [],
      },
      random,
    );
    const described = acts.map((act, at) =>
      act.descriptions.length > 0 ? act : { ...act, descriptions: corpus.acts[at]?.descriptions ?? [] },
    );
    const tasks = makeTasks({ acts: described, trades }, isClose, random).filter((_, at) => at % ASKED_ONE_IN === 0);
    return { knowledge, tasks, scripts: scriptTasks(unseen, random) };
  });
}

/** Whole trades are held out too: a fold's frames are then filled with words that its knowledge has not seen. */
function partOf({ acts, trades }: CorpusPart, keep: (index: number) => boolean): Pick<CorpusPart, 'acts' | 'trades'> {
  return { acts: acts.map(act => part(act, keep)), trades: trades.filter((_, index) => keep(index)) };
}

function part(act: ActCorpus, keep: (index: number) => boolean): ActCorpus {
  return {
    ...act,
    phrases: act.phrases.filter((_, index) => keep(index)),
    descriptions: act.descriptions.filter((_, index) => keep(index)),
  };
}
