import { NLU_LIMITS } from '#protocol/nlu.ts';
import { MAX_ACTS } from '../acts/linear-model.ts';
import { soundsTwisted } from '../acts/twist-model.ts';
import { DIMENSIONS, encode, nearest } from '../similarity/encoder.ts';
import { clausesOf } from '../text/composition.ts';
import { emptyFeatures } from '../text/features.ts';
import { normalize } from '../text/normalize.ts';
import { meaningOf } from '../text/utterance.ts';
import { actsOf, readFeatures } from './act-profile.ts';
import type { BranchSet } from './branch-set.ts';
import type { Knowledge } from './knowledge.ts';
import { asksByForm, negates } from './mood.ts';
import { overlaps, type TermBag, termBag } from './overlap.ts';

/** An utterance prepared for scoring. */
export interface ReadUtterance {
  text: string;
  /** Acts that the utterance may express; `shares` holds their probabilities. Unlikely acts are omitted. */
  acts: number[];
  shares: number[];
  terms: TermBag;
  classes: readonly number[];
  classTotal: number;
  /** 0..1. */
  asks: number;
  negates: boolean;
  /** Double negation, a rhetorical question or irony, which limits the confidence. */
  isTwisted: boolean;
  /** Number of different acts that it clearly expresses. */
  intents: number;
  /** Vector in the encoder's space. */
  vector: Float32Array;
}

/** Evidence for one branch, each kind 0..1. */
export interface Evidence {
  act: number;
  overlap: number;
  topic: number;
  /** 1 when both ask or both state, 0 when one asks and the other states. */
  mood: number;
  /** Agreement in negation, weighted by what they share: −1..1. */
  polarity: number;
  /** Proximity of utterance and description in the encoder's space: −1..1. */
  similarity: number;
  /** Logarithm of how much of all acts the branch accepts. */
  breadth: number;
  /** Logarithm of the number of parts of the description that are compared. */
  parts: number;
  isFallback: boolean;
}

export const NO_EVIDENCE: Evidence = {
  act: 0,
  overlap: 0,
  topic: 0,
  mood: 0,
  polarity: 0,
  similarity: 0,
  breadth: 0,
  parts: 0,
  isFallback: false,
};
/** Most branches weighed by one decision. */
export const MAX_BRANCHES = NLU_LIMITS.maxItems;

const features = emptyFeatures();

/** Weight of the form of a question as evidence for a branch about questions in general. */
const GENERAL_QUESTION_SHARE = 0.6;
/** Acts below this probability are not weighed. */
const UNLIKELY = 0.003;

/** Prepares an utterance, using `acts` as scratch space; an empty text is read as the act `silence`. */
export function readUtterance(text: string, knowledge: Knowledge, acts: Float32Array): ReadUtterance {
  const meaning = meaningOf(normalize(text));
  const plain = meaning.text;
  actsOf(knowledge.utterances, knowledge, readFeatures(plain, knowledge, features), acts);
  const isTwisted = meaning.isTwisted || soundsTwisted(knowledge.twists, features);
  const vector = encode(knowledge.encoder, knowledge.index, features, new Float32Array(DIMENSIONS));
  const classes = distinctClasses(knowledge);
  const intents = addClauses(plain, knowledge, acts);
  if (plain === '') acts.fill(0)[knowledge.silenceAct] = 1;
  const likely: number[] = [];
  const shares: number[] = [];
  for (let act = 0; act < acts.length; act += 1) {
    const share = acts[act] ?? 0;
    if (share < UNLIKELY) continue;
    likely.push(act);
    shares.push(share);
  }
  let classTotal = 0;
  for (const index of classes) classTotal += knowledge.classWeights[index] ?? 0;
  return {
    text: plain,
    acts: likely,
    shares,
    terms: termBag(plain, knowledge),
    classes,
    classTotal,
    asks: asksByForm(plain),
    negates: negates(plain),
    isTwisted,
    intents,
    vector,
  };
}

/** Share of the clauses in an utterance of several clauses; the whole utterance has the rest. */
const CLAUSES_SHARE = 0.5;
/** Share from which a clause clearly expresses an act. */
const CLEAR = 0.5;
/** Weight of a clause that asks, relative to one that states: a customer who adds a question to a reason expects an answer to it. */
const QUESTION_WEIGHT = 2;
const clauseRoom = new Float32Array(MAX_ACTS);

/** Adds the acts of each clause, so that none is lost among the others; returns the number of acts that are clearly expressed. */
function addClauses(plain: string, knowledge: Knowledge, acts: Float32Array): number {
  const clauses = clausesOf(plain);
  if (clauses.length === 0) return 1;
  const room = clauseRoom.subarray(0, acts.length);
  const clear = new Set<number>();
  for (let act = 0; act < acts.length; act += 1) acts[act] = (1 - CLAUSES_SHARE) * (acts[act] ?? 0);
  const weights = clauses.map(clause => (asksByForm(clause) > 0 ? QUESTION_WEIGHT : 1));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [at, clause] of clauses.entries()) {
    const counted = (CLAUSES_SHARE * (weights[at] ?? 1)) / all;
    actsOf(knowledge.utterances, knowledge, readFeatures(clause, knowledge, features), room);
    for (let act = 0; act < room.length; act += 1) {
      const share = room[act] ?? 0;
      acts[act] = (acts[act] ?? 0) + counted * share;
      if (share >= CLEAR) clear.add(act);
    }
  }
  return Math.max(1, clear.size);
}

function distinctClasses({ classWeights }: Knowledge): number[] {
  const found: number[] = [];
  for (let at = 0; at < features.classCount; at += 1) {
    const index = features.classes[at] ?? 0;
    if ((classWeights[index] ?? 0) > 0 && !found.includes(index)) found.push(index);
  }
  return found;
}

const acts = new Float64Array(MAX_BRANCHES);
const words = new Float64Array(MAX_BRANCHES);
const topics = new Float64Array(MAX_BRANCHES);

/** Writes the evidence for every branch of a set into `room`: by act, by shared words, by shared word classes. */
export function weighBranches(utterance: ReadUtterance, set: BranchSet, knowledge: Knowledge, room: Evidence[]): void {
  const size = Math.min(set.branches.length, MAX_BRANCHES);
  matchActs(utterance, set, acts);
  overlaps(utterance.terms, set.terms, words);
  shareTopics(utterance, set, topics);
  for (let at = 0; at < size; at += 1) {
    const branch = set.branches[at];
    if (!branch) continue;
    const evidence = (room[at] ??= { ...NO_EVIDENCE });
    const general = set.accepts[knowledge.questionAct * set.branches.length + at] ?? 0;
    evidence.act = Math.max(acts[at] ?? 0, GENERAL_QUESTION_SHARE * utterance.asks * general);
    evidence.overlap = words[at] ?? 0;
    evidence.topic = topics[at] ?? 0;
    evidence.mood = branch.asks ? utterance.asks : 1 - utterance.asks;
    evidence.polarity = Math.max(evidence.overlap, evidence.topic) * (utterance.negates === branch.negates ? 1 : -1);
    evidence.similarity = nearest(utterance.vector, set.vectors, set.starts[at] ?? 0, set.starts[at + 1] ?? 0);
    evidence.breadth = set.breadths[at] ?? 0;
    evidence.parts = set.parts[at] ?? 0;
    evidence.isFallback = branch.isFallback;
  }
}

function matchActs(utterance: ReadUtterance, { accepts, branches }: BranchSet, into: Float64Array): void {
  const size = branches.length;
  into.fill(0);
  for (let at = 0; at < utterance.acts.length; at += 1) {
    const share = utterance.shares[at] ?? 0;
    const start = (utterance.acts[at] ?? 0) * size;
    for (let branch = 0; branch < size; branch += 1) into[branch] = (into[branch] ?? 0) + share * (accepts[start + branch] ?? 0);
  }
}

function shareTopics({ classes, classTotal }: ReadUtterance, { topics, topicTotals }: BranchSet, into: Float64Array): void {
  into.fill(0);
  for (const index of classes) {
    const weights = topics.get(index);
    if (weights === undefined) continue;
    for (let branch = 0; branch < weights.length; branch += 1) into[branch] = (into[branch] ?? 0) + (weights[branch] ?? 0);
  }
  for (let branch = 0; branch < topicTotals.length; branch += 1) {
    const shared = into[branch] ?? 0;
    if (shared !== 0) into[branch] = shared / Math.sqrt(classTotal * (topicTotals[branch] ?? 1));
  }
}
