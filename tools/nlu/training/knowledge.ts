import type { Random } from '#kernel/random.ts';
import type { ActLink, Calibration, Combination, Knowledge } from '#nlu/local/decide/knowledge.ts';
import { featureIndex, PLACE } from '#nlu/local/text/feature-index.ts';
import { normalize } from '#nlu/local/text/normalize.ts';
import { EDGE, MAX_UNITS, textUnits } from '#nlu/local/text/units.ts';
import { meaningfulPart } from '#nlu/local/text/utterance.ts';
import { QUESTION_ACT, SILENCE_ACT } from '#nlu/local/weights.ts';
import { compileWordClasses, type WordClass, type WordClasses } from '#nlu/local/text/word-classes.ts';
import { reworded, varied } from './augment.ts';
import type { ActCorpus, ActRelation, Trade } from './corpus.ts';
import { encoderPlan } from './encoder-pairs.ts';
import { fitEncoder } from './fit-encoder.ts';
import { type Example, fitLinear } from './fit-linear.ts';
import type { FieldAuthor } from './field-corpus.ts';
import { learnChoices } from './fit-choices.ts';
import { featuresOf } from './features-of.ts';
import { shown, unfilled } from './frames.ts';
import type { Matters, Wording } from './matters.ts';
import { type Script, withSpoken } from './scripts.ts';
import { type LearnedModel, quantized } from './quantize.ts';
import { learnTwists, type TwistTexts } from './twists.ts';

export const UTTERANCE_EPOCHS = 9;
export const DESCRIPTION_EPOCHS = 12;
/** Phrases of customers also help to read descriptions that quote them; each epoch uses another part of them. */
const PHRASE_IN_DESCRIPTIONS = 0.5;
const PHRASE_PARTS = 3;

/** Grammatical word classes: they characterise acts but are no topic. */
const GRAMMAR_CLASSES = new Set(['neg', 'want', 'ask', 'me', 'you', 'done']);

export const STARTING_COMBINATION: Combination = {
  actLog: 1,
  act: 1,
  overlap: 2,
  topic: 1.5,
  mood: 0.5,
  polarity: 0.5,
  similarity: 1,
  similarityAlone: 1,
  close: 0,
  agreed: 0,
  fallback: -2,
  fallbackUnknown: 1,
  breadth: 0,
  parts: 0,
};
export const STARTING_CALIBRATION: Calibration = { bias: 0, logit: 1, margin: 0, branches: 0, evidence: 0, nearness: 0 };

/** Corpus to learn from: the whole, or the part that a fold keeps. */
export interface CorpusPart {
  acts: readonly ActCorpus[];
  wordClasses: readonly WordClass[];
  relations: readonly ActRelation[];
  trades: readonly Trade[];
  synonyms: readonly (readonly string[])[];
  matters: Matters;
  concepts: readonly Wording[];
  scripts: readonly Script[];
  twistTexts: TwistTexts;
  fieldAuthors: readonly FieldAuthor[];
}

/** Learns the models and the weights of units and classes; combination and calibration keep their initial values. */
export function learnKnowledge(part: CorpusPart, random: Random): Knowledge {
  const corpus = { ...part, acts: withSpoken(part.acts, part.scripts) };
  const { acts, wordClasses, relations } = corpus;
  const compiled = compileWordClasses(wordClasses);
  const utterances = learnUtterances(corpus, compiled, random);
  const descriptions = learnDescriptions(corpus, compiled, random);
  const encoder = fitEncoder(encoderPlan(corpus, compiled, random), random);
  return {
    acts: acts.map(act => act.id),
    actCount: acts.length,
    questionAct: acts.findIndex(act => act.id === QUESTION_ACT),
    silenceAct: acts.findIndex(act => act.id === SILENCE_ACT),
    index: featureIndex([utterances.known, descriptions.known, encoder.known]),
    utterances: utterances.model,
    descriptions: descriptions.model,
    encoder: encoder.encoder,
    relations: linkActs(acts, relations),
    wordClasses: compiled,
    ...weighTerms(acts, compiled),
    combination: STARTING_COMBINATION,
    calibration: STARTING_CALIBRATION,
    choices: learnChoices(part.fieldAuthors),
    twists: learnTwists(part.twistTexts, part.trades, compiled),
  };
}

function example(text: string, act: number, weight: number, wordClasses: WordClasses): Example {
  return { features: featuresOf(text, wordClasses), act, weight };
}

function learnUtterances({ acts, trades }: CorpusPart, wordClasses: WordClasses, random: Random): LearnedModel {
  const said = acts.flatMap((act, index) => act.phrases.map(phrase => ({ phrase, index })));
  const epoch = (round: number) =>
    said.flatMap(({ phrase, index }) =>
      shown(phrase, trades, random).map(text => example(meaningfulPart(round === 0 ? text : varied(text, random)), index, 1, wordClasses)),
    );
  const plan = { actCount: acts.length, epochs: UTTERANCE_EPOCHS, rate: 0.8, dropout: 0.35, decay: 1e-5, minTexts: 1 };
  return quantized(fitLinear(epoch, plan, random), acts.length, PLACE.utterances);
}

function learnDescriptions({ acts, trades }: CorpusPart, wordClasses: WordClasses, random: Random): LearnedModel {
  const written = acts.flatMap((act, index) =>
    [...act.descriptions, act.id.replace('+', '').replaceAll('_', ' ')].map(desc => ({ desc, index })),
  );
  const said = acts.flatMap((act, index) => act.phrases.map(phrase => ({ phrase, index })));
  const epoch = (round: number) => [
    ...said
      .filter((_, at) => round === 0 || at % PHRASE_PARTS === round % PHRASE_PARTS)
      .flatMap(({ phrase, index }) =>
        shown(phrase, trades, random).map(text => example(normalize(text), index, PHRASE_IN_DESCRIPTIONS, wordClasses)),
      ),
    ...written.flatMap(({ desc, index }) =>
      [desc, round === 0 ? desc : reworded(desc, random)]
        .flatMap(text => shown(text, trades, random))
        .map(text => example(normalize(text), index, 1, wordClasses)),
    ),
  ];
  const plan = { actCount: acts.length, epochs: DESCRIPTION_EPOCHS, rate: 0.8, dropout: 0.35, decay: 1e-5, minTexts: 1 };
  return quantized(fitLinear(epoch, plan, random), acts.length, PLACE.descriptions);
}

function linkActs(acts: readonly ActCorpus[], relations: readonly ActRelation[]): ActLink[][] {
  const numbers = new Map(acts.map((act, index) => [act.id, index]));
  return acts.map(act =>
    relations
      .filter(relation => relation.from === act.id)
      .map(relation => {
        const target = numbers.get(relation.to);
        if (target === undefined) throw new Error(`relations.txt: unknown act ${relation.to}`);
        return { act: target, weight: relation.weight };
      }),
  );
}

/** Inverse document frequency of units and word classes over acts: a unit of all acts carries no information. */
function weighTerms(acts: readonly ActCorpus[], wordClasses: WordClasses): Pick<Knowledge, 'classWeights' | 'unitWeights'> {
  const unitActs = new Map<number, Set<number>>();
  const classActs = wordClasses.ids.map(() => 0);
  const units = new Uint32Array(MAX_UNITS + 2);
  const found = new Uint16Array(MAX_UNITS);
  let texts = 0;
  acts.forEach((act, index) => {
    for (const text of [...act.phrases, ...act.descriptions].map(text => normalize(unfilled(text)))) {
      texts += 1;
      const length = textUnits(text, units);
      for (const unit of units.subarray(0, length)) if (unit > EDGE) setOf(unitActs, unit).add(index);
      for (const seen of new Set(found.subarray(0, wordClasses.find(text, found)))) classActs[seen] = (classActs[seen] ?? 0) + 1;
    }
  });
  const unitWeights = new Map([...unitActs].map(([unit, seen]) => [unit, inverse(seen.size, acts.length)] as const));
  const classWeights = Float32Array.from(wordClasses.ids, (id, at) =>
    GRAMMAR_CLASSES.has(id) ? 0 : inverse(classActs[at] ?? 0, texts / 10),
  );
  return { unitWeights, classWeights };
}

function setOf(sets: Map<number, Set<number>>, key: number): Set<number> {
  const known = sets.get(key) ?? new Set<number>();
  sets.set(key, known);
  return known;
}

const MIN_TERM_WEIGHT = 0.05;

function inverse(seen: number, all: number): number {
  const weight = Math.log((all + 1) / (seen + 1)) / Math.log(all + 1);
  return weight < MIN_TERM_WEIGHT ? 0 : Math.round(weight * 100) / 100;
}
