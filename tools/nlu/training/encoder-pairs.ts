import { type Random, randomPick } from '#kernel/random.ts';
import { normalize } from '#nlu/local/text/normalize.ts';
import { meaningfulPart } from '#nlu/local/text/utterance.ts';
import type { WordClasses } from '#nlu/local/text/word-classes.ts';
import { reworded, varied } from './augment.ts';
import type { ActCorpus, ActRelation, Trade } from './corpus.ts';
import { featuresOf } from './features-of.ts';
import type { EncodedPair, EncoderPlan } from './fit-encoder.ts';
import { filled } from './frames.ts';
import type { Matters, Wording } from './matters.ts';
import { alikeGroups, type Pair, scriptBatch } from './script-pairs.ts';
import type { Script } from './scripts.ts';

/** Corpus from which the encoder learns. */
export interface SimilarityCorpus {
  acts: readonly ActCorpus[];
  relations: readonly ActRelation[];
  trades: readonly Trade[];
  synonyms: readonly (readonly string[])[];
  matters: Matters;
  concepts: readonly Wording[];
  scripts: readonly Script[];
}

const EPOCHS = 6;
const BATCH = 48;
/** Relation at which two acts no longer serve as counter-examples of each other. */
const ALIKE = 0.3;
/** Batches of matters, and of synonyms, per epoch. */
const OTHER_BATCHES = 60;
/** Batches of concepts per epoch. */
const CONCEPT_BATCHES = 400;
/** Batches of scripts per epoch: the number for each script, and the limit for all. */
const BATCHES_OF_SCRIPT = 40;
const SCRIPT_BATCHES = 400;

export function encoderPlan(corpus: SimilarityCorpus, wordClasses: WordClasses, random: Random): EncoderPlan {
  const { acts, relations, synonyms, matters, concepts, scripts } = corpus;
  const areAlike = alikeGroups(alikeActs(acts, relations), acts, scripts);
  const encoded = ({ said, written, group }: Pair): EncodedPair => ({
    said: featuresOf(meaningfulPart(said), wordClasses),
    written: featuresOf(normalize(written), wordClasses),
    group,
  });
  const epoch = () => {
    const batches = [
      ...inBatches(shuffled(actPairs(corpus, random), random)),
      ...Array.from({ length: OTHER_BATCHES }, () => matterBatch(matters, acts.length, random)),
      ...Array.from({ length: Math.min(SCRIPT_BATCHES, BATCHES_OF_SCRIPT * scripts.length) }, () => scriptBatch(scripts, BATCH, random)),
      ...Array.from({ length: CONCEPT_BATCHES }, () => conceptBatch(concepts, acts.length, random)),
      ...Array.from({ length: OTHER_BATCHES }, () => synonymBatch(synonyms, acts.length, random)),
    ];
    return shuffled(batches, random).map(batch => batch.map(encoded));
  };
  return { epoch, epochs: EPOCHS, areAlike };
}

function alikeActs(acts: readonly ActCorpus[], relations: readonly ActRelation[]): Set<number> {
  const numbers = new Map(acts.map((act, index) => [act.id, index]));
  const close = relations.filter(({ weight }) => weight >= ALIKE);
  return new Set(
    close.flatMap(({ from, to }) => {
      const one = numbers.get(from) ?? 0;
      const other = numbers.get(to) ?? 0;
      return [one * acts.length + other, other * acts.length + one];
    }),
  );
}

function actPairs({ acts, trades }: SimilarityCorpus, random: Random): Pair[] {
  return acts.flatMap(({ phrases, descriptions }, group) =>
    descriptions.length === 0
      ? []
      : phrases.map(phrase => {
          const trade = randomPick(random, trades);
          const written = reworded(randomPick(random, descriptions), random);
          return { said: filled(varied(phrase, random), trade, random), written: filled(written, trade, random), group };
        }),
  );
}

/** A few things with a few matters each: pairs differ either in the thing or in the matter. */
function matterBatch({ things, matters }: Matters, firstGroup: number, random: Random): Pair[] {
  const few = Array.from({ length: 8 }, () => Math.floor(random.next() * things.length));
  return Array.from({ length: BATCH }, () => {
    const thing = randomPick(random, few);
    const matter = Math.floor(random.next() * matters.length);
    const fill = (texts: readonly string[] | undefined, names: readonly string[] | undefined) =>
      randomPick(random, texts ?? ['']).replaceAll('{x}', randomPick(random, names ?? ['']));
    return {
      said: varied(fill(matters[matter]?.said, things[thing]?.said), random),
      written: reworded(fill(matters[matter]?.written, things[thing]?.written), random),
      group: firstGroup + thing * matters.length + matter,
    };
  });
}

function conceptBatch(concepts: readonly Wording[], firstGroup: number, random: Random): Pair[] {
  return Array.from({ length: BATCH }, () => {
    const at = Math.floor(random.next() * concepts.length);
    const { written = [], said = [] } = concepts[at] ?? {};
    return {
      said: varied(randomPick(random, said), random),
      written: reworded(randomPick(random, written), random),
      group: firstGroup + at,
    };
  });
}

const SAID_WITH = ['{w}', '{w}', '我{w}', '{w}了', '我的{w}', '{w}啊', '我想{w}', '这个{w}', '{w}怎么办', '帮我{w}', '你们{w}', '{w}的事'];
const WRITTEN_WITH = ['{w}', '{w}', '{w}问题', '客户{w}', '关于{w}', '{w}相关', '用户{w}', '{w}情况', '咨询{w}', '办理{w}', '反映{w}'];

function synonymBatch(synonyms: readonly (readonly string[])[], firstGroup: number, random: Random): Pair[] {
  return Array.from({ length: BATCH }, () => {
    const group = Math.floor(random.next() * synonyms.length);
    const words = synonyms[group] ?? [];
    return {
      said: randomPick(random, SAID_WITH).replace('{w}', randomPick(random, words)),
      written: randomPick(random, WRITTEN_WITH).replace('{w}', randomPick(random, words)),
      group: firstGroup + group,
    };
  });
}

function inBatches(pairs: readonly Pair[]): Pair[][] {
  return Array.from({ length: Math.floor(pairs.length / BATCH) }, (_, at) => pairs.slice(at * BATCH, (at + 1) * BATCH));
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const list = [...items];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random.next() * (at + 1));
    [list[at], list[other]] = [list[other] as T, list[at] as T];
  }
  return list;
}
