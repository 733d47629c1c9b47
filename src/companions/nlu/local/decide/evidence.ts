import { MAX_ACTS } from '../acts/linear-model.ts';
import { dot, encode } from '../similarity/encoder.ts';
import { clausesOf, isTwisted } from '../text/composition.ts';
import { emptyFeatures } from '../text/features.ts';
import { normalize } from '../text/normalize.ts';
import { meaningfulPart } from '../text/utterance.ts';
import { actProfile } from './act-profile.ts';
import type { CompiledBranch } from './branch.ts';
import type { Knowledge } from './knowledge.ts';
import { asksByForm, negates } from './mood.ts';
import { overlap, type TermBag, termBag } from './overlap.ts';

/** An utterance as the scorer reads it. */
export interface ReadUtterance {
  text: string;
  /** The acts that it may be, and how likely each is; the rest counts for nothing. */
  acts: number[];
  shares: number[];
  terms: TermBag;
  classes: readonly number[];
  classTotal: number;
  /** 0..1. */
  asks: number;
  negates: boolean;
  /** Double negation, a rhetorical question or irony: nobody should be sure of what it means. */
  isTwisted: boolean;
  /** How many things of different kinds it says. */
  intents: number;
  /** Where it lies in the encoder's space. */
  vector: Float32Array;
}

/** What speaks for one branch, each 0..1. */
export interface Evidence {
  act: number;
  overlap: number;
  topic: number;
  /** 1 when both ask or both state, down to 0 when one asks and the other states. */
  mood: number;
  /** How far what they share is affirmed or denied by both: −1..1. */
  polarity: number;
  /** How near utterance and description lie in the encoder's space: −1..1. */
  similarity: number;
  isFallback: boolean;
}

const features = emptyFeatures();

/** A question about anything is a question, though none of the known acts. */
const GENERAL_QUESTION_SHARE = 0.6;
/** An act less likely than this is not weighed. */
const UNLIKELY = 0.003;

/** Reads what was said, with `acts` as room; silence reads as the act of that name. */
export function readUtterance(text: string, knowledge: Knowledge, acts: Float32Array): ReadUtterance {
  const plain = meaningfulPart(text);
  actProfile(knowledge.utterances, plain, knowledge, features, acts);
  const vector = encode(knowledge.encoder, features, new Float32Array(knowledge.encoder.dimensions));
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
    isTwisted: isTwisted(normalize(text)),
    intents,
    vector,
  };
}

/** Of an utterance of several clauses the whole counts as much as all clauses together. */
const CLAUSES_SHARE = 0.5;
/** From this share on a clause says an act of its own. */
const CLEAR = 0.5;
const clauseRoom = new Float32Array(MAX_ACTS);

/** Adds what each clause says by itself, so that none is lost in the others; returns how many different acts are said clearly. */
function addClauses(plain: string, knowledge: Knowledge, acts: Float32Array): number {
  const clauses = clausesOf(plain);
  if (clauses.length === 0) return 1;
  const room = clauseRoom.subarray(0, acts.length);
  const clear = new Set<number>();
  for (let act = 0; act < acts.length; act += 1) acts[act] = (1 - CLAUSES_SHARE) * (acts[act] ?? 0);
  for (const clause of clauses) {
    actProfile(knowledge.utterances, clause, knowledge, features, room);
    for (let act = 0; act < room.length; act += 1) {
      const share = room[act] ?? 0;
      acts[act] = (acts[act] ?? 0) + (CLAUSES_SHARE * share) / clauses.length;
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

/** Weighs one branch into `evidence`: by act, by shared words, by shared word classes. */
export function weighBranch(utterance: ReadUtterance, branch: CompiledBranch, knowledge: Knowledge, evidence: Evidence): Evidence {
  const { acts, shares } = utterance;
  const { accepts } = branch;
  let act = 0;
  for (let at = 0; at < acts.length; at += 1) act += (shares[at] ?? 0) * (accepts[acts[at] ?? 0] ?? 0);
  const words = overlap(utterance.terms, branch.terms);
  const topic = sharedTopics(utterance, branch, knowledge);
  const general = branch.accepts[knowledge.questionAct] ?? 0;
  evidence.act = Math.max(act, GENERAL_QUESTION_SHARE * utterance.asks * general);
  evidence.overlap = words;
  evidence.topic = topic;
  evidence.mood = branch.asks ? utterance.asks : 1 - utterance.asks;
  evidence.polarity = Math.max(words, topic) * (utterance.negates === branch.negates ? 1 : -1);
  evidence.similarity = similarity(utterance.vector, branch.vectors);
  evidence.isFallback = branch.isFallback;
  return evidence;
}

/** A description of several clauses is as near as its nearest. */
function similarity(vector: Float32Array, vectors: readonly Float32Array[]): number {
  let nearest = -1;
  for (const written of vectors) nearest = Math.max(nearest, dot(vector, written));
  return nearest;
}

function sharedTopics(utterance: ReadUtterance, branch: CompiledBranch, { classWeights }: Knowledge): number {
  if (utterance.classTotal === 0 || branch.classTotal === 0) return 0;
  let shared = 0;
  for (const index of utterance.classes) shared += (branch.classes.get(index) ?? 0) * (classWeights[index] ?? 0);
  return shared / Math.sqrt(utterance.classTotal * branch.classTotal);
}
