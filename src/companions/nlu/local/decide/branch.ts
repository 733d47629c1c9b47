import type { Branch } from '#contract/nlu/decision.ts';
import { DIMENSIONS, encode } from '../similarity/encoder.ts';
import { emptyFeatures } from '../text/features.ts';
import { normalize } from '../text/normalize.ts';
import { actsOf, readFeatures } from './act-profile.ts';
import type { Knowledge } from './knowledge.ts';
import { type TermBag, termBag } from './overlap.ts';

/** Words in which every script writer frames a description; they say nothing of the branch. */
const FRAME = /客户|用户|对方|接听人|家长|患者|业主|客人|被叫|明确|表示|表达|回答|进行|情况下?|相关的?|类?问题|意图|方面|的话/g;
const CLAUSES = / |或者?|及|以及|还是|和(?=.{2,})|、/;
const LATIN_KEY = /^(?:[a-z][a-z0-9_.\- ]{2,}|no|ok)$/i;

/** An act that a description hardly speaks of does not count for it. */
const FAINT_ACT = 0.04;
const CLAUSE_SHARE = 0.85;
const SPOKEN_SHARE = 0.3;

const features = emptyFeatures();

/** One branch read by itself, before it is told from the others of its set. */
export interface BranchWords {
  key: string;
  plain: string;
  words: string;
  bag: TermBag;
  classes: ReadonlySet<number>;
  /** How far it speaks of each act by itself. */
  described: Float32Array;
  vectors: readonly Float32Array[];
}

/** Of a longer description only its first part is read: what a branch is for is said there. Characters. */
const MAX_READ_CHARS = 400;

/** Reads one branch from key and description alone. */
export function readBranch({ key, desc }: Branch, knowledge: Knowledge): BranchWords {
  const plain = normalize(desc).slice(0, MAX_READ_CHARS);
  const words = `${plain.replace(FRAME, '').trim() || plain} ${keyWords(key)}`.trim();
  return {
    key,
    plain,
    words,
    bag: termBag(words, knowledge),
    classes: tellingClasses(words, knowledge),
    ...readParts(words, knowledge),
  };
}

/** A key of Latin words says what the branch is: `callLater` → `call later`. */
function keyWords(key: string): string {
  if (!LATIN_KEY.test(key)) return '';
  return normalize(key.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' '));
}

function tellingClasses(text: string, { wordClasses, classWeights }: Knowledge): Set<number> {
  const found = new Uint16Array(64);
  const count = wordClasses.find(text, found);
  return new Set([...found.subarray(0, count)].filter(index => (classWeights[index] ?? 0) > 0));
}

/** Most clauses of a description that are read one by one. */
const MAX_PLACED = 8;

function clausesOf(text: string): string[] {
  return text.split(CLAUSES).filter(clause => clause.length >= 2);
}

/** Reads the description and each of its clauses: what any of them says of an act or is near to counts. */
function readParts(text: string, knowledge: Knowledge): Pick<BranchWords, 'described' | 'vectors'> {
  const clauses = clausesOf(text);
  const parts = clauses.length > 1 ? [text, ...clauses.slice(0, MAX_PLACED)] : [text];
  const described = new Float32Array(knowledge.actCount);
  const vectors = parts.map((part, at) => {
    readFeatures(part, knowledge, features);
    partActs(knowledge).forEach((value, act) => {
      described[act] = Math.max(described[act] ?? 0, at === 0 ? value : CLAUSE_SHARE * value);
    });
    return encode(knowledge.encoder, knowledge.index, features, new Float32Array(DIMENSIONS));
  });
  return { described: described.map(value => (value < FAINT_ACT ? 0 : value)), vectors };
}

/** The acts of what was read into `features`: a description is mostly written as one, but may quote what customers say. */
function partActs(knowledge: Knowledge): Float32Array {
  const { descriptions, utterances, actCount } = knowledge;
  const written = actsOf(descriptions, knowledge, features, new Float32Array(actCount));
  const spoken = actsOf(utterances, knowledge, features, new Float32Array(actCount));
  return written.map((value, act) => (1 - SPOKEN_SHARE) * value + SPOKEN_SHARE * (spoken[act] ?? 0));
}
