import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, type Random } from '#kernel/random.ts';
import { TWIST_PLACES, type TwistModel } from '#nlu/local/acts/twist-model.ts';
import { normalize } from '#nlu/local/text/normalize.ts';
import { meaningOf } from '#nlu/local/text/utterance.ts';
import type { WordClasses } from '#nlu/local/text/word-classes.ts';
import { varied } from './augment.ts';
import { CORPUS_FOLDER, readPhrases, type Trade } from './corpus.ts';
import { featuresOf } from './features-of.ts';
import { type Example, shuffled } from './fit-linear.ts';
import { shown } from './frames.ts';
import { readScripts } from './scripts.ts';

/** Twisted speech (negated, rhetorical or ironic), and ordinary speech to contrast it with. */
export interface TwistTexts {
  twisted: readonly string[];
  ordinary: readonly string[];
}

const ACTS = join(CORPUS_FOLDER, 'acts');
/** Double negations and rhetorical questions; irony; both, in the words of many trades. */
const TWISTED = ['twisted.txt', 'irony.txt', 'twisted-calls.txt'];
/** Files of both kinds, because their authors looked for indirect replies. */
const MIXED = /^indirect-/;

/** Twisted texts belong to no act: learned as acts, they would damage the recognition of ordinary speech. */
export function readTwistTexts(): TwistTexts {
  const plain = readdirSync(ACTS).filter(file => !MIXED.test(file));
  const said = readScripts(file => !MIXED.test(file)).flatMap(({ branches }) => branches.flatMap(branch => branch.said));
  return {
    twisted: unique(TWISTED.flatMap(file => readPhrases(join(CORPUS_FOLDER, file)))),
    ordinary: unique([...plain.sort().flatMap(file => readPhrases(join(ACTS, file))), ...said]),
  };
}

/** The texts without those that must stay unseen. */
export function withoutTexts({ twisted, ordinary }: TwistTexts, unseen: ReadonlySet<string>): TwistTexts {
  return { twisted: twisted.filter(text => !unseen.has(text)), ordinary: ordinary.filter(text => !unseen.has(text)) };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Accepted share of ordinary speech that is mistaken for twisted; a mistake only lowers the confidence. */
const MISTAKEN_SHARE = 0.01;
/** One in so many ordinary texts is held out to measure the share of mistakes. */
const TRIED_ONE_IN = 5;
const SEED = 7;
const ORDINARY = 0;
const TWISTED_ACT = 1;

/** Learns the model, then sets its bias so that no more held-out ordinary texts than accepted count as twisted. */
export function learnTwists(texts: TwistTexts, trades: readonly Trade[], wordClasses: WordClasses): TwistModel {
  const random = seededRandom(SEED);
  const isTried = (at: number) => at % TRIED_ONE_IN === 0;
  const examplesOf = (all: readonly string[], act: number, round: number) =>
    all.flatMap(text => shown(text, trades, random).map(full => exampleOf(round === 0 ? full : varied(full, random), act, wordClasses)));
  const fit = (ordinary: readonly string[]) =>
    fitPlaces(
      round => [...examplesOf(texts.twisted, TWISTED_ACT, round), ...examplesOf(ordinary, ORDINARY, round).filter(isPlain)],
      random,
    );
  const trial = fit(texts.ordinary.filter((_, at) => !isTried(at)));
  const tried = examplesOf(
    texts.ordinary.filter((_, at) => isTried(at)),
    ORDINARY,
    0,
  ).filter(isPlain);
  const scores = tried.map(({ features }) => scoreOf(trial, features)).sort((one, other) => other - one);
  const model = fit(texts.ordinary);
  return { ...model, bias: rounded(model.bias - (scores[Math.floor(scores.length * MISTAKEN_SHARE)] ?? 0)) };
}

interface TwistExample extends Example {
  /** Whether a construction already recognises it. */
  isKnown: boolean;
}

function isPlain({ isKnown }: TwistExample): boolean {
  return !isKnown;
}

/** A text as the engine reads it, except that a construction is not rewritten. */
function exampleOf(text: string, act: number, wordClasses: WordClasses): TwistExample {
  const normalized = normalize(text);
  const { text: meant, isTwisted } = meaningOf(normalized);
  const features = featuresOf(isTwisted ? normalized : meant, wordClasses).map(id => (id & (TWIST_PLACES - 1)) >>> 0);
  return { features, act, weight: 1, isKnown: isTwisted };
}

const LARGEST = 127;
const EPOCHS = 6;
const RATE = 0.3;
const BIAS_RATE = 0.02;
const STARTING_BIAS = -2;
const DECAY = 1e-5;
/** Share of a text's features hidden at each visit. */
const DROPOUT = 0.3;

/** Fits a logistic regression by AdaGrad with feature dropout, one weight per place. */
function fitPlaces(epoch: (round: number) => readonly Example[], random: Random): TwistModel {
  const weights = new Float32Array(TWIST_PLACES);
  const squares = new Float32Array(TWIST_PLACES).fill(1e-3);
  let bias = STARTING_BIAS;
  for (let round = 0; round < EPOCHS; round += 1) {
    const rate = RATE / (1 + round / 2);
    for (const { features, act } of shuffled(epoch(round), random)) {
      const value = 1 / Math.sqrt(Math.max(1, features.length)) / (1 - DROPOUT);
      const seen = features.filter(() => random.next() >= DROPOUT);
      const score = seen.reduce((sum, place) => sum + (weights[place] ?? 0) * value, bias);
      const error = 1 / (1 + Math.exp(-score)) - act;
      bias -= BIAS_RATE * error;
      for (const place of seen) {
        const gradient = error * value + DECAY * (weights[place] ?? 0);
        squares[place] = (squares[place] ?? 0) + gradient * gradient;
        weights[place] = (weights[place] ?? 0) - (rate * gradient) / Math.sqrt(squares[place] ?? 1);
      }
    }
  }
  const scale = Math.fround(weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / LARGEST);
  return { weights: Int8Array.from(weights, weight => Math.round(weight / scale)), scale, bias };
}

function scoreOf({ weights, scale, bias }: TwistModel, features: Uint32Array): number {
  let sum = 0;
  for (const place of features) sum += weights[place] ?? 0;
  return (sum * scale) / Math.sqrt(Math.max(1, features.length)) + bias;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
